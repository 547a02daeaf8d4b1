package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sparkgpugraph.run.KernelChoice.ASYNC;
import static org.sparkgpugraph.run.KernelChoice.OUTLINED;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.TileSettings;
import org.sparkgpugraph.engine.device.settings.TileSettings.Form;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * When a run goes on without supersteps, and what is compiled and allocated for that, on any
 * device, against a sequential Pregel.
 */
@Timeout(300)
abstract class RelaxingSuite {
  /** As users have it. */
  private static final DeviceSettings DEFAULT = DeviceSettings.DEFAULT.withReserve(0);

  private static final int AFTER = DEFAULT.push().async().after();

  /** Launches that push before one waits for what is compiled beside the run. */
  private static final int LAUNCHES = 2;

  private static final String WORKERS = "async_loop";
  private static final String OWNERS = "tile_loop";
  private static final List<String> RELAXING = List.of(WORKERS, OWNERS);

  private static final ProgramInstance LEAST = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);

  private Device device;

  /** Modules that were loaded, those of relaxations among them. */
  private final AtomicInteger loads = new AtomicInteger();

  private final List<String> relaxing = new CopyOnWriteArrayList<>();

  /** The memory of the last run when it ended. */
  private DevicePlan memory;

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice();

  @BeforeEach
  void open() {
    device = openDevice();
  }

  @AfterEach
  void nothingLeaks() {
    assertThat(device.allocatedBytes()).isZero();
    device.close();
  }

  /** Whether a module is one that relaxes, be it by workers or by owners of tiles. */
  private static boolean relaxes(String text) {
    return RELAXING.stream().anyMatch(text::contains);
  }

  /** An engine that counts what it loads. */
  private DeviceEngine engine(Device on, DeviceSettings settings) {
    return engine(on, settings, new CountDownLatch(0));
  }

  /**
   * As above. Compilers take longer than the runs here: from some launch on supersteps that push
   * wait until kernels that relax are loaded, or something else has happened.
   */
  private DeviceEngine engine(Device on, DeviceSettings settings, CountDownLatch loaded) {
    Device counting =
        DeviceProxies.loading(
            on,
            source -> {
              loads.incrementAndGet();
              if (relaxes(source.text())) {
                relaxing.addAll(source.kernels());
                loaded.countDown();
              }
            });
    AtomicInteger launches = new AtomicInteger();
    AtomicReference<DeviceEngine> engine = new AtomicReference<>();
    boolean waits = loaded.getCount() > 0;
    Device waiting =
        DeviceProxies.launching(
            counting,
            (kernel, blocks) -> {
              if (waits && kernel.equals("push_loop") && launches.incrementAndGet() > LAUNCHES) {
                await(loaded);
                // Of later runs, which find them loaded, but not at once.
                engine.get().awaitKernels();
              }
            });
    engine.set(new DeviceEngine("counting", waiting, settings));
    return engine.get();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(200, TimeUnit.SECONDS)).as("kernels are loaded").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Runs, and compares the values with those of a sequential Pregel.
   *
   * @param longest no way is longer
   */
  private List<KernelChoice> run(
      DeviceEngine engine, SimpleGraph graph, int longest, List<String> notes) {
    int n = graph.ids.length;
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    Arrays.fill(attributes.ints(0), 9);
    attributes.ints(0)[0] = 1;
    RunSettings settings = settings();
    IrPregelOracle oracle = new IrPregelOracle(graph, LEAST, attributes, settings);
    oracle.initialise();
    // Who hears something is active in Pregel: on a circle for ever.
    for (int step = 0; step < longest && oracle.activeCount > 0; step++) {
      oracle.step();
    }
    try (DeviceRun run = engine.open(graph, LEAST, graph.split(attributes), settings)) {
      RunSummary summary = SuperstepLoop.run("counting", run, settings, n, List.of(), step -> {});
      assertThat(summary.stopped()).isEqualTo(RunSummary.Stopped.CONVERGED);
      for (int v = 0; v < n; v++) {
        assertThat(run.values(0).get(0, v)).as("vertex %s", v).isEqualTo(oracle.values[v][0]);
      }
      notes.addAll(run.notes());
      memory = run.plan();
      List<KernelChoice> kernels =
          summary.supersteps().stream().map(SuperstepStats::kernel).toList();
      if (kernels.contains(ASYNC)) {
        assertThat(device.allocatedBytes() - engine.residentBytes())
            .as("what is planned is allocated, and nothing for what was not taken")
            .isEqualTo(memory.ownBytes());
      }
      return kernels;
    }
  }

  private static RunSettings settings() {
    return IrPrograms.settings(MergeAlgebra.MIN.identity(Kind.INT), KernelChoice.AUTO);
  }

  private List<KernelChoice> run(DeviceEngine engine, SimpleGraph graph) {
    return run(engine, graph, graph.ids.length, new ArrayList<>());
  }

  private static long count(List<KernelChoice> kernels, KernelChoice which) {
    return kernels.stream().filter(kernel -> kernel == which).count();
  }

  /** A run that so many supersteps did not end goes on without them, and the next ones likewise. */
  @Test
  void aLongRunGoesOnWithoutSuperstepsAndRunsShareTheKernels() {
    SimpleGraph path = path(1000);
    try (DeviceEngine engine = engine(device, DEFAULT, new CountDownLatch(1))) {
      List<String> notes = new ArrayList<>();
      for (int again = 0; again < 2; again++) {
        List<KernelChoice> kernels = run(engine, path, 1000, notes);
        assertThat(kernels).as("run %s", again).endsWith(OUTLINED, ASYNC);
        assertThat(count(kernels, ASYNC)).isEqualTo(1);
        assertThat(count(kernels, OUTLINED)).isBetween((long) AFTER, 900L);
      }
      assertThat(notes)
          .anyMatch(
              note -> note.startsWith("goes on without supersteps when 128 have not ended it"))
          .noneMatch(note -> note.startsWith("goes on in supersteps"));
      assertThat(relaxing).containsExactly(OWNERS);
      assertThat(loads).hasValue(2);
    }
  }

  /**
   * Where most edges are inside of tiles their owners do it, else workers, or who is wanted; there
   * is memory for them alone.
   */
  @Test
  void memoryIsForThoseWhoRelax() {
    SimpleGraph path = path(600);
    DeviceSettings choice = tiles(Form.AUTO);
    assertRelaxedBy(OWNERS, choice, path);
    assertRelaxedBy(WORKERS, choice, mixed(path));
    assertRelaxedBy(WORKERS, tiles(Form.BUCKETS), path);
  }

  private void assertRelaxedBy(String kernel, DeviceSettings settings, SimpleGraph graph) {
    relaxing.clear();
    try (DeviceEngine engine = engine(device, settings, new CountDownLatch(1))) {
      assertThat(run(engine, graph)).endsWith(OUTLINED, ASYNC);
    }
    assertThat(relaxing).containsExactly(kernel);
    assertThat(memory.items().stream().map(DevicePlan.Item::member))
        .contains(kernel.equals(OWNERS) ? "tileInbox" : "asyncItems")
        .doesNotContain(kernel.equals(OWNERS) ? "asyncItems" : "tileInbox");
  }

  /** The run pushes while the kernels are compiled, however long that takes. */
  @Test
  void aRunThatEndsBeforeTheKernelsComeHasPushed() {
    SimpleGraph path = path(1000);
    CountDownLatch ended = new CountDownLatch(1);
    Device slow =
        DeviceProxies.editing(
            device,
            text -> {
              if (relaxes(text)) {
                await(ended);
              }
              return text;
            });
    try (DeviceEngine engine = engine(slow, DEFAULT)) {
      List<KernelChoice> kernels = run(engine, path);
      assertThat(count(kernels, OUTLINED)).isGreaterThan(990);
      assertThat(count(kernels, ASYNC)).isZero();
      assertThat(relaxing).isEmpty();
      ended.countDown();
    }
  }

  /** Nothing is compiled for a run of few supersteps, nor allocated where none can be long. */
  @Test
  void aShortRunLoadsNothingMore() {
    Random random = new Random(7);
    SimpleGraph wide = RandomSimpleGraphs.of(random, 1000, 8, false, false, 1);
    SimpleGraph small = path(AFTER);
    DeviceSettings never =
        DEFAULT.withPush(DEFAULT.push().withAsync(DEFAULT.push().async().withAfter(0)));
    try (DeviceEngine engine = engine(device, DEFAULT)) {
      assertThat(run(engine, wide, 50, new ArrayList<>()))
          .hasSizeLessThan(AFTER / 4)
          .doesNotContain(ASYNC);
      assertThat(planned(engine, wide)).contains("asyncItems");
      assertThat(takesAtFirst(engine, wide)).isEqualTo(takesAtFirst(engine.with(never), wide));
      List<String> notes = new ArrayList<>();
      assertThat(count(run(engine, small, AFTER, notes), OUTLINED)).isGreaterThan(AFTER / 2);
      assertThat(planned(engine, small)).doesNotContain("asyncItems");
      assertThat(notes)
          .contains(
              "never goes on without supersteps: 128 vertices are reached in no more than 128");
      engine.awaitKernels();
      assertThat(loads).hasValue(1);
    }
  }

  /** Bytes that a run has allocated when it is opened, on a graph that is on the device. */
  private long takesAtFirst(DeviceEngine engine, SimpleGraph graph) {
    long before = device.allocatedBytes();
    Columns attributes = Columns.allocate(List.of(Kind.INT), graph.ids.length);
    try (DeviceRun run = engine.open(graph, LEAST, graph.split(attributes), settings())) {
      return device.allocatedBytes() - before;
    }
  }

  /** Names of the memory of a run. */
  private static List<String> planned(DeviceEngine engine, SimpleGraph graph) {
    Columns attributes = Columns.allocate(List.of(Kind.INT), graph.ids.length);
    try (DeviceRun run = engine.open(graph, LEAST, graph.split(attributes), settings())) {
      return run.plan().items().stream().map(item -> item.member()).toList();
    }
  }

  /** Where hubs make ways short a run goes on in supersteps, however long it is. */
  @Test
  void aRunOverHubsGoesOnInSupersteps() {
    int n = 300;
    int leaves = 5000;
    SimpleGraph path = path(n);
    int[] sources = Arrays.copyOf(path.sources, n - 1 + leaves);
    int[] destinations = Arrays.copyOf(path.destinations, n - 1 + leaves);
    Arrays.fill(sources, n - 1, n - 1 + leaves, n - 1);
    SimpleGraph hub = new SimpleGraph(path.ids, null, sources, destinations, null);
    List<String> notes = new ArrayList<>();
    try (DeviceEngine engine = engine(device, settings(20))) {
      List<KernelChoice> kernels = run(engine, hub, n, notes);
      assertThat(count(kernels, OUTLINED)).isGreaterThan(250);
      assertThat(kernels).doesNotContain(ASYNC);
      assertThat(notes)
          .anyMatch(note -> note.startsWith("never goes on without supersteps: an edge begins in"));
      assertThat(planned(engine, hub)).doesNotContain("asyncItems");
      engine.awaitKernels();
      assertThat(loads).hasValue(1);
    }
  }

  /** Few blocks and few supersteps. */
  private static DeviceSettings settings(int after) {
    return DEFAULT.withPush(
        new PushSettings(1, 20, 1, 1, 7)
            .withAsync(AsyncSettings.DEFAULT.withBlocks(3).withPool(5, 1).withAfter(after)));
  }

  /** The same with tiles of a word, and who owns them. */
  private static DeviceSettings tiles(Form form) {
    PushSettings push = settings(20).push();
    TileSettings tiles = push.async().tiles().withTiles(32).withForm(form);
    return DEFAULT.withPush(push.withAsync(push.async().withTiles(tiles)));
  }

  /** Who cannot have the kernels pushes to the end, and says so. */
  @Test
  void aRunWhoseKernelsDoNotCompileGoesOnInSupersteps() {
    CountDownLatch refused = new CountDownLatch(1);
    Device broken =
        DeviceProxies.editing(
            device,
            text -> {
              if (relaxes(text)) {
                refused.countDown();
                throw new KernelCompilationException(
                    "planted", new KernelSource("", text, List.of(), List.of()), "a mistake");
              }
              return text;
            });
    List<String> notes = new ArrayList<>();
    try (DeviceEngine engine = engine(broken, settings(20), refused)) {
      List<KernelChoice> kernels = run(engine, path(600), 600, notes);
      assertThat(count(kernels, OUTLINED)).isGreaterThan(590);
      assertThat(kernels).doesNotContain(ASYNC);
      assertThat(notes)
          .anyMatch(note -> note.startsWith("goes on in supersteps: ") && note.contains("planted"));
      assertThat(relaxing).isEmpty();
    }
  }

  /** The buckets are planned; where there is no room for them the run pushes without. */
  @Test
  void aRunThatHasNoRoomForBucketsPushesToItsEnd() {
    SimpleGraph path = path(600);
    long with;
    long without;
    try (DeviceEngine engine = engine(device, settings(20))) {
      with = bytes(engine, path);
      without = bytes(engine.with(settings(0)), path);
      assertThat(with).isGreaterThan(without);
      long more = engine.estimate(path, LEAST, settings());
      more -= engine.with(settings(0)).estimate(path, LEAST, settings());
      assertThat(more).isEqualTo(with - without);
    }
    for (long bytes : new long[] {with, with - 1, without}) {
      Device limited = DeviceProxies.limited(device, bytes);
      try (DeviceEngine engine =
          engine(limited, settings(20), new CountDownLatch(bytes == with ? 1 : 0))) {
        List<KernelChoice> kernels = run(engine, path);
        assertThat(kernels.contains(ASYNC)).as("with %s bytes", bytes).isEqualTo(bytes == with);
        assertThat(count(kernels, OUTLINED)).isGreaterThan(bytes == with ? 19 : 590);
        assertThat(engine.estimate(path, LEAST, settings())).isLessThanOrEqualTo(bytes);
      }
    }
  }

  /** Between the plan and the buckets' turn somebody else may take what there is. */
  @Test
  void aRunWhoseRoomForBucketsIsTakenGoesOnInSupersteps() {
    SimpleGraph path = path(600);
    List<String> notes = new ArrayList<>();
    long with;
    DeviceSettings workers = tiles(Form.BUCKETS);
    try (DeviceEngine engine = engine(device, workers)) {
      with = bytes(engine, path);
    }
    List<DeviceMemory> others = new ArrayList<>();
    Device crowded =
        DeviceProxies.launching(
            DeviceProxies.limited(device, with),
            (kernel, blocks) -> {
              if (kernel.equals("push_loop") && others.isEmpty()) {
                others.add(device.allocate(1, "somebody else"));
              }
            });
    try (DeviceEngine engine = engine(crowded, workers, new CountDownLatch(1))) {
      List<KernelChoice> kernels = run(engine, path, 600, notes);
      assertThat(kernels).doesNotContain(ASYNC);
      assertThat(relaxing).as("kernels are there").containsExactly(WORKERS);
      assertThat(notes)
          .anyMatch(
              note ->
                  note.startsWith("goes on in supersteps: ") && note.contains("bytes free but"));
      others.forEach(DeviceMemory::close);
    }
  }

  /** The same with numbers of vertices that say nothing, but for the first one's. */
  private static SimpleGraph mixed(SimpleGraph graph) {
    int[] to = IntStream.range(0, graph.ids.length).toArray();
    Random random = new Random(3);
    for (int v = to.length - 1; v > 1; v--) {
      int other = 1 + random.nextInt(v);
      int swapped = to[v];
      to[v] = to[other];
      to[other] = swapped;
    }
    return new SimpleGraph(
        graph.ids,
        null,
        Arrays.stream(graph.sources).map(v -> to[v]).toArray(),
        Arrays.stream(graph.destinations).map(v -> to[v]).toArray(),
        null);
  }

  private static long bytes(DeviceEngine engine, SimpleGraph graph) {
    Columns attributes = Columns.allocate(List.of(Kind.INT), graph.ids.length);
    try (DeviceRun run = engine.open(graph, LEAST, graph.split(attributes), settings())) {
      return run.plan().totalBytes();
    }
  }

  private static SimpleGraph path(int n) {
    int[] sources = new int[n - 1];
    int[] destinations = new int[n - 1];
    Arrays.setAll(sources, v -> v);
    Arrays.setAll(destinations, v -> v + 1);
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    return new SimpleGraph(ids, null, sources, destinations, null);
  }
}
