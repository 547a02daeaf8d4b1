package org.sparkgpugraph.engine.cpu;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.frame.Interleaving;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Role;

/**
 * Sources {@linkplain DegreeGroups grouped} by their out-degree. Copies of the columns that edges
 * read of them lie in this order, so that those that most edges read are side by side and stay in a
 * core's cache. Nothing else is in it: neither rows nor a row's edges, so that what is summed up
 * has the same bits.
 *
 * @param places of the vertices, by their index
 * @param sources places of the sources of the in-edges, in the order of these
 */
record SourceGroups(int[] places, int[] sources) {
  /** What a report tells of a run that has them. */
  static final String NOTE = "edges read copies of their sources' values, grouped by out-degree";

  /**
   * Supersteps of runs on a graph, at most, from which on it pays to make groups: in code that the
   * JVM has not compiled yet, as in a first run, that takes as long as they spare in some twenty.
   */
  private static final int PATIENCE = 32;

  /** Vertices whose values stay in a core's cache anyhow. */
  private static final int FEW = 1 << 17;

  /** By how much more of all edges few lines have to serve than without groups. */
  private static final double GAIN = 0.15;

  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  /** Of graphs where groups do not pay. */
  private static final SourceGroups NONE = new SourceGroups(null, null);

  /** The groups of an engine's graphs, kept as long as these. Thread-safe. */
  static final class Cache {
    private final int few;
    private final double gain;

    // A Csr equals itself only: what is made of it goes when it goes.
    private final Map<Csr, SourceGroups> made = new WeakHashMap<>();

    /** Supersteps of runs that went without. */
    private final Map<Csr, Integer> missed = new WeakHashMap<>();

    /** Of graphs for which groups pay. */
    Cache() {
      this(FEW, GAIN);
    }

    /** Of graphs with more vertices than these, and a gain of more than this, for tests. */
    Cache(int few, double gain) {
      this.few = few;
      this.gain = gain;
    }

    /** The groups that a run reads its sources in; null: it reads them where they are. */
    SourceGroups of(
        ExecutorGraph graph, LiftedProgram program, KernelShape shape, RunSettings settings) {
      if (!suit(graph, program, shape)) {
        return null;
      }
      GraphPartition partition = graph.partitions().get(0);
      Csr rows = partition.inEdges();
      synchronized (made) {
        SourceGroups groups = made.get(rows);
        if (groups == null && areMade(rows, settings)) {
          groups = SourceGroups.of(graph, rows, gain, settings.threads());
          if (groups != null) {
            made.put(rows, groups);
          }
        } else if (groups == null) {
          missed.merge(rows, settings.maxIterations(), Integer::sum);
        }
        return groups == NONE ? null : groups;
      }
    }

    /**
     * Bytes that a run's copies in the order of groups take, at most; 0: it has none. The groups
     * count with the graph.
     */
    long bytes(
        ExecutorGraph graph, LiftedProgram program, KernelShape shape, RunSettings settings) {
      if (!suit(graph, program, shape)) {
        return 0;
      }
      Csr rows = graph.partitions().get(0).inEdges();
      synchronized (made) {
        if (!made.containsKey(rows) && !areMade(rows, settings)) {
          return 0;
        }
      }
      long copies = columns(program).mapToLong(ColumnType::bytes).sum();
      return graph.heldVertices() * copies;
    }

    private boolean areMade(Csr rows, RunSettings settings) {
      return settings.maxIterations() >= PATIENCE - missed.getOrDefault(rows, 0);
    }

    /**
     * Whether runs of a program may read sources in groups: it walks all edges in all supersteps,
     * reads only numbers of a source of which there are copies, and the graph is one partition.
     */
    private boolean suit(ExecutorGraph graph, LiftedProgram program, KernelShape shape) {
      GraphPartition partition = graph.partitions().get(0);
      return graph.partitions().size() == 1
          && partition.ghosts() == 0
          && partition.present() == null
          && partition.stored() > few
          && partition.stored() * columns(program).count() <= LONGEST_ARRAY
          && partition.inEdges().onHeap()
          && shape.everyVertex()
          && shape.inRows()
          && !shape.partialMessages()
          && !program.send().reads(Role.SOURCE_ID)
          && columns(program).allMatch(Interleaving::copies)
          && columns(program).distinct().count() == 1;
    }

    /** Those that edges read of their sources. */
    private static Stream<ColumnType> columns(LiftedProgram program) {
      return program.send().parameters().stream()
          .filter(p -> p.role() == Role.SOURCE)
          .map(p -> program.state().columns().get(p.index()));
    }
  }

  /** Null: there is no room. */
  private static SourceGroups of(ExecutorGraph graph, Csr rows, double gain, int threads) {
    int[] degrees = graph.partitions().get(0).degrees(false);
    int[] places = DegreeGroups.places(degrees);
    if (!DegreeGroups.pays(degrees, places, gain)) {
      return NONE;
    }
    return graph.keep(Integer.BYTES * (places.length + rows.edges()))
        ? new SourceGroups(places, sources(places, rows.neighbours(), threads))
        : null;
  }

  private static int[] sources(int[] places, int[] neighbours, int threads) {
    int[] sources = new int[neighbours.length];
    try (Workers workers = new Workers(threads)) {
      workers.forEachChunk(
          sources.length,
          (from, to) -> {
            for (int e = from; e < to; e++) {
              sources[e] = places[neighbours[e]];
            }
          });
    }
    return sources;
  }
}
