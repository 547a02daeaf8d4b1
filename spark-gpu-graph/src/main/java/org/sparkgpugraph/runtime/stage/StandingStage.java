package org.sparkgpugraph.runtime.stage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.spark.FutureAction;
import org.apache.spark.rpc.RpcCallContext;
import org.apache.spark.rpc.RpcEndpoint;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcEnv;
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
 * <p>It lasts as long as nothing unusual happens. When a task cannot read, comes twice, or does not
 * come, when an executor is lost, the driver has no work for a moment or the stage has lasted as
 * long as it may, tasks get a last order: to say again, as the stage's own output, what they said
 * when last all were done ({@link FencedShard} keeps it). From then on it is an exchange like any
 * other, and what recovers from a lost one does so here.
 */
final class StandingStage {
  private static final Logger LOG = LoggerFactory.getLogger(StandingStage.class);

  /** How long tasks that have come wait for the others. */
  private static final long GATHERING_MILLIS = 300;

  /**
   * How long tasks keep their slots for a driver that has no work for them: its observers may be
   * waiting for a job that needs these slots.
   */
  private static final long IDLE_MILLIS = 100;

  /** Between two looks whether the job still runs. */
  private static final long LOOK_MILLIS = 100;

  /** Between two looks whether executors live: Spark has to ask for all that there are. */
  private static final long ALIVE_NANOS = 500_000_000;

  /** How long tasks may take to end that have nothing left to say. */
  private static final FiniteDuration ENDING = Duration.create(5, TimeUnit.SECONDS);

  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private final String name = "gpugraph-stage-" + UUID.randomUUID();
  private final RpcEnv env;
  private final RpcEndpointRef endpoint;
  private final BooleanSupplier alive;
  private final long deadline;
  private final boolean[] joined;
  private Exchange exchange;
  private FutureAction<?> job;

  /** What the shards have said last; the thread's that gives orders. */
  private List<ShardOutput> outputs = List.of();

  // Guarded by this.
  private RpcCallContext[] waiting;
  private StandingCall[] answers;

  /** What is being done or was done last; null: not all have come. */
  private StandingOrder order;

  /** Shards that have not come, or have not done it. */
  private int pending;

  /** The first work, then the last one that all have done and that says something. */
  private ShardWork said;

  /** Whether all have done the first work. */
  private boolean begun;

  /** What every call is answered from now on; null: it has not ended. */
  private byte[] last;

  /** What tasks call. */
  private final class Endpoint implements RpcEndpoint {
    @Override
    public RpcEnv rpcEnv() {
      return env;
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
   * @param work the first
   * @param alive whether the executors of all shards live
   * @param millis how long it may last
   */
  StandingStage(RpcEnv env, int shards, ShardWork work, BooleanSupplier alive, int millis) {
    this.env = env;
    this.alive = alive;
    deadline = System.nanoTime() + millis * 1_000_000L;
    joined = new boolean[shards];
    waiting = new RpcCallContext[shards];
    answers = new StandingCall[shards];
    pending = shards;
    said = work;
    endpoint = env.setupEndpoint(name, new Endpoint());
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
  synchronized Exchange exchange() {
    return exchange;
  }

  /** What is said in its output when it has ended. */
  synchronized ShardWork said() {
    return said;
  }

  /** What it writes, before it is submitted. */
  synchronized void writes(Exchange written) {
    exchange = written;
  }

  /** It was submitted. */
  synchronized void runs(FutureAction<?> submitted) {
    job = submitted;
  }

  // ---- tasks ----------------------------------------------------------------------------------

  private synchronized void called(StandingCall call, RpcCallContext caller) {
    if (last != null) {
      caller.reply(last);
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
      end(said);
      caller.reply(last);
      return;
    }
    waiting[shard] = caller;
    answers[shard] = call;
    pending--;
    if (call.kind() == StandingCall.Kind.JOINED) {
      joined[shard] = true;
      gathered();
    } else if (pending == 0) {
      said = order.writes() ? order.work() : said;
      begun = true;
      StandingOrder done = order;
      later(IDLE_MILLIS, () -> order == done);
      notifyAll();
    }
  }

  private void gathered() {
    if (pending == 0) {
      give(new StandingOrder(1, said, List.of(), true, false));
    } else if (pending == joined.length - 1) {
      later(GATHERING_MILLIS, () -> order == null);
    }
  }

  /** Ends it when something is still so after some time. */
  private void later(long millis, BooleanSupplier still) {
    TIMER.schedule(
        () -> {
          synchronized (this) {
            if (last == null && still.getAsBoolean()) {
              end(said);
            }
          }
        },
        millis,
        TimeUnit.MILLISECONDS);
  }

  private void give(StandingOrder next) {
    order = next;
    RpcCallContext[] callers = waiting;
    waiting = new RpcCallContext[callers.length];
    answers = new StandingCall[callers.length];
    pending = callers.length;
    List<byte[]> orders = next.forShards(callers.length);
    for (int shard = 0; shard < callers.length; shard++) {
      callers[shard].reply(orders.get(shard));
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
      if (last != null) {
        return null;
      }
      if (System.nanoTime() > deadline) {
        end(said);
        return null;
      }
      exchange.rdd().dropParent();
      give(new StandingOrder(order.number() + 1, work, outputs, writes, false));
    }
    return reports();
  }

  private boolean isDone() {
    return order != null && pending == 0;
  }

  private Map<ShardReport.Key, ShardReport> reports() throws InterruptedException {
    StandingCall[] done;
    boolean wrote;
    synchronized (this) {
      long looked = System.nanoTime();
      while (!isDone()) {
        if (last != null) {
          return null;
        }
        try {
          wait(LOOK_MILLIS);
        } catch (InterruptedException e) {
          job.cancel();
          throw e;
        }
        boolean due = System.nanoTime() - looked > ALIVE_NANOS;
        if (!isDone() && last == null && (job.isCompleted() || due && !alive.getAsBoolean())) {
          end(said);
        }
        looked = due ? System.nanoTime() : looked;
      }
      done = answers;
      wrote = order.writes();
    }
    Map<ShardReport.Key, ShardReport> reports = new HashMap<>();
    List<ShardOutput> written = new ArrayList<>();
    for (StandingCall call : done) {
      StandingOrder.Answer answer =
          StandingOrder.unpack(call.answer().duplicate(), StandingOrder.Answer.class);
      reports.put(answer.report().key(), answer.report());
      written.add(answer.output());
    }
    // What says nothing to other shards leaves them what was said before.
    outputs = wrote ? written : outputs;
    return reports;
  }

  /** Tells all tasks, those that come too, to say something again and end. */
  private void end(ShardWork again) {
    // Tasks that Spark runs anew from now on are ordinary ones.
    exchange.rdd().settle(again, begun);
    last = new StandingOrder(Integer.MAX_VALUE, again, List.of(), true, true).forShards(1).get(0);
    for (RpcCallContext caller : waiting) {
      if (caller != null) {
        caller.reply(last);
      }
    }
    notifyAll();
  }

  /**
   * Ends it, and waits for its output.
   *
   * @return the output, in which shards say what they have said {@linkplain #said last}
   */
  Exchange settle() throws Exception {
    synchronized (this) {
      if (last == null) {
        end(said);
      }
    }
    ShardStages.await(job);
    env.stop(endpoint);
    return exchange;
  }

  /** Ends it without output; its job is cancelled where it does not end by itself. */
  void dismiss() {
    synchronized (this) {
      if (last == null) {
        end(null);
      }
    }
    try {
      Await.ready(job, ENDING);
    } catch (TimeoutException e) {
      job.cancel();
    } catch (InterruptedException e) {
      job.cancel();
      Thread.currentThread().interrupt();
    }
    env.stop(endpoint);
  }
}
