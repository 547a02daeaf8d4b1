package org.sparkgpugraph.runtime.stage;

import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.graphs.memory.HeapPeak;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.cluster.TaskGpus;
import org.sparkgpugraph.runtime.device.Engines;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.HeldShard;
import org.sparkgpugraph.runtime.held.MemoryAccount;
import org.sparkgpugraph.runtime.observe.RunMetrics;
import org.sparkgpugraph.runtime.observe.ShardAccount;
import org.sparkgpugraph.runtime.rapids.GpuTurn;
import org.sparkgpugraph.runtime.rapids.Rapids;

/**
 * One shard of a run over several executors, between its tasks: the {@link ShardComputation} at
 * work, and the fence that keeps it right whatever Spark does with tasks: tasks are run twice,
 * late, at the same time, or killed in the middle, but state changes once per exchange. A task says
 * which generation (how often all was set back) and which epoch (exchange) it is for:
 *
 * <ul>
 *   <li>same generation, clean, and the next epoch: it runs;
 *   <li>one of the last two epochs: the answer kept for that epoch is returned again; state does
 *       not change. (Two, since an exchange may be lost while some shards have done the step behind
 *       it.)
 *   <li>anything else (nothing is here, an earlier task was stopped half way, all was set back):
 *       nothing changes and no messages are sent.
 * </ul>
 *
 * <p>Only {@link #begin} makes or resets state. Thread-safe: a task that comes while another is at
 * work waits for it.
 */
public final class FencedShard implements HeldShard {
  /** Epochs whose messages are kept. */
  private static final int KEPT = 2;

  /** Changes of what is kept that the registry is told of. */
  private static final long TELLING = 1 << 20;

  private final String key;
  private final int shard;
  private final ReentrantLock lock = new ReentrantLock();
  private final Kept[] kept = new Kept[KEPT];

  /** When the run began here. */
  private final long made = HeapPeak.mark();

  private volatile boolean closed;
  private int generation = -1;
  private int epoch;
  private boolean dirty;
  private boolean begun;
  private RunTask task;
  private Selection selection;
  private Selection instead;

  /** What the computation works with; null: none is open. */
  private ShardInput input;

  private ShardComputation computation;
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
  private interface Guarded {
    ShardWork.Answer run() throws Exception;
  }

  /**
   * What {@link #begin} did.
   *
   * @param progress superstep 0; null when a checkpoint was restored
   * @param engine name of the engine
   * @param reason why this one
   * @param tellsHubs whether it can tell hubs partial messages
   */
  public record Begun(
      ShardComputation.Progress progress, String engine, String reason, boolean tellsHubs)
      implements Serializable {}

  private FencedShard(String key, int shard) {
    this.key = key;
    this.shard = shard;
  }

  /**
   * A shard of a run, of this executor.
   *
   * @param runKey key of the run's result
   * @param make whether to make it when it is not there
   * @return null when it is not there, or was forgotten
   */
  static FencedShard of(String runKey, int shard, boolean make) {
    String key = GraphHandle.shardKey(runKey, shard);
    return (FencedShard)
        ExecutorRegistry.shard(key, make ? () -> new FencedShard(key, shard) : null);
  }

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
    try (GpuTurn turn = turn()) {
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

  /** Of a run on a GPU, or of one that may find one. */
  private GpuTurn turn() {
    boolean onHost = selection != null && selection.device() == null;
    return onHost || task.engine() == EngineChoice.CPU ? GpuTurn.NOBODY_ASKED : Rapids.turn();
  }

  /** Reports the bytes of kept answers to the registry when they changed by more than 1 MB. */
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
      ExecutorRegistry.reserved(key, bytes);
      told = bytes;
    }
  }

  /** Whether something was thrown because Spark has stopped the task. */
  private static boolean isStopped(Throwable thrown) {
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
    if (thrown instanceof OffHeapMemoryException e && e.isUnreadable()) {
      return ShardWork.Answer.failed(ShardReport.Outcome.EDGES_UNREADABLE, e);
    }
    if (thrown instanceof DeviceException e && selection != null && selection.device() != null) {
      try {
        instead = ExecutorRegistry.engines().afterFailure(task.engine(), selection, e);
        return new ShardWork.Answer(ShardReport.Outcome.DEVICE_FAILED, instead.reason(), List.of());
      } catch (DeviceException notUnderAuto) {
        return ShardWork.Answer.failed(notUnderAuto);
      }
    }
    return ShardWork.Answer.failed(thrown);
  }

  // ---- work -----------------------------------------------------------------------------------

  /**
   * Starts with superstep 0, or goes back to a checkpoint, unless that was done; what it was before
   * is dropped.
   */
  ShardWork.Answer begin(ShardWork.Begin work) throws Exception {
    return locked(
        () -> {
          if (closed || generation > work.generation()) {
            return ShardWork.Answer.lost("the shard is in generation " + generation);
          }
          if (generation == work.generation() && begun) {
            ShardWork.Answer before = dirty ? null : again(work.epoch());
            return before != null ? before : ShardWork.Answer.lost("the shard has gone on");
          }
          return made(work);
        });
  }

  private ShardWork.Answer made(ShardWork.Begin work) throws Exception {
    CheckpointFile saved = null;
    if (work.checkpoint() != null) {
      try {
        saved = work.checkpoint().read(shard);
      } catch (IOException e) {
        return unreadable(e.toString());
      }
    }

    free();
    Arrays.fill(kept, null);
    generation = work.generation();
    finished = null;
    begun = false;
    dirty = true;

    task = work.task();
    HeldGraph held;
    ExecutorGraph graph;
    try {
      held = ExecutorRegistry.graph(GraphHandle.shardKey(task.graphKey(), shard));
      graph = task.graph(held);
    } catch (RuntimeException e) {
      return failed(e);
    }
    if (saved != null && !saved.fits(graph)) {
      return unreadable(
          ("the checkpoint %s was written of other partitions than the %s that the shard"
                  + " now has, on an executor with another number of devices")
              .formatted(work.checkpoint().path(), graph.partitions().size()));
    }

    CheckpointFile restored = saved;
    ShardWork.Answer answer = change(work, () -> opened(work, held, restored));
    begun = !dirty;
    return answer;
  }

  private static ShardWork.Answer unreadable(String why) {
    return new ShardWork.Answer(ShardReport.Outcome.CHECKPOINT_UNREADABLE, why, List.of());
  }

  /** Opens on the chosen engine; under AUTO on the CPU when the device refuses. */
  private ShardWork.Answer opened(ShardWork.Begin work, HeldGraph held, CheckpointFile saved) {
    Engines engines = ExecutorRegistry.engines();
    int partitions = held.graph().partitions().size();
    selection =
        instead != null
            ? instead
            : engines.select(task.engine(), task.device(), TaskGpus.addresses(), partitions);
    ShardComputation.Step first;
    try {
      first = started(work, held, saved);
    } catch (DeviceException e) {
      Selection cpu = engines.afterFailure(task.engine(), selection, e);
      free();
      instead = cpu;
      selection = cpu;
      first = started(work, held, saved);
    }
    return new ShardWork.Answer(
        ShardReport.Outcome.DONE,
        new Begun(
            first.progress(),
            selection.engine().name(),
            selection.reason(),
            computation.tellsHubs()),
        first.messages());
  }

  private ShardComputation.Step started(
      ShardWork.Begin work, HeldGraph held, CheckpointFile saved) {
    input = task.input(held, selection, shard, this::counted, () -> closed);
    heap = task.computation().heapBytes(input);
    told = heap;
    ExecutorRegistry.reserve(key, heap);
    computation = task.computation().open(input);
    return saved == null ? computation.begin(work) : computation.restore(work, saved);
  }

  private RunMetrics.Meter counted() {
    if (counted == null) {
      counted = RunMetrics.executor().begin();
    }
    return counted;
  }

  /** Takes what other shards say and goes on. */
  ShardWork.Answer step(ShardWork.Step work, ShardWork.Inbox inbox) throws Exception {
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
          return change(
              work,
              () -> {
                ShardComputation.Step step = computation.step(work, records);
                return new ShardWork.Answer(
                    ShardReport.Outcome.DONE, step.progress(), step.messages());
              });
        });
  }

  /** Work that changes nothing, between two exchanges. */
  private ShardWork.Answer reading(ShardWork work, Guarded reading) throws Exception {
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

  /** Writes values and activity as they are. */
  ShardWork.Answer save(ShardWork.Save work) throws Exception {
    return reading(
        work,
        () -> {
          CheckpointFile file = computation.save(work.superstep());
          try {
            return ShardWork.Answer.done(work.checkpoint().write(shard, file));
          } catch (IOException e) {
            if (isStopped(e)) {
              throw e;
            }
            return new ShardWork.Answer(
                ShardReport.Outcome.CHECKPOINT_UNWRITABLE, e.getMessage(), List.of());
          }
        });
  }

  /** The final aggregates over this shard's vertices. */
  ShardWork.Answer aggregates(ShardWork.Aggregates work) throws Exception {
    return reading(work, () -> ShardWork.Answer.done(computation.finalAggregates()));
  }

  /** The end: the result is put where it is collected from, and all that is held here freed. */
  ShardWork.Answer finish(ShardWork.Finish work) throws Exception {
    return reading(
        work,
        () -> {
          if (finished == null) {
            ExecutorRegistry.reserve(key, told + task.resultBytes(input.graph()));
            ExecutorRegistry.putResult(key, computation.result(work.aggregates()));
            ShardWork.Answer answer =
                ShardWork.Answer.done(
                    ShardAccount.of(
                        input.graph(),
                        input.selection(),
                        MemoryAccount.of(input.held(), input.graph(), made),
                        computation.seconds(),
                        computation.notes()));
            // Nobody reads the last exchange any more, and the graph may be closed before the
            // result.
            free();
            Arrays.fill(kept, null);
            ExecutorRegistry.reserve(key, 0);
            counted.close();
            counted = null;
            finished = answer;
          }
          return finished;
        });
  }

  // ---- the end --------------------------------------------------------------------------------

  /** Closes what was opened, ends the use of its device and lets go of the graph. */
  private void free() {
    if (computation != null) {
      computation.close();
      computation = null;
    }
    input = null;
    if (selection != null) {
      selection.close();
      selection = null;
    }
  }

  @Override
  public void close() {
    closed = true;
    lock.lock();
    try {
      free();
      Arrays.fill(kept, null);
      if (counted != null) {
        // It has begun and has no result.
        counted.fail();
        counted.close();
        counted = null;
        ExecutorRegistry.reserve(key, 0);
      }
    } finally {
      lock.unlock();
    }
  }
}
