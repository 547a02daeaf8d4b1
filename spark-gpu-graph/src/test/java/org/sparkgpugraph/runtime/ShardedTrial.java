package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.PartialExchange;
import org.sparkgpugraph.engine.PartialMessageRules;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.UnrefinedExchange;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.UpdateCodec;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.function.SuperstepContext;
import org.sparkgpugraph.graphs.LocalShards;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.run.ExchangeVolume;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.serial.ValueBoxes;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.ShardGraphs;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Runs a test program on the shards of a graph without Spark: a run of an engine for each, all that
 * they tell each other goes through the {@link UpdateCodec}.
 *
 * @param shards number of executor graphs
 * @param partitions partitions of the whole graph, at least one for each shard
 * @param kernel AUTO, or forced
 * @param threads worker threads of each run
 * @param inPlaceIfAllowed whether to update in place where the program allows it
 * @param exchange what travels
 * @param encoding how it is written
 * @param localSupersteps supersteps between two exchanges, where values are updated in place
 * @param restoreAfter number of exchanges after which all runs go on from a snapshot; −1: never
 * @param seed how the graph is cut, and whether a restored run is a new one
 * @param hubs vertices with more in-edges are told partial messages, where the program and all
 *     engines can; 0: none
 */
public record ShardedTrial(
    int shards,
    int partitions,
    KernelChoice kernel,
    int threads,
    boolean inPlaceIfAllowed,
    ExchangeMode exchange,
    UpdateEncoding encoding,
    int localSupersteps,
    int restoreAfter,
    long seed,
    int hubs) {
  private static final int EPOCHS = 100_000;

  /** A trial without hubs. */
  public ShardedTrial(
      int shards,
      int partitions,
      KernelChoice kernel,
      int threads,
      boolean inPlaceIfAllowed,
      ExchangeMode exchange,
      UpdateEncoding encoding,
      int localSupersteps,
      int restoreAfter,
      long seed) {
    this(
        shards,
        partitions,
        kernel,
        threads,
        inPlaceIfAllowed,
        exchange,
        encoding,
        localSupersteps,
        restoreAfter,
        seed,
        0);
  }

  /** The same with hubs. */
  public ShardedTrial withHubs(int inEdges) {
    return new ShardedTrial(
        shards,
        partitions,
        kernel,
        threads,
        inPlaceIfAllowed,
        exchange,
        encoding,
        localSupersteps,
        restoreAfter,
        seed,
        inEdges);
  }

  /** A trial of everything that can vary. */
  public static ShardedTrial any(Random random, KernelChoice kernel) {
    int shards = 1 + random.nextInt(4);
    int[] local = {1, 1, 3, 1000};
    return new ShardedTrial(
        shards,
        shards + random.nextInt(3),
        kernel,
        1 + random.nextInt(2),
        random.nextBoolean(),
        random.nextInt(2) == 0
            ? ExchangeMode.REFINED
            : ExchangeMode.values()[random.nextInt(ExchangeMode.values().length)],
        UpdateEncoding.values()[random.nextInt(2)],
        local[random.nextInt(local.length)],
        random.nextInt(2) == 0 ? -1 : random.nextInt(4),
        random.nextLong());
  }

  /**
   * What a trial gives.
   *
   * @param result attribute of each vertex
   * @param epochs what was done between two exchanges, summed over the shards: supersteps, unless
   *     several were done
   * @param parts the same by shard
   * @param inPlace whether values were updated in place
   * @param messages partial messages that hubs were told
   * @param notes of all shards
   */
  public record Run<R>(
      Map<Long, R> result,
      List<SuperstepStats> epochs,
      List<List<SuperstepStats>> parts,
      boolean inPlace,
      long messages,
      List<String> notes) {}

  /**
   * Runs the program as lifted.
   *
   * @param engines of the shards, in turn
   */
  public <VD, ED, S, A, R> Run<R> run(
      List<Engine> engines,
      ProgramInstance instance,
      TestProgram<VD, ED, S, A, R> program,
      TestGraph<VD, ED> test) {
    LiftedProgram lifted = instance.program();
    Random random = new Random(seed);
    List<ExecutorGraph> graphs = graphs(test, program, lifted, random);
    RunSettings settings =
        new RunSettings(
            ValueBoxes.of(lifted.message(), program.initialMessage),
            ValueBoxes.of(lifted.message(), program.emptyMessage),
            program.direction,
            program.gather,
            program.maxIterations,
            inPlaceIfAllowed && EngineTrial.inPlaceAllowed(lifted, program),
            kernel,
            threads,
            program.stopWhen,
            exchange);
    if (hubs > 0 && PartialMessageRules.whyNot(lifted, settings, true).isEmpty()) {
      settings = settings.withHubs(hubs);
    }
    List<List<Columns>> attributes = new ArrayList<>();
    for (ExecutorGraph graph : graphs) {
      attributes.add(EngineTrial.attributes(graph, test, lifted.attribute()));
    }
    try (Cluster cluster =
        new Cluster(
            engines, instance, settings, graphs, attributes, graphs.get(0).vertexCount(), random)) {
      cluster.drive();
      return new Run<>(
          cluster.result(),
          cluster.epochs,
          cluster.parts,
          KernelShape.inPlace(lifted, settings),
          cluster.messages,
          cluster.runs.stream().flatMap(run -> run.notes().stream()).toList());
    }
  }

  /** The same with one engine for all shards. */
  public static <VD, ED, S, A, R> void check(
      Engine engine, TestProgram<VD, ED, S, A, R> program, long seed) {
    check(program, seed, engine);
  }

  /**
   * Tries a program on a random graph with every kernel, and the rest at random: shards give to the
   * bit what {@link PregelOracle} gives, and in sum do the same work ({@link EdgeCounts}).
   *
   * @param seed of the graph and of everything else
   * @param engines of the shards, in turn
   */
  public static <VD, ED, S, A, R> void check(
      TestProgram<VD, ED, S, A, R> program, long seed, Engine... engines) {
    TestGraph<VD, ED> graph = program.on(RandomGraphs.any(seed * 5 + 1), seed);
    PregelOracle.Run<R> expected = PregelOracle.run(graph, program);
    ProgramInstance lifted = EngineTrial.instance(program, seed);
    Random random = new Random(seed);
    for (KernelChoice kernel : KernelChoice.values()) {
      ShardedTrial trial = ShardedTrial.any(random, kernel);
      String how = "seed " + seed + ", " + trial;
      ShardedTrial.Run<R> run;
      try {
        run = trial.run(List.of(engines), lifted, program, graph);
      } catch (RuntimeException | LinkageError | AssertionError e) {
        throw new AssertionError(how + ": " + program + " on " + graph.describe(), e);
      }
      Compare.assertSame(expected.result(), run.result(), graph, program, how);
      if (!run.inPlace()) {
        assertSameSteps(expected.steps(), run.epochs(), how + " " + program);
        boolean forced = kernel != KernelChoice.AUTO && engines.length == 1;
        List<SuperstepStats> pulled =
            forced
                ? new EngineTrial(1, kernel.pulling(), 1, false)
                    .run(engines[0], lifted, program, graph)
                    .summary()
                    .supersteps()
                : null;
        for (int i = 0; i < run.parts().size(); i++) {
          EdgeCounts.check(
              expected.steps().get(i),
              forced ? pulled.get(i) : null,
              lifted.program(),
              program,
              run.parts().get(i),
              how + " " + program + ", superstep " + i);
        }
      }
    }
  }

  /** Supersteps ran as many vertices as the reference's, and have its aggregates. */
  public static void assertSameSteps(
      List<PregelOracle.Step> expected, List<SuperstepStats> actual, String how) {
    assertThat(actual).as(how).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      String where = how + ", superstep " + i;
      assertThat(actual.get(i).superstep()).as(where).isEqualTo(i);
      assertThat(actual.get(i).verticesRun())
          .as(where + ": vertices run")
          .isEqualTo(expected.get(i).verticesRun());
      assertThat(actual.get(i).activeVertices())
          .as(where + ": active vertices")
          .isEqualTo(expected.get(i).activeVertices());
      assertThat(actual.get(i).aggregates())
          .as(where + ": aggregates")
          .isEqualTo(expected.get(i).aggregates());
    }
  }

  /** Shards as a loader builds them, or a whole graph taken apart at any partition. */
  private <VD, ED> List<ExecutorGraph> graphs(
      TestGraph<VD, ED> test,
      TestProgram<VD, ED, ?, ?, ?> program,
      LiftedProgram lifted,
      Random random) {
    if (random.nextBoolean()) {
      ExecutorGraph whole = EngineTrial.build(test, program, partitions, threads);
      int[] cuts = cuts(random);
      // Where vertices are fewer than partitions a loader makes shards that hold none.
      if (whole.partitions().size() == partitions) {
        return ShardGraphs.split(whole, cuts);
      }
    }
    return LocalShards.of(
        EngineTrial.blocks(test),
        List.of(new VertexBlock(test.ids(), null)),
        shards,
        (partitions + shards - 1) / shards,
        ValueType.of(program.edge),
        lifted.traits().sendsToSource() || hubs > 0 || random.nextBoolean(),
        seed);
  }

  private int[] cuts(Random random) {
    return shards == 1
        ? new int[0]
        : random.ints(1, partitions).distinct().limit(shards - 1L).sorted().toArray();
  }

  /** The runs and their loop. */
  private final class Cluster implements AutoCloseable {
    private final List<Engine> engines;
    private final ProgramInstance instance;
    private final LiftedProgram program;
    private final RunSettings settings;
    private final List<ExecutorGraph> graphs;
    private final List<List<Columns>> attributes;
    private final long vertexCount;
    private final Random random;
    private final UpdateCodec codec;
    private final UpdateCodec messageCodec;
    private final boolean inPlace;
    private final List<EngineRun> runs = new ArrayList<>();
    private final List<SuperstepStats> epochs = new ArrayList<>();
    private final List<List<SuperstepStats>> parts = new ArrayList<>();
    private final long work;
    private int epoch;

    /** Partial messages that hubs were told. */
    private long messages;

    /** Whether a value changed since the last exchange. */
    private boolean changed = true;

    Cluster(
        List<Engine> engines,
        ProgramInstance instance,
        RunSettings settings,
        List<ExecutorGraph> graphs,
        List<List<Columns>> attributes,
        long vertexCount,
        Random random) {
      this.engines = engines;
      this.instance = instance;
      this.settings = settings;
      this.graphs = graphs;
      this.attributes = attributes;
      this.vertexCount = vertexCount;
      this.random = random;
      program = instance.program();
      inPlace = KernelShape.inPlace(program, settings);
      List<ColumnType> kinds =
          Arrays.stream(FunctionTraits.shippedColumns(program))
              .mapToObj(program.state().columns()::get)
              .toList();
      codec = new UpdateCodec(kinds, encoding);
      messageCodec = UpdateCodec.ofPartialMessages(program.message().columns(), encoding);
      long[] horizons = {0, 1 + random.nextInt(9), 1 + random.nextInt(200), Long.MAX_VALUE};
      work = horizons[random.nextInt(horizons.length)];
      for (int shard = 0; shard < graphs.size(); shard++) {
        runs.add(open(shard));
      }
    }

    private EngineRun open(int shard) {
      return engines
          .get(shard % engines.size())
          .open(graphs.get(shard), instance, attributes.get(shard), settings);
    }

    void drive() {
      List<SuperstepStats> last = new ArrayList<>();
      runs.forEach(run -> last.add(run.initialise()));
      done(last);
      boolean told = false;
      boolean ran = settings.initialMessage() != null;
      while (true) {
        if (epoch == restoreAfter) {
          restore();
          told = exchange(last, false);
        }
        SuperstepStats total = epochs.get(epoch);
        if (ran && stops(total)
            || total.activeVertices() == 0 && !(inPlace && told)
            || total.superstep() >= settings.maxIterations()) {
          return;
        }
        epoch++;
        changed = false;
        for (int shard = 0; shard < runs.size(); shard++) {
          last.set(shard, steps(runs.get(shard), total.aggregates()));
        }
        told = exchange(last, tellsHubs());
        done(last);
        ran = true;
        if (epoch > EPOCHS) {
          throw new AssertionError("no end after " + epoch + " exchanges");
        }
      }
    }

    private void done(List<SuperstepStats> last) {
      epochs.add(sum(last));
      parts.add(List.copyOf(last));
    }

    private SuperstepStats steps(EngineRun run, double[] aggregates) {
      if (!inPlace) {
        return run.step(aggregates);
      }
      SuperstepStats last;
      int done = 0;
      do {
        if (!run.isAhead()) {
          run.mayRunAhead(localSupersteps - done, work);
        }
        last = run.step(aggregates);
        changed |= last.mayHaveChanged();
        done++;
      } while (run.isAhead() || done < localSupersteps && last.activeVertices() > 0);
      assertThat(done).isLessThanOrEqualTo(localSupersteps);
      return last;
    }

    /** Whether hubs are told partial messages: all runs can. */
    private boolean tellsHubs() {
      for (int shard = 0; shard < runs.size(); shard++) {
        ExecutorGraph graph = graphs.get(shard);
        if (runs.get(shard).partialExchange().isEmpty()
            && !(graph.exports().isEmpty() && graph.imports().isEmpty())) {
          return false;
        }
      }
      return settings.hubs() > 0;
    }

    /**
     * Carries what every run has to say; adds it to what their supersteps did.
     *
     * @param partial whether hubs are told partial messages
     */
    private boolean exchange(List<SuperstepStats> parts, boolean partial) {
      boolean told = false;
      List<Runnable> deliveries = new ArrayList<>();
      for (int sender = 0; sender < runs.size(); sender++) {
        EngineRun run = runs.get(sender);
        ExecutorGraph graph = graphs.get(sender);
        PartialExchange hubs = partial ? run.partialExchange().orElse(null) : null;
        List<RefinedUpdates> values;
        List<RefinedUpdates> toHubs = List.of();
        if (hubs == null) {
          values = run.outgoing();
        } else {
          PartialExchange.Outgoing outgoing = hubs.outgoing();
          values = outgoing.values();
          toHubs = outgoing.messages();
          assertThat(toHubs).hasSameSizeAs(graph.imports());
        }
        assertThat(values).hasSameSizeAs(graph.exports());
        long bytes = carry(sender, graph.exports(), values, codec, hubs != null, deliveries);
        if (hubs != null) {
          bytes += carry(sender, graph.imports(), toHubs, messageCodec, true, deliveries);
        }
        told |= bytes > 0;
        long count = toHubs.stream().mapToLong(RefinedUpdates::count).sum();
        messages += count;
        parts.set(
            sender,
            parts
                .get(sender)
                .exchanging(
                    values.stream().mapToLong(RefinedUpdates::count).sum() + count,
                    bytes,
                    UnrefinedExchange.outgoing(graph, program)));
      }
      deliveries.forEach(Runnable::run);
      // Without refinement everything is told every time, which says nothing about the end.
      return exchange == ExchangeMode.REFINED ? told : changed;
    }

    /**
     * Packs what a run says.
     *
     * @param lists of what it says, ordered by peer
     * @param deliveries takes what unpacks it where it goes
     * @return bytes of the records
     */
    private long carry(
        int sender,
        List<RemoteBoundary> lists,
        List<RefinedUpdates> said,
        UpdateCodec codec,
        boolean partial,
        List<Runnable> deliveries) {
      long bytes = 0;
      for (int reader = 0; reader < runs.size(); reader++) {
        int to = reader;
        List<RefinedUpdates> own =
            IntStream.range(0, lists.size())
                .filter(k -> lists.get(k).peer() == to)
                .mapToObj(said::get)
                .toList();
        UpdateCodec.Header header = new UpdateCodec.Header(seed, epoch, sender, reader);
        List<byte[]> records = codec.encode(header, own);
        bytes += records.stream().mapToLong(r -> r.length).sum();
        Map<Integer, List<RefinedUpdates>> incoming = new TreeMap<>();
        boolean toHubs = codec == messageCodec;
        List<RemoteBoundary> taken =
            toHubs ? graphs.get(reader).exports() : graphs.get(reader).imports();
        for (byte[] record : records) {
          codec.decode(
              record,
              header,
              (list, updates) ->
                  incoming
                      .computeIfAbsent(number(taken, sender, list), number -> new ArrayList<>())
                      .add(updates));
        }
        EngineRun run = runs.get(reader);
        if (!partial) {
          deliveries.add(() -> incoming.forEach(run::incoming));
        } else if (!incoming.isEmpty()) {
          PartialExchange hubs = run.partialExchange().orElseThrow();
          deliveries.add(
              () -> incoming.forEach(toHubs ? hubs::incomingMessages : hubs::incomingValues));
        }
      }
      return bytes;
    }

    /** The reader's number of the k-th list of a sender. */
    private static int number(List<RemoteBoundary> lists, int sender, int k) {
      int seen = 0;
      for (int i = 0; i < lists.size(); i++) {
        if (lists.get(i).peer() == sender && seen++ == k) {
          return i;
        }
      }
      throw new AssertionError("no list " + k + " of " + sender);
    }

    /** All runs go back to what they are now: what was told and not yet taken is told again. */
    private void restore() {
      boolean fresh = random.nextBoolean();
      for (int shard = 0; shard < runs.size(); shard++) {
        EngineRun run = runs.get(shard);
        List<Columns> values = new ArrayList<>();
        List<long[]> activity = new ArrayList<>();
        for (GraphPartition partition : graphs.get(shard).partitions()) {
          Columns current = run.values(partition.index());
          Columns copy = Columns.allocate(current.kinds(), partition.stored());
          copy.copyFrom(current, 0, 0, partition.stored());
          values.add(copy);
          activity.add(run.activity(partition.index()));
        }
        if (fresh) {
          run.close();
          runs.set(shard, open(shard));
        }
        runs.get(shard).restore(epochs.get(epoch).superstep(), values, activity);
      }
    }

    private boolean stops(SuperstepStats last) {
      if (settings.stopWhen() == null) {
        return false;
      }
      return settings
          .stopWhen()
          .test(
              new SuperstepContext() {
                @Override
                public int superstep() {
                  return last.superstep();
                }

                @Override
                public long vertexCount() {
                  return vertexCount;
                }

                @Override
                public double aggregate(String name) {
                  for (int i = 0; i < program.aggregates().size(); i++) {
                    if (program.aggregates().get(i).name().equals(name)) {
                      return last.aggregates()[i];
                    }
                  }
                  throw new IllegalArgumentException(name);
                }

                @Override
                public double[] aggregates() {
                  return last.aggregates().clone();
                }
              });
    }

    private SuperstepStats sum(List<SuperstepStats> parts) {
      ExchangeVolume full = ExchangeVolume.NONE;
      for (SuperstepStats part : parts) {
        full = full.plus(part.fullBytes());
      }
      return new SuperstepStats(
              parts.stream().mapToInt(SuperstepStats::superstep).max().orElseThrow(),
              parts.get(0).kernel(),
              parts.stream().mapToLong(SuperstepStats::verticesRun).sum(),
              parts.stream().mapToLong(SuperstepStats::activeVertices).sum(),
              parts.stream().mapToLong(SuperstepStats::edgesEvaluated).sum(),
              0,
              combine(
                  program.aggregates(), parts.stream().map(SuperstepStats::aggregates).toList()))
          .exchanging(
              parts.stream().mapToLong(SuperstepStats::boundaryUpdates).sum(),
              parts.stream().mapToLong(SuperstepStats::boundaryBytes).sum(),
              full);
    }

    private double[] combine(List<Aggregate> aggregates, List<double[]> parts) {
      double[] total = aggregates.stream().mapToDouble(a -> a.operation().neutral()).toArray();
      for (double[] part : parts) {
        for (int i = 0; i < total.length; i++) {
          total[i] = aggregates.get(i).operation().combine(total[i], part[i]);
        }
      }
      return total;
    }

    @SuppressWarnings("unchecked") // the result has the program's own result type
    <R> Map<Long, R> result() {
      double[] last =
          combine(
              program.finalAggregates(), runs.stream().map(EngineRun::finalAggregates).toList());
      ValueCodec codec = ValueCodec.of(program.result());
      Map<Long, R> result = new TreeMap<>();
      for (int shard = 0; shard < runs.size(); shard++) {
        for (GraphPartition partition : graphs.get(shard).partitions()) {
          Columns columns = runs.get(shard).results(partition.index(), last);
          for (int v = 0; v < partition.stored(); v++) {
            result.put(partition.originalId(v), (R) codec.get(columns, v));
          }
        }
      }
      return result;
    }

    @Override
    public void close() {
      runs.forEach(EngineRun::close);
    }
  }
}
