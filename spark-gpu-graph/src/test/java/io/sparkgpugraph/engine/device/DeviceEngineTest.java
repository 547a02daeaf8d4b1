package io.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkgpugraph.engine.ActiveDirection;
import io.sparkgpugraph.engine.Gather;
import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.engine.SimpleGraph;
import io.sparkgpugraph.engine.SuperstepStats;
import io.sparkgpugraph.engine.TestPrograms;
import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.engine.emulator.EmulatorSettings;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.program.Kind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceEngineTest {
  @Test
  void sssp() {
    Columns weights = Columns.allocate(List.of(Kind.DOUBLE), 4);
    Arrays.fill(weights.doubles(0), 2);
    SimpleGraph graph =
        new SimpleGraph(
            new long[] {0, 1, 2, 3, 4},
            null,
            new int[] {0, 1, 2, 3},
            new int[] {1, 2, 3, 4},
            weights,
            2);
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), 5);
    Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
    attributes.doubles(0)[0] = 0;
    RunSettings settings =
        new RunSettings(
            new Object[] {Double.POSITIVE_INFINITY},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            KernelChoice.AUTO,
            1,
            null);
    try (EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine = new DeviceEngine("emulated", device, DeviceSettings.DEFAULT)) {
      try (DeviceRun run =
          engine.open(graph, TestPrograms.shortestPaths(), graph.split(attributes), settings)) {
        SuperstepStats stats = run.initialise();
        System.err.println(stats);
        while (stats.activeVertices() > 0) {
          stats = run.step(new double[0]);
          System.err.println(stats);
        }
        assertThat(run.values(1).doubles(0)).containsExactly(4, 6, 8);
      }
      System.err.println(engine.describeMemory(graph, TestPrograms.shortestPaths(), settings));
    }
  }
}
