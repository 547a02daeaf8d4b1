package org.sparkgpugraph.runtime.stage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.spark.FutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.rpc.RpcCallContext;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.rpc.ThreadSafeRpcEndpoint;
import org.apache.spark.serializer.Serializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.runtime.stage.ShardStages.Exchange;
import scala.Function1;
import scala.PartialFunction;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;
import scala.concurrent.duration.FiniteDuration;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * A map stage whose tasks stay for the work that follows, seen from the driver. A stage for each
 * superstep has the driver make, send and schedule tasks, and executors ask it for them, for where
 * blocks are, and report blocks and ends: a dozen ways to and fro behind each other. Here a task
 * asks once, when it is done, and is told what to do next and where to read.
 *
 * <p>It lasts as long as nothing unusual happens. When a task cannot read, comes twice, ends or
 * does not come, when an executor is lost or the driver has no work for a moment, tasks get a last
 * order: to say again, as the stage's own output, what they said when last all were done ({@link
 * FencedShard} keeps it). From then on it is an exchange like any other, and what recovers from a
 * lost one does so here. When it has lasted as long as it may, tasks are told to end as soon as
 * they have carried out the order, whatever the others still do.
 */
final class StandingStage {
  private static final Logger LOG = LoggerFactory.getLogger(StandingStage.class);

  /** Between two looks whether the job still runs. */
  private static final long LOOK_MILLIS = 100;

  /** Between two looks whether executors live: Spark has to ask for all that there are. */
  private static final long ALIVE_NANOS = 500_000_000;

  /** How long tasks may take to end that have nothing left to say. */
  private static final FiniteDuration ENDING = Duration.create(5, TimeUnit.SECONDS);

  /** Their numbers are part of ids of outputs. */
  private static final int MOST_ORDERS = 1 << 20;

  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private final String name = "gpugraph-stage-" + UUID.randomUUID();
  private final SparkContext sc;
  private final RpcEndpointRef endpoint;
  private final Serializer serializer;
  private final Exchange exchange;
  private final EndedTasks endedTasks;
  private final BooleanSupplier alive;
  private final StandingTimes times;
  private final boolean[] joined;
  private FutureAction<?> job;

  /** What the shards have said last; the thread's that gives orders. */
  private List<ShardOutput> outputs = List.of();

  /** And without writing it; likewise. */
  private List<byte[]> inline = List.of();

  // Guarded by this.
  private RpcCallContext[] waiting;
  private StandingCall[] answers;

  /** What is being done or was done last; null: not all have come. */
  private StandingOrder order;

  /** Shards that have not come, or have not done it. */
  private int pending;

  /** The first order, then the last one that all have carried out and that says something. */
  private StandingOrder said;

  /** Whether all have done the first work. */
  private boolean begun;

  /** When it has lasted as long as it may, by {@link System#nanoTime}; known from then on. */
  private long deadline;

  /** Ends it then; null: it has not begun. */
  private Future<?> expiry;

  private boolean ended;

  /** Whether it has ended, but those that have not carried out the order still do. */
  private boolean closing;

  /** What every call is answered from the end on; null: it could not be packed. */
  private byte[] last;

  /** What tasks call, one after the other. */
  private final class Endpoint implements ThreadSafeRpcEndpoint {
    @Override
    public RpcEnv rpcEnv() {
      return sc.env().rpcEnv();
    }

    @Override
    public PartialFunction<Object, BoxedUnit> receiveAndReply(RpcCallContext caller) {
      return new AbstractPartialFunction<>() {
        @Override
        public boolean isDefinedAt(Object message) {
          return message instanceof byte[];
        }

        @Override
        @SuppressWarnings("unchecked") // what this returns is nothing
        public <A extends Object, B> B applyOrElse(A message, Function1<A, B> other) {
          if (!isDefinedAt(message)) {
            return other.apply(message);
          }
          called(StandingCall.of((byte[]) message), caller);
          return (B) BoxedUnit.UNIT;
        }
      };
    }
  }

  /**
   * Tasks may come from now on.
   *
   * @param exchange what it writes
   * @param work the first
   * @param alive whether the executors of all shards live
   */
  StandingStage(
      SparkContext sc,
      Exchange exchange,
      int shards,
      ShardWork work,
      BooleanSupplier alive,
      StandingTimes times) {
    this.sc = sc;
    this.exchange = exchange;
    this.alive = alive;
    this.times = times;
    // Of a context that was stopped there is none.
    serializer = sc.env().closureSerializer();
    joined = new boolean[shards];
    waiting = new RpcCallContext[shards];
    answers = new StandingCall[shards];
    pending = shards;
    said = new StandingOrder(1, work, List.of(), List.of(), true, false);
    endedTasks = new EndedTasks(exchange.rdd().id(), this::taskEnded);
    sc.addSparkListener(endedTasks);
    endpoint = sc.env().rpcEnv().setupEndpoint(name, new Endpoint());
  }

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "standing stages");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Under which tasks find it. */
  String name() {
    return name;
  }

  /** What it writes. */
  Exchange exchange() {
    return exchange;
  }

  /** What is said in its output when it has ended. */
  synchronized ShardWork said() {
    return said.work();
  }

  /** How many orders it has begun. */
  synchronized int orders() {
    return order == null ? 0 : order.number();
  }

  /** It was submitted. */
  void runs(FutureAction<?> submitted) {
    job = submitted;
  }

  // ---- tasks ----------------------------------------------------------------------------------

  private synchronized void called(StandingCall call, RpcCallContext caller) {
    if (ended && !closing) {
      answer(caller);
      return;
    }
    int shard = call.shard();
    boolean expected =
        switch (call.kind()) {
          case JOINED -> !joined[shard];
          case DONE -> order != null && order.number() == call.number() && answers[shard] == null;
          case FAILED -> false;
        };
    if (!expected) {
      LOG.debug("shard {} of {}: {} at {}", shard, name, call.kind(), call.number());
      broken();
      answer(caller);
      return;
    }
    answers[shard] = call;
    pending--;
    if (ended) {
      answer(caller);
    } else {
      waiting[shard] = caller;
    }
    if (call.kind() == StandingCall.Kind.JOINED) {
      joined[shard] = true;
      gathered();
    } else if (pending == 0) {
      carriedOut();
    }
  }

  private void gathered() {
    if (pending == 0) {
      deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(times.standingMillis());
      expiry = later(times.standingMillis(), () -> pending > 0, () -> closing = true);
      try {
        give(said);
      } catch (RuntimeException | Error e) {
        LOG.error("{} cannot begin", name, e);
        broken();
      }
    } else if (pending == joined.length - 1) {
      later(times.gatheringMillis(), () -> order == null, () -> {});
    }
  }

  private void carriedOut() {
    said = order.writes() ? order : said;
    begun = true;
    if (!ended) {
      StandingOrder done = order;
      later(times.idleMillis(), () -> order == done, () -> {});
    }
    notifyAll();
  }

  /** Ends it when something is still so after some time. */
  private Future<?> later(long millis, BooleanSupplier still, Runnable before) {
    return TIMER.schedule(
        () -> {
          synchronized (this) {
            if (!ended && still.getAsBoolean()) {
              before.run();
              end(again());
            }
          }
        },
        millis,
        TimeUnit.MILLISECONDS);
  }

  private void give(StandingOrder next) {
    // When this throws those that wait still do.
    List<byte[]> orders = next.forShards(waiting.length, serializer);
    order = next;
    RpcCallContext[] callers = waiting;
    waiting = new RpcCallContext[callers.length];
    answers = new StandingCall[callers.length];
    pending = callers.length;
    for (int shard = 0; shard < callers.length; shard++) {
      callers[shard].reply(orders.get(shard));
    }
  }

  /** Spark's own word, in case that a task cannot tell that it ends. */
  private synchronized void taskEnded(boolean well) {
    if (!ended || closing && !well) {
      broken();
    }
  }

  // ---- the end --------------------------------------------------------------------------------

  /** Not all will carry out the order. */
  private synchronized void broken() {
    closing = false;
    if (!ended) {
      end(again());
    }
    notifyAll();
  }

  /**
   * What tasks say when it ends: what all have said; where the order is being carried out by all,
   * what is said for that, so that those that are done need not keep their slots for the others.
   */
  private StandingOrder again() {
    if (order != null && order.work().isLast()) {
      return StandingOrder.nothing();
    }
    return (closing && order.writes() ? order : said).again();
  }

  /** Tells all tasks, those that come too, to say something again and end. Throws nothing. */
  private void end(StandingOrder again) {
    ended = true;
    try {
      last = again.forShards(1, serializer).get(0);
    } catch (RuntimeException | Error e) {
      // They fail by it, and Spark runs them again.
      LOG.error("the last order of {} cannot be sent", name, e);
    }
    // Tasks that Spark runs anew from now on are ordinary ones.
    exchange.rdd().settle(again.work(), begun);
    for (RpcCallContext caller : waiting) {
      if (caller != null) {
        answer(caller);
      }
    }
    notifyAll();
  }

  private void answer(RpcCallContext caller) {
    if (last == null) {
      caller.sendFailure(new IllegalStateException("the last order of " + name + " was not sent"));
    } else {
      caller.reply(last);
    }
  }

  // ---- the driver -----------------------------------------------------------------------------

  /**
   * The reports on the first work.
   *
   * @return null: it has ended before all were done
   */
  Map<ShardReport.Key, ShardReport> first() throws InterruptedException {
    return reports();
  }

  /**
   * Has all shards do something. When the thread is interrupted the job is cancelled.
   *
   * @param work what to do; it reads what was said last
   * @param writes whether shards say something, to be read by what follows
   * @return the reports; null: it has ended before all were done, which may be before any has begun
   */
  Map<ShardReport.Key, ShardReport> order(ShardWork work, boolean writes)
      throws InterruptedException {
    synchronized (this) {
      if (ended) {
        return null;
      }
      if (System.nanoTime() - deadline > 0 || order.number() == MOST_ORDERS) {
        end(again());
        return null;
      }
      exchange.rdd().dropParent();
      give(new StandingOrder(order.number() + 1, work, outputs, inline, writes, false));
    }
    return reports();
  }

  private boolean isDone() {
    return order != null && pending == 0;
  }

  /** Whether there is nothing to wait for any more; waits a while for that. */
  private synchronized boolean isOver() throws InterruptedException {
    if (!isOverNow()) {
      wait(LOOK_MILLIS);
    }
    return isOverNow();
  }

  private boolean isOverNow() {
    return isDone() || ended && !closing;
  }

  /** Waits until all have carried out the order; looks now and then whether they still can. */
  private void await() throws InterruptedException {
    long looked = System.nanoTime();
    try {
      while (!isOver()) {
        boolean due = System.nanoTime() - looked > ALIVE_NANOS;
        if (job.isCompleted() || due && !isAlive()) {
          broken();
        }
        looked = due ? System.nanoTime() : looked;
      }
    } catch (InterruptedException e) {
      job.cancel();
      throw e;
    }
  }

  /** Asks Spark, which may take minutes to answer: calls of tasks must not wait for it. */
  private boolean isAlive() {
    try {
      return alive.getAsBoolean();
    } catch (Exception e) { // Spark's are checked, though its methods do not say so
      LOG.warn("whether executors of {} live is not known", name, e);
      return false;
    }
  }

  private Map<ShardReport.Key, ShardReport> reports() throws InterruptedException {
    await();
    StandingCall[] done;
    boolean wrote;
    synchronized (this) {
      if (!isDone()) {
        return null;
      }
      done = answers;
      wrote = order.writes();
    }
    Map<ShardReport.Key, ShardReport> reports = new HashMap<>();
    List<ShardOutput> written = new ArrayList<>();
    List<byte[]> told = new ArrayList<>();
    for (StandingCall call : done) {
      StandingOrder.Answer answer =
          StandingOrder.unpack(serializer, call.answer().duplicate(), StandingOrder.Answer.class);
      reports.put(answer.report().key(), answer.report());
      written.addAll(answer.outputs());
      told.add(answer.inline());
    }
    // What says nothing to other shards leaves them what was said before.
    outputs = wrote ? written : outputs;
    inline = wrote ? told : inline;
    return reports;
  }

  /**
   * Ends it, and waits for its output.
   *
   * @return the output, in which shards say what they have said {@linkplain #said last}, unless
   *     some had no time for it
   */
  Exchange settle() throws Exception {
    synchronized (this) {
      if (!ended) {
        end(again());
      }
    }
    ShardStages.await(job);
    close();
    return exchange;
  }

  /**
   * Ends it without output; its job is cancelled where it does not end by itself. Throws nothing.
   */
  void dismiss() {
    synchronized (this) {
      closing = false;
      if (!ended) {
        end(StandingOrder.nothing());
      }
    }
    boolean interrupted = false;
    try {
      if (job != null) {
        Await.ready(job, ENDING);
      }
    } catch (TimeoutException e) {
      job.cancel();
    } catch (InterruptedException e) {
      job.cancel();
      interrupted = true;
    }
    close();
    if (interrupted) {
      // Only now: a queue of listeners that is the last one's waits when it is removed.
      Thread.currentThread().interrupt();
    }
  }

  private void close() {
    synchronized (this) {
      if (expiry != null) {
        expiry.cancel(false);
      }
    }
    try {
      sc.removeSparkListener(endedTasks);
    } finally {
      sc.env().rpcEnv().stop(endpoint);
    }
  }
}
