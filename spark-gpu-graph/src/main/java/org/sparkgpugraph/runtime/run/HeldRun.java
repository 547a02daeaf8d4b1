package org.sparkgpugraph.runtime.run;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.UpdateCodec;
import org.sparkgpugraph.graph.memory.Columns;
import org.sparkgpugraph.graph.model.ExecutorGraph;
import org.sparkgpugraph.graph.model.RemoteBoundary;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExchangeVolume;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.run.SuperstepTimes;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.observe.RunMeter;
import org.sparkgpugraph.runtime.stage.CheckpointFile;
import org.sparkgpugraph.runtime.stage.FencedShard;
import org.sparkgpugraph.runtime.stage.PeerCodec;
import org.sparkgpugraph.runtime.stage.ShardReport;
import org.sparkgpugraph.runtime.stage.ShardWork;

/**
 * One shard of a run of a vertex program between its tasks: values change once per superstep,
 * whatever Spark does with those ({@link FencedShard}).
 */
public final class HeldRun extends FencedShard {
  /** Where a record's header names the sender, see {@link UpdateCodec}. */
  private static final int SENDER = 17;

  private RunTask task;
  private int shard;
  private HeldGraph held;
  private ExecutorGraph graph;
  private UpdateCodec codec;
  private PeerCodec peers;
  private EngineRun run;
  private long stepNanos;
  private RunMeter meter;

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

  @Override
  public String key() {
    return GraphHandle.shardKey(task.resultKey(), shard);
  }

  @Override
  public EngineChoice choice() {
    return task.engine();
  }

  // ---- work -----------------------------------------------------------------------------------

  /**
   * Starts the shard with superstep 0, or restores it from a checkpoint; what it was before is
   * dropped.
   */
  ShardWork.Answer begin(RunWork.Begin work, int ofShard) throws Exception {
    return begin(work, () -> made(work, ofShard));
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
    reset(work);
    task = work.task();
    shard = ofShard;
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
    return begun(work, () -> opened(work, restored));
  }

  private ShardWork.Answer opened(RunWork.Begin work, CheckpointFile saved) {
    SuperstepStats stats =
        opened(task.device(), graph.partitions().size(), selection -> started(selection, saved));
    // Superstep 0 needs no exchange; what is restored tells its whole boundary.
    List<ShardWork.Message> messages =
        saved == null ? List.of() : messages(work, run.outgoing(), new long[2]);
    return new ShardWork.Answer(
        ShardReport.Outcome.DONE,
        new Begun(stats, selection().engine().name(), selection().reason()),
        messages);
  }

  private SuperstepStats started(Selection selection, CheckpointFile saved) {
    reserveHeap(Running.heapBytes(selection, graph, task));
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
    meter = new RunMeter(counted(), run, graph, task.program().program());
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
    return advance(work, inbox, records -> stepped(work, records));
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
    } while (supersteps < work.localSupersteps() && sum.activeVertices() > 0 && !isClosed());
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
  public ShardWork.Answer finish(RunWork.Finish work) throws Exception {
    return finish(
        work,
        () -> {
          reserveResult(Running.resultBytes(graph, task));
          ExecutorRegistry.putResult(
              key(), Running.result(held, graph, run, task.program().program(), work.aggregates()));
          return ShardWork.Answer.done(Running.seconds(run, stepNanos));
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

  @Override
  public void freeRun() {
    meter = null;
    if (peers != null) {
      peers.close();
      peers = null;
    }
    if (run != null) {
      run.close();
      run = null;
    }
  }

  @Override
  public void freeGraph() {
    held = null;
    graph = null;
  }
}
