package org.sparkgpugraph.benchmarks.engine;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Results of the {@linkplain Workload workloads} by textbook algorithms that share no code with any
 * engine: breadth-first search by a queue, shortest paths by Dial's buckets (Algorithm 360, CACM
 * 1969), components by union-find, PageRank by a loop in doubles, label propagation by sorting,
 * loops and branches by loops. Each is computed once and kept.
 */
public final class ReferenceResults {
  /** Largest relative difference of a PageRank in floats from the one in doubles. */
  private static final double FLOAT_TOLERANCE = 1e-4;

  private static final double DOUBLE_TOLERANCE = 1e-9;

  /** What vertices may have left unsaid on average, in tolerances. */
  private static final double MOST_UNSAID = 4;

  /** Largest weight of an edge. */
  private static final int MAX_WEIGHT = 10_000;

  private final GraphPartition partition;
  private final int source;
  private final int iterations;
  private int[] levels;
  private int[] distances;
  private int[] components;
  private double[] ranks;
  private long[] labels;
  private int[] sums;
  private final Map<Workload, int[]> branches = new ConcurrentHashMap<>();

  /**
   * @param graph of one partition, with INT weights if shortest paths are to be checked
   * @param source dense id that searches start from
   * @param iterations of PageRank
   */
  public ReferenceResults(ExecutorGraph graph, int source, int iterations) {
    if (graph.partitions().size() != 1) {
      throw new IllegalArgumentException(
          "the graph has " + graph.partitions().size() + " partitions, not 1");
    }
    this.partition = graph.partitions().get(0);
    this.source = source;
    this.iterations = iterations;
  }

  /**
   * Compares.
   *
   * @param values state columns of the run
   * @return null when they agree, otherwise the first vertex that does not and both values
   */
  public String difference(Workload workload, Columns values) {
    return switch (workload) {
      case PAGERANK -> {
        float[] found = values.floats(0);
        yield rankDifference(v -> found[v], FLOAT_TOLERANCE);
      }
      case PAGERANK_F64 -> {
        double[] found = values.doubles(0);
        yield rankDifference(v -> found[v], DOUBLE_TOLERANCE);
      }
      case PAGERANK_CONVERGING -> unsaid(values.doubles(0));
      case BFS -> difference(values.ints(0), levels());
      case SSSP -> difference(values.ints(0), distances());
      case CC -> difference(values.ints(0), components());
      case CC_LONG -> {
        long[] found = values.longs(0);
        int[] narrow = new int[partition.stored()];
        for (int v = 0; v < narrow.length; v++) {
          narrow[v] = (int) found[v];
        }
        yield difference(narrow, components());
      }
      case LOOPS -> difference(values.ints(1), sums());
      case BRANCHES_2,
          BRANCHES_8,
          BRANCHES_32,
          BRANCHES_2X4,
          BRANCHES_2X16,
          BRANCHES_2X256,
          BRANCHES_8X4,
          BRANCHES_8X16,
          BRANCHES_8X256 ->
          difference(values.ints(0), branches(workload));
      case CDLP -> {
        long[] found = values.longs(0);
        long[] expected = labels();
        int at = Arrays.mismatch(found, 0, expected.length, expected, 0, expected.length);
        yield at < 0 ? null : describe(at, found[at], expected[at]);
      }
    };
  }

  /**
   * Compares the roots of components.
   *
   * @param roots by dense id
   * @return null when they agree, otherwise the first vertex that does not and both values
   */
  public String difference(int[] roots) {
    int[] ids = new int[roots.length];
    Arrays.setAll(ids, v -> (int) partition.originalId(roots[v]));
    return difference(ids, components());
  }

  /** Computes several at the same time, a thread for each. */
  public void prepare(Collection<Workload> workloads) {
    workloads.parallelStream()
        .forEach(
            workload -> {
              switch (workload) {
                case PAGERANK, PAGERANK_F64 -> ranks();
                case PAGERANK_CONVERGING -> {
                  // The equation is looked at.
                }
                case BFS -> levels();
                case SSSP -> distances();
                case CC, CC_LONG -> components();
                case CDLP -> labels();
                case LOOPS -> sums();
                case BRANCHES_2,
                    BRANCHES_8,
                    BRANCHES_32,
                    BRANCHES_2X4,
                    BRANCHES_2X16,
                    BRANCHES_2X256,
                    BRANCHES_8X4,
                    BRANCHES_8X16,
                    BRANCHES_8X256 ->
                    branches(workload);
              }
            });
  }

  /** The sum of all ranks. */
  public double rankSum() {
    return Arrays.stream(ranks()).sum();
  }

  private String difference(int[] found, int[] expected) {
    int at = Arrays.mismatch(found, 0, expected.length, expected, 0, expected.length);
    return at < 0 ? null : describe(at, found[at], expected[at]);
  }

  /** A rank by vertex. */
  @FunctionalInterface
  private interface Ranks {
    double of(int vertex);
  }

  private String rankDifference(Ranks found, double tolerance) {
    double[] expected = ranks();
    for (int v = 0; v < expected.length; v++) {
      // Written so that a NaN is a difference.
      if (!(Math.abs(found.of(v) - expected[v]) <= tolerance * Math.abs(expected[v]))) {
        return describe(v, found.of(v), expected[v]);
      }
    }
    return null;
  }

  /**
   * How far ranks are from what the equation makes of them, in all. Supersteps leave out what is
   * within the tolerance each time: of some graphs twice as much as a run that leaves it out once.
   */
  private String unsaid(double[] ranks) {
    Csr in = partition.inEdges();
    double left =
        IntStream.range(0, partition.stored())
            .parallel()
            .mapToDouble(
                v -> {
                  double sum = 0;
                  for (int e = in.offsets()[v]; e < in.offsets()[v + 1]; e++) {
                    sum += ranks[in.neighbours()[e]] / outDegree(in.neighbours()[e]);
                  }
                  return Math.abs(0.15 + 0.85 * sum - ranks[v]);
                })
            .sum();
    double most = MOST_UNSAID * Workload.TOLERANCE * partition.stored();
    return left <= most ? null : left + " of the ranks are not said, at most " + most + " may be";
  }

  private String describe(int vertex, Number found, Number expected) {
    return "vertex " + partition.originalId(vertex) + " has " + found + ", expected " + expected;
  }

  private int[] levels() {
    if (levels == null) {
      Csr out = partition.outEdges();
      int[] found = unreached();
      int[] queue = new int[found.length];
      int tail = 0;
      queue[tail++] = source;
      for (int head = 0; head < tail; head++) {
        int v = queue[head];
        for (int e = out.offsets()[v]; e < out.offsets()[v + 1]; e++) {
          int neighbour = out.neighbours()[e];
          if (found[neighbour] == Workload.UNREACHED) {
            found[neighbour] = found[v] + 1;
            queue[tail++] = neighbour;
          }
        }
      }
      levels = found;
    }
    return levels;
  }

  private int[] distances() {
    if (distances == null) {
      Csr out = partition.outEdges();
      int[] weights = partition.outEdgeValues().ints(0);
      int[] found = unreached();
      IntQueue[] buckets = new IntQueue[MAX_WEIGHT + 1];
      Arrays.setAll(buckets, b -> new IntQueue());
      buckets[0].add(source);
      long queued = 1;
      for (int distance = 0; queued > 0; distance++) {
        IntQueue bucket = buckets[distance % buckets.length];
        for (int i = 0; i < bucket.size; i++) {
          int v = bucket.items[i];
          if (found[v] != distance) {
            continue;
          }
          for (int e = out.offsets()[v]; e < out.offsets()[v + 1]; e++) {
            int longer = distance + weights[e];
            if (longer < found[out.neighbours()[e]]) {
              found[out.neighbours()[e]] = longer;
              buckets[longer % buckets.length].add(out.neighbours()[e]);
              queued++;
            }
          }
        }
        queued -= bucket.size;
        bucket.size = 0;
      }
      distances = found;
    }
    return distances;
  }

  private int[] unreached() {
    int[] found = new int[partition.stored()];
    Arrays.fill(found, Workload.UNREACHED);
    found[source] = 0;
    return found;
  }

  /** A growing list of ints. */
  private static final class IntQueue {
    private int[] items = new int[16];
    private int size;

    void add(int item) {
      if (size == items.length) {
        items = Arrays.copyOf(items, 2 * size);
      }
      items[size++] = item;
    }
  }

  private int[] components() {
    if (components == null) {
      int[] parent = new int[partition.stored()];
      Arrays.setAll(parent, v -> v);
      Csr in = partition.inEdges();
      for (int v = 0; v < parent.length; v++) {
        for (int e = in.offsets()[v]; e < in.offsets()[v + 1]; e++) {
          int a = root(parent, v);
          int b = root(parent, in.neighbours()[e]);
          // The smaller is the root, so a root is its component's smallest dense id.
          parent[Math.max(a, b)] = Math.min(a, b);
        }
      }
      int[] found = new int[parent.length];
      for (int v = 0; v < found.length; v++) {
        found[v] = (int) partition.originalId(root(parent, v));
      }
      components = found;
    }
    return components;
  }

  private static int root(int[] parent, int vertex) {
    int v = vertex;
    while (parent[v] != v) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return v;
  }

  /** Label propagation: each vertex sorts its neighbours' labels and takes the longest run. */
  private long[] labels() {
    if (labels == null) {
      int size = partition.stored();
      long[] before = new long[size];
      Arrays.setAll(before, partition::originalId);
      for (int i = 0; i < iterations; i++) {
        long[] from = before;
        long[] next = new long[size];
        IntStream.range(0, size).parallel().forEach(v -> next[v] = label(v, from));
        before = next;
      }
      labels = before;
    }
    return labels;
  }

  private long label(int v, long[] labelOf) {
    Csr in = partition.inEdges();
    Csr out = partition.outEdges();
    long[] heard =
        IntStream.concat(
                Arrays.stream(in.neighbours(), in.offsets()[v], in.offsets()[v + 1]),
                Arrays.stream(out.neighbours(), out.offsets()[v], out.offsets()[v + 1]))
            .mapToLong(u -> labelOf[u])
            .sorted()
            .toArray();
    long best = labelOf[v];
    int most = 0;
    for (int begin = 0; begin < heard.length; ) {
      int end = begin;
      while (end < heard.length && heard[end] == heard[begin]) {
        end++;
      }
      if (end - begin > most) {
        most = end - begin;
        best = heard[begin];
      }
      begin = end;
    }
    return best;
  }

  /** What rounds of loops add up to, vertex by vertex. */
  private int[] sums() {
    if (sums == null) {
      sums =
          added(
              (u, from, to) -> {
                int sum = 0;
                int rounds = Math.min(partition.outDegree(u), Workload.MOST_ROUNDS);
                for (int r = 0; r < rounds; r++) {
                  sum += Workload.mixed(from + r, to);
                }
                return sum;
              });
    }
    return sums;
  }

  /** What costly branches that some edges take add up to. */
  private int[] branches(Workload workload) {
    int every = workload.every();
    int rounds = workload.rounds();
    return branches.computeIfAbsent(
        workload, w -> added((u, from, to) -> Workload.branched(every, rounds, from, to)));
  }

  /** What an edge says: of its source and the values of both ends. */
  @FunctionalInterface
  private interface Said {
    int by(int source, int from, int to);
  }

  /** The values when what edges say was added to them, iteration by iteration. */
  private int[] added(Said said) {
    Csr in = partition.inEdges();
    int[] before = new int[partition.stored()];
    Arrays.setAll(before, v -> (int) partition.originalId(v));
    for (int i = 0; i < iterations; i++) {
      int[] from = before;
      int[] next = from.clone();
      IntStream.range(0, next.length)
          .parallel()
          .forEach(
              v -> {
                for (int e = in.offsets()[v]; e < in.offsets()[v + 1]; e++) {
                  int u = in.neighbours()[e];
                  next[v] += said.by(u, from[u], from[v]);
                }
              });
      before = next;
    }
    return before;
  }

  private double[] ranks() {
    if (ranks == null) {
      Csr in = partition.inEdges();
      int size = partition.stored();
      double[] rank = new double[size];
      double[] share = new double[size];
      Arrays.fill(rank, 1);
      for (int i = 0; i < iterations; i++) {
        IntStream.range(0, size).parallel().forEach(v -> share[v] = rank[v] / outDegree(v));
        IntStream.range(0, size)
            .parallel()
            .forEach(
                v -> {
                  double sum = 0;
                  for (int e = in.offsets()[v]; e < in.offsets()[v + 1]; e++) {
                    sum += share[in.neighbours()[e]];
                  }
                  rank[v] = 0.15 + 0.85 * sum;
                });
      }
      ranks = rank;
    }
    return ranks;
  }

  /** At least 1: nobody reads the share of a vertex without out-edges. */
  private int outDegree(int vertex) {
    return Math.max(1, partition.outDegree(vertex));
  }
}
