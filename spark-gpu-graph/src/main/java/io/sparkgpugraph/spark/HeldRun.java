package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.EngineRun;
import io.sparkgpugraph.engine.ExchangeVolume;
import io.sparkgpugraph.engine.FunctionTraits;
import io.sparkgpugraph.engine.SuperstepStats;
import io.sparkgpugraph.engine.SuperstepTimes;
import io.sparkgpugraph.engine.device.DeviceException;
import io.sparkgpugraph.exchange.RefinedUpdates;
import io.sparkgpugraph.exchange.UpdateCodec;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.RemoteBoundary;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.LiftedProgram;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;

/**
 * One shard of a run between its tasks, and the fence that keeps it right whatever Spark does with
 * those: tasks are run twice, late, at the same time, or killed in the middle, but values change
 * once per superstep. A task says which generation (how often the run was set back) and which epoch
 * (exchange) it is for:
 *
 * <ul>
 *   <li>same generation, clean, and the next epoch: it runs;
 *   <li>one of the last two epochs: what was said then is said again, nothing changes. (Two, since
 *       an exchange may be lost while some shards have done the superstep behind it.)
 *   <li>anything else (nothing is here, an earlier task was stopped half way, the run was set
 *       back): nothing changes and nothing is said.
 * </ul>
 *
 * <p>Only {@link #begin} makes or resets state. Thread-safe: a task that comes while another is at
 * work waits for it.
 */
final class HeldRun implements AutoCloseable {
  /** Epochs whose messages are kept. */
  private static final int KEPT = 2;

  /** Changes of what is kept that the registry is told of. */
  private static final long TELLING = 1 << 20;

  /** Where a record's header names the sender, see {@link UpdateCodec}. */
  private static final int SENDER = 17;

  private final ReentrantLock lock = new ReentrantLock();
  private final Kept[] kept = new Kept[KEPT];
  private volatile boolean closed;
  private int generation = -1;
  private int epoch;
  private boolean dirty;
  private boolean begun;
  private ShardWork.Answer finished;
  private RunTask task;
  private int shard;
  private HeldGraph held;
  private ExecutorGraph graph;
  private UpdateCodec codec;
  private PeerCodec peers;
  private Selection selection;
  private Selection instead;
  private EngineRun run;
  private long stepNanos;
  private RunMeter meter;

  /** In the metrics, from the first begin to the end. */
  private RunMetrics.Meter counted;

  /** Bytes of the heap that the engine's run takes. */
  private long heap;

  /** Bytes that the registry was told of last. */
  private long told;

  /** An answer that may be given again. */
  private record Kept(int epoch, ShardWork.Answer answer) {}

  /**
   * What {@link #begin} did.
   *
   * @param stats superstep 0; null when a checkpoint was restored
   * @param engine name of the engine
   * @param reason why this one
   */
  record Begun(SuperstepStats stats, String engine, String reason) implements Serializable {}

  /**
   * What {@link #step} did.
   *
   * @param stats sums over the local supersteps; the boundary's with what other shards are told
   * @param supersteps number of local supersteps
   * @param told updates that other shards are told, of what changed
   */
  record Stepped(SuperstepStats stats, int supersteps, long told) implements Serializable {}

  /**
   * What {@link #finish} did.
   *
   * @param transferSeconds copying between host and device
   * @param kernelSeconds supersteps
   * @param hubSeconds bringing changes from device to device
   */
  record Finished(double transferSeconds, double kernelSeconds, double hubSeconds)
      implements Serializable {}

  // ---- the fence ------------------------------------------------------------------------------

  /** Work behind the fence. */
  private interface Guarded {
    ShardWork.Answer run() throws Exception;
  }

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

  private String key() {
    return GraphHandle.shardKey(task.resultKey(), shard);
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
   * Starts the shard with superstep 0, or restores it from a checkpoint; what it was before is
   * dropped.
   */
  ShardWork.Answer begin(RunWork.Begin work, int ofShard) throws Exception {
    return locked(
        () -> {
          if (closed || generation > work.generation()) {
            return ShardWork.Answer.lost("the shard is in generation " + generation);
          }
          if (generation == work.generation() && begun) {
            ShardWork.Answer before = dirty ? null : again(work.epoch());
            return before != null ? before : ShardWork.Answer.lost("the shard has gone on");
          }
          return made(work, ofShard);
        });
  }

  private ShardWork.Answer made(RunWork.Begin work, int ofShard) throws Exception {
    CheckpointFile saved = null;
    if (work.checkpoint() != null) {
      try {
        saved = work.checkpoint().read(ofShard);
      } catch (java.io.IOException e) {
        return new ShardWork.Answer(
            ShardReport.Outcome.CHECKPOINT_UNREADABLE, e.toString(), List.of());
      }
    }
    CheckpointFile restored = saved;
    free();
    Arrays.fill(kept, null);
    generation = work.generation();
    task = work.task();
    shard = ofShard;
    finished = null;
    begun = false;
    dirty = true;
    try {
      held = ExecutorRegistry.graph(GraphHandle.shardKey(task.graphKey(), ofShard));
      graph = task.reversed() ? held.graph().reversed() : held.graph();
      codec = new UpdateCodec(shippedKinds(task.program().program()), task.encoding());
    } catch (RuntimeException e) {
      return ShardWork.Answer.failed(e);
    }
    if (restored != null && !restored.fits(graph)) {
      return new ShardWork.Answer(
          ShardReport.Outcome.CHECKPOINT_UNREADABLE,
          "the checkpoint "
              + work.checkpoint().path()
              + " was written of other partitions than the "
              + graph.partitions().size()
              + " that the shard now has, on an executor with another number of devices",
          List.of());
    }
    ShardWork.Answer answer = change(work, () -> opened(work, restored));
    begun = !dirty;
    return answer;
  }

  /** Opens the run; under AUTO on the CPU when the device refuses. */
  private ShardWork.Answer opened(RunWork.Begin work, CheckpointFile saved) {
    selection =
        instead != null
            ? instead
            : ExecutorRegistry.engines()
                .select(
                    task.engine(), task.device(), TaskGpus.addresses(), graph.partitions().size());
    SuperstepStats stats;
    try {
      stats = started(saved);
    } catch (DeviceException e) {
      Selection cpu = ExecutorRegistry.engines().afterFailure(task.engine(), selection, e);
      free();
      instead = cpu;
      selection = cpu;
      stats = started(saved);
    }
    // Superstep 0 needs no exchange; what is restored tells its whole boundary.
    List<ShardWork.Message> messages =
        saved == null ? List.of() : messages(work, run.outgoing(), new long[2]);
    return new ShardWork.Answer(
        ShardReport.Outcome.DONE,
        new Begun(stats, selection.engine().name(), selection.reason()),
        messages);
  }

  private SuperstepStats started(CheckpointFile saved) {
    heap = Running.heapBytes(selection, graph, task);
    told = heap;
    ExecutorRegistry.reserve(key(), heap);
    run =
        selection
            .engine()
            .open(
                graph,
                task.program(),
                Running.attributes(graph, held.attributes()),
                task.settings());
    peers = new PeerCodec(codec, hasPeers() ? task.settings().threads() : 1);
    stepNanos = 0;
    if (counted == null) {
      counted = RunMetrics.executor().begin();
    }
    meter = new RunMeter(counted, run, graph, task.program().program());
    if (saved == null) {
      SuperstepStats stats = run.initialise();
      stepNanos += stats.nanos();
      meter.superstep(stats);
      return stats;
    }
    run.restore(saved.superstep(), saved.values(), saved.activity());
    return null;
  }

  /** Takes what other shards say and runs a superstep, or several. */
  ShardWork.Answer step(RunWork.Step work, ShardWork.Inbox inbox) throws Exception {
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
          return change(work, () -> stepped(work, records));
        });
  }

  private ShardWork.Answer stepped(RunWork.Step work, List<byte[]> records) {
    long start = System.nanoTime();
    List<Incoming> incoming = unpacked(work, records);
    long unpacked = System.nanoTime();
    incoming.forEach(one -> run.incoming(one.list(), one.updates()));
    long taken = System.nanoTime();
    SuperstepStats sum = null;
    int supersteps = 0;
    boolean changed = false;
    do {
      SuperstepStats one = run.step(work.aggregates());
      changed |= one.activeVertices() > 0;
      sum = sum == null ? one : sum.plus(one);
      supersteps++;
    } while (supersteps < work.localSupersteps() && sum.activeVertices() > 0 && !closed);
    stepNanos += sum.nanos();
    long stepped = System.nanoTime();
    List<RefinedUpdates> outgoing = run.outgoing();
    long collected = System.nanoTime();
    long[] told = new long[2];
    List<ShardWork.Message> messages = messages(work, outgoing, told);
    long end = System.nanoTime();
    SuperstepTimes times = sum.times();
    SuperstepStats stats =
        sum.exchanging(told[0], told[1], ExchangeVolume.outgoing(graph, task.program().program()))
            .timed(
                new SuperstepTimes(
                    times.kernelNanos(),
                    times.hubNanos(),
                    unpacked - start + (end - collected),
                    taken - unpacked + (collected - stepped),
                    end - start));
    // Without refinement the boundary is told even when nothing changed: that wakes nobody.
    long waking = changed ? told[0] : 0;
    meter.superstep(stats);
    return new ShardWork.Answer(
        ShardReport.Outcome.DONE, new Stepped(stats, supersteps, waking), messages);
  }

  /** Writes values and activity as they are. */
  ShardWork.Answer save(RunWork.Save work) throws Exception {
    return reading(
        work,
        () -> {
          List<Columns> values = new ArrayList<>();
          List<long[]> activity = new ArrayList<>();
          for (int p = 0; p < graph.partitions().size(); p++) {
            values.add(run.values(p));
            activity.add(run.activity(p));
          }
          CheckpointFile file = new CheckpointFile(work.superstep(), values, activity);
          try {
            return ShardWork.Answer.done(work.checkpoint().write(shard, file));
          } catch (java.io.IOException e) {
            if (isStopped(e)) {
              throw e;
            }
            return new ShardWork.Answer(
                ShardReport.Outcome.CHECKPOINT_UNWRITABLE, e.getMessage(), List.of());
          }
        });
  }

  /** The final aggregates over this shard's vertices. */
  ShardWork.Answer aggregates(RunWork.Aggregates work) throws Exception {
    return reading(work, () -> ShardWork.Answer.done(run.finalAggregates()));
  }

  /** Puts the result where it is collected from, and frees the rest. */
  ShardWork.Answer finish(RunWork.Finish work) throws Exception {
    return reading(
        work,
        () -> {
          if (finished == null) {
            ExecutorRegistry.reserve(key(), told + Running.resultBytes(graph, task));
            ExecutorRegistry.putResult(
                key(),
                Running.result(held, graph, run, task.program().program(), work.aggregates()));
            Running.Seconds seconds = Running.seconds(run, stepNanos);
            free();
            // Nobody reads the last exchange any more, and the graph may be closed before the
            // result.
            Arrays.fill(kept, null);
            held = null;
            graph = null;
            ExecutorRegistry.reserve(key(), 0);
            counted.close();
            counted = null;
            finished =
                ShardWork.Answer.done(
                    new Finished(seconds.transfer(), seconds.kernel(), seconds.hub()));
          }
          return finished;
        });
  }

  /** Work that changes nothing, between two supersteps. */
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

  // ---- messages -------------------------------------------------------------------------------

  private static List<Kind> shippedKinds(LiftedProgram program) {
    return Arrays.stream(FunctionTraits.shippedColumns(program))
        .mapToObj(program.state().columns()::get)
        .toList();
  }

  /** The first list of every peer among lists that are ordered by peer. */
  private static int firstList(List<RemoteBoundary> lists, int peer) {
    int k = 0;
    while (k < lists.size() && lists.get(k).peer() != peer) {
      k++;
    }
    return k;
  }

  /**
   * What has come.
   *
   * @param list which of the graph's imports
   */
  private record Incoming(int list, RefinedUpdates updates) {}

  private List<Incoming> unpacked(RunWork.Step work, List<byte[]> records) {
    List<PeerCodec.Received> received = new ArrayList<>();
    for (byte[] record : records) {
      UpdateCodec.Header header =
          new UpdateCodec.Header(work.runNumber(), work.epoch() - 1, sender(record), shard);
      received.add(new PeerCodec.Received(header, record));
    }
    List<List<PeerCodec.Told>> unpacked = peers.unpack(received);
    List<Incoming> incoming = new ArrayList<>();
    for (int i = 0; i < received.size(); i++) {
      int first = firstList(graph.imports(), received.get(i).header().sender());
      for (PeerCodec.Told told : unpacked.get(i)) {
        incoming.add(new Incoming(first + told.list(), told.updates()));
      }
    }
    return incoming;
  }

  private boolean hasPeers() {
    return !graph.exports().isEmpty() || !graph.imports().isEmpty();
  }

  /** Who says it, as the record's header tells; {@link UpdateCodec#decode} checks all of that. */
  private static int sender(byte[] record) {
    return record.length < SENDER + Integer.BYTES
        ? -1
        : ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).getInt(SENDER);
  }

  /**
   * @param told takes the number of updates and the bytes of the records
   */
  private List<ShardWork.Message> messages(
      RunWork work, List<RefinedUpdates> outgoing, long[] told) {
    List<RemoteBoundary> exports = graph.exports();
    List<PeerCodec.Parcel> parcels = new ArrayList<>();
    for (int from = 0; from < exports.size(); ) {
      int peer = exports.get(from).peer();
      int to = from;
      while (to < exports.size() && exports.get(to).peer() == peer) {
        to++;
      }
      parcels.add(
          new PeerCodec.Parcel(
              new UpdateCodec.Header(work.runNumber(), work.epoch(), shard, peer),
              outgoing.subList(from, to)));
      from = to;
    }
    List<List<byte[]>> packed = peers.pack(parcels);
    List<ShardWork.Message> messages = new ArrayList<>();
    for (int i = 0; i < parcels.size(); i++) {
      told[0] += parcels.get(i).updates();
      for (byte[] record : packed.get(i)) {
        told[1] += record.length;
        messages.add(new ShardWork.Message(parcels.get(i).header().reader(), record));
      }
    }
    return messages;
  }

  // ---- the end --------------------------------------------------------------------------------

  /** Closes the engine's run and ends the use of its device. */
  private void free() {
    meter = null;
    if (peers != null) {
      peers.close();
      peers = null;
    }
    if (run != null) {
      run.close();
      run = null;
    }
    if (selection != null) {
      selection.close();
      selection = null;
    }
  }

  /** Waits for the task that is at work, if any, and frees everything. */
  @Override
  public void close() {
    closed = true;
    lock.lock();
    try {
      free();
      Arrays.fill(kept, null);
      held = null;
      graph = null;
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
