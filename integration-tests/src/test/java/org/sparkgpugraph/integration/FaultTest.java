package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.held.GraphHandle;

/**
 * Runs over two of three executors that lose executors, files and tasks on the way: their values
 * are those of the undisturbed run, bit for bit, and nothing is left.
 */
class FaultTest {
  private static final int EXECUTORS = 3;
  private static final int SHARDS = 2;
  private static final int ITERATIONS = 24;
  private static final int CHECKPOINT_INTERVAL = 4;

  /** No fault behind this superstep: the run is long enough for it to be noticed. */
  private static final int LAST_FAULT = 12;

  private static final int LONGEST_DELAY_MILLIS = 250;

  private static final String EDGES = "spark.gpugraph.memory.edges";

  /** How long tasks stay unless the test says otherwise: as it is set by default. */
  private static final int STANDING_MILLIS = 2_000;

  @TempDir static Path scratch;
  private static Cluster cluster;
  private static JavaSparkContext sc;
  private static Graph<Double, Double> graph;
  private static Path tasksToFail;
  private static Map<Long, Object> undisturbed;
  private static final Map<Programs, Map<Long, Object>> expected = new EnumMap<>(Programs.class);

  private Path checkpoints;
  private int persistent;
  private ResidentGraph<Double, Double> resident;

  @BeforeAll
  static void start() throws Exception {
    tasksToFail = Files.createDirectories(scratch.resolve("faults"));
    cluster =
        Cluster.of(EXECUTORS)
            .set("spark.gpugraph.executors", String.valueOf(SHARDS))
            .set("spark.gpugraph.engine", "cpu")
            .set("spark.plugins", TaskFaults.class.getName())
            .set(TaskFaults.FOLDER, tasksToFail.toString())
            .start(scratch);
    sc = cluster.context();
    graph = Programs.graph(sc);
    try (ResidentGraph<Double, Double> resident = load(RunOptions.DEFAULT)) {
      undisturbed = ranks(resident, RunOptions.DEFAULT);
      for (Programs program : List.of(Programs.PATHS, Programs.TREES)) {
        expected.put(program, program.values(resident, RunOptions.DEFAULT));
      }
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void load(TestInfo test) {
    checkpoints = scratch.resolve("checkpoints-" + test.getDisplayName().hashCode());
    cluster.awaitExecutors();
    sc.setCheckpointDir(null);
    persistent = sc.getPersistentRDDs().size();
    sc.setLocalProperty("spark.gpugraph.checkpointInterval", String.valueOf(CHECKPOINT_INTERVAL));
    standing(STANDING_MILLIS);
    // What is said is in files, which some faults are about.
    inline(0);
    resident = load(RunOptions.DEFAULT);
  }

  @AfterEach
  void nothingIsLeft() {
    resident.close();
    cluster.awaitExecutors();
    cluster.awaitNothingHeld();
    assertThat(Cluster.files(checkpoints)).isEmpty();
    assertThat(cluster.temporaryFiles()).isEmpty();
    assertThat(Cluster.files(tasksToFail)).isEmpty();
    assertThat(sc.getPersistentRDDs()).hasSize(persistent);
    // Each superstep makes a shuffle. Those of loads go when their RDDs are collected as garbage.
    Await.until(
        "the end of shuffles, but there are " + cluster.shuffles(),
        () -> {
          System.gc();
          return cluster.shuffles() < ITERATIONS;
        });
  }

  private static ResidentGraph<Double, Double> load(RunOptions options) {
    return GpuPregel.load(graph, Double.class, Double.class, options);
  }

  private static Map<Long, Object> ranks(ResidentGraph<Double, Double> graph, RunOptions options) {
    try (VertexResult<Double> ranks =
        PageRank.run(graph, ITERATIONS, PageRank.RESET_PROBABILITY, options)) {
      return new HashMap<>(ranks.collectAsMap());
    }
  }

  /** Ranks while faults happen. */
  private void assertUndisturbed(Faults faults) throws InterruptedException {
    try (faults) {
      Map<Long, Object> ranks = ranks(resident, RunOptions.DEFAULT.withObserver(faults));
      assertThat(ranks).as("supersteps %s", faults.supersteps()).isEqualTo(undisturbed);
    }
    assertThat(faults.supersteps()).contains(0, ITERATIONS);
  }

  private void checkpoint() {
    sc.setCheckpointDir(checkpoints.toString());
  }

  private List<String> owners() {
    return Internals.state(resident).handle().locations();
  }

  /** Location of the executor that holds nothing. */
  private String spare() {
    List<String> owners = owners().stream().map(Cluster::idOf).toList();
    return cluster.registered().stream().filter(id -> !owners.contains(id)).findFirst().get();
  }

  @Tag("any-spark")
  @Test
  void nothingHappens() throws Exception {
    checkpoint();
    Set<Path> before = cluster.shuffleFiles();
    assertUndisturbed(new Faults());
    Await.until(
        "the removal of the files of exchanges",
        () -> {
          System.gc();
          return before.containsAll(cluster.shuffleFiles());
        });
  }

  @Tag("any-spark")
  @ParameterizedTest
  @CsvSource({"1,false", "4,true", "5,true"})
  void anExecutorIsKilled(long seed, boolean withCheckpoints) throws Exception {
    inline(seed % 2 == 0 ? 1 << 14 : 0);
    if (withCheckpoints) {
      checkpoint();
    }
    Random random = new Random(seed);
    int superstep = random.nextInt(LAST_FAULT);
    int delay = random.nextInt(LONGEST_DELAY_MILLIS);
    String owner = owners().get(random.nextInt(SHARDS));
    Faults faults = new Faults().after(superstep, delay, () -> cluster.kill(owner));
    assertUndisturbed(faults);
    assertThat(owners()).hasSize(SHARDS).doesNotContain(owner);
    if (!withCheckpoints) {
      assertThat(faults.wentBackTo()).as("%s", faults.supersteps()).isZero();
    }
    // What was moved serves other programs.
    Programs.PATHS.assertSame(
        "a graph that was moved",
        Programs.PATHS.values(resident, RunOptions.DEFAULT),
        expected.get(Programs.PATHS));
  }

  /** What an executor had in files is gone with it; files had no names. */
  @Test
  void anExecutorWhoseEdgesAreInFilesIsKilled() throws Exception {
    Remote.set(sc, EDGES, "mapped");
    try (ResidentGraph<Double, Double> inFiles = load(RunOptions.DEFAULT)) {
      try (VertexResult<Double> ranks =
          PageRank.run(inFiles, ITERATIONS, PageRank.RESET_PROBABILITY, RunOptions.DEFAULT)) {
        assertThat(ranks.report().memory())
            .hasSize(SHARDS)
            .allSatisfy(memory -> assertThat(memory.edges().mapped()).isPositive());
        assertThat(new HashMap<>(ranks.collectAsMap())).isEqualTo(undisturbed);
      }
      assertThat(cluster.edgeFiles()).isEmpty();
      String owner = Internals.state(inFiles).handle().locations().get(1);
      try (Faults faults = new Faults().behind(5, () -> cluster.kill(owner))) {
        assertThat(ranks(inFiles, RunOptions.DEFAULT.withObserver(faults))).isEqualTo(undisturbed);
        assertThat(faults.wentBackTo()).as("%s", faults.supersteps()).isZero();
      }
      assertThat(cluster.edgeFiles()).isEmpty();
    } finally {
      Remote.set(sc, EDGES, "auto");
    }
  }

  /** The executor lives on; its part of the graph comes from the source once more. */
  @Test
  void aDiskOfMappedEdgesFails() throws Exception {
    Remote.set(sc, EDGES, "mapped");
    try (ResidentGraph<Double, Double> inFiles = load(RunOptions.DEFAULT)) {
      GraphHandle before = Internals.state(inFiles).handle();
      Remote.loseEdges(sc, before.key(1));
      try (Faults faults = new Faults()) {
        assertThat(ranks(inFiles, RunOptions.DEFAULT.withObserver(faults))).isEqualTo(undisturbed);
      }
      GraphHandle after = Internals.state(inFiles).handle();
      assertThat(after.key()).isNotEqualTo(before.key());
      assertThat(after.locations()).isEqualTo(before.locations());
      // What was loaded again serves other programs, with the attributes that it had.
      Programs.PATHS.assertSame(
          "a graph that was loaded again",
          Programs.PATHS.values(inFiles, RunOptions.DEFAULT),
          expected.get(Programs.PATHS));
    } finally {
      Remote.set(sc, EDGES, "auto");
    }
  }

  @Test
  void aRunGoesOnFromItsLastCheckpoint() throws Exception {
    checkpoint();
    String owner = owners().get(1);
    Faults faults = new Faults().behind(CHECKPOINT_INTERVAL + 2, () -> cluster.kill(owner));
    assertUndisturbed(faults);
    assertThat(faults.wentBackTo())
        .as("%s", faults.supersteps())
        .isEqualTo(CHECKPOINT_INTERVAL + 1);
  }

  @Tag("any-spark")
  @Test
  void oneExecutorIsKilledAfterTheOther() throws Exception {
    checkpoint();
    String first = owners().get(0);
    Faults faults =
        new Faults()
            .after(2, 20, () -> cluster.kill(first))
            // Not the second of the first owners: wherever it is now.
            .after(LAST_FAULT, 20, () -> cluster.kill(owners().get(0)));
    assertUndisturbed(faults);
  }

  @Tag("any-spark")
  @Test
  void bothExecutorsAreKilledAtOnce() throws Exception {
    List<String> both = List.copyOf(owners());
    assertUndisturbed(new Faults().after(5, 10, () -> both.forEach(cluster::kill)));
    assertThat(owners()).doesNotContainAnyElementsOf(both);
  }

  @Tag("any-spark")
  @Test
  void anExecutorThatHoldsNothingIsKilledAndReplaced() throws Exception {
    String spare = spare();
    List<String> owners = List.copyOf(owners());
    Faults faults =
        new Faults()
            .behind(2, () -> cluster.kill(spare))
            // The one that Spark starts instead is there in the middle of the run.
            .behind(6, () -> cluster.awaitExecutors());
    assertUndisturbed(faults);
    assertThat(faults.wentBackTo()).as("%s", faults.supersteps()).isEqualTo(-1);
    assertThat(owners()).isEqualTo(owners);
  }

  @Tag("any-spark")
  @Test
  void anExecutorIsAddedOnTheWay() throws Exception {
    assertThat(sc.sc().killExecutors(ScalaLists.of(List.of(spare())))).isTrue();
    cluster.awaitExecutors(SHARDS);
    Faults faults =
        new Faults()
            .behind(
                4,
                () -> {
                  sc.sc()
                      .requestTotalExecutors(
                          EXECUTORS, 0, scala.collection.immutable.Map$.MODULE$.empty());
                  cluster.awaitExecutors(EXECUTORS);
                });
    assertUndisturbed(faults);
    assertThat(faults.wentBackTo()).as("%s", faults.supersteps()).isEqualTo(-1);
  }

  @Test
  void theFilesOfTheLastExchangeAreDeleted() throws Exception {
    AtomicInteger deleted = new AtomicInteger();
    // Tasks that have stayed remove files that nobody reads any more.
    Faults faults =
        new Faults()
            .behind(3, () -> deleted.addAndGet(deleteLastShuffle(0)))
            .behind(7, () -> deleted.addAndGet(deleteLastShuffle(1)))
            .behind(8, () -> deleted.addAndGet(deleteLastShuffle(1)))
            .after(9, 30, () -> deleteLastShuffle(0));
    assertUndisturbed(faults);
    assertThat(deleted.get()).isPositive();
  }

  private static int deleteLastShuffle(int map) throws IOException {
    return Files.deleteIfExists(lastShuffle(map)) ? 1 : 0;
  }

  /** Of a task that has stayed for several supersteps, what it has written last. */
  private static Path lastShuffle(int map) {
    Map<Long, Path> newest = new TreeMap<>();
    for (Path file : cluster.filesOfLastShuffle()) {
      long id = Long.parseLong(file.getFileName().toString().split("_")[2]);
      newest.put(id < 1L << 62 ? id : id >> 24, file);
    }
    List<Path> files = List.copyOf(newest.values());
    return files.get(Math.min(map, files.size() - 1));
  }

  @Tag("any-spark")
  @ParameterizedTest
  @CsvSource({"0,0", STANDING_MILLIS + ",0", STANDING_MILLIS + ",16384"})
  void tasksFailWhenTheirWorkIsDone(int standingMillis, int inlineBytes) throws Exception {
    standing(standingMillis);
    inline(inlineBytes);
    Faults faults =
        new Faults()
            .behind(3, () -> TaskFaults.arm(tasksToFail, 1))
            .after(6, 20, () -> TaskFaults.arm(tasksToFail, 2))
            .behind(
                9,
                () -> {
                  TaskFaults.arm(tasksToFail, 3);
                  TaskFaults.arm(tasksToFail, 4);
                });
    assertUndisturbed(faults);
    assertThat(faults.wentBackTo()).as("%s", faults.supersteps()).isEqualTo(-1);
  }

  @Tag("any-spark")
  @ParameterizedTest
  @CsvSource({"0,0", STANDING_MILLIS + ",0", STANDING_MILLIS + ",16384"})
  void tasksAreKilledWhileTheyRun(int standingMillis, int inlineBytes) throws Exception {
    standing(standingMillis);
    inline(inlineBytes);
    TaskKiller killer = new TaskKiller();
    sc.sc().addSparkListener(killer);
    try {
      Faults faults = new Faults();
      for (int superstep : new int[] {2, 5, 6, 10}) {
        if (standingMillis == 0) {
          faults.behind(superstep, () -> killer.armed = true);
        } else {
          faults.after(superstep, superstep, killer::killNewest);
        }
      }
      assertUndisturbed(faults);
      assertThat(faults.wentBackTo()).as("%s", faults.supersteps()).isLessThanOrEqualTo(0);
      sc.sc().listenerBus().waitUntilEmpty(10_000);
      assertThat(killer.killed).isNotEmpty();
      assertThat(killer.killed)
          .allMatch(
              job -> job.startsWith("superstep ") || job.startsWith("what was said last of "));
      if (standingMillis > 0) {
        assertThat(killer.killed).anyMatch(job -> job.endsWith(" and what follows"));
      }
    } finally {
      sc.sc().removeSparkListener(killer);
    }
  }

  private static void inline(int bytes) {
    sc.setLocalProperty("spark.gpugraph.exchange.inlineBytes", String.valueOf(bytes));
  }

  private static void standing(int millis) {
    sc.setLocalProperty("spark.gpugraph.exchange.standingMillis", String.valueOf(millis));
  }

  /** Kills the next task that starts, or the newest one that runs. */
  private static final class TaskKiller extends SparkListener {
    /** Descriptions of the jobs whose tasks were killed. */
    final Queue<String> killed = new ConcurrentLinkedQueue<>();

    volatile boolean armed;
    private final Map<Integer, String> stages = new HashMap<>();
    private final Map<Long, String> running = new TreeMap<>();

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
      stages.put(
          stage.stageInfo().stageId(), stage.properties().getProperty("spark.job.description"));
    }

    @Override
    public synchronized void onTaskStart(SparkListenerTaskStart start) {
      running.put(start.taskInfo().taskId(), String.valueOf(stages.get(start.stageId())));
      if (armed) {
        armed = false;
        killNewest();
      }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
      running.remove(end.taskInfo().taskId());
    }

    synchronized void killNewest() {
      long newest = running.keySet().stream().mapToLong(id -> id).max().orElse(-1);
      if (newest >= 0 && sc.sc().killTaskAttempt(newest, true, "a fault of the test")) {
        killed.add(running.get(newest));
      }
    }
  }

  @Tag("any-spark")
  @Test
  void anExecutorRunsOutOfMemory() throws Exception {
    checkpoint();
    String owner = owners().get(0);
    Remote.Hoarding[] hoarding = new Remote.Hoarding[1];
    Faults faults =
        new Faults()
            .behind(
                6,
                () -> {
                  hoarding[0] = Remote.exhaust(sc, Cluster.idOf(owner));
                  // Tasks that have stayed leave their slots to it.
                  Thread.sleep(300);
                });
    assertUndisturbed(faults);
    hoarding[0].await();
    assertThat(cluster.registered()).doesNotContain(Cluster.idOf(owner));
  }

  @Tag("any-spark")
  @Test
  void anOwnerIsBusy() throws Exception {
    List<String> owners = List.copyOf(owners());
    String busy = Cluster.idOf(owners.get(1));
    List<JavaFutureAction<?>> jobs = new ArrayList<>();
    Faults faults =
        new Faults()
            .behind(
                5,
                () -> {
                  // Longer than spark.locality.wait, so that its task is given to another.
                  jobs.add(Remote.occupy(sc, busy, 2500));
                  Thread.sleep(300);
                });
    assertUndisturbed(faults);
    assertThat(faults.wentBackTo()).as("%s", faults.supersteps()).isEqualTo(-1);
    assertThat(owners()).isEqualTo(owners);
    jobs.get(0).get(30, TimeUnit.SECONDS);
  }

  @Tag("any-spark")
  @Test
  void anExecutorIsKilledBetweenTwoRuns() {
    cluster.kill(owners().get(1));
    for (Programs program : List.of(Programs.TREES, Programs.PATHS)) {
      program.assertSame(
          "a graph that was lost",
          program.values(resident, RunOptions.DEFAULT),
          expected.get(program));
    }
  }

  @Tag("any-spark")
  @Test
  void anExecutorIsKilledWhileAGraphIsLoaded() throws Exception {
    CompletableFuture<Void> kill =
        CompletableFuture.runAsync(
            () -> cluster.kill(owners().get(0)),
            CompletableFuture.delayedExecutor(150, TimeUnit.MILLISECONDS));
    try (ResidentGraph<Double, Double> again = load(RunOptions.DEFAULT)) {
      kill.get(30, TimeUnit.SECONDS);
      assertThat(ranks(again, RunOptions.DEFAULT)).isEqualTo(undisturbed);
    }
  }

  @Tag("any-spark")
  @Test
  void aGraphIsLoadedWhileTasksFailAndAnExecutorRunsOutOfMemory() throws Exception {
    JavaRDD<EdgeBlock> edges = new RmatGraph(8, 8, 1).edges(sc, 4, false, false);
    Map<Long, Long> components;
    try (ResidentGraph<Object, Object> loaded =
        GpuPregel.load(edges, Object.class, RunOptions.DEFAULT)) {
      components = components(loaded);
    }
    TaskFaults.arm(tasksToFail, 5);
    Path hoard = Files.createFile(scratch.resolve("hoard"));
    try (ResidentGraph<Object, Object> loaded =
        GpuPregel.load(Remote.hoardOnce(edges, hoard), Object.class, RunOptions.DEFAULT)) {
      assertThat(hoard).doesNotExist();
      assertThat(components(loaded)).isEqualTo(components);
    }
  }

  private static Map<Long, Long> components(ResidentGraph<Object, Object> graph) {
    try (VertexResult<Long> components =
        ConnectedComponents.run(graph, Integer.MAX_VALUE, RunOptions.DEFAULT)) {
      return components.collectAsMap();
    }
  }

  @Tag("any-spark")
  @Test
  void anExecutorIsKilledBetweenLocalSupersteps() throws Exception {
    checkpoint();
    sc.setLocalProperty("spark.gpugraph.localSupersteps", "2");
    sc.setLocalProperty("spark.gpugraph.checkpointInterval", "2");
    String owner = owners().get(1);
    try (Faults faults = new Faults().behindOneFrom(6, () -> cluster.kill(owner))) {
      Programs.PATHS.assertSame(
          "local supersteps",
          Programs.PATHS.values(resident, RunOptions.DEFAULT.withObserver(faults)),
          expected.get(Programs.PATHS));
      assertThat(faults.wentBackTo()).as("%s", faults.supersteps()).isPositive();
    } finally {
      sc.setLocalProperty("spark.gpugraph.localSupersteps", null);
    }
  }

  /** The tasks that build the lost part elsewhere fail when it is built. */
  @Tag("any-spark")
  @Test
  void aRecoveryThatFailsHalfWayLeavesNothingWhereItWasTried() throws Exception {
    List<String> owners = List.copyOf(owners());
    String spared = Cluster.idOf(owners.get(0));
    cluster.kill(owners.get(1));
    cluster.awaitExecutors();
    for (int i = 0; i < 8; i++) {
      TaskFaults.armWhereHeld(tasksToFail, i, spared);
    }
    try {
      assertThatThrownBy(() -> ranks(resident, RunOptions.DEFAULT))
          .hasStackTraceContaining("a fault of the test, held-" + spared);
      assertThat(TaskFaults.armed(tasksToFail)).isLessThan(8);
    } finally {
      TaskFaults.disarm(tasksToFail);
    }
    Map<String, String> held = Remote.held(sc);
    assertThat(held.remove(spared)).startsWith("1 things");
    assertThat(held.values()).as("%s", held).isNotEmpty().containsOnly(Remote.NOTHING);
    assertThat(owners()).isEqualTo(owners);
    assertThat(ranks(resident, RunOptions.DEFAULT)).isEqualTo(undisturbed);
    assertThat(owners()).contains(owners.get(0)).doesNotContain(owners.get(1));
  }

  @Tag("any-spark")
  @Test
  void anExecutorIsKilledWhileThreeProgramsRunOnAGraph() throws Exception {
    String owner = owners().get(1);
    Map<Programs, CompletableFuture<Map<Long, Object>>> others = new EnumMap<>(Programs.class);
    Faults faults =
        new Faults()
            .behind(
                1,
                () -> {
                  for (Programs program : expected.keySet()) {
                    others.put(
                        program,
                        CompletableFuture.supplyAsync(
                            () -> program.values(resident, RunOptions.DEFAULT)));
                  }
                })
            .after(3, 20, () -> cluster.kill(owner));
    assertUndisturbed(faults);
    for (Programs program : expected.keySet()) {
      program.assertSame(
          "a graph that was moved",
          others.get(program).get(60, TimeUnit.SECONDS),
          expected.get(program));
    }
    assertThat(owners()).doesNotContain(owner);
  }

  @Tag("any-spark")
  @Test
  void closingDoesNotWaitForAnExecutorThatStaysBusy() throws Exception {
    Path busy = Files.createFile(scratch.resolve("busy"));
    JavaFutureAction<?> job = Remote.occupy(sc, Cluster.idOf(owners().get(1)), busy);
    try {
      Thread.sleep(500);
      resident.close();
      assertThat(job.isDone()).isFalse();
    } finally {
      Files.delete(busy);
    }
    // That its part is freed then is seen behind every test.
    job.get(30, TimeUnit.SECONDS);
  }

  @Test
  void aResultWhoseExecutorIsKilledSaysWhatToDo() {
    try (VertexResult<Double> ranks =
        PageRank.run(resident, 2, PageRank.RESET_PROBABILITY, RunOptions.DEFAULT)) {
      cluster.kill(owners().get(0));
      assertThatThrownBy(ranks::collectAsMap).hasMessageContaining("again");
    }
  }

  @Tag("any-spark")
  @Test
  void moreExecutorsThanThereAreIsAnError() {
    sc.setLocalProperty("spark.gpugraph.executors", "4");
    try {
      assertThatThrownBy(() -> load(RunOptions.DEFAULT))
          .hasMessageContaining("spark.gpugraph.executors")
          .hasMessageContaining("4")
          .hasMessageContaining("3");
    } finally {
      sc.setLocalProperty("spark.gpugraph.executors", null);
    }
  }

  @Tag("any-spark")
  @Test
  void aCheckpointFolderThatCannotBeWrittenIsNamedAndNothingIsLeft() throws Exception {
    checkpoint();
    Path folder;
    try (var folders = Files.list(checkpoints)) {
      folder = folders.findFirst().orElseThrow();
    }
    Files.delete(folder);
    Files.writeString(folder, "in the way");
    try {
      assertThatThrownBy(() -> ranks(resident, RunOptions.DEFAULT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(folder.toString())
          .hasMessageContaining("setCheckpointDir");
    } finally {
      Files.delete(folder);
    }
  }

  @Tag("any-spark")
  @Test
  void aCheckpointThatCannotBeWrittenIsLeftOut() throws Exception {
    checkpoint();
    String owner = owners().get(1);
    Faults faults =
        new Faults()
            // A file where the folder of the second one is to be.
            .behind(
                CHECKPOINT_INTERVAL + 1,
                () -> {
                  Path first = Cluster.files(checkpoints).get(0).getParent();
                  Files.createFile(first.resolveSibling("epoch-" + 2 * CHECKPOINT_INTERVAL));
                })
            .behind(2 * CHECKPOINT_INTERVAL + 2, () -> cluster.kill(owner));
    assertUndisturbed(faults);
    assertThat(faults.wentBackTo())
        .as("%s", faults.supersteps())
        .isEqualTo(CHECKPOINT_INTERVAL + 1);
  }

  @Tag("any-spark")
  @Test
  void anExecutorWithEmulatedDevicesIsKilled() throws Exception {
    Cluster.assumeUsable(EngineChoice.EMULATED);
    checkpoint();
    sc.setLocalProperty("spark.gpugraph.emulated.devices", "2");
    RunOptions emulated = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);
    try (ResidentGraph<Double, Double> onDevices = load(emulated);
        Faults faults =
            new Faults()
                .after(
                    6,
                    20,
                    () -> cluster.kill(Internals.state(onDevices).handle().locations().get(1)))) {
      Map<Long, Object> ranks = ranks(onDevices, emulated.withObserver(faults));
      Programs.RANKS.assertSame("emulated devices", ranks, undisturbed);
    } finally {
      sc.setLocalProperty("spark.gpugraph.emulated.devices", null);
    }
  }
}
