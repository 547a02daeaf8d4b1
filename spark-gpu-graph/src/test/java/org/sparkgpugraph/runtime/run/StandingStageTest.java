package org.sparkgpugraph.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.SparkShardTrial;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.stage.Computation;
import org.sparkgpugraph.runtime.stage.Lanes;
import org.sparkgpugraph.runtime.stage.ShardComputation;
import org.sparkgpugraph.runtime.stage.ShardInput;
import org.sparkgpugraph.runtime.stage.ShardWork;
import org.sparkgpugraph.runtime.stage.StandingTimes;
import org.sparkgpugraph.testing.BlockedOutputs;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/**
 * Supersteps whose tasks stay for those that follow, disturbed: each run must end as if nothing had
 * happened, and leave nothing. There are as many shards as slots.
 */
@ExtendWith(SharedSpark.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StandingStageTest {
  private static final int SIZE = 60;
  private static final int SHARDS = 2;

  /** Outputs of a task that stays bear the number of its order, and of one of so many files. */
  private static final int FILE_BITS = 6;

  /** Tasks stay, whatever a busy machine does. */
  private static final StandingTimes PATIENT = new StandingTimes(60_000, 30_000, 30_000);

  /** Until a task that was killed has seen it. */
  private static final int SEEN_MILLIS = 200;

  private final SparkContext sc;
  private final ConcurrentLinkedQueue<String> jobs = new ConcurrentLinkedQueue<>();
  private final AtomicInteger tasks = new AtomicInteger();
  @TempDir Path scratch;
  private int heldBefore;
  private Runnable atTask = () -> {};
  private final SparkListener counting =
      new SparkListener() {
        @Override
        public void onJobStart(SparkListenerJobStart job) {
          jobs.add(String.valueOf(job.properties().getProperty("spark.job.description")));
        }

        @Override
        public void onTaskStart(SparkListenerTaskStart start) {
          tasks.incrementAndGet();
          atTask.run();
          last = start.taskInfo().taskId();
        }

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
          ended.add(end.taskInfo().taskId());
        }
      };
  private final Set<Long> ended = ConcurrentHashMap.newKeySet();
  private volatile long last;

  StandingStageTest(JavaSparkContext context) {
    sc = context.sc();
  }

  @BeforeEach
  void count() {
    heldBefore = ExecutorRegistry.size();
    sc.addSparkListener(counting);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    sc.removeSparkListener(counting);
    // What other tests have left may go meanwhile, with its context it does.
    int most = sc.isStopped() ? 0 : heldBefore;
    for (int i = 0; i < 100 && (ExecutorRegistry.size() > most || !files().isEmpty()); i++) {
      Thread.sleep(50);
    }
    assertThat(ExecutorRegistry.size()).as("graphs, runs, results held").isLessThanOrEqualTo(most);
    assertThat(files()).as("files of exchanges").isEmpty();
    sc.checkpointDir_$eq(scala.Option.empty());
  }

  /** A ring with chords, so that every shard has something to say to the other. */
  static TestGraph<Integer, Integer> ring(int size) {
    return new TestGraph<>(
        "ring",
        LongStream.range(0, size).toArray(),
        IntStream.range(0, size).boxed().toList(),
        LongStream.range(0, 2 * size).map(e -> e / 2).toArray(),
        LongStream.range(0, 2 * size)
            .map(e -> e % 2 == 0 ? (e / 2 + 1) % size : e / 2 * 7 % size)
            .toArray(),
        Collections.nCopies(2 * size, 1));
  }

  private SparkShardTrial<Integer, Integer, Integer, Integer, Integer> trial(int supersteps) {
    SparkShardTrial<Integer, Integer, Integer, Integer, Integer> trial =
        new SparkShardTrial<>(sc, ring(SIZE), DistributedRunTest.sums(supersteps), SHARDS, 2);
    trial.times = PATIENT;
    return trial;
  }

  private static void assertUndisturbed(
      SparkShardTrial<Integer, Integer, Integer, Integer, Integer> trial) {
    Map<Long, Integer> result = trial.run();
    PregelOracle.Run<Integer> expected = PregelOracle.run(trial.graph, trial.program);
    assertThat(result).isEqualTo(expected.result());
    List<SuperstepStats> steps = trial.summary().supersteps();
    assertThat(steps).hasSameSizeAs(expected.steps());
    for (int i = 0; i < steps.size(); i++) {
      assertThat(steps.get(i).aggregates()).isEqualTo(expected.steps().get(i).aggregates());
    }
    boolean partial = trial.ran().notes().stream().anyMatch(note -> note.contains("were told"));
    assertThat(partial).as("hubs were told partial messages").isEqualTo(trial.hubs > 0);
  }

  /** The jobs, and tasks of these, that have started. */
  private List<String> jobs() throws Exception {
    sc.listenerBus().waitUntilEmpty(10_000);
    return List.copyOf(jobs);
  }

  /** Data of exchanges, the newest output of a task last. */
  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (File root : sc.env().blockManager().diskBlockManager().localDirs()) {
      for (String folder : names(root)) {
        for (String name : names(new File(root, folder))) {
          if (name.matches("shuffle_\\d+_\\d{15,}_\\d+\\.data")) {
            files.add(root.toPath().resolve(folder).resolve(name));
          }
        }
      }
    }
    files.sort((a, b) -> a.getFileName().compareTo(b.getFileName()));
    return files;
  }

  private static String[] names(File folder) {
    String[] names = folder.list();
    return names == null ? new String[0] : names;
  }

  // ---- undisturbed ----------------------------------------------------------------------------

  @Test
  void aRunIsOneJobOfATaskForEachShard() throws Exception {
    sc.setCheckpointDir(scratch.toString());
    List<Integer> files = new ArrayList<>();
    try (var trial = trial(40)) {
      trial.checkpointInterval = 7;
      trial.listener = stats -> files.add(files().size());
      assertUndisturbed(trial);
    }
    assertThat(jobs()).containsExactly("superstep 0 of sums and what follows");
    assertThat(tasks).hasValue(SHARDS);
    // Outputs go when they have been read.
    assertThat(Collections.max(files)).isBetween(1, 3 * SHARDS);
  }

  /** Little goes by way of the driver, in both directions or in one; stages end on the way. */
  @ParameterizedTest
  @ValueSource(ints = {1 << 14, 110, 90})
  void whatIsLittleIsNotWritten(int inline) throws Exception {
    for (int millis : new int[] {60_000, 20}) {
      jobs.clear();
      List<Integer> files = new ArrayList<>();
      try (var trial = trial(40)) {
        trial.times = new StandingTimes(millis, 30_000, 30_000);
        trial.lanes = new Lanes(2, 1, inline);
        trial.listener = stats -> files.add(files().size());
        assertUndisturbed(trial);
      }
      assertThat(jobs()).hasSizeBetween(millis < 1000 ? 2 : 1, millis < 1000 ? 42 : 1);
      if (millis > 1000) {
        assertThat(Collections.max(files)).isBetween(inline > 200 ? 0 : 1, inline > 200 ? 0 : 6);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0,42", "1,2"})
  void tasksStayAsLongAsTheyMay(int millis, int least) throws Exception {
    try (var trial = trial(40)) {
      trial.times = new StandingTimes(millis, 30_000, 30_000);
      assertUndisturbed(trial);
    }
    assertThat(jobs()).hasSizeBetween(least, 42);
    assertThat(jobs().get(0))
        .isEqualTo("superstep 0 of sums" + (millis == 0 ? "" : " and what follows"));
  }

  // ---- disturbed ------------------------------------------------------------------------------

  @Test
  void anObserverMayRunJobsThatNeedTheSlots() throws Exception {
    AtomicInteger counted = new AtomicInteger();
    try (var trial = trial(6)) {
      trial.times = new StandingTimes(60_000, 30_000, 400);
      trial.listener =
          stats -> {
            if (stats.superstep() % 3 == 1) {
              counted.addAndGet(
                  (int)
                      JavaSparkContext.fromSparkContext(sc).parallelize(List.of(1, 2), 2).count());
            }
          };
      assertUndisturbed(trial);
    }
    assertThat(counted).hasValue(4);
    assertThat(jobs())
        .filteredOn(job -> job.endsWith("and what follows"))
        .hasSizeGreaterThanOrEqualTo(2);
  }

  /** A file is gone, or a byte of its first or its last lane is another. */
  @ParameterizedTest
  @CsvSource({"NaN,0", "0.2,0", "1,0", "NaN,1", "1,1"})
  void anOutputThatIsGoneOrDamagedIsSaidAgain(double where, int hubs) throws Exception {
    AtomicInteger broken = new AtomicInteger();
    try (var trial = trial(9)) {
      trial.hubs = hubs;
      trial.listener =
          stats -> {
            if (stats.superstep() == 4) {
              for (Path file : files()) {
                broken.addAndGet(breakIt(file, where));
              }
            }
          };
      assertUndisturbed(trial);
    }
    assertThat(broken.get()).isPositive();
    // The work that could not read it is a stage of its own, or the first of the next ones.
    assertThat(jobs()).hasSizeBetween(2, 4);
  }

  @Test
  void anOutputThatFindsTheDiskFullIsSaidAgain() throws Exception {
    List<Integer> heard = new ArrayList<>();
    try (var trial = trial(9);
        BlockedOutputs full = new BlockedOutputs()) {
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (stats.superstep() == 4 && !full.isAny()) {
              blockNext(full);
            }
          };
      assertUndisturbed(trial);
      assertThat(full.isAny()).isTrue();
    }
    assertThat(heard).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    // What was said before is the output of the stage that ends; the work is another stage.
    assertThat(jobs()).hasSizeBetween(2, 4);
  }

  /** Blocks what a task that stays writes next: the first of the files of its next orders. */
  private void blockNext(BlockedOutputs full) {
    List<Path> files = files();
    String[] newest = files.get(files.size() - 1).getFileName().toString().split("_");
    for (int next = 1; next <= 2; next++) {
      long order = (Long.parseLong(newest[2]) >>> FILE_BITS) + next;
      full.block(Integer.parseInt(newest[1]), order << FILE_BITS);
    }
  }

  /** A task may be removing it. */
  private static int breakIt(Path file, double where) {
    try {
      if (Double.isNaN(where)) {
        return Files.deleteIfExists(file) ? 1 : 0;
      }
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > 0) {
        bytes[(int) (where * (bytes.length - 1))] ^= 1;
        Files.write(file, bytes);
      }
      return bytes.length;
    } catch (java.nio.file.NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of what is said in files or by way of the driver, to vertices or, in part, to hubs. */
  @ParameterizedTest
  @CsvSource({"0,0", "16384,0", "0,1", "16384,1"})
  void aShardThatIsLostSetsAllBackToTheCheckpoint(int inline, int hubs) throws Exception {
    sc.setCheckpointDir(scratch.toString());
    List<Integer> heard = new ArrayList<>();
    try (var trial = trial(9)) {
      trial.lanes = new Lanes(2, 1, inline);
      trial.hubs = hubs;
      trial.checkpointInterval = 3;
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (stats.superstep() == 5 && heard.size() == 6) {
              String key = GraphHandle.shardKey(trial.resultKey, 1);
              assertThat(ExecutorRegistry.dropShard(key)).isNotNull();
            }
          };
      assertUndisturbed(trial);
    }
    assertThat(heard).containsExactly(0, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9);
  }

  @ParameterizedTest
  @CsvSource({"0,0", "16384,0", "16384,1"})
  void aTaskThatIsKilledIsRunAgain(int inline, int hubs) throws Exception {
    List<Integer> heard = new ArrayList<>();
    try (var trial = trial(9)) {
      trial.lanes = new Lanes(2, 1, inline);
      trial.hubs = hubs;
      trial.listener =
          stats -> {
            heard.add(stats.superstep());
            if (stats.superstep() == 3) {
              killNewest();
            }
          };
      assertUndisturbed(trial);
    }
    assertThat(heard).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    // Nothing else ends tasks that are as patient as these.
    jobs();
    assertThat(tasks.get()).isGreaterThan(SHARDS);
  }

  private void killNewest() {
    try {
      sc.listenerBus().waitUntilEmpty(10_000);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
    assertThat(sc.killTaskAttempt(last, false, "a fault of the test")).isTrue();
    sleep(SEEN_MILLIS);
  }

  /** A job that keeps a slot as soon as it gets one. */
  private JavaFutureAction<List<Integer>> blocked() {
    return JavaSparkContext.fromSparkContext(sc)
        .parallelize(List.of(1), 1)
        .map(Blocker::block)
        .collectAsync();
  }

  @Test
  void aTaskThatIsKilledWhenItsResultIsKeptIsRunAgainAlone() throws Exception {
    AtomicLong first = new AtomicLong(-1);
    Watched.hook =
        (method, shard, arguments) -> {
          if (method.equals("result") && shard == 0) {
            first.compareAndSet(-1, TaskContext.get().taskAttemptId());
          } else if (method.equals("result")) {
            while (first.get() < 0) {
              sleep(5);
            }
            // It tells the driver, and waits for the next order.
            sleep(SEEN_MILLIS);
            sc.killTaskAttempt(first.get(), false, "a fault of the test");
            for (int looks = 0; looks < 2_000 && !ended.contains(first.get()); looks++) {
              sleep(5);
            }
          }
        };
    List<Integer> heard = new ArrayList<>();
    try (var trial = trial(5)) {
      trial.computation = Watched::watched;
      trial.listener = stats -> heard.add(stats.superstep());
      assertUndisturbed(trial);
    }
    assertThat(heard).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(jobs()).containsExactly("superstep 0 of sums and what follows", "result of sums");
  }

  /** A step of one shard that ends only when the slot of the other, which is done, is free. */
  @Test
  void slotsAreFreeInTimeThoughAShardIsSlow() throws Exception {
    AtomicInteger counted = new AtomicInteger();
    Watched.hook =
        (method, shard, arguments) -> {
          if (method.equals("step") && shard == 1 && ((ShardWork) arguments[0]).epoch() == 3) {
            try {
              counted.addAndGet(
                  JavaSparkContext.fromSparkContext(sc)
                      .parallelize(List.of(1), 1)
                      .countAsync()
                      .get(20, TimeUnit.SECONDS)
                      .intValue());
            } catch (Exception e) {
              throw new IllegalStateException("no slot was free", e);
            }
          }
        };
    List<Integer> heard = new ArrayList<>();
    try (var trial = trial(6)) {
      trial.computation = Watched::watched;
      trial.times = new StandingTimes(400, 30_000, 30_000);
      trial.listener = stats -> heard.add(stats.superstep());
      assertUndisturbed(trial);
    }
    assertThat(counted).hasValue(1);
    assertThat(heard).containsExactly(0, 1, 2, 3, 4, 5, 6);
  }

  @Test
  void tasksAreAskedLessOftenWhenItBringsNothing() throws Exception {
    try (var trial = trial(12)) {
      trial.times = new StandingTimes(60_000, 30_000, 20);
      trial.listener = stats -> sleep(80);
      assertUndisturbed(trial);
    }
    // Behind the first 2 ordinary ones, behind the second 4; without that there are 12.
    assertThat(jobs()).filteredOn(job -> job.endsWith("and what follows")).hasSizeBetween(1, 6);
  }

  @Test
  void aContextThatIsStoppedIsWhatARunSays() {
    try (var trial = trial(9)) {
      trial.listener =
          stats -> {
            if (stats.superstep() == 3) {
              sc.stop();
            }
          };
      assertThatThrownBy(trial::run)
          .isNotInstanceOf(NullPointerException.class)
          .hasMessageContaining("shut down");
    }
  }

  /** A computation whose shards' methods a test hears of before they run. */
  private record Watched(Computation to) implements InvocationHandler, Serializable {
    private static volatile Hook hook;

    /** Hears of it. */
    private interface Hook {
      void called(String method, int shard, Object[] arguments);
    }

    static Computation watched(Computation to) {
      return proxy(Computation.class, new Watched(to));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
      return type.cast(
          Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      Object result = passed(to, method, arguments);
      if (!method.getName().equals("open")) {
        return result;
      }
      int shard = ((ShardInput) arguments[0]).shard();
      return proxy(
          ShardComputation.class,
          (opened, called, given) -> {
            hook.called(called.getName(), shard, given);
            return passed(result, called, given);
          });
    }

    private static Object passed(Object to, Method method, Object[] arguments) throws Throwable {
      try {
        return method.invoke(to, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  private static void sleep(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatDoesNotComeTogetherIsAnOrdinaryStage() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Blocker.release = done;
    JavaFutureAction<List<Integer>> other = blocked();
    while (tasks.get() == 0) {
      sleep(5);
    }
    try (var trial = trial(3)) {
      trial.times = StandingTimes.of(2_000);
      assertUndisturbed(trial);
      assertThat(other.isDone()).isFalse();
    } finally {
      done.countDown();
    }
    assertThat(other.get()).containsExactly(1);
  }

  /** Keeps a slot. */
  private static final class Blocker {
    private static CountDownLatch release;

    static int block(int value) throws InterruptedException {
      release.await();
      return value;
    }
  }

  @Test
  void aFaultOfTheProgramComesAsItIs() throws Exception {
    var program =
        DistributedRunTest.sums(9)
            .vertexWithContext(
                (id, value, message, run) -> 100 / (run.superstep() - 3) + value + message);
    try (var trial = new SparkShardTrial<>(sc, ring(SIZE), program, SHARDS, 2)) {
      trial.times = PATIENT;
      assertThatThrownBy(trial::run)
          .isInstanceOf(ProgramFault.class)
          .hasMessageContaining("vertex ");
    }
    assertThat(jobs()).hasSize(1);
    assertThat(tasks).hasValue(SHARDS);
  }

  @Test
  void aJobThatIsCancelledEndsTheRun() {
    sc.setJobGroup("mine", "my run", false);
    try (var trial = trial(Integer.MAX_VALUE - 1)) {
      trial.listener =
          stats -> {
            if (stats.superstep() == 20) {
              sc.cancelJobGroup("mine");
            }
          };
      assertThatThrownBy(trial::run).hasMessageContaining("cancelled");
    } finally {
      sc.clearJobGroup();
    }
  }

  @Test
  void shardsOfOneExecutorDoNotStand() throws Exception {
    try (var trial =
        new SparkShardTrial<>(sc, ring(SIZE), DistributedRunTest.sums(3), SHARDS + 1, 1)) {
      assertUndisturbed(trial);
    }
    assertThat(jobs()).hasSize(5).noneMatch(job -> job.endsWith("and what follows"));
    assertThat(Arrays.asList(jobs().toArray())).last().isEqualTo("result of sums");
  }
}
