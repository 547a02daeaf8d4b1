package org.sparkgpugraph.runtime.run;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.ProgressListener;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.UnrefinedExchange;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.RoundedUpdates;
import org.sparkgpugraph.exchange.UpdateCodec;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.run.SuperstepTimes;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.HeldResult;
import org.sparkgpugraph.runtime.observe.EngineSeconds;
import org.sparkgpugraph.runtime.observe.RunMeter;
import org.sparkgpugraph.runtime.stage.CheckpointFile;
import org.sparkgpugraph.runtime.stage.PeerCodec;
import org.sparkgpugraph.runtime.stage.ShardComputation;
import org.sparkgpugraph.runtime.stage.ShardInput;
import org.sparkgpugraph.runtime.stage.ShardWork;

/** A lifted program at work on one executor graph. */
public final class ProgramShard implements ShardComputation {
  private static final Logger LOG = LoggerFactory.getLogger(ProgramShard.class);

  private final LiftedProgram program;
  private final RunSettings settings;
  private final ShardInput input;
  private final ExecutorGraph graph;
  private final EngineRun run;
  private final RunMeter meter;
  private final PeerCodec peers;

  /** Significant bits of what travels. */
  private final int bits;

  /** Whether values are rounded on their way to other executors, or on theirs to this one. */
  private final boolean rounds;

  /** By export, where values are rounded; otherwise none. */
  private final List<RoundedUpdates> rounded;

  /** Of the supersteps until now. */
  private long nanos;

  ProgramShard(ProgramComputation computation, ShardInput input) {
    this.input = input;
    program = computation.program();
    settings = computation.settings();
    graph = input.graph();
    UpdateCodec codec =
        new UpdateCodec(FunctionTraits.shippedKinds(program), computation.format().encoding());
    bits = computation.format().significantBits();
    rounds = computation.rounds() && hasPeers();
    rounded = rounds ? rounded() : List.of();
    EngineRun opened =
        input
            .selection()
            .engine()
            .open(
                graph,
                computation.instance(),
                attributes(graph, input.held().attributes()),
                settings);
    PeerCodec packing = null;
    try {
      packing = new PeerCodec(codec, hasPeers() ? settings.threads() : 1);
      meter = new RunMeter(input.meter().get(), opened, graph, program);
    } catch (RuntimeException | Error e) {
      // Nobody else knows of them: a shard that could not be made is not closed.
      try (opened;
          PeerCodec unused = packing) {
        throw e;
      }
    }
    run = opened;
    peers = packing;
  }

  private List<RoundedUpdates> rounded() {
    List<ColumnType> kinds = FunctionTraits.shippedKinds(program);
    return graph.exports().stream()
        .map(export -> export.list().size())
        .map(size -> new RoundedUpdates(kinds, bits, size, settings.exchange()))
        .toList();
  }

  /** The attributes of each partition's held vertices and ghosts, by local index. */
  static List<Columns> attributes(ExecutorGraph graph, Columns byDenseId) {
    List<Columns> tables = new ArrayList<>();
    for (GraphPartition partition : graph.partitions()) {
      int stored = partition.stored();
      if (byDenseId == null) {
        tables.add(Columns.allocate(List.of(), stored + partition.ghosts()));
      } else if (stored == byDenseId.length()) {
        // One partition that is the whole graph.
        tables.add(byDenseId);
      } else {
        Columns table = Columns.allocate(byDenseId.kinds(), stored + partition.ghosts());
        table.copyFrom(byDenseId, (int) partition.firstVertex(), 0, stored);
        long[] ghosts = partition.ghostIds();
        for (int g = 0; g < ghosts.length; g++) {
          table.copyFrom(byDenseId, (int) ghosts[g], stored + g, 1);
        }
        tables.add(table);
      }
    }
    return tables;
  }

  // ---- supersteps -----------------------------------------------------------------------------

  /** Superstep 0 needs no exchange, unless ghosts are to hold rounded values as ever after it. */
  @Override
  public Step begin(ShardWork.Begin work) {
    SuperstepStats stats = run.initialise();
    nanos += stats.nanos();
    meter.superstep(stats);
    List<ShardWork.Message> messages = rounds ? restore(work, save(0)).messages() : List.of();
    return new Step(new Progress(stats, 1, 0, false), messages);
  }

  @Override
  public CheckpointFile save(int superstep) {
    List<Columns> values = new ArrayList<>();
    List<long[]> activity = new ArrayList<>();
    for (int p = 0; p < graph.partitions().size(); p++) {
      values.add(run.values(p));
      activity.add(run.activity(p));
    }
    return new CheckpointFile(superstep, values, activity);
  }

  /** After a restore all boundary vertices are sent. */
  @Override
  public Step restore(ShardWork.Begin work, CheckpointFile saved) {
    run.restore(saved.superstep(), saved.values(), saved.activity());
    rounded.forEach(RoundedUpdates::tellsAll);
    return new Step(null, messages(work, run.outgoing(), new long[2]));
  }

  /** Takes what other shards say and runs a superstep, or several. */
  @Override
  public Step step(ShardWork.Step work, List<byte[]> records) {
    long start = System.nanoTime();
    Map<Integer, List<RefinedUpdates>> incoming = unpacked(work, records);
    long unpacked = System.nanoTime();
    incoming.forEach(run::incoming);
    long taken = System.nanoTime();
    LocalHorizon horizon =
        new LocalHorizon(
            work.localSupersteps(), work.epoch(), graph.edgeCount(), graph.heldVertices());
    SuperstepStats sum = null;
    int supersteps = 0;
    boolean changed = false;
    boolean more;
    do {
      if (!run.isAhead()) {
        run.mayRunAhead(horizon.supersteps(), horizon.work());
      }
      SuperstepStats one = run.step(work.aggregates());
      changed |= one.mayHaveChanged();
      sum = sum == null ? one : sum.plus(one);
      supersteps++;
      more = horizon.allowsAnother(one);
    } while (run.isAhead() || more && !input.closed().getAsBoolean());
    nanos += sum.nanos();
    long stepped = System.nanoTime();
    List<RefinedUpdates> outgoing = run.outgoing();
    long collected = System.nanoTime();
    long[] told = new long[2];
    List<ShardWork.Message> messages = messages(work, outgoing, told);
    long end = System.nanoTime();
    SuperstepTimes times = sum.times();
    SuperstepStats stats =
        sum.exchanging(told[0], told[1], UnrefinedExchange.outgoing(graph, program))
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
    return new Step(new Progress(stats, supersteps, waking, false), messages);
  }

  @Override
  public RunSummary toEnd(String engine, ProgressListener listener) {
    RunSummary summary =
        SuperstepLoop.run(
            engine,
            run,
            settings,
            graph.vertexCount(),
            program.aggregates(),
            stats -> {
              meter.superstep(stats);
              listener.superstepEnded(stats);
            });
    nanos = summary.nanos();
    return summary;
  }

  // ---- messages -------------------------------------------------------------------------------

  /** The first list of every peer among lists that are ordered by peer. */
  private static int firstList(List<RemoteBoundary> lists, int peer) {
    int k = 0;
    while (k < lists.size() && lists.get(k).peer() != peer) {
      k++;
    }
    return k;
  }

  /** What has come, by import, in parts. */
  private Map<Integer, List<RefinedUpdates>> unpacked(ShardWork.Step work, List<byte[]> records) {
    List<PeerCodec.Received> received = new ArrayList<>();
    for (byte[] record : records) {
      UpdateCodec.Header header =
          new UpdateCodec.Header(work.runNumber(), work.epoch() - 1, sender(record), input.shard());
      received.add(new PeerCodec.Received(header, record));
    }
    List<List<PeerCodec.Told>> unpacked = peers.unpack(received);
    Map<Integer, List<RefinedUpdates>> incoming = new TreeMap<>();
    for (int i = 0; i < received.size(); i++) {
      int first = firstList(graph.imports(), received.get(i).header().sender());
      for (PeerCodec.Told told : unpacked.get(i)) {
        incoming
            .computeIfAbsent(first + told.list(), list -> new ArrayList<>())
            .add(told.updates());
      }
    }
    return incoming;
  }

  private boolean hasPeers() {
    return !graph.exports().isEmpty() || !graph.imports().isEmpty();
  }

  /** Who says it, as the record's header tells; {@link UpdateCodec#decode} checks all of that. */
  private static int sender(byte[] record) {
    return record.length < UpdateCodec.SENDER_OFFSET + Integer.BYTES
        ? -1
        : ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).getInt(UpdateCodec.SENDER_OFFSET);
  }

  /**
   * @param told takes the number of updates and the bytes of the records
   */
  private List<ShardWork.Message> messages(
      ShardWork work, List<RefinedUpdates> changed, long[] told) {
    List<RefinedUpdates> outgoing = rounded.isEmpty() ? changed : peers.round(rounded, changed);
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
              new UpdateCodec.Header(work.runNumber(), work.epoch(), input.shard(), peer),
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
  public double[] finalAggregates() {
    return run.finalAggregates();
  }

  @Override
  public HeldResult result(double[] finalAggregates) {
    Columns values = results(graph, run, program, finalAggregates);
    return HeldResult.of(input.held(), graph, values, program.result());
  }

  /** The result's columns by dense id. */
  public static Columns results(ExecutorGraph graph, EngineRun run, LiftedProgram program) {
    return results(graph, run, program, run.finalAggregates());
  }

  private static Columns results(
      ExecutorGraph graph, EngineRun run, LiftedProgram program, double[] aggregates) {
    List<? extends GraphPartition> partitions = graph.partitions();
    int size = Math.toIntExact(graph.ids().size());
    Columns all = null;
    for (int p = 0; p < partitions.size(); p++) {
      Columns part = run.results(p, aggregates);
      if (part.length() == size && program.resultFunction() != null) {
        return part; // the whole graph's, and ours to keep
      }
      all = all == null ? Columns.allocate(program.result().columns(), size) : all;
      all.copyFrom(part, 0, (int) partitions.get(p).firstVertex(), part.length());
    }
    return all;
  }

  /** On a device by its own clocks; the CPU engine spends its supersteps. */
  @Override
  public EngineSeconds seconds() {
    return run.deviceTimings()
        .map(
            timings ->
                new EngineSeconds(
                    timings.transferNanos() / 1e9,
                    timings.kernelNanos() / 1e9,
                    timings.hubNanos() / 1e9,
                    timings.kernelNanosByDevice().stream().map(n -> n / 1e9).toList()))
        .orElse(new EngineSeconds(0, nanos / 1e9, 0));
  }

  @Override
  public List<String> notes() {
    if (!rounds) {
      return run.notes();
    }
    List<String> notes = new ArrayList<>(run.notes());
    notes.add(rounding(bits));
    return notes;
  }

  /** How values travel between executors, in words. */
  static String rounding(int bits) {
    return "floating-point values travel between executors rounded to %s significant bits (%s)"
        .formatted(bits, GpuGraphConf.EXCHANGE_SIGNIFICANT_BITS.key());
  }

  @Override
  public void close() {
    notes().forEach(note -> LOG.debug("{}", note));
    peers.close();
    run.close();
  }
}
