package org.sparkgpugraph.runtime.stage;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.cluster.TaskGpus;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.HeldShard;
import org.sparkgpugraph.runtime.observe.RunMetrics;

/**
 * One shard of something that goes on over several executors, between its tasks, and the fence that
 * keeps it right whatever Spark does with those: tasks are run twice, late, at the same time, or
 * killed in the middle, but state changes once per exchange. A task says which generation (how
 * often all was set back) and which epoch (exchange) it is for:
 *
 * <ul>
 *   <li>same generation, clean, and the next epoch: it runs;
 *   <li>one of the last two epochs: what was said then is said again, nothing changes. (Two, since
 *       an exchange may be lost while some shards have done the step behind it.)
 *   <li>anything else (nothing is here, an earlier task was stopped half way, all was set back):
 *       nothing changes and nothing is said.
 * </ul>
 *
 * <p>Only {@link #begin} makes or resets state. Thread-safe: a task that comes while another is at
 * work waits for it.
 */
public abstract class FencedShard implements HeldShard {
  /** Epochs whose messages are kept. */
  private static final int KEPT = 2;

  /** Changes of what is kept that the registry is told of. */
  private static final long TELLING = 1 << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Kept[] kept = new Kept[KEPT];
  private volatile boolean closed;
  private int generation = -1;
  private int epoch;
  private boolean dirty;
  private boolean begun;
  private Selection selection;
  private Selection instead;

  private ShardWork.Answer finished;

  /** In the metrics, from the first begin to the end. */
  private RunMetrics.Meter counted;

  /** Bytes of the heap that the engine takes. */
  private long heap;

  /** Bytes that the registry was told of last. */
  private long told;

  /** An answer that may be given again. */
  private record Kept(int epoch, ShardWork.Answer answer) {}

  /** Work behind the fence. */
  public interface Guarded {
    ShardWork.Answer run() throws Exception;
  }

  /** Work behind the fence that takes what other shards have said. */
  public interface Reading {
    ShardWork.Answer run(List<byte[]> records) throws Exception;
  }

  /** Key under which the registry keeps this shard. */
  protected abstract String key();

  /** The engine that was asked for. */
  protected abstract EngineChoice choice();

  /** Lets go of what was opened, but for the selection; harmless when nothing is. */
  protected abstract void freeRun();

  /** Lets go of the graph: nothing runs any more. */
  protected abstract void freeGraph();

  // ---- the fence ------------------------------------------------------------------------------

  private ShardWork.Answer locked(Guarded work) throws Exception {
    lock.lockInterruptibly();
    try {
      TaskContext context = TaskContext.get();
      if (context != null) {
        context.killTaskIfInterrupted();
      }
      return work.run();
    } finally {
      lock.unlock();
    }
  }

  /** Why work of a generation and epoch cannot be done; null when it can. */
  private ShardWork.Answer refused(ShardWork work) {
    if (closed) {
      return ShardWork.Answer.lost("the run was closed");
    }
    if (generation != work.generation()) {
      return ShardWork.Answer.lost(
          "the shard is in generation " + generation + ", not " + work.generation());
    }
    if (dirty) {
      return ShardWork.Answer.lost("an earlier task was stopped half way");
    }
    return null;
  }

  private ShardWork.Answer again(int ofEpoch) {
    Kept one = kept[ofEpoch % KEPT];
    return one != null && one.epoch() == ofEpoch ? one.answer() : null;
  }

  /** Changes the state: what stops half way leaves it dirty. */
  private ShardWork.Answer change(ShardWork work, Guarded change) throws Exception {
    dirty = true;
    ShardWork.Answer answer;
    try {
      answer = change.run();
    } catch (Exception | Error e) {
      return failed(e);
    }
    dirty = false;
    epoch = work.epoch() + 1;
    kept[work.epoch() % KEPT] = new Kept(work.epoch(), answer);
    tellBytes();
    return answer;
  }

  /** What may be said again counts as held, when it has become much more or less. */
  private void tellBytes() {
    long bytes = heap;
    for (Kept one : kept) {
      if (one != null) {
        for (ShardWork.Message message : one.answer().messages()) {
          bytes += message.record().length;
        }
      }
    }
    if (Math.abs(bytes - told) >= TELLING) {
      ExecutorRegistry.reserved(key(), bytes);
      told = bytes;
    }
  }

  /** Reserves the bytes of the heap that the engine takes, from now on. */
  protected final void reserveHeap(long bytes) {
    heap = bytes;
    told = bytes;
    ExecutorRegistry.reserve(key(), bytes);
  }

  /** Reserves room for the result beside what is held. */
  protected final void reserveResult(long bytes) {
    ExecutorRegistry.reserve(key(), told + bytes);
  }

  /** Whether nobody wants the end of it any more. */
  protected final boolean isClosed() {
    return closed;
  }

  /** Whether something was thrown because Spark has stopped the task. */
  protected static boolean isStopped(Throwable thrown) {
    TaskContext context = TaskContext.get();
    return thrown instanceof TaskKilledException
        || thrown instanceof InterruptedException
        || Thread.currentThread().isInterrupted()
        || context != null && context.isInterrupted();
  }

  private ShardWork.Answer failed(Throwable thrown) throws Exception {
    if (isStopped(thrown)) {
      throw thrown instanceof Exception e ? e : new TaskKilledException();
    }
    if (thrown instanceof DeviceException e && selection != null && selection.device() != null) {
      try {
        instead = ExecutorRegistry.engines().afterFailure(choice(), selection, e);
        return new ShardWork.Answer(ShardReport.Outcome.DEVICE_FAILED, instead.reason(), List.of());
      } catch (DeviceException notUnderAuto) {
        return ShardWork.Answer.failed(notUnderAuto);
      }
    }
    return ShardWork.Answer.failed(thrown);
  }

  // ---- work -----------------------------------------------------------------------------------

  /** Makes or resets the state, unless it was done: {@code make} calls {@link #reset}. */
  protected final ShardWork.Answer begin(ShardWork work, Guarded make) throws Exception {
    return locked(
        () -> {
          if (closed || generation > work.generation()) {
            return ShardWork.Answer.lost("the shard is in generation " + generation);
          }
          if (generation == work.generation() && begun) {
            ShardWork.Answer before = dirty ? null : again(work.epoch());
            return before != null ? before : ShardWork.Answer.lost("the shard has gone on");
          }
          return make.run();
        });
  }

  /** Drops what it was before; it is not begun until {@link #begun} says so. */
  protected final void reset(ShardWork work) {
    free();
    Arrays.fill(kept, null);
    generation = work.generation();
    finished = null;
    begun = false;
    dirty = true;
  }

  /** Begins, behind {@link #reset}. */
  protected final ShardWork.Answer begun(ShardWork work, Guarded opening) throws Exception {
    ShardWork.Answer answer = change(work, opening);
    begun = !dirty;
    return answer;
  }

  /** Takes what other shards say and goes on. */
  protected final ShardWork.Answer advance(ShardWork work, ShardWork.Inbox inbox, Reading stepping)
      throws Exception {
    return locked(
        () -> {
          ShardWork.Answer refused = refused(work);
          if (refused != null) {
            return refused;
          }
          ShardWork.Answer before = again(work.epoch());
          if (before != null) {
            return before;
          }
          if (epoch != work.epoch() || finished != null) {
            return ShardWork.Answer.lost("the shard is at exchange " + epoch);
          }
          // Nothing has changed when this throws.
          List<byte[]> records = inbox.read();
          return change(work, () -> stepping.run(records));
        });
  }

  /** Work that changes nothing, between two exchanges. */
  protected final ShardWork.Answer reading(ShardWork work, Guarded reading) throws Exception {
    return locked(
        () -> {
          ShardWork.Answer refused = refused(work);
          if (refused != null) {
            return refused;
          }
          if (epoch != work.epoch() + 1) {
            return ShardWork.Answer.lost("the shard is at exchange " + epoch);
          }
          try {
            return reading.run();
          } catch (Exception | Error e) {
            return failed(e);
          }
        });
  }

  /**
   * The end, between two exchanges: the result is kept elsewhere, and all that is held here freed.
   */
  protected final ShardWork.Answer finish(ShardWork work, Guarded keeping) throws Exception {
    return reading(
        work,
        () -> {
          if (finished == null) {
            ShardWork.Answer answer = keeping.run();
            free();
            // Nobody reads the last exchange any more, and the graph may be closed before the
            // result.
            Arrays.fill(kept, null);
            freeGraph();
            ExecutorRegistry.reserve(key(), 0);
            counted.close();
            counted = null;
            finished = answer;
          }
          return finished;
        });
  }

  // ---- the engine -----------------------------------------------------------------------------

  /** Something that may be refused by a device. */
  public interface Opening<T> {
    T on(Selection selection);
  }

  /** Opens something on the chosen engine; under AUTO on the CPU when the device refuses. */
  protected final <T> T opened(DeviceConf device, int partitions, Opening<T> opening) {
    selection =
        instead != null
            ? instead
            : ExecutorRegistry.engines().select(choice(), device, TaskGpus.addresses(), partitions);
    try {
      return opening.on(selection);
    } catch (DeviceException e) {
      Selection cpu = ExecutorRegistry.engines().afterFailure(choice(), selection, e);
      free();
      instead = cpu;
      selection = cpu;
      return opening.on(selection);
    }
  }

  /** The engine that it was opened on. */
  protected final Selection selection() {
    return selection;
  }

  /** Counts what is done in this executor's metrics, from the first call on. */
  protected final RunMetrics.Meter counted() {
    if (counted == null) {
      counted = RunMetrics.executor().begin();
    }
    return counted;
  }

  // ---- the end --------------------------------------------------------------------------------

  /** Closes what was opened and ends the use of its device. */
  private void free() {
    freeRun();
    if (selection != null) {
      selection.close();
      selection = null;
    }
  }

  @Override
  public final void close() {
    closed = true;
    lock.lock();
    try {
      free();
      Arrays.fill(kept, null);
      freeGraph();
      if (counted != null) {
        // It has begun and has no result.
        counted.fail();
        counted.close();
        counted = null;
        ExecutorRegistry.reserve(key(), 0);
      }
    } finally {
      lock.unlock();
    }
  }
}
