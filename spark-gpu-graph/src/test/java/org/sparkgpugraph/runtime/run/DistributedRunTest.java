package org.sparkgpugraph.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.codahale.metrics.MetricRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.FakeDevices;
import org.sparkgpugraph.runtime.SparkShardTrial;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.device.DeviceFinder;
import org.sparkgpugraph.runtime.device.Engines;
import org.sparkgpugraph.runtime.device.OpenDevice;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.observe.RunMetrics;
import org.sparkgpugraph.runtime.stage.CheckpointFile;
import org.sparkgpugraph.runtime.stage.Checkpoints;
import org.sparkgpugraph.testing.BlockedOutputs;
import org.sparkgpugraph.testing.FullDisk;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;
import org.sparkgpugraph.testing.Warnings;

/** Runs over several shards that are disturbed: each must end as if nothing had happened. */
@ExtendWith(SharedSpark.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("any-spark")
class DistributedRunTest {
  private static final int SIZE = 60;
  private static final int SHARDS = 3;

  private final SparkContext sc;
  @TempDir Path scratch;
  private int heldBefore;

  DistributedRunTest(JavaSparkContext context) {
    sc = context.sc();
  }

  @BeforeEach
  void count() {
    heldBefore = ExecutorRegistry.size();
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    for (int i = 0; i < 100 && ExecutorRegistry.size() > heldBefore; i++) {
      Thread.sleep(50);
    }
    // What other tests have left may go meanwhile.
    assertThat(ExecutorRegistry.size())
        .as("graphs, runs, results held")
        .isLessThanOrEqualTo(heldBefore);
    for (int i = 0; i < 100 && teams() > 0; i++) {
      Thread.sleep(50);
    }
    assertThat(teams()).as("worker threads").isZero();
    assertThat(sc.getLocalProperty("spark.job.description")).isNull();
    sc.checkpointDir_$eq(scala.Option.empty());
  }

  private static long teams() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.isAlive() && t.getName().startsWith("gpugraph-cpu-"))
        .count();
  }

  // ---- programs -------------------------------------------------------------------------------

  /** A ring with chords, so that every shard has something to say to every other. */
  private static TestGraph<Integer, Integer> ring() {
    List<Long> sources = new ArrayList<>();
    List<Long> destinations = new ArrayList<>();
    for (long v = 0; v < SIZE; v++) {
      sources.add(v);
      destinations.add((v + 1) % SIZE);
      sources.add(v);
      destinations.add(v * 7 % SIZE);
    }
    return new TestGraph<>(
        "ring",
        LongStream.range(0, SIZE).toArray(),
        IntStream.range(0, SIZE).boxed().toList(),
        sources.stream().mapToLong(v -> v).toArray(),
        destinations.stream().mapToLong(v -> v).toArray(),
        Collections.nCopies(sources.size(), 1));
  }

  /** … → 1 → 0, the smallest value first: a superstep in place does not run ahead of itself. */
  private static TestGraph<Integer, Integer> path() {
    return new TestGraph<>(
        "path",
        LongStream.range(0, SIZE).toArray(),
        IntStream.range(0, SIZE).map(v -> SIZE - v).boxed().toList(),
        LongStream.range(1, SIZE).toArray(),
        LongStream.range(0, SIZE - 1).toArray(),
        Collections.nCopies(SIZE - 1, 1));
  }

  /** Every superstep changes every value, so one that is applied twice or not at all shows. */
  static TestProgram<Integer, Integer, Integer, Integer, Integer> sums(int supersteps) {
    return new TestProgram<Integer, Integer, Integer, Integer, Integer>(
            "sums", Integer.class, Integer.class, Integer.class, Integer.class)
        .everyVertex(0)
        .vertex((id, value, message) -> 3 * value + message + 1)
        .send(edge -> edge.sendToDst(edge.srcAttr()))
        .merge(Integer::sum)
        .aggregate("all", AggregateOperation.SUM, (id, before, after) -> after % 1000)
        .maxIterations(supersteps);
  }

  /** The smallest value upstream: monotone. */
  private static TestProgram<Integer, Integer, Integer, Integer, Integer> smallest() {
    return new TestProgram<Integer, Integer, Integer, Integer, Integer>(
            "smallest", Integer.class, Integer.class, Integer.class, Integer.class)
        .initial(Integer.MAX_VALUE)
        .direction(ActiveDirection.OUT)
        .vertex((id, value, message) -> Math.min(value, message))
        .send(
            edge -> {
              if (edge.srcAttr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr());
              }
            })
        .merge(Math::min);
  }

  private SparkShardTrial<Integer, Integer, Integer, Integer, Integer> trial(
      TestGraph<Integer, Integer> graph,
      TestProgram<Integer, Integer, Integer, Integer, Integer> program) {
    return new SparkShardTrial<>(sc, graph, program, SHARDS, 2);
  }

  private static void assertUndisturbed(
      SparkShardTrial<Integer, Integer, Integer, Integer, Integer> trial,
      Map<Long, Integer> result) {
    PregelOracle.Run<Integer> expected = PregelOracle.run(trial.graph, trial.program);
    assertThat(result).isEqualTo(expected.result());
    List<SuperstepStats> steps = trial.summary().supersteps();
    assertThat(steps).hasSameSizeAs(expected.steps());
    for (int i = 0; i < steps.size(); i++) {
      assertThat(steps.get(i).superstep()).isEqualTo(i);
      assertThat(steps.get(i).aggregates()).isEqualTo(expected.steps().get(i).aggregates());
    }
  }

  private void lose(SparkShardTrial<?, ?, ?, ?, ?> trial, int shard) {
    assertThat(ExecutorRegistry.dropShard(GraphHandle.shardKey(trial.resultKey, shard)))
        .isNotNull();
  }

  // ---- the loop -------------------------------------------------------------------------------

  @Test
  void localSuperstepsSaveExchangesAndNothingElseChanges() {
    try (var trial = trial(path(), smallest())) {
      Map<Long, Integer> one = trial.run();
      int exchanges = trial.summary().supersteps().size();
      assertThat(exchanges).isGreaterThanOrEqualTo(SIZE - 1);
      // 0: the shards choose.
      for (int local : new int[] {1000, 0}) {
        trial.resultKey = RegistryKey.of(sc, "result");
        trial.localSupersteps = local;
        assertThat(trial.run()).isEqualTo(one);
        assertThat(trial.summary().supersteps().size())
            .isLessThan(2 * SHARDS + 2 + (local == 0 ? 8 : 0));
        assertThat(trial.summary().iterations()).isGreaterThanOrEqualTo(SIZE - 1);
      }
    }
  }

  @Test
  void emulatedDevicesKeepTheirStateBetweenTasksAndRestoreIt() {
    assumeTrue(
        EmulatedDevice.isAvailable(),
        "skipped: the emulated GPU compiles its kernels with g++, which is not there");
    sc.setCheckpointDir(scratch.toString());
    try (var trial = trial(ring(), sums(7))) {
      trial.engine = EngineChoice.EMULATED;
      trial.checkpointInterval = 2;
      AtomicInteger heard = new AtomicInteger();
      trial.listener =
          stats -> {
            if (heard.incrementAndGet() == 6) {
              lose(trial, 2);
            }
          };
      assertUndisturbed(trial, trial.run());
      assertThat(trial.ran().summary().engine()).isEqualTo("emulated");
      assertThat(heard).hasValue(9);
    }
  }

  @Test
  void localSuperstepsAreOnesOwnForMonotoneProgramsOnly() {
    try (var trial = trial(ring(), sums(6))) {
      trial.localSupersteps = 1000;
      assertUndisturbed(trial, trial.run());
      trial.resultKey = RegistryKey.of(sc, "result");
      trial.localSupersteps = 0;
      assertUndisturbed(trial, trial.run());
    }
  }

  @Test
  void aSuperstepIsOneMapStageWithADescription() throws Exception {
    List<String> descriptions = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger stages = new AtomicInteger();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onJobStart(SparkListenerJobStart job) {
            descriptions.add(job.properties().getProperty("spark.job.description"));
            assertThat(job.properties().getProperty("spark.jobGroup.id")).contains("/result-");
          }

          @Override
          public void onTaskEnd(SparkListenerTaskEnd task) {
            stages.incrementAndGet();
          }
        };
    sc.addSparkListener(listener);
    try (var trial = trial(ring(), sums(4))) {
      trial.run();
      sc.listenerBus().waitUntilEmpty(10_000);
      assertThat(descriptions)
          .containsExactly(
              "superstep 0 of sums",
              "superstep 1 of sums",
              "superstep 2 of sums",
              "superstep 3 of sums",
              "superstep 4 of sums",
              "result of sums");
      assertThat(stages).hasValue(6 * SHARDS);
    } finally {
      sc.removeSparkListener(listener);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shufflesAreRemovedAsTheRunGoes(boolean compress) throws InterruptedException {
    MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) sc.env().mapOutputTracker();
    // Those of loads before go when they are collected as garbage, which may be now.
    Set<Integer> before = shuffles(tracker);
    Set<Integer> files = shuffleFiles().keySet();
    List<Integer> held = new ArrayList<>();
    List<Integer> written = new ArrayList<>();
    try (var trial = trial(ring(), sums(30))) {
      trial.compress = compress;
      trial.listener =
          stats -> {
            held.add(more(tracker, before));
            written.add(newFiles(files));
          };
      trial.run();
    }
    assertThat(Collections.max(held)).isBetween(1, 3);
    assertThat(more(tracker, before)).isZero();
    assertThat(Collections.max(written)).isPositive();
    // Spark does not wait for it.
    for (int i = 0; i < 200 && newFiles(files) > 0; i++) {
      Thread.sleep(50);
    }
    assertThat(newFiles(files)).as("shuffles that have files").isZero();
  }

  private int newFiles(Set<Integer> before) {
    Set<Integer> now = new HashSet<>(shuffleFiles().keySet());
    now.removeAll(before);
    return now.size();
  }

  private static Set<Integer> shuffles(MapOutputTrackerMaster tracker) {
    Set<Integer> ids = new HashSet<>();
    var keys = tracker.shuffleStatuses().keysIterator();
    while (keys.hasNext()) {
      ids.add((Integer) keys.next());
    }
    return ids;
  }

  private static int more(MapOutputTrackerMaster tracker, Set<Integer> before) {
    Set<Integer> now = shuffles(tracker);
    now.removeAll(before);
    return now.size();
  }

  // ---- failures of the program ----------------------------------------------------------------

  @Test
  void aFaultOfTheProgramComesAsItIsAndIsNotTriedAgain() {
    AtomicInteger failed = new AtomicInteger();
    AtomicInteger tasks = new AtomicInteger();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd task) {
            tasks.incrementAndGet();
            failed.addAndGet(task.taskInfo().successful() ? 0 : 1);
          }
        };
    var program =
        sums(9)
            .vertexWithContext(
                (id, value, message, run) -> 100 / (run.superstep() - 3) + value + message);
    sc.addSparkListener(listener);
    try (var trial = trial(ring(), program)) {
      assertThatThrownBy(trial::run)
          .isInstanceOf(ProgramFault.class)
          .hasMessageContaining("vertex ")
          .hasMessageContaining("DistributedRunTest");
      sc.listenerBus().waitUntilEmpty(10_000);
      assertThat(failed).hasValue(0);
      assertThat(tasks).hasValue(4 * SHARDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      sc.removeSparkListener(listener);
    }
  }

  @Test
  void aFailedRunIsCountedOnEachExecutor() {
    MetricRegistry metrics = new MetricRegistry();
    RunMetrics.executor().register(metrics, "");
    Function<String, Long> count =
        name -> ((Number) metrics.getGauges().get(name).getValue()).longValue();
    long started = count.apply("runsStarted");
    long failed = count.apply("runsFailed");
    long running = count.apply("runsRunning");
    try (var trial = trial(ring(), sums(4))) {
      trial.run();
      assertThat(count.apply("runsStarted")).isEqualTo(started + SHARDS);
      assertThat(count.apply("runsFailed")).isEqualTo(failed);
      trial.resultKey = RegistryKey.of(sc, "result");
      trial.listener =
          stats -> {
            if (stats.superstep() == 3) {
              throw new IllegalStateException("enough");
            }
          };
      assertThatThrownBy(trial::run).hasMessage("enough");
    }
    assertThat(count.apply("runsStarted")).isEqualTo(started + 2 * SHARDS);
    assertThat(count.apply("runsFailed")).isEqualTo(failed + SHARDS);
    assertThat(count.apply("runsRunning")).isEqualTo(running);
  }

  @Test
  void aListenerThatThrowsEndsTheRun() {
    try (var trial = trial(ring(), sums(9))) {
      trial.listener =
          stats -> {
            if (stats.superstep() == 3) {
              throw new IllegalStateException("enough");
            }
          };
      assertThatThrownBy(trial::run).isInstanceOf(IllegalStateException.class).hasMessage("enough");
    }
  }

  @Test
  void aDeviceThatFailsIsLeftByItsShardAlone() {
    FakeDevices devices = FakeDevices.of(1);
    AtomicInteger steps = new AtomicInteger();
    DeviceOutOfMemoryException full =
        new DeviceOutOfMemoryException("GPU 0", "a buffer", 500, 10, "OUT_OF_MEMORY", "");
    DeviceFinder failing =
        (conf, addresses) ->
            new DeviceFinder.Found(
                List.of(failing(devices.device(0).found(), steps, 11, full)), "");
    Engines before = ExecutorRegistry.replaceEngines(new Engines(failing, failing));
    try (var trial = trial(ring(), sums(9))) {
      trial.engine = EngineChoice.AUTO;
      assertUndisturbed(trial, trial.run());
      assertThat(trial.ran().summary().engine()).contains("fake").contains("cpu");
      assertThat(trial.ran().reason()).contains("GPU 0 (fake)").contains("memory");
    } finally {
      ExecutorRegistry.replaceEngines(before).close();
    }
  }

  /** One shard's engine cannot tell hubs anything, so that no shard does. */
  @Test
  void hubsAreToldPartialMessagesWhereAllShardsCan() {
    try (var trial = trial(ring(), sums(9))) {
      trial.hubs = 1;
      assertUndisturbed(trial, trial.run());
      assertThat(trial.ran().notes()).hasSize(SHARDS).allMatch(n -> n.contains("were told"));
    }
    FakeDevices devices = FakeDevices.of(1);
    AtomicInteger opened = new AtomicInteger();
    DeviceFinder finder =
        (conf, addresses) ->
            new DeviceFinder.Found(
                List.of(
                    opening(
                        devices.device(0).found(),
                        run ->
                            opened.getAndIncrement() > 0
                                ? run
                                : proxy(
                                    EngineRun.class,
                                    run,
                                    "partialExchange",
                                    unused -> Optional.empty()))),
                "");
    Engines before = ExecutorRegistry.replaceEngines(new Engines(finder, finder));
    try (var trial = trial(ring(), sums(9))) {
      trial.engine = EngineChoice.AUTO;
      trial.hubs = 1;
      assertUndisturbed(trial, trial.run());
      assertThat(opened).hasValue(SHARDS);
      assertThat(trial.ran().notes())
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith("no partial messages to hubs")
          .endsWith("is on a GPU whose kernels do not take them");
    } finally {
      ExecutorRegistry.replaceEngines(before).close();
    }
  }

  /** A fake device whose n-th superstep, of all runs, fails. */
  private static DeviceFinder.FoundDevice failing(
      DeviceFinder.FoundDevice device, AtomicInteger steps, int failing, RuntimeException failure) {
    return opening(
        device,
        run ->
            proxy(
                EngineRun.class,
                run,
                "step",
                stats -> {
                  if (steps.incrementAndGet() == failing) {
                    throw failure;
                  }
                  return stats;
                }));
  }

  /** A fake device whose runs are changed when they are opened. */
  private static DeviceFinder.FoundDevice opening(
      DeviceFinder.FoundDevice device, java.util.function.UnaryOperator<Object> change) {
    return new DeviceFinder.FoundDevice(
        device.key(),
        device.describe(),
        device.ordinal(),
        () ->
            proxy(
                OpenDevice.class,
                device.opener().get(),
                "engine",
                engine -> proxy(Engine.class, engine, "open", change)));
  }

  private static <T> T proxy(
      Class<T> type, Object target, String method, java.util.function.UnaryOperator<Object> then) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) -> {
              try {
                Object result = called.invoke(target, arguments);
                return called.getName().equals(method) ? then.apply(result) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  // ---- losses ---------------------------------------------------------------------------------

  @Test
  void lostStateSetsTheRunBackToItsStart() {
    try (var trial = trial(ring(), sums(9))) {
      List<Integer> heard = new ArrayList<>();
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (heard.size() == 5 || heard.size() == 12) {
              lose(trial, heard.size() % SHARDS);
            }
          };
      assertUndisturbed(trial, trial.run());
      assertThat(heard)
          .containsExactly(0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }
  }

  @Test
  void lostStateSetsTheRunBackToTheLastCheckpoint() {
    sc.setCheckpointDir(scratch.toString());
    for (var program : List.of(sums(12), smallest())) {
      TestGraph<Integer, Integer> graph = program.everyVertex() ? ring() : path();
      try (var trial = trial(graph, program)) {
        trial.inPlace = false;
        trial.checkpointInterval = 3;
        List<Integer> heard = new ArrayList<>();
        AtomicReference<List<Path>> folders = new AtomicReference<>();
        trial.listener =
            stats -> {
              heard.add(stats.superstep());
              if (heard.size() == 9) {
                folders.set(checkpoints());
                lose(trial, 1);
              }
            };
        assertUndisturbed(trial, trial.run());
        assertThat(heard.subList(0, 12)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 7, 8, 9);
        // Older ones are removed.
        assertThat(folders.get()).singleElement().asString().endsWith("epoch-6");
      }
      assertThat(runFolders()).isEmpty();
    }
  }

  private List<Path> runFolders() {
    try (Stream<Path> all = Files.walk(scratch)) {
      return all.filter(p -> p.getFileName().toString().startsWith("spark-gpu-graph-")).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private List<Path> checkpoints() {
    try (Stream<Path> all = Files.walk(scratch)) {
      return all.filter(p -> p.getFileName().toString().startsWith("epoch-")).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDamagedCheckpointIsToldAndTheRunStartsAgain() {
    sc.setCheckpointDir(scratch.toString());
    try (var trial = trial(ring(), sums(9))) {
      trial.checkpointInterval = 2;
      List<Integer> heard = new ArrayList<>();
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (heard.size() == 6) {
              damage(checkpoints().get(0).resolve("shard-2"));
              lose(trial, 0);
            }
          };
      assertUndisturbed(trial, trial.run());
      assertThat(heard.subList(5, 8)).containsExactly(5, 0, 1);
    }
  }

  /** A shard that was lost may be built again where there are other numbers of devices. */
  @Test
  void aCheckpointOfOtherPartitionsIsToldAndTheRunStartsAgain() {
    sc.setCheckpointDir(scratch.toString());
    try (var trial = trial(ring(), sums(9))) {
      trial.checkpointInterval = 2;
      List<Integer> heard = new ArrayList<>();
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (heard.size() == 6) {
              leaveOnePartition(checkpoints().get(0).resolve("shard-2"));
              lose(trial, 0);
            }
          };
      assertUndisturbed(trial, trial.run());
      assertThat(heard.subList(5, 8)).containsExactly(5, 0, 1);
    }
  }

  private static void leaveOnePartition(Path file) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      CheckpointFile.Name name =
          new CheckpointFile.Name(bytes.getLong(8), bytes.getInt(16), bytes.getInt(20));
      CheckpointFile all =
          CheckpointFile.read(name, new ByteArrayInputStream(bytes.array()), bytes.capacity());
      assertThat(all.values()).hasSize(2);
      try (OutputStream out = Files.newOutputStream(file)) {
        new CheckpointFile(
                all.superstep(), all.values().subList(0, 1), all.activity().subList(0, 1))
            .write(name, out);
      }
      Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void damage(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2] ^= 1;
      Files.write(file, bytes);
      // Hadoop's own checksum of a local file finds it first otherwise.
      Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCheckpointDirectoryThatCannotBeWrittenIsNamedBeforeTheRun() throws IOException {
    sc.setCheckpointDir(scratch.resolve("dir").toString());
    Path directory = Path.of(java.net.URI.create(sc.getCheckpointDir().get()));
    Files.delete(directory);
    Files.write(directory, new byte[1]);
    try (var trial = trial(ring(), sums(9))) {
      trial.checkpointInterval = 2;
      List<Integer> heard = new ArrayList<>();
      trial.listener = stats -> heard.add(stats.superstep());
      assertThatThrownBy(trial::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("spark.gpugraph.checkpointInterval");
      assertThat(heard).isEmpty();
    }
  }

  /**
   * A file where the folder of the third checkpoint is to be, or one where its manifest is to be
   * written when all shards are done.
   */
  @ParameterizedTest
  @CsvSource({"epoch-6", "epoch-6/.manifest.tmp/file"})
  void aCheckpointThatCannotBeWrittenIsLeftOut(String inTheWay) {
    sc.setCheckpointDir(scratch.toString());
    try (var trial = trial(ring(), sums(12));
        Warnings warnings = new Warnings(DistributedRun.class)) {
      trial.checkpointInterval = 3;
      List<Integer> heard = new ArrayList<>();
      List<List<Path>> folders = new ArrayList<>();
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (heard.size() == 6) {
              occupy(runFolders().get(0).resolve(inTheWay));
            }
            if (heard.size() == 9 || heard.size() == 15) {
              folders.add(checkpoints());
              lose(trial, 1);
            }
          };
      assertUndisturbed(trial, trial.run());
      // Back to the checkpoint before; the second time the third is there.
      assertThat(heard)
          .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 4, 5, 6, 7, 8, 9, 7, 8, 9, 10, 11, 12);
      assertThat(folders.get(0)).singleElement().asString().endsWith("epoch-3");
      assertThat(warnings.lines())
          .filteredOn(line -> line.contains("left out"))
          .singleElement(InstanceOfAssertFactories.STRING)
          .contains("behind superstep 6 of sums", scratch.toString(), "epoch-6")
          .contains("goes back to the checkpoint behind superstep 3")
          .contains("setCheckpointDir", "spark.gpugraph.checkpointInterval = 0");
    }
    assertThat(runFolders()).isEmpty();
  }

  @Test
  void aRunWithoutAnyCheckpointThatCouldBeWrittenStartsAgain() {
    sc.setCheckpointDir(scratch.toString());
    try (var trial = trial(ring(), sums(6))) {
      trial.checkpointInterval = 2;
      List<Integer> heard = new ArrayList<>();
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (heard.size() == 2) {
              // The directory itself has gone, and something else is there.
              Path folder = runFolders().get(0);
              assertThat(folder.toFile().delete()).isTrue();
              occupy(folder);
            }
            if (heard.size() == 6) {
              assertThat(runFolders().get(0)).isRegularFile();
              lose(trial, 0);
            }
          };
      assertUndisturbed(trial, trial.run());
      assertThat(heard).containsExactly(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6);
    }
    assertThat(runFolders()).isEmpty();
  }

  // ---- a full disk ----------------------------------------------------------------------------

  /** Checkpoints go to a disk that Hadoop reports the faults of by an Error. */
  private void checkpointsOnFullDisk() {
    FullDisk.addTo(sc.hadoopConfiguration());
    sc.setCheckpointDir(FullDisk.SCHEME + ":" + scratch);
  }

  @ParameterizedTest
  @CsvSource({
    "MAKE_FOLDER, spark-gpu-graph-",
    "CREATE, .probe",
    "WRITE, .probe",
    "CLOSE, .probe",
    "DELETE, .probe"
  })
  void aFullDiskIsNamedBeforeTheRun(FullDisk.Action action, String name) {
    checkpointsOnFullDisk();
    FullDisk.failAt((what, path) -> what == action && path.getName().startsWith(name));
    try (var trial = trial(ring(), sums(9))) {
      trial.checkpointInterval = 2;
      List<Integer> heard = new ArrayList<>();
      trial.listener = stats -> heard.add(stats.superstep());
      assertThatThrownBy(trial::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the checkpoint directory " + FullDisk.SCHEME + ":/")
          .hasMessageContaining("cannot be written (java.io.IOException: No space left on device)")
          .hasMessageContaining("spark.gpugraph.checkpointInterval = 0");
      assertThat(heard).isEmpty();
    } finally {
      FullDisk.repair();
    }
    assertThat(runFolders()).isEmpty();
  }

  @Test
  void aConfiguredDirectoryOnAFullDiskIsNamedBeforeTheRun() {
    FullDisk.addTo(sc.hadoopConfiguration());
    FullDisk.failAt((what, path) -> what == FullDisk.Action.MAKE_FOLDER);
    sc.conf().set("spark.checkpoint.dir", FullDisk.SCHEME + ":" + scratch);
    try {
      assertThatThrownBy(() -> Checkpoints.of(sc, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the checkpoint directory " + FullDisk.SCHEME + ":" + scratch)
          .hasMessageContaining("No space left on device");
    } finally {
      sc.conf().remove("spark.checkpoint.dir");
      FullDisk.repair();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CREATE, .shard-1",
    "WRITE, .shard-1",
    "CLOSE, .shard-2",
    "RENAME, .shard-0",
    "LOOK, shard-0",
    "CREATE, .manifest",
    "WRITE, .manifest",
    "RENAME, .manifest"
  })
  void aCheckpointThatFindsTheDiskFullIsLeftOut(FullDisk.Action action, String name) {
    checkpointsOnFullDisk();
    try (var trial = trial(ring(), sums(12));
        Warnings warnings = new Warnings(DistributedRun.class)) {
      trial.checkpointInterval = 3;
      List<Integer> heard = new ArrayList<>();
      List<List<Path>> folders = new ArrayList<>();
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (heard.size() == 6) {
              FullDisk.failAt((what, path) -> what == action && path.getName().startsWith(name));
            }
            if (heard.size() == 9) {
              FullDisk.repair();
              folders.add(checkpoints());
              lose(trial, 1);
            }
          };
      assertUndisturbed(trial, trial.run());
      assertThat(heard.subList(8, 10)).containsExactly(8, 4);
      assertThat(folders.get(0)).singleElement().asString().endsWith("epoch-3");
      assertThat(warnings.lines())
          .filteredOn(line -> line.contains("left out"))
          .singleElement(InstanceOfAssertFactories.STRING)
          .contains("behind superstep 6 of sums", "epoch-6", "No space left on device");
    } finally {
      FullDisk.repair();
    }
    assertThat(runFolders()).isEmpty();
  }

  /** Where a checkpoint is looked for, read and removed, too. */
  @ParameterizedTest
  @CsvSource({"LOOK, manifest, 0", "OPEN, shard-2, 0", "DELETE, epoch-3, 7"})
  void aBrokenDiskIsLikeALostCheckpoint(FullDisk.Action action, String name, int next) {
    checkpointsOnFullDisk();
    try (var trial = trial(ring(), sums(12))) {
      trial.checkpointInterval = 3;
      List<Integer> heard = new ArrayList<>();
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (heard.size() == (action == FullDisk.Action.DELETE ? 5 : 9)) {
              FullDisk.failAt((what, path) -> what == action && path.getName().equals(name));
            }
            if (heard.size() == 9) {
              lose(trial, 1);
            }
            if (heard.size() == 11) {
              FullDisk.repair();
            }
          };
      assertUndisturbed(trial, trial.run());
      assertThat(heard.get(9)).isEqualTo(next);
    } finally {
      FullDisk.repair();
    }
    assertThat(runFolders()).isEmpty();
  }

  private static void occupy(Path place) {
    try {
      Files.createDirectories(place.getParent());
      Files.write(place, new byte[1]);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsLostAgainAndAgainEndsTheRun() {
    try (var trial = trial(ring(), sums(9))) {
      trial.listener =
          stats -> {
            if (stats.superstep() == 2) {
              lose(trial, 1);
            }
          };
      assertThatThrownBy(trial::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("sums was set back 9 times in a row")
          .hasMessageContaining("superstep 2")
          .hasMessageContaining("shard 1");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeletedShuffleFileIsSaidAgain(boolean compress) {
    try (var trial = trial(ring(), sums(9))) {
      trial.compress = compress;
      List<Integer> heard = new ArrayList<>();
      AtomicInteger deleted = new AtomicInteger();
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (stats.superstep() == 4 || stats.superstep() == 5) {
              deleted.addAndGet(deleteNewestShuffle());
            }
          };
      assertUndisturbed(trial, trial.run());
      assertThat(deleted.get()).isGreaterThan(0);
      // Nothing was set back.
      assertThat(heard).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDamagedShuffleFileIsSaidAgain(boolean compress) {
    try (var trial = trial(ring(), sums(9))) {
      trial.compress = compress;
      List<Integer> heard = new ArrayList<>();
      AtomicInteger damaged = new AtomicInteger();
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (stats.superstep() == 4) {
              for (Path file : shuffleFiles().lastEntry().getValue()) {
                if (file.toString().endsWith(".data") && file.toFile().length() > 0) {
                  damage(file);
                  damaged.incrementAndGet();
                  break;
                }
              }
            }
          };
      assertUndisturbed(trial, trial.run());
      assertThat(damaged.get()).isEqualTo(1);
      // Nothing was set back.
      assertThat(heard).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }
  }

  /** Once, or again and again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExchangeThatFindsTheDiskFullIsSaidAgainOnce(boolean again) {
    try (var trial = trial(ring(), sums(9));
        BlockedOutputs full = new BlockedOutputs()) {
      List<Integer> heard = new ArrayList<>();
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (stats.superstep() == 4 && (again || !full.isAny())) {
              blockNext(full);
            }
          };
      if (again) {
        assertThatThrownBy(trial::run)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("sums was set back 2 times in a row")
            .hasMessageContaining("an exchange between executors cannot be written");
        return;
      }
      assertUndisturbed(trial, trial.run());
      assertThat(full.isAny()).isTrue();
      assertThat(heard).containsExactly(0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }
    assertThat(unfinished()).isEmpty();
  }

  /** Blocks what the tasks of the next stage write. */
  private void blockNext(BlockedOutputs full) {
    var newest = shuffleFiles().lastEntry();
    long task =
        newest.getValue().stream()
            .mapToLong(file -> Long.parseLong(file.getFileName().toString().split("_")[2]))
            .max()
            .orElseThrow();
    for (int next = 1; next <= SHARDS; next++) {
      full.block(newest.getKey() + 1, task + next);
    }
  }

  /** Of outputs that were not written to their end. */
  private List<String> unfinished() {
    return Arrays.stream(sc.env().blockManager().diskBlockManager().localDirs())
        .flatMap(root -> Arrays.stream(names(root)).map(name -> new java.io.File(root, name)))
        .flatMap(folder -> Arrays.stream(names(folder)))
        .filter(name -> name.matches("shuffle_\\d+_\\d+_\\d+\\.(data|index)\\..*"))
        .toList();
  }

  /** What is in a folder; nothing if it is none. */
  private static String[] names(java.io.File folder) {
    String[] names = folder.list();
    return names == null ? new String[0] : names;
  }

  /** Deletes the files of the newest shuffle; their number. */
  private int deleteNewestShuffle() {
    NavigableMap<Integer, List<Path>> shuffles = shuffleFiles();
    if (shuffles.isEmpty()) {
      return 0;
    }
    List<Path> files = shuffles.lastEntry().getValue();
    files.forEach(file -> assertThat(file.toFile().delete()).isTrue());
    return files.size();
  }

  /** Data and indexes by the number of their shuffle. */
  private NavigableMap<Integer, List<Path>> shuffleFiles() {
    NavigableMap<Integer, List<Path>> files = new TreeMap<>();
    for (java.io.File root : sc.env().blockManager().diskBlockManager().localDirs()) {
      for (String folder : names(root)) {
        // Spark's cleaner may be deleting older ones: what is gone is not listed.
        for (String name : names(new java.io.File(root, folder))) {
          if (name.matches("shuffle_\\d+_\\d+_\\d+\\.(data|index)")) {
            files
                .computeIfAbsent(Integer.parseInt(name.split("_")[1]), id -> new ArrayList<>())
                .add(root.toPath().resolve(folder).resolve(name));
          }
        }
      }
    }
    return files;
  }

  @Test
  void aShardOfAnExecutorThatIsGoneIsPlacedAnew() {
    try (var trial = trial(ring(), sums(6))) {
      GraphHandle living = trial.handle;
      trial.handle =
          new GraphHandle(
              living.key(),
              Arrays.asList(null, "executor_nowhere_77", null),
              living.owners(),
              living.vertices(),
              living.edges(),
              living.bytes(),
              living.partitions(),
              living.vertexPartitions(),
              living.loaded(),
              living.gpuColumns());
      AtomicInteger recoveries = new AtomicInteger();
      trial.recovery =
          (lost, again) -> {
            recoveries.incrementAndGet();
            return living;
          };
      assertUndisturbed(trial, trial.run());
      assertThat(recoveries).hasValue(1);
    }
  }

  // ---- cancelling -----------------------------------------------------------------------------

  @Test
  void anInterruptedDriverThreadEndsTheRun() {
    try (var trial = trial(ring(), sums(Integer.MAX_VALUE - 1))) {
      trial.listener =
          stats -> {
            if (stats.superstep() == 5) {
              Thread.currentThread().interrupt();
            }
          };
      assertThatThrownBy(trial::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("interrupted in superstep 6 of sums");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void cancellingTheJobGroupEndsTheRun() throws Exception {
    try (var trial = trial(ring(), sums(Integer.MAX_VALUE - 1))) {
      Thread canceller =
          new Thread(
              () -> {
                // A cancellation between two jobs finds none; so does one of Spark's own loops.
                while (!Thread.interrupted()) {
                  sc.cancelJobGroup("mine");
                  try {
                    Thread.sleep(5);
                  } catch (InterruptedException e) {
                    return;
                  }
                }
              });
      sc.setJobGroup("mine", "my run", false);
      trial.listener =
          stats -> {
            if (stats.superstep() == 3) {
              canceller.start();
            }
          };
      try {
        assertThatThrownBy(trial::run).hasMessageContaining("cancelled");
      } finally {
        canceller.interrupt();
        canceller.join();
        sc.clearJobGroup();
      }
    }
  }
}
