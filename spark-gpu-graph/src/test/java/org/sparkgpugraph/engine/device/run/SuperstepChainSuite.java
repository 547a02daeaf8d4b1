package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sparkgpugraph.engine.device.CountedRun.everyVertex;
import static org.sparkgpugraph.engine.device.CountedRun.same;
import static org.sparkgpugraph.engine.device.run.HotVerticesSuite.RANKS;
import static org.sparkgpugraph.engine.device.run.HotVerticesSuite.ranks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.CountedRun;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.plan.SuperstepChain;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.HotVertices;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.run.SuperstepStats;

/** Supersteps that follow each other without a wait do what others do, to the bit. */
abstract class SuperstepChainSuite {
  /** A superstep of which many are done before a run may be interrupted again. */
  private static final long QUICK = 1000;

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice(int seed);

  /**
   * What a run did.
   *
   * @param waits how often it was waited for supersteps behind superstep 0
   */
  record Done(CountedRun run, int waits) {}

  /** Runs all iterations. */
  static Done run(
      Device device,
      DeviceSettings how,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings,
      boolean ahead) {
    List<SuperstepStats> steps = new ArrayList<>();
    int waits = 0;
    Device quick = DeviceProxies.taking(device, QUICK);
    try (DeviceEngine engine = new DeviceEngine("chained", quick, how);
        DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      steps.add(run.initialise());
      if (ahead) {
        run.runAhead();
      }
      for (int i = 0; i < settings.maxIterations(); i++) {
        waits += run.isAhead() ? 0 : 1;
        steps.add(run.step(steps.get(i).aggregates()));
      }
      assertThat(run.isAhead()).isFalse();
      Columns values = CountedRun.values(run, program, graph);
      return new Done(new CountedRun(steps, values, List.of()), waits);
    }
  }

  /** One superstep is waited for, whose time is not known, then all that a chain may have. */
  @Test
  void supersteps() {
    try (Device device = openDevice(1)) {
      for (HotVertices hot :
          List.of(HotVerticesSuite.FEW, HotVerticesSuite.FEW.with(HotVertices.Choice.OFF))) {
        for (int iterations : new int[] {1, 2, 3, 18, 40}) {
          Random random = new Random(iterations);
          SimpleGraph graph = HotVerticesSuite.graph(random, iterations % 4);
          Columns attributes = ranks(graph, random);
          RunSettings settings = everyVertex(iterations, 0.0);
          DeviceSettings how = HotVerticesSuite.settings(hot);
          String what = iterations + " iterations, " + hot.choice();
          Done one = run(device, how, RANKS, graph, attributes, settings, false);
          Done found = run(device, how, RANKS, graph, attributes, settings, true);
          same(one.run(), found.run(), what);
          assertThat(one.waits()).as(what).isEqualTo(iterations);
          int chains = (iterations - 1 + SuperstepChain.MOST - 1) / SuperstepChain.MOST;
          assertThat(found.waits()).as(what).isEqualTo(1 + chains);
        }
      }
    }
  }
}
