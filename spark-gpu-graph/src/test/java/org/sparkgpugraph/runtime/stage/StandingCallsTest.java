package org.sparkgpugraph.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.spark.FutureAction;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.TaskKilledException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcTimeout;
import org.apache.spark.util.RpcUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.serial.PartitionNumbers;
import org.sparkgpugraph.runtime.serial.ShardSerializer;
import org.sparkgpugraph.testing.SharedSpark;
import scala.Option;
import scala.concurrent.Await;
import scala.concurrent.Future;
import scala.concurrent.duration.Duration;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** What the driver makes of the calls of tasks that stay, without jobs: the test calls for them. */
@ExtendWith(SharedSpark.class)
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StandingCallsTest {
  private static final int SHARDS = 2;
  private static final ClassTag<byte[]> BYTES = ClassTag$.MODULE$.apply(byte[].class);
  private static final RpcTimeout PATIENCE =
      new RpcTimeout(Duration.create(20, TimeUnit.SECONDS), "spark.rpc.askTimeout");

  private final SparkContext sc;
  private volatile boolean jobHasEnded;
  private ShuffleDependency<Integer, byte[], byte[]> written;
  private StandingStage stage;
  private RpcEndpointRef driver;

  StandingCallsTest(JavaSparkContext context) {
    sc = context.sc();
  }

  private void start(int standingMillis, BooleanSupplier alive) {
    ShardReports reports = new ShardReports();
    sc.register(reports);
    StepRdd rdd = new StepRdd(sc, Collections.nCopies(SHARDS, null), null, step(0), reports);
    written =
        new ShuffleDependency<>(
            rdd,
            new PartitionNumbers(SHARDS),
            new ShardSerializer(),
            Option.empty(),
            Option.empty(),
            false,
            new PlainShuffle(new Lanes(1, 1)),
            ClassTag$.MODULE$.apply(Integer.class),
            BYTES,
            BYTES);
    stage =
        new StandingStage(
            sc,
            new ShardStages.Exchange(rdd, written),
            SHARDS,
            step(0),
            alive,
            new StandingTimes(standingMillis, 60_000, 60_000));
    stage.runs(
        (FutureAction<?>)
            Proxy.newProxyInstance(
                FutureAction.class.getClassLoader(),
                new Class<?>[] {FutureAction.class},
                (job, method, arguments) ->
                    method.getName().equals("isCompleted") ? jobHasEnded : null));
    driver = RpcUtils.makeDriverRef(stage.name(), sc.getConf(), sc.env().rpcEnv());
  }

  @AfterEach
  void end() {
    stage.dismiss();
    sc.cleaner().get().doCleanupShuffle(written.shuffleId(), true);
  }

  private static ShardWork step(int epoch) {
    return new ShardWork.Step("run", 0, epoch, new double[0], 1, false);
  }

  private Future<byte[]> call(StandingCall call) {
    return driver.ask(call.bytes(), PATIENCE, BYTES);
  }

  private Future<byte[]> joined(int shard) {
    return call(StandingCall.of(StandingCall.Kind.JOINED, shard, 0));
  }

  private Future<byte[]> done(int shard, int number) {
    ShardReport report = new ShardReport(0, number - 1, shard, ShardReport.Outcome.DONE, null);
    ShardOutput output =
        new ShardOutput(sc.env().blockManager().blockManagerId(), number, shard, new long[SHARDS]);
    return call(
        StandingCall.done(
            shard, number, new StandingOrder.Answer(report, List.of(output), InlineRecords.NONE)));
  }

  private Future<byte[]> failed(int shard) {
    return call(StandingCall.of(StandingCall.Kind.FAILED, shard, 0));
  }

  private static StandingOrder order(Future<byte[]> asked) throws Exception {
    return StandingOrder.of(Await.result(asked, Duration.create(10, TimeUnit.SECONDS)));
  }

  private static void assertLast(Future<byte[]> asked, int epoch) throws Exception {
    StandingOrder last = order(asked);
    assertThat(last.last()).isTrue();
    assertThat(last.work().epoch()).isEqualTo(epoch);
    assertThat(last.number()).isEqualTo(epoch + 1);
  }

  private CompletableFuture<Map<ShardReport.Key, ShardReport>> ordered(ShardWork work) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return stage.order(work, !work.isLast());
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** All are there, and have done the first work. */
  private List<Future<byte[]>> begun() throws Exception {
    List<Future<byte[]>> joined = List.of(joined(0), joined(1));
    for (Future<byte[]> asked : joined) {
      assertThat(order(asked).number()).isEqualTo(1);
    }
    List<Future<byte[]>> waiting = List.of(done(0, 1), done(1, 1));
    assertThat(stage.first()).hasSize(SHARDS);
    return waiting;
  }

  @Test
  void whenTimeIsOverThoseThatAreDoneLeaveAndTheOthersAreWaitedFor() throws Exception {
    start(3_000, () -> true);
    List<Future<byte[]>> waiting = begun();
    var reports = ordered(step(1));
    assertThat(order(waiting.get(0)).number()).isEqualTo(2);
    assertLast(done(0, 2), 1);
    assertThat(reports.isDone()).isFalse();
    assertLast(done(1, 2), 1);
    assertThat(reports.get()).hasSize(SHARDS);
    assertThat(stage.said().epoch()).isEqualTo(1);
    assertThat(stage.order(step(2), true)).isNull();
    assertThat(stage.orders()).isEqualTo(2);
  }

  @Test
  void whenOneOfTheOthersFailsWhatAllHaveSaidCounts() throws Exception {
    start(3_000, () -> true);
    List<Future<byte[]>> waiting = begun();
    var reports = ordered(step(1));
    assertThat(order(waiting.get(1)).number()).isEqualTo(2);
    assertLast(done(0, 2), 1);
    assertLast(failed(1), 1);
    assertThat(reports.get()).isNull();
    assertThat(stage.said().epoch()).isZero();
  }

  @Test
  void aTaskThatFailsEndsIt() throws Exception {
    start(60_000, () -> true);
    List<Future<byte[]>> waiting = begun();
    var reports = ordered(step(1));
    assertThat(order(waiting.get(0)).number()).isEqualTo(2);
    Future<byte[]> first = done(0, 2);
    assertLast(failed(1), 0);
    assertLast(first, 0);
    assertThat(reports.get()).isNull();
  }

  @Test
  void behindAResultNothingIsSaidAgain() throws Exception {
    start(60_000, () -> true);
    List<Future<byte[]>> waiting = begun();
    var reports = ordered(new ShardWork.Finish("run", 0, 0, new double[0]));
    assertThat(order(waiting.get(0)).number()).isEqualTo(2);
    StandingOrder last = order(failed(0));
    assertThat(last.last()).isTrue();
    assertThat(last.work()).isNull();
    assertThat(reports.get()).isNull();
  }

  @Test
  void executorsThatAreNotKnownToLiveEndIt() throws Exception {
    start(
        60_000,
        () -> {
          throw new IllegalStateException("RpcEnv already stopped.");
        });
    List<Future<byte[]>> waiting = begun();
    var reports = ordered(step(1));
    assertThat(order(waiting.get(0)).number()).isEqualTo(2);
    assertThat(reports.get()).isNull();
    assertLast(done(0, 2), 0);
  }

  @Test
  void anOrderThatCannotBePackedLosesNobody() throws Exception {
    start(60_000, () -> true);
    List<Future<byte[]>> waiting = begun();
    Computation computation =
        (Computation)
            Proxy.newProxyInstance(
                Computation.class.getClassLoader(),
                new Class<?>[] {Computation.class},
                (itself, method, arguments) -> null);
    RunTask task = new RunTask("", "run", false, SHARDS, EngineChoice.CPU, null, computation);
    assertThatThrownBy(() -> stage.order(new ShardWork.Begin(task, 0, 1, null), true))
        .hasStackTraceContaining("NotSerializableException");
    stage.dismiss();
    for (Future<byte[]> asked : waiting) {
      assertThat(order(asked).last()).isTrue();
    }
  }

  /** Spark may have no slot for another attempt until another job is done. */
  @Test
  void aTaskThatIsKilledWhileItWaitsSaysSo() throws Exception {
    start(60_000, () -> true);
    TaskContextImpl context = (TaskContextImpl) TaskContext$.MODULE$.empty();
    StandingTask task = new StandingTask(stage.name(), written, 1, context);
    CompletableFuture<?> runs =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return task.run(List::of);
              } catch (Exception e) {
                throw new CompletionException(e);
              }
            });
    Thread.sleep(100);
    assertThat(runs.isDone()).isFalse();
    context.markInterrupted("a fault of the test");
    assertThatThrownBy(runs::get).hasCauseInstanceOf(TaskKilledException.class);
    assertLast(joined(0), 0);
  }

  @Test
  void tasksThatEndWithoutAWordEndIt() throws Exception {
    start(60_000, () -> true);
    Future<byte[]> waiting = joined(0);
    // No shard is held here: they find nothing to do.
    var others = sc.submitMapStage(written);
    assertThat(stage.first()).isNull();
    assertLast(waiting, 0);
    Await.result(others, Duration.create(10, TimeUnit.SECONDS));
  }
}
