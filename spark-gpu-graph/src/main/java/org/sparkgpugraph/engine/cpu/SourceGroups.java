package org.sparkgpugraph.engine.cpu;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * Sources grouped by the logarithm of their out-degree, those of most edges first, in each group in
 * their order (degree-based grouping; Faldu, Diamond, Grot 2019, "A Closer Look at Lightweight
 * Graph Reordering"). Copies of the columns that edges read of them lie in this order, so that
 * those that most edges read are side by side and stay in a core's cache. Nothing else is in it:
 * neither rows nor a row's edges, so that what is summed up has the same bits.
 *
 * @param places of the vertices, by their index
 * @param sources places of the sources of the in-edges, in the order of these
 */
record SourceGroups(int[] places, int[] sources) {
  /** What a report tells of a run that has them. */
  static final String NOTE = "edges read copies of their sources' values, grouped by out-degree";

  /** Supersteps of a run for which it pays to make groups; runs of fewer use those made before. */
  private static final int LEAST_SUPERSTEPS = 6;

  /** Vertices whose values stay in a core's cache anyhow. */
  private static final int FEW = 1 << 17;

  /** Values of a line of the cache. */
  private static final int LINE = 8;

  /** One of so many lines is taken to stay in a core's cache. */
  private static final int CACHED = 16;

  /** By how much more of all edges those lines have to serve than without groups. */
  private static final double GAIN = 0.15;

  /** Groups of degrees; the last has no edges. */
  private static final int GROUPS = Integer.SIZE + 1;

  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  /** Vertices, or edges, that a thread takes at a time. */
  private static final int RANGE = 1 << 16;

  /** Of graphs where groups do not pay. */
  private static final SourceGroups NONE = new SourceGroups(null, null);

  /** The groups of an engine's graphs, kept as long as these. Thread-safe. */
  static final class Cache {
    private final int few;
    private final double gain;

    // A Csr equals itself only: what is made of it goes when it goes.
    private final Map<Csr, SourceGroups> made = new WeakHashMap<>();

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
        if (groups == null && areMade(settings)) {
          groups = SourceGroups.of(partition, rows, gain, settings.threads());
          made.put(rows, groups);
        }
        return groups == NONE ? null : groups;
      }
    }

    /** Bytes that groups and copies in their order take, at most; 0: a run has none. */
    long bytes(
        ExecutorGraph graph, LiftedProgram program, KernelShape shape, RunSettings settings) {
      if (!suit(graph, program, shape) || !areMade(settings)) {
        return 0;
      }
      long copies = Double.BYTES * columns(program).count();
      return graph.heldVertices() * (Integer.BYTES + copies) + graph.edgeCount() * Integer.BYTES;
    }

    private static boolean areMade(RunSettings settings) {
      return settings.maxIterations() >= LEAST_SUPERSTEPS;
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
          && columns(program).findAny().isPresent()
          && columns(program).allMatch(type -> type == Kind.DOUBLE);
    }

    /** Those that edges read of their sources. */
    private static Stream<ColumnType> columns(LiftedProgram program) {
      return program.send().parameters().stream()
          .filter(p -> p.role() == Role.SOURCE)
          .map(p -> program.state().columns().get(p.index()));
    }
  }

  private static SourceGroups of(GraphPartition partition, Csr rows, double gain, int threads) {
    int[] degrees = partition.degrees(false);
    try (Workers workers = new Workers(threads)) {
      int[] places = places(degrees, workers);
      if (!pays(degrees, places, gain)) {
        return NONE;
      }
      int[] neighbours = rows.neighbours();
      int[] sources = new int[neighbours.length];
      ranges(
          workers,
          neighbours.length,
          (from, to) -> {
            for (int e = from; e < to; e++) {
              sources[e] = places[neighbours[e]];
            }
          });
      return new SourceGroups(places, sources);
    }
  }

  private interface Range {
    void of(int from, int to);
  }

  private static void ranges(Workers workers, int size, Range work) {
    workers.run(
        (int) ((size + RANGE - 1L) / RANGE),
        r -> work.of(r * RANGE, (int) Math.min(size, (r + 1L) * RANGE)));
  }

  /** The group of a degree: 0 is that of the most. */
  private static int group(int degree) {
    return Integer.numberOfLeadingZeros(degree);
  }

  private static int[] places(int[] degrees, Workers workers) {
    int parts = (int) ((degrees.length + RANGE - 1L) / RANGE);
    int[][] next = new int[parts][GROUPS];
    ranges(
        workers,
        degrees.length,
        (from, to) -> {
          int[] counts = next[from / RANGE];
          for (int v = from; v < to; v++) {
            counts[group(degrees[v])]++;
          }
        });
    int place = 0;
    for (int g = 0; g < GROUPS; g++) {
      for (int[] part : next) {
        int count = part[g];
        part[g] = place;
        place += count;
      }
    }
    int[] places = new int[degrees.length];
    ranges(
        workers,
        degrees.length,
        (from, to) -> {
          int[] free = next[from / RANGE];
          for (int v = from; v < to; v++) {
            places[v] = free[group(degrees[v])]++;
          }
        });
    return places;
  }

  /** Whether groups have more of what edges read in few lines than there is as it is. */
  private static boolean pays(int[] degrees, int[] places, double gain) {
    int lines = (degrees.length + LINE - 1) / LINE;
    long[] ungrouped = new long[lines];
    long[] grouped = new long[lines];
    long edges = 0;
    for (int v = 0; v < degrees.length; v++) {
      ungrouped[v / LINE] += degrees[v];
      grouped[places[v] / LINE] += degrees[v];
      edges += degrees[v];
    }
    return served(grouped) - served(ungrouped) > gain * edges;
  }

  /** About how many edges read the lines that are read most, by the edges of each line. */
  private static double served(long[] lines) {
    long[] counts = new long[Long.SIZE + 1];
    long[] edges = new long[Long.SIZE + 1];
    for (long line : lines) {
      int size = Long.numberOfLeadingZeros(line);
      counts[size]++;
      edges[size] += line;
    }
    double sum = 0;
    double left = (double) lines.length / CACHED;
    for (int size = 0; size < counts.length && left > 0; size++) {
      if (counts[size] > 0) {
        sum += edges[size] * Math.min(1, left / counts[size]);
        left -= counts[size];
      }
    }
    return sum;
  }
}
