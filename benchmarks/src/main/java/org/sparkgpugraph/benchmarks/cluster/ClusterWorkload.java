package org.sparkgpugraph.benchmarks.cluster;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.benchmarks.engine.ReferenceResults;
import org.sparkgpugraph.benchmarks.engine.Workload;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.MultiSourceBfs;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.lib.ShortestPaths;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

/** The library's algorithms, as {@link ClusterBenchmark} runs and checks them. */
enum ClusterWorkload {
  /** A fixed number of iterations, in doubles; scaled so that the ranks add up to |V|. */
  PAGERANK(Workload.PAGERANK_F64) {
    @Override
    VertexResult<?> run(
        ResidentGraph<Object, Double> graph, Start from, int iterations, RunOptions options) {
      return PageRank.run(graph, iterations, PageRank.RESET_PROBABILITY, options);
    }
  },
  /** Until no rank grows by more than the tolerance: less and less is told. */
  CONVERGING(Workload.PAGERANK_CONVERGING) {
    @Override
    VertexResult<?> run(
        ResidentGraph<Object, Double> graph, Start from, int iterations, RunOptions options) {
      return PageRank.runUntilConvergence(
          graph, Workload.TOLERANCE, PageRank.RESET_PROBABILITY, options);
    }
  },
  /** Hops from the source. */
  BFS(Workload.BFS) {
    @Override
    VertexResult<?> run(
        ResidentGraph<Object, Double> graph, Start from, int iterations, RunOptions options) {
      return Bfs.run(graph, from.source(), options);
    }
  },
  /** Connected components, labels of 64 bits. */
  CC(Workload.CC_LONG) {
    @Override
    VertexResult<?> run(
        ResidentGraph<Object, Double> graph, Start from, int iterations, RunOptions options) {
      return ConnectedComponents.runProgram(graph, Integer.MAX_VALUE, options);
    }
  },
  /** Shortest paths from the source over weights in doubles. */
  SSSP(Workload.SSSP) {
    @Override
    VertexResult<?> run(
        ResidentGraph<Object, Double> graph, Start from, int iterations, RunOptions options) {
      return Sssp.run(graph, from.source(), options);
    }
  },
  /** Searches from several vertices at once; a vertex has three numbers while it runs. */
  MSBFS(null) {
    @Override
    VertexResult<?> run(
        ResidentGraph<Object, Double> graph, Start from, int iterations, RunOptions options) {
      return MultiSourceBfs.run(graph, from.several(), options);
    }
  },
  /** Hops to each of several vertices, vectors. */
  LANDMARKS(null) {
    @Override
    VertexResult<?> run(
        ResidentGraph<Object, Double> graph, Start from, int iterations, RunOptions options) {
      return ShortestPaths.run(graph, from.several(), options);
    }
  };

  /**
   * Where searches start.
   *
   * @param source of those from one vertex, an id
   * @param several ids of different vertices, the source is the first of them
   */
  record Start(long source, long[] several) {}

  /** Vertices from which several searches start. */
  static final int SEVERAL = 8;

  private final Workload reference;

  ClusterWorkload(Workload reference) {
    this.reference = reference;
  }

  /** Its name as an option and in the report. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whose sequential result it is compared with; empty: with {@link ReferenceHops}. */
  Optional<Workload> reference() {
    return Optional.ofNullable(reference);
  }

  /** Runs it. */
  abstract VertexResult<?> run(
      ResidentGraph<Object, Double> graph, Start from, int iterations, RunOptions options);

  /** Takes a result's values, in the order of dense ids. */
  Values values(VertexResult<?> result, VertexIds ids) {
    int size = Math.toIntExact(ids.size());
    Values values = new Values(this, size);
    BitSet seen = new BitSet(size);
    // A partition at a time, so that the driver holds little.
    for (Iterator<VertexBlock> it = result.blocks().toLocalIterator(); it.hasNext(); ) {
      VertexBlock block = it.next();
      for (int i = 0; i < block.size(); i++) {
        long id = block.ids()[i];
        int dense = (int) ids.dense(id);
        if (dense < 0 || seen.get(dense)) {
          values.missing =
              "vertex " + id + (dense < 0 ? " is not one of the graph" : " is there twice");
          return values;
        }
        seen.set(dense);
        values.set(dense, block.values(), block.slot(i));
      }
    }
    if (seen.cardinality() < size) {
      values.missing = "vertex " + ids.original(seen.nextClearBit(0)) + " has no value";
    }
    return values;
  }

  /**
   * Compares a result, vertex by vertex, with a sequential algorithm's.
   *
   * @param found of {@link Values}
   * @param expected of the same graph
   * @param hops likewise
   * @return null when they agree, otherwise what differs
   */
  String difference(Columns found, ReferenceResults expected, ReferenceHops hops) {
    if (this == MSBFS) {
      return hops.reachedDifference(found.longs(0), found.longs(1));
    }
    if (this == LANDMARKS) {
      return hops.landmarkDifference(found);
    }
    if (this == PAGERANK) {
      // The library's ranks add up to the number of vertices, the reference's do not.
      double[] ranks = found.doubles(0);
      scale(ranks, expected.rankSum() / ranks.length);
    }
    if (this == CONVERGING) {
      // Likewise; a vertex that nobody points at, as some are, has the least rank.
      double[] ranks = found.doubles(0);
      double least = Arrays.stream(ranks).min().orElse(Double.POSITIVE_INFINITY);
      scale(ranks, PageRank.RESET_PROBABILITY / least);
    }
    return expected.difference(reference, found);
  }

  private static void scale(double[] ranks, double by) {
    for (int v = 0; v < ranks.length; v++) {
      ranks[v] *= by;
    }
  }

  /** Values in the form that is compared. */
  static final class Values {
    private final Columns columns;
    private final ClusterWorkload workload;
    private String missing;

    private Values(ClusterWorkload workload, int size) {
      this.workload = workload;
      List<Kind> kinds =
          switch (workload) {
            case PAGERANK, CONVERGING -> List.of(Kind.DOUBLE);
            case BFS, SSSP -> List.of(Kind.INT);
            case CC -> List.of(Kind.LONG);
            case MSBFS -> List.of(Kind.LONG, Kind.LONG);
            case LANDMARKS -> Collections.nCopies(SEVERAL, Kind.INT);
          };
      columns = Columns.allocate(kinds, size);
    }

    /** Why these are not the graph's vertices; null: they are. */
    String missing() {
      return missing;
    }

    private void set(int dense, Object block, int slot) {
      switch (workload) {
        case PAGERANK, CONVERGING -> columns.doubles(0)[dense] = ((double[]) block)[slot];
        case BFS -> {
          int level = ((int[]) block)[slot];
          columns.ints(0)[dense] = level < 0 ? Workload.UNREACHED : level;
        }
        case CC -> columns.longs(0)[dense] = ((long[]) block)[slot];
        case SSSP -> {
          double distance = ((double[]) block)[slot];
          columns.ints(0)[dense] =
              distance == Double.POSITIVE_INFINITY ? Workload.UNREACHED : whole(distance);
        }
        case MSBFS -> {
          MultiSourceBfs.Reached reached = (MultiSourceBfs.Reached) Array.get(block, slot);
          columns.longs(0)[dense] = reached.sources();
          columns.longs(1)[dense] = reached.distances();
        }
        case LANDMARKS -> {
          int[] hops = (int[]) Array.get(block, slot);
          for (int i = 0; i < SEVERAL; i++) {
            columns.ints(i)[dense] = hops[i];
          }
        }
      }
    }

    /** Distances are sums of whole weights; what is not whole cannot equal any. */
    private static int whole(double distance) {
      int whole = (int) distance;
      return whole == distance ? whole : Integer.MIN_VALUE;
    }

    Columns columns() {
      return columns;
    }
  }
}
