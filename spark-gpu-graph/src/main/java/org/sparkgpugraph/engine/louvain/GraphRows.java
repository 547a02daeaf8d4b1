package org.sparkgpugraph.engine.louvain;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.operator.RowWindow;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Rows of the first level, read from the graph itself. Directions are left out: an edge is in the
 * rows of both ends, those of parallel edges add up. Where the graph has every edge in both
 * directions, with the same weight, the in-edges alone say it all, and half as much is read; all
 * weights are half of what they were, which changes nothing.
 */
final class GraphRows implements LevelRows {
  /** Bits of the largest weight at most: enough to tell apart what a double can. */
  private static final int MOST_BITS = 40;

  /** Bits of the sum of all weights, twice: its square must fit into 128 bits. */
  private static final int SUM_BITS = 61;

  /** Vertices that a thread takes at a time. */
  private static final int CHUNK = 1024;

  /** Edges that are compared at a time. */
  private static final int PIECE = 1 << 16;

  private final ExecutorGraph graph;
  private final List<? extends GraphPartition> partitions;
  private final boolean weighted;
  private final WorkerTeam team;

  /** Numbers of the ghosts of each partition. */
  private final int[][] ghosts;

  private boolean symmetric;
  private double scale = 1;

  /** What is added to a dense id that is held to get its number. */
  private int shift;

  /**
   * Reads no weight yet.
   *
   * @param weighted whether edge values are the weights; otherwise each is 1
   */
  GraphRows(ExecutorGraph graph, boolean weighted, WorkerTeam team) {
    this.graph = graph;
    this.weighted = weighted;
    this.team = team;
    partitions = graph.partitions();
    ghosts = new int[partitions.size()][];
    for (int p = 0; p < ghosts.length; p++) {
      ghosts[p] = new int[partitions.get(p).ghosts()];
    }
    place(0);
  }

  // ---- before the first row -------------------------------------------------------------------

  /**
   * The largest weight; 1 without weights.
   *
   * @throws IllegalArgumentException when one is negative or no finite number
   */
  double largest() {
    if (!weighted) {
      return 1;
    }
    LongAccumulator most = new LongAccumulator(Math::max, 0);
    forEach(
        (p, from, to) -> {
          GraphPartition partition = partitions.get(p);
          Csr csr = partition.inEdges();
          int[] offsets = csr.offsets();
          RowWindow edges = new RowWindow();
          double largest = 0;
          for (int v = from; v < to; v++) {
            edges.open(csr, partition.inEdgeValues(), offsets[v], offsets[v + 1]);
            double[] weights = edges.weights();
            int end = offsets[v + 1] - edges.first();
            for (int e = offsets[v] - edges.first(); e < end; e++) {
              if (!(weights[e] >= 0 && weights[e] <= Double.MAX_VALUE)) {
                throw refused(partition, edges.neighbours()[e], v, weights[e]);
              }
              largest = Math.max(largest, weights[e]);
            }
          }
          // Bits of doubles that are not negative ascend as they do.
          most.accumulate(Double.doubleToRawLongBits(largest));
        });
    return Double.longBitsToDouble(most.get());
  }

  private static IllegalArgumentException refused(
      GraphPartition partition, int source, int destination, double weight) {
    return new IllegalArgumentException(
        ("the weight of edge %s → %s is %s: modularity needs finite weights of 0 or more; leave such"
                + " edges out, or change their values")
            .formatted(partition.originalId(source), partition.originalId(destination), weight));
  }

  /** Whether what is held here has every edge in both directions. */
  boolean isSymmetric() {
    for (GraphPartition partition : partitions) {
      if (!Arrays.equals(partition.inEdges().offsets(), partition.outEdges().offsets())
          || !isSame(partition)) {
        return false;
      }
    }
    return true;
  }

  /** Whether both sides of a partition have the same rows. */
  private boolean isSame(GraphPartition partition) {
    int edges = partition.inEdges().edges();
    RowWindow in = new RowWindow();
    RowWindow out = new RowWindow();
    for (long from = 0; from < edges; from += PIECE) {
      int to = (int) Math.min(edges, from + PIECE);
      open(in, partition, true, (int) from, to);
      open(out, partition, false, (int) from, to);
      int a = (int) from - in.first();
      int b = (int) from - out.first();
      int count = to - (int) from;
      if (!Arrays.equals(in.neighbours(), a, a + count, out.neighbours(), b, b + count)
          || weighted && !Arrays.equals(in.weights(), a, a + count, out.weights(), b, b + count)) {
        return false;
      }
    }
    return true;
  }

  private void open(RowWindow window, GraphPartition partition, boolean in, int from, int to) {
    window.open(partition.edges(in), weighted ? partition.edgeValues(in) : null, from, to);
  }

  /**
   * Chooses the unit of weights: 1 where there are none, otherwise so that the largest is a power
   * of two, and the sum of all fits.
   *
   * @param largest over the whole graph
   * @param edges of the whole graph
   * @param isSymmetric whether all of it is
   */
  void scale(double largest, long edges, boolean isSymmetric) {
    symmetric = isSymmetric;
    int bits = Math.min(MOST_BITS, SUM_BITS - 2 - (Long.SIZE - Long.numberOfLeadingZeros(edges)));
    if (weighted && largest > 0) {
      scale = (1L << bits) / largest;
      if (scale > Double.MAX_VALUE) {
        throw new IllegalArgumentException(
            "the largest edge weight is "
                + largest
                + ", too small to compute with: multiply all weights by the same number");
      }
    }
  }

  /** Units of a weight of 1. */
  double scale() {
    return scale;
  }

  /** Says which number the first vertex has that is held here: of a whole graph 0. */
  void place(int first) {
    shift = first - (int) graph.firstHeld();
    for (int p = 0; p < ghosts.length; p++) {
      long[] dense = partitions.get(p).ghostIds();
      for (int g = 0; g < dense.length; g++) {
        // Of others those that other partitions here hold are known.
        ghosts[p][g] = (int) dense[g] + shift;
      }
    }
  }

  /** Says which number a ghost has that another executor holds. */
  void place(int partition, int ghost, int number) {
    ghosts[partition][ghost] = number;
  }

  /**
   * Computes the strengths of the vertices that are held: the sum of the weights at each, loops
   * twice.
   *
   * @param strengths by number
   * @return the sum of the weights of loops, as they are in strengths
   */
  long strengths(long[] strengths) {
    AtomicLong loops = new AtomicLong();
    forEach(
        (p, from, to) -> {
          NeighbourRow row = new NeighbourRow();
          GraphPartition partition = partitions.get(p);
          int first = (int) partition.firstVertex() + shift;
          long inside = 0;
          for (int v = from; v < to; v++) {
            row.reserve(degree(partition, v), !weighted);
            long others = append(partition, v, row);
            for (int i = 0; i < row.size; i++) {
              strengths[first + v] += row.weight(i);
            }
            strengths[first + v] += others;
            inside += others;
          }
          loops.addAndGet(inside);
        });
    return loops.get();
  }

  private interface Range {
    void of(int partition, int from, int to);
  }

  private void forEach(Range work) {
    for (int p = 0; p < ghosts.length; p++) {
      int partition = p;
      int stored = partitions.get(p).stored();
      int chunks = (int) ((stored + CHUNK - 1L) / CHUNK);
      team.each(
          chunks > 1,
          chunks,
          (member, i) -> work.of(partition, i * CHUNK, (int) Math.min(stored, (i + 1L) * CHUNK)));
    }
  }

  // ---- rows -----------------------------------------------------------------------------------

  @Override
  public int first() {
    return (int) graph.firstHeld() + shift;
  }

  @Override
  public int end() {
    return (int) graph.endHeld() + shift;
  }

  @Override
  public void load(int vertex, NeighbourRow into) {
    GraphPartition partition = partitions.get(into.partition);
    int local = vertex - shift - (int) partition.firstVertex();
    if (local < 0 || local >= partition.stored()) {
      into.partition = graph.partitionOf(vertex - shift);
      partition = partitions.get(into.partition);
      local = vertex - shift - (int) partition.firstVertex();
    }
    into.reserve(degree(partition, local), !weighted);
    append(partition, local, into);
  }

  private int degree(GraphPartition partition, int vertex) {
    int[] in = partition.inEdges().offsets();
    long degree = in[vertex + 1] - in[vertex];
    if (!symmetric) {
      int[] out = partition.outEdges().offsets();
      degree += out[vertex + 1] - out[vertex];
    }
    if (degree > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "vertex %s has %s edges, more than %s: put parallel edges together"
              .formatted(partition.originalId(vertex), degree, Integer.MAX_VALUE - 8));
    }
    return (int) degree;
  }

  /** Adds the entries of a row; the sum of the weights of loops is left out and returned. */
  private long append(GraphPartition partition, int vertex, NeighbourRow into) {
    long loops = append(partition, vertex, true, into);
    return symmetric ? loops : loops + append(partition, vertex, false, into);
  }

  private long append(GraphPartition partition, int vertex, boolean in, NeighbourRow into) {
    int[] offsets = partition.edges(in).offsets();
    open(into.edges, partition, in, offsets[vertex], offsets[vertex + 1]);
    int[] neighbours = into.edges.neighbours();
    double[] weights = into.edges.weights();
    int from = offsets[vertex] - into.edges.first();
    int to = offsets[vertex + 1] - into.edges.first();
    long[] present = partition.present();
    if (present == null && !weighted) {
      return appendOnes(partition, vertex, neighbours, from, to, into);
    }
    int first = (int) partition.firstVertex() + shift;
    int stored = partition.stored();
    int[] others = ghosts[partition.index()];
    int size = into.size;
    long loops = 0;
    if (!exists(present, vertex)) {
      return 0;
    }
    for (int e = from; e < to; e++) {
      int local = neighbours[e];
      long weight = weights == null ? 1 : (long) (weights[e] * scale + 0.5);
      if (local == vertex) {
        loops += weight;
      } else if (exists(present, local)) {
        into.neighbours[size] = local < stored ? first + local : others[local - stored];
        if (weights != null) {
          into.weights[size] = weight;
        }
        size++;
      }
    }
    into.size = size;
    return loops;
  }

  /** The same where all ends are vertices and all weights 1. */
  private long appendOnes(
      GraphPartition partition, int vertex, int[] neighbours, int from, int to, NeighbourRow into) {
    int first = (int) partition.firstVertex() + shift;
    int stored = partition.stored();
    int[] others = ghosts[partition.index()];
    int[] numbers = into.neighbours;
    int size = into.size;
    for (int e = from; e < to; e++) {
      int local = neighbours[e];
      numbers[size] = local < stored ? first + local : others[local - stored];
      size += local == vertex ? 0 : 1;
    }
    long loops = to - from - (size - into.size);
    into.size = size;
    return loops;
  }

  /** An edge may name an end that is no vertex. */
  private static boolean exists(long[] present, int local) {
    return GraphPartition.exists(present, local);
  }
}
