package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.tuning.Trial;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.run.KernelChoice;

/** Runs that try the ways that they may take, by a clock that says which one is quick. */
@Tag("any-spark")
class TuningTest extends TuningSuite {
  private static final int N = 320;
  private static final SimpleGraph PATH = path(N);
  private static final Columns ATTRIBUTES = lastIsLeast(N);

  @TempDir private Path folder;

  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  /** Whose launches are quick, and which sources cannot be loaded. */
  private static final class Clock implements DeviceProxies.Clock {
    final Set<String> launched = ConcurrentHashMap.newKeySet();
    String quick = "";
    Consumer<KernelSource> loading = source -> {};

    @Override
    public void load(KernelSource source) {
      loading.accept(source);
    }

    @Override
    public long nanos(KernelSource source, String kernel) {
      if (!kernel.equals("push_loop") && !kernel.startsWith("gather_")) {
        return 0;
      }
      String way = way(source);
      launched.add(way);
      return way.equals(quick) ? 400_000 : 1_000_000;
    }

    /** The way whose kernels these are, as titles have it; of the run's own ones {@code own}. */
    static String way(KernelSource source) {
      if (source.kernels().contains("initialise")) {
        return "own";
      }
      String text = source.text();
      if (source.kernels().contains("push_loop")) {
        return (is(text, "PUSH_FINE") ? "fine" : "serial")
            + (is(text, "PUSH_SHELF") ? "/shelf" : "");
      }
      return is(text, "WAVES") ? "waves" : is(text, "NESTED") ? "nested-serial" : "segmentation";
    }

    private static boolean is(String text, String name) {
      return !text.contains("#define SGG_" + name + " 0\n");
    }
  }

  private static List<String> runUntilDecided(
      DeviceEngine engine, KernelChoice kernel, String part, List<Trial.Row> tried) {
    List<String> notes = List.of();
    for (int run = 0; run < 10 && !isDecided(notes, part); run++) {
      notes = run(engine, PATH, ATTRIBUTES, kernel, tried);
    }
    return notes;
  }

  @Test
  void everyWayIsTriedAndTheQuickestIsRemembered() throws IOException {
    Clock clock = new Clock();
    try (Device device = openDevice(1)) {
      Device first = DeviceProxies.named(DeviceProxies.clocked(device, clock), "GPU one", folder);
      List<Trial.Row> tried = new ArrayList<>();
      try (DeviceEngine engine = new DeviceEngine("emulated", first, TUNED)) {
        clock.quick = "waves";
        List<String> notes = runUntilDecided(engine, KernelChoice.DENSE, "rows", tried);
        assertThat(notes).anyMatch(note -> note.startsWith("rows: waves: tuned, "));
        assertThat(tried)
            .extracting(Trial.Row::title)
            .containsExactly(
                "stream",
                "stream/piece=-1",
                "stream/piece=1024",
                "stream/piece=16384",
                "segmentation",
                "waves",
                "nested-serial");
        assertThat(tried).allMatch(row -> row.launches() >= 2);
        assertThat(clock.launched).contains("own", "segmentation", "waves", "nested-serial");
        clock.quick = "serial/shelf";
        notes = runUntilDecided(engine, KernelChoice.OUTLINED, "pushes", tried);
        assertThat(notes).anyMatch(note -> note.startsWith("pushes: serial/shelf: tuned, "));
        assertThat(clock.launched).contains("serial", "serial/shelf", "fine/shelf");
        // Another graph of the class takes what is remembered, and nothing else.
        clock.launched.clear();
        assertThat(run(engine, path(300), lastIsLeast(300), KernelChoice.OUTLINED))
            .anyMatch(note -> note.startsWith("pushes: serial/shelf: remembered, "));
        // All rows are gathered once, by what was found for these.
        assertThat(clock.launched).containsExactlyInAnyOrder("waves", "serial/shelf");
        // One of another class does not.
        assertThat(run(engine, path(40), lastIsLeast(40), KernelChoice.OUTLINED))
            .noneMatch(note -> note.contains("remembered"));
      }
      // Another process finds it on disk; on another GPU it does not hold.
      assertRemembered(clock, DeviceProxies.named(device, "GPU one", folder), true);
      assertRemembered(clock, DeviceProxies.named(device, "GPU two", folder), false);
      assertRemembered(clock, DeviceProxies.named(device, "GPU one", null), false);
      Files.writeString(folder.resolve("choices.tuned"), "spark-gpu-graph choices 1\nrows\n");
      assertRemembered(clock, DeviceProxies.named(device, "GPU one", folder), false);
    }
  }

  private static void assertRemembered(Clock clock, Device device, boolean remembered) {
    try (DeviceEngine engine =
        new DeviceEngine("emulated", DeviceProxies.clocked(device, clock), TUNED)) {
      clock.launched.clear();
      List<String> notes = run(engine, PATH, ATTRIBUTES, KernelChoice.OUTLINED);
      assertThat(notes.stream().anyMatch(note -> note.contains(": remembered, ")))
          .as("%s", notes)
          .isEqualTo(remembered);
      assertThat(clock.launched.contains("serial")).isEqualTo(!remembered);
    }
  }

  /** One does not compile, for another one there is no memory: the rest is compared. */
  @Test
  void waysThatCannotBeLoadedAreLeftOut() {
    Clock clock = new Clock();
    clock.quick = "waves";
    clock.loading =
        source -> {
          String way = Clock.way(source);
          if (way.equals("waves")) {
            throw new KernelCompilationException("planted", source, "line 1: no");
          }
          if (way.equals("segmentation")) {
            throw new DeviceOutOfMemoryException("emulated", "a module", 10, 5, "PLANTED", "");
          }
        };
    try (Device device = openDevice(1);
        DeviceEngine engine =
            new DeviceEngine("emulated", DeviceProxies.clocked(device, clock), TUNED)) {
      List<Trial.Row> tried = new ArrayList<>();
      List<String> notes = run(engine, PATH, ATTRIBUTES, KernelChoice.DENSE, tried);
      assertThat(notes)
          .anyMatch(note -> note.startsWith("rows: stream: tuned, "))
          .anyMatch(note -> note.startsWith("rows: waves is left out: "))
          .anyMatch(note -> note.startsWith("rows: segmentation is left out: "));
      assertThat(clock.launched).containsExactlyInAnyOrder("own", "nested-serial");
    }
  }

  /** Without being asked nothing is tried, and the note says so. */
  @Test
  void nothingIsTriedUnlessAskedFor() {
    Clock clock = new Clock();
    try (Device device = openDevice(1);
        DeviceEngine engine =
            new DeviceEngine(
                "emulated", DeviceProxies.clocked(device, clock), TUNED.withTrials(false))) {
      assertThat(run(engine, PATH, ATTRIBUTES, KernelChoice.AUTO))
          .anyMatch(
              note ->
                  note.equals(
                      "rows: stream, not tuned (spark.gpugraph.gpu.tuning) (2^8 rows of about 2^0"
                          + " edges, the longest below 32 edges, no hubs)"))
          .anyMatch(note -> note.startsWith("supersteps push up to 79 active vertices and edges"));
      assertThat(clock.launched).containsExactly("own");
    }
  }

  /** A way with a mistake in it shows in the results. */
  @Test
  void aWayThatLosesAnEdgeIsFound() {
    try (Device device = openDevice(1);
        DeviceEngine engine =
            new DeviceEngine(
                "emulated",
                DeviceProxies.editing(
                    device,
                    text ->
                        text.contains("#define SGG_NESTED 1\n")
                            ? text.replace(
                                "bool selected = i < count && sgg_selects",
                                "bool selected = i + 1 < count && sgg_selects")
                            : text),
                TUNED)) {
      assertThatThrownBy(() -> run(engine, PATH, ATTRIBUTES, KernelChoice.DENSE))
          .isInstanceOf(AssertionError.class);
    }
  }
}
