package org.sparkgpugraph.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.exchange.ExchangeFormatException;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.runtime.SparkShardTrial;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.stage.ShardReport.Outcome;
import org.sparkgpugraph.runtime.stage.ShardWork.Answer;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * The fence of a shard's state, without jobs: tasks' bodies are called in the orders that Spark may
 * call them in.
 */
@ExtendWith(SharedSpark.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FencedShardTest {
  private static final int SHARDS = 2;
  private static final int STEPS = 6;

  private final JavaSparkContext context;
  private SparkShardTrial<Integer, Integer, ?, ?, Integer> trial;
  private RunTask task;

  /** What the shards have said, by epoch. */
  private final Map<Integer, List<ShardWork.Message>> exchanges = new HashMap<>();

  FencedShardTest(JavaSparkContext context) {
    this.context = context;
  }

  @BeforeEach
  void load() {
    TestProgram<Integer, Integer, Integer, Integer, Integer> program =
        new TestProgram<Integer, Integer, Integer, Integer, Integer>(
                "sums", Integer.class, Integer.class, Integer.class, Integer.class)
            .inputs(random -> random.nextInt(100), random -> 1)
            .everyVertex(0)
            .vertex((id, value, message) -> 3 * value + message + 1)
            .send(edge -> edge.sendToDst(edge.srcAttr()))
            .merge(Integer::sum)
            .aggregate("all", AggregateOperation.SUM, (id, before, after) -> after % 1000)
            .maxIterations(STEPS);
    load(program);
  }

  private <S, A> void load(TestProgram<Integer, Integer, S, A, Integer> program) {
    TestGraph<Integer, Integer> graph =
        program.on(RandomGraphs.of(RandomGraphs.Shape.SKEWED, 5), 5);
    trial = new SparkShardTrial<>(context.sc(), graph, program, SHARDS, 2);
    task = trial.task();
  }

  /** A program of arrays of which one element changes in a superstep, and travels alone. */
  private static TestProgram<Integer, Integer, int[], int[], Integer> turns() {
    return new TestProgram<Integer, Integer, int[], int[], Integer>(
            "turns", Integer.class, Integer.class, int[].class, Integer.class)
        .inputs(random -> random.nextInt(100), random -> 1)
        .state((id, attribute, in, out) -> new int[] {attribute, 1, 2})
        .everyVertex(new int[3])
        .vertexWithContext(
            (id, value, message, run) -> {
              int[] next = value.clone();
              int turn = run.superstep() % 3;
              next[turn] = 3 * value[turn] + message[(turn + 2) % 3] + 1;
              return next;
            })
        .send(edge -> edge.sendToDst(edge.srcAttr()))
        .merge((a, b) -> new int[] {a[0] + b[0], a[1] + b[1], a[2] + b[2]})
        .aggregate("all", AggregateOperation.SUM, (id, before, after) -> after[0] % 1000)
        .result((id, attribute, value) -> (value[0] * 31 + value[1]) * 31 + value[2])
        .maxIterations(STEPS);
  }

  @AfterEach
  void forget() {
    for (int shard = 0; shard < SHARDS; shard++) {
      ExecutorRegistry.remove(GraphHandle.shardKey(trial.resultKey, shard));
    }
    trial.close();
  }

  @Test
  void aShardThatCannotBeMadeClosesWhatItsEngineOpened() {
    AtomicInteger closed = new AtomicInteger();
    Engine cpu = new CpuEngine();
    Engine engine =
        handing(
            Engine.class,
            cpu,
            (method, result) ->
                method.equals("open")
                    ? handing(
                        EngineRun.class,
                        (EngineRun) result,
                        (called, answer) -> {
                          closed.addAndGet(called.equals("close") ? 1 : 0);
                          return answer;
                        })
                    : result);
    ShardInput input =
        task.input(
            ExecutorRegistry.graph(GraphHandle.shardKey(task.graphKey(), 0)),
            new Selection(engine, List.of(), "planted"),
            0,
            () -> {
              throw new IllegalStateException("planted");
            },
            () -> false);
    assertThatThrownBy(() -> task.computation().open(input))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("planted");
    assertThat(closed).hasValue(1);
  }

  /** Passes calls on, and their results through a function of the method's name and the result. */
  private static <T> T handing(Class<T> type, T to, BiFunction<String, Object, Object> result) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                result.apply(method.getName(), method.invoke(to, arguments))));
  }

  // ---- tasks ----------------------------------------------------------------------------------

  private Answer begin(int generation, int shard) throws Exception {
    return new ShardWork.Begin(task, generation, 0, null).run(shard, List::of);
  }

  private ShardWork.Step work(int generation, int epoch) {
    return new ShardWork.Step(trial.resultKey, generation, epoch, new double[1], 1, false);
  }

  private Answer step(int generation, int epoch, int shard) throws Exception {
    return work(generation, epoch).run(shard, () -> inbox(epoch - 1, shard));
  }

  private List<byte[]> inbox(int epoch, int shard) {
    return exchanges.getOrDefault(epoch, List.of()).stream()
        .filter(message -> message.reader() == shard)
        .map(ShardWork.Message::record)
        .toList();
  }

  private Answer kept(int epoch, Answer answer) {
    assertThat(answer.outcome()).as(String.valueOf(answer.data())).isEqualTo(Outcome.DONE);
    exchanges.computeIfAbsent(epoch, e -> new ArrayList<>()).addAll(answer.messages());
    return answer;
  }

  private void beginAll(int generation) throws Exception {
    exchanges.clear();
    for (int shard = 0; shard < SHARDS; shard++) {
      kept(0, begin(generation, shard));
    }
  }

  private void stepAll(int generation, int epoch) throws Exception {
    for (int shard = 0; shard < SHARDS; shard++) {
      kept(epoch, step(generation, epoch, shard));
    }
  }

  @Test
  void whatCannotBeReadAnyMoreChangesNothing() throws Exception {
    beginAll(0);
    stepAll(0, 1);
    kept(2, step(0, 2, 0));
    // As the shard that has done it is told in the end, and the one that has not.
    for (int shard = 0; shard < SHARDS; shard++) {
      StandingTask.Ended ended = StandingTask.Ended.of(work(0, 2), shard, StepRdd::gone);
      assertThat(ended.answer().outcome()).isEqualTo(shard == 0 ? Outcome.DONE : Outcome.UNREAD);
      assertThat(ended.answer().messages()).hasSize(shard == 0 ? 1 : 0);
    }
    kept(2, step(0, 2, 1));
    assertRightAfter(0, 2);
  }

  private void assertRightAfter(int generation, int epoch) throws Exception {
    for (int shard = 0; shard < SHARDS; shard++) {
      kept(
          epoch,
          new ShardWork.Finish(trial.resultKey, generation, epoch, new double[0])
              .run(shard, List::of));
    }
    trial.program.maxIterations(epoch);
    assertThat(trial.result()).isEqualTo(PregelOracle.run(trial.graph, trial.program).result());
  }

  private static void assertNothingDone(Answer answer) {
    assertThat(answer.outcome()).isEqualTo(Outcome.LOST);
    assertThat(answer.messages()).isEmpty();
  }

  private static void assertSame(Answer answer, Answer before) {
    assertThat(answer.outcome()).isEqualTo(Outcome.DONE);
    assertThat(answer.data()).isEqualTo(before.data());
    assertThat(answer.messages()).hasSameSizeAs(before.messages()).isNotEmpty();
    for (int i = 0; i < answer.messages().size(); i++) {
      assertThat(answer.messages().get(i).record()).isEqualTo(before.messages().get(i).record());
    }
  }

  // ---- the fence ------------------------------------------------------------------------------

  /**
   * @param arrays whether values are arrays
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStepThatIsCalledAgainSaysTheSameAgainAndChangesNothing(boolean arrays) throws Exception {
    if (arrays) {
      trial.close();
      load(turns());
    }
    beginAll(0);
    Answer before = null;
    for (int epoch = 1; epoch <= STEPS; epoch++) {
      Answer last = null;
      for (int shard = 0; shard < SHARDS; shard++) {
        last = kept(epoch, step(0, epoch, shard));
        assertSame(step(0, epoch, shard), last);
      }
      if (before != null) {
        // The one before, too: its output may be lost while a shard has gone on.
        assertSame(step(0, epoch - 1, SHARDS - 1), before);
      }
      if (epoch > 2) {
        assertNothingDone(step(0, epoch - 2, 0));
      }
      assertNothingDone(step(0, epoch + 2, 0));
      before = last;
    }
    assertRightAfter(0, STEPS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void tasksInAnyOrderEndRight(long seed) throws Exception {
    if (seed > 3) {
      trial.close();
      load(turns());
    }
    Random random = new Random(seed);
    beginAll(0);
    for (int epoch = 1; epoch <= STEPS; epoch++) {
      boolean[] done = new boolean[SHARDS];
      while (!(done[0] && done[1])) {
        int shard = random.nextInt(SHARDS);
        int stray = Math.max(1, epoch - 2 + random.nextInt(4));
        if (random.nextInt(3) == 0) {
          Answer answer = step(0, epoch, shard);
          if (!done[shard]) {
            kept(epoch, answer);
            done[shard] = true;
          }
        } else if (stray != epoch && (stray < epoch || !done[shard])) {
          // Spark submits no step before all shards have done the one before.
          step(random.nextInt(3) - 1, stray, shard);
        } else {
          begin(-random.nextInt(2), shard);
        }
      }
    }
    assertRightAfter(0, STEPS);
  }

  @Test
  void anInboxThatCannotBeReadChangesNothing() throws Exception {
    beginAll(0);
    stepAll(0, 1);
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(
              () ->
                  work(0, 2)
                      .run(
                          0,
                          () -> {
                            throw new FileNotFoundException("gone");
                          }))
          .isInstanceOf(FileNotFoundException.class);
    }
    stepAll(0, 2);
    assertRightAfter(0, 2);
  }

  @Test
  void aRecordThatIsDamagedOrOfAnotherTimeIsToldAndLeavesTheShardDirty() throws Exception {
    beginAll(0);
    stepAll(0, 1);
    Answer answer = work(0, 2).run(0, () -> inbox(0 + 1, 1));
    assertThat(answer.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(new ShardReport(0, 2, 0, answer.outcome(), answer.data()).failure())
        .isInstanceOf(ExchangeFormatException.class);
    // Right or not, nothing runs on what is half changed.
    assertNothingDone(step(0, 2, 0));
    assertNothingDone(new ShardWork.Finish(trial.resultKey, 0, 1, new double[0]).run(0, List::of));
    assertNothingDone(begin(0, 0));
    beginAll(1);
    for (int epoch = 1; epoch <= 3; epoch++) {
      stepAll(1, epoch);
    }
    assertRightAfter(1, 3);
  }

  @Test
  void tasksOfAnotherGenerationFindNothing() throws Exception {
    beginAll(0);
    stepAll(0, 1);
    beginAll(1);
    assertNothingDone(step(0, 1, 0));
    assertNothingDone(step(0, 2, 0));
    assertNothingDone(step(2, 1, 0));
    assertNothingDone(begin(0, 0));
    stepAll(1, 1);
    stepAll(1, 2);
    assertRightAfter(1, 2);
  }

  @Test
  void aShardThatIsNotThereIsNotMade() throws Exception {
    assertNothingDone(step(0, 1, 0));
    beginAll(0);
    ExecutorRegistry.remove(GraphHandle.shardKey(trial.resultKey, 0));
    assertNothingDone(step(0, 1, 0));
    assertNothingDone(begin(0, 0));
    assertNothingDone(begin(1, 0));
  }

  @Test
  void aTaskThatComesWhileAnotherIsAtWorkWaitsForIt() throws Exception {
    beginAll(0);
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Answer> first =
          threads.submit(
              () ->
                  work(0, 1)
                      .run(
                          0,
                          () -> {
                            reading.countDown();
                            go.await();
                            return List.of();
                          }));
      reading.await();
      Future<Answer> second = threads.submit(() -> step(0, 1, 0));
      Thread.sleep(50);
      assertThat(second.isDone()).isFalse();
      go.countDown();
      assertSame(second.get(), kept(1, first.get()));
      kept(1, step(0, 1, 1));
      assertRightAfter(0, 1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aTaskThatIsKilledWhileItWaitsLeaves() throws Exception {
    beginAll(0);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> step(0, 1, 0)).isInstanceOf(InterruptedException.class);
    stepAll(0, 1);
    assertRightAfter(0, 1);
  }
}
