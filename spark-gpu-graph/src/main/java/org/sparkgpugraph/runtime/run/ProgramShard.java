package org.sparkgpugraph.runtime.run;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.PartialExchange;
import org.sparkgpugraph.engine.PartialMessageRules;
import org.sparkgpugraph.engine.ProgressListener;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.UnrefinedExchange;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.RoundedUpdates;
import org.sparkgpugraph.exchange.UpdateCodec;
import org.sparkgpugraph.exchange.UpdateCodec.Content;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.graphs.hub.HubLayout;
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
  private final UpdateCodec values;
  private final UpdateCodec messages;

  /** Null where this engine cannot tell hubs partial messages, or nobody is to. */
  private final PartialExchange hubs;

  /** Significant bits of what travels. */
  private final int bits;

  /** Whether values are rounded on their way to other executors, or on theirs to this one. */
  private final boolean rounds;

  /** By export, where values are rounded; otherwise none. */
  private final List<RoundedUpdates> rounded;

  /** Of the supersteps until now. */
  private long nanos;

  /** Partial messages that hubs were told, and bytes of their records. */
  private long messagesTold;

  private long messageBytes;

  ProgramShard(ProgramComputation computation, ShardInput input) {
    this.input = input;
    program = computation.program();
    settings = computation.settings();
    graph = input.graph();
    UpdateEncoding encoding = computation.format().encoding();
    values = new UpdateCodec(FunctionTraits.shippedKinds(program), encoding);
    messages = UpdateCodec.ofPartialMessages(program.message().columns(), encoding);
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
      packing = new PeerCodec(hasPeers() ? settings.threads() : 1);
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
    hubs = run.partialExchange().orElse(null);
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
  public Step step(ShardWork.Step work, List<byte[]> received) {
    long start = System.nanoTime();
    Incoming incoming = unpacked(work, received);
    long unpacked = System.nanoTime();
    take(incoming);
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
    boolean partial = hubs != null && work.tellsHubs();
    PartialExchange.Outgoing outgoing =
        partial ? hubs.outgoing() : new PartialExchange.Outgoing(run.outgoing(), List.of());
    long collected = System.nanoTime();
    long[] told = new long[2];
    List<ShardWork.Message> records =
        partial ? partial(work, outgoing, told) : messages(work, outgoing.values(), told);
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
    return new Step(new Progress(stats, supersteps, waking, false), records);
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

  /**
   * What has come, in parts.
   *
   * @param values by import, of all boundary vertices
   * @param read by import, of those that are read for something else than hubs
   * @param messages to hubs, by export
   */
  private record Incoming(
      Map<Integer, List<RefinedUpdates>> values,
      Map<Integer, List<RefinedUpdates>> read,
      Map<Integer, List<RefinedUpdates>> messages) {
    Incoming() {
      this(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }
  }

  private Incoming unpacked(ShardWork.Step work, List<byte[]> records) {
    List<PeerCodec.Received> received = new ArrayList<>();
    for (byte[] record : records) {
      UpdateCodec.Header header =
          new UpdateCodec.Header(work.runNumber(), work.epoch() - 1, sender(record), input.shard());
      boolean partial = hubs != null && Content.of(record) == Content.PARTIAL_MESSAGES;
      received.add(new PeerCodec.Received(partial ? messages : values, header, record));
    }
    List<List<PeerCodec.Told>> unpacked = peers.unpack(received);
    Incoming incoming = new Incoming();
    for (int i = 0; i < received.size(); i++) {
      int sender = received.get(i).header().sender();
      boolean partial = received.get(i).codec() == messages;
      List<RemoteBoundary> lists = partial ? graph.exports() : graph.imports();
      int first = firstList(lists, sender);
      int count = count(lists, sender);
      for (PeerCodec.Told told : unpacked.get(i)) {
        boolean read = hubs != null && !partial && told.list() >= count;
        (partial ? incoming.messages() : read ? incoming.read() : incoming.values())
            .computeIfAbsent(first + told.list() - (read ? count : 0), list -> new ArrayList<>())
            .add(told.updates());
      }
    }
    return incoming;
  }

  private void take(Incoming incoming) {
    incoming.values().forEach(run::incoming);
    if (hubs != null) {
      incoming.read().forEach(hubs::incomingValues);
      incoming.messages().forEach(hubs::incomingMessages);
    }
  }

  /** Number of the lists of a peer. */
  private static int count(List<RemoteBoundary> lists, int peer) {
    return (int) lists.stream().filter(list -> list.peer() == peer).count();
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
    return packed(parcels(work, values, graph.exports(), outgoing, false), told);
  }

  /** What others are told where hubs are told partial messages; see above. */
  private List<ShardWork.Message> partial(
      ShardWork work, PartialExchange.Outgoing outgoing, long[] told) {
    List<PeerCodec.Parcel> parcels =
        parcels(work, values, graph.exports(), outgoing.values(), true);
    List<ShardWork.Message> records = packed(parcels, told);
    long[] toHubs = new long[2];
    parcels = parcels(work, messages, graph.imports(), outgoing.messages(), false);
    records.addAll(packed(parcels, toHubs));
    messagesTold += toHubs[0];
    messageBytes += toHubs[1];
    told[0] += toHubs[0];
    told[1] += toHubs[1];
    return records;
  }

  /**
   * A parcel for each peer.
   *
   * @param lists ordered by peer
   * @param outgoing what is said of each of them
   * @param read whether that is about lists of what is read for something else than hubs: they have
   *     the numbers behind those of the lists themselves
   */
  private List<PeerCodec.Parcel> parcels(
      ShardWork work,
      UpdateCodec codec,
      List<RemoteBoundary> lists,
      List<RefinedUpdates> outgoing,
      boolean read) {
    List<PeerCodec.Parcel> parcels = new ArrayList<>();
    for (int from = 0; from < lists.size(); ) {
      int peer = lists.get(from).peer();
      int to = from + count(lists, peer);
      List<RefinedUpdates> said = new ArrayList<>(Collections.nCopies(read ? to - from : 0, null));
      said.addAll(outgoing.subList(from, to));
      parcels.add(
          new PeerCodec.Parcel(
              codec,
              new UpdateCodec.Header(work.runNumber(), work.epoch(), input.shard(), peer),
              said));
      from = to;
    }
    return parcels;
  }

  private List<ShardWork.Message> packed(List<PeerCodec.Parcel> parcels, long[] told) {
    List<List<byte[]>> packed = peers.pack(parcels);
    List<ShardWork.Message> records = new ArrayList<>();
    for (int i = 0; i < parcels.size(); i++) {
      told[0] += parcels.get(i).updates();
      for (byte[] record : packed.get(i)) {
        told[1] += record.length;
        records.add(new ShardWork.Message(parcels.get(i).header().reader(), record));
      }
    }
    return records;
  }

  @Override
  public boolean tellsHubs() {
    return settings.hubs() > 0 && (hubs != null || !hasPeers());
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
    List<String> notes = new ArrayList<>(run.notes());
    if (rounds) {
      notes.add(rounding(bits));
    }
    if (messagesTold > 0) {
      notes.add(
          "%s were told %,d partial messages by part %s of the graph, in %,d bytes"
              .formatted(hubs(settings.hubs()), messagesTold, input.shard(), messageBytes));
    } else if (settings.hubs() > 0 && !tellsHubs()) {
      notes.add(
          "no partial messages to hubs: part %s of the graph %s"
              .formatted(input.shard(), whyNoPartialMessages()));
    }
    return notes;
  }

  private String whyNoPartialMessages() {
    if (!HubLayout.isFor(graph)) {
      return "has edges off the heap, or no out-edges";
    }
    List<String> reasons = PartialMessageRules.whyNotOnDevices(program, settings);
    return !input.isOnDevice()
        ? "is relaxed in order of priority"
        : "is on a GPU"
            + (reasons.isEmpty() ? " whose kernels do not take them" : ", and ")
            + String.join(", and ", reasons);
  }

  /** Which vertices are hubs, in words. */
  static String hubs(int inEdges) {
    return "hubs with more than %,d in-edges (%s)"
        .formatted(inEdges, GpuGraphConf.EXCHANGE_HUBS.key());
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
