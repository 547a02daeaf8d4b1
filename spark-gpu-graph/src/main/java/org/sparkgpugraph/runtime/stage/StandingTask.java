package org.sparkgpugraph.runtime.stage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcTimeout;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.util.RpcUtils;
import scala.concurrent.Await;
import scala.concurrent.Future;
import scala.concurrent.duration.Duration;
import scala.concurrent.duration.FiniteDuration;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A shard's task of a {@link StandingStage}: it carries out orders until the driver sends the last
 * one. What it says to other shards meanwhile it writes as outputs of its own stage's shuffle, each
 * under an id of its own, which nobody but those who are told of them knows; when all have read
 * them their files are left to later ones. The last order's is the output that Spark knows.
 */
final class StandingTask {
  private static final ClassTag<byte[]> BYTES = ClassTag$.MODULE$.apply(byte[].class);

  /** How long a call to the driver may take: orders come when all shards are done. */
  private static final RpcTimeout PATIENCE =
      new RpcTimeout(Duration.create(30, TimeUnit.DAYS), "spark.rpc.askTimeout");

  /** After which a task that waits looks whether it was killed. */
  private static final FiniteDuration PAUSE = Duration.create(50, TimeUnit.MILLISECONDS);

  /** Ids of outputs that Spark does not know are above those of tasks. */
  private static final long OUTPUTS = 1L << 62;

  /** Bits of an output's id that number the orders of a task, and the files of an order. */
  private static final int ORDER_BITS = 21;

  private static final int FILE_BITS = 6;

  /** Orders whose outputs somebody may still read. */
  private static final int READ = 2;

  private final ShuffleDependency<Integer, byte[], byte[]> exchange;
  private final PlainShuffle shuffle;
  private final int shard;
  private final TaskContext context;
  private final RpcEndpointRef driver;

  /** Ids of what was written, by order. */
  private final Deque<List<Long>> outputs = new ArrayDeque<>();

  /** Ids of outputs that all have read, whose files may be taken. */
  private final Deque<Long> spares = new ArrayDeque<>();

  /**
   * What has come of the last order.
   *
   * @param work null: nothing was to be done
   */
  record Ended(ShardWork work, ShardWork.Answer answer) {
    /**
     * Does it.
     *
     * @param work null: nothing
     */
    static Ended of(ShardWork work, int shard, ShardWork.Inbox inbox) throws Exception {
      if (work == null) {
        return new Ended(null, ShardWork.Answer.done(null));
      }
      try {
        return new Ended(work, work.run(shard, inbox));
      } catch (ExchangeGoneException e) {
        return new Ended(
            work, new ShardWork.Answer(ShardReport.Outcome.UNREAD, e.getMessage(), List.of()));
      }
    }
  }

  /**
   * @param endpoint name of the driver's {@link StandingStage}
   * @param exchange what the stage writes, by a {@link PlainShuffle}
   */
  StandingTask(
      String endpoint,
      ShuffleDependency<Integer, byte[], byte[]> exchange,
      int shard,
      TaskContext context) {
    this.exchange = exchange;
    this.shard = shard;
    this.context = context;
    shuffle = (PlainShuffle) exchange.shuffleWriterProcessor();
    SparkEnv env = SparkEnv.get();
    driver = RpcUtils.makeDriverRef(endpoint, env.conf(), env.rpcEnv());
  }

  /**
   * Carries out all orders.
   *
   * @param first reads the exchange that the stage stands on
   * @throws Exception what Spark is to see
   */
  Ended run(ShardWork.Inbox first) throws Exception {
    try {
      StandingOrder order = next(tell(StandingCall.of(StandingCall.Kind.JOINED, shard, 0)));
      while (!order.last()) {
        order = next(carriedOut(order, first));
      }
      // Done before, unless not all came together: the fence then says the same again. What is for
      // others but the first work was read by those who have done it.
      Ended ended = Ended.of(order.work(), shard, order.number() == 1 ? first : StepRdd::gone);
      // Others may still read; what is left then goes with the stage's own output.
      keep(READ);
      return ended;
    } catch (Exception | Error e) {
      // Nobody else tells the driver, which would wait until Spark has a slot for another attempt.
      tellOf(e);
      try {
        keep(0);
      } catch (RuntimeException left) {
        // Such as of a context that is stopped: files go with it.
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  /** Carries out an order, and asks for the next. */
  private Future<byte[]> carriedOut(StandingOrder order, ShardWork.Inbox first) throws Exception {
    StandingOrder.Answer answer;
    try {
      answer = done(order, order.number() == 1 ? first : () -> read(order));
    } catch (Exception | Error e) {
      if (order.number() == 1 || context.isInterrupted() || e instanceof Error) {
        throw e;
      }
      // Nothing was changed, or all that was said is kept: it is said again as Spark's own output.
      // Spark, which remembers of a task that something could not be read, is not to hear of it.
      context.setFetchFailed(null);
      return tell(StandingCall.of(StandingCall.Kind.FAILED, shard, order.number()));
    }
    Future<byte[]> asked = tell(StandingCall.done(shard, order.number(), answer));
    // All have read what was written two orders ago: otherwise this one would not have come.
    spare(READ);
    return asked;
  }

  private List<byte[]> read(StandingOrder order) throws Exception {
    List<byte[]> inline = order.records();
    List<byte[]> fetched =
        order.outputs().isEmpty() ? List.of() : shuffle.read(exchange, order, shard, context);
    return Stream.concat(inline.stream(), fetched.stream()).toList();
  }

  private StandingOrder.Answer done(StandingOrder order, ShardWork.Inbox inbox) throws Exception {
    ShardWork work = order.work();
    ShardWork.Answer answer = work.run(shard, inbox);
    List<ShardOutput> written = List.of();
    byte[] inline = InlineRecords.NONE;
    if (order.writes() && shuffle.lanes().areInline(answer.messages())) {
      inline = InlineRecords.pack(answer.messages());
      PlainShuffle.countInline(answer.messages().size(), inline.length, context);
      // Of older orders files go as ever.
      outputs.add(List.of());
    } else if (order.writes()) {
      List<Long> ids = new ArrayList<>();
      outputs.add(ids);
      written =
          shuffle.write(answer.messages(), exchange, new Ids(order.number(), ids), shard, context);
    }
    return new StandingOrder.Answer(
        new ShardReport(work.generation(), work.epoch(), shard, answer.outcome(), answer.data()),
        written,
        inline);
  }

  /** Ids of what is written for an order. */
  private final class Ids implements PlainShuffle.OutputIds {
    private final int order;
    private final List<Long> given;

    Ids(int order, List<Long> given) {
      this.order = order;
      this.given = given;
    }

    @Override
    public long next() {
      long ofOrder = context.taskAttemptId() << ORDER_BITS | order;
      given.add(OUTPUTS | ofOrder << FILE_BITS | given.size());
      return given.get(given.size() - 1);
    }

    @Override
    public Optional<Long> spare() {
      return Optional.ofNullable(spares.poll());
    }
  }

  // ---- the driver -----------------------------------------------------------------------------

  private Future<byte[]> tell(StandingCall call) {
    return driver.ask(call.bytes(), PATIENCE, BYTES);
  }

  private void tellOf(Throwable thrown) {
    try {
      tell(StandingCall.of(StandingCall.Kind.FAILED, shard, 0));
    } catch (RuntimeException e) {
      thrown.addSuppressed(e);
    }
  }

  private StandingOrder next(Future<byte[]> asked) throws Exception {
    while (true) {
      try {
        return StandingOrder.of(Await.result(asked, PAUSE));
      } catch (TimeoutException e) {
        if (context.isInterrupted()) {
          throw new TaskKilledException();
        }
      }
    }
  }

  /**
   * Lets go of outputs but those of the newest orders. Their files are left to what is written
   * next, as many as one order has had.
   */
  private void spare(int newest) {
    while (outputs.size() > newest) {
      List<Long> read = outputs.remove();
      spares.addAll(read);
      remove(spares, spares.size() - read.size());
    }
  }

  /** Removes outputs but those of the newest orders, and files that were spared. */
  private void keep(int newest) {
    remove(spares, spares.size());
    while (outputs.size() > newest) {
      Deque<Long> read = new ArrayDeque<>(outputs.remove());
      remove(read, read.size());
    }
  }

  private void remove(Deque<Long> ids, int first) {
    var files = (IndexShuffleBlockResolver) SparkEnv.get().shuffleManager().shuffleBlockResolver();
    for (int i = 0; i < first; i++) {
      files.removeDataByMap(exchange.shuffleId(), ids.remove());
    }
  }
}
