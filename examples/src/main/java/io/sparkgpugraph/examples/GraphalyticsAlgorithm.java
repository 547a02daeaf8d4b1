package io.sparkgpugraph.examples;

import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.io.VertexWriter;
import io.sparkgpugraph.lib.Graphalytics;
import io.sparkgpugraph.program.Kind;

/** The LDBC Graphalytics benchmark's algorithms, written as its validator reads them. */
abstract class GraphalyticsAlgorithm extends Algorithm {
  private GraphalyticsAlgorithm(String name, String valueName, Kind kind) {
    super(name, valueName, kind);
  }

  @Override
  final boolean hasStock() {
    return false;
  }

  @Override
  final VertexWriter.Format format() {
    return VertexWriter.Format.GRAPHALYTICS;
  }

  private static void refuseIterations(Algorithm algorithm, Settings settings) {
    if (settings.iterations() != null) {
      throw new UsageException(algorithm.name() + " runs to its end: leave --iterations out");
    }
  }

  /** Depths over out-edges. */
  static final class Bfs extends GraphalyticsAlgorithm {
    Bfs() {
      super("graphalytics-bfs", "depth", Kind.LONG);
    }

    @Override
    boolean needsSource() {
      return true;
    }

    @Override
    void checkMore(Settings settings) {
      refuseIterations(this, settings);
    }

    @Override
    VertexResult<?> run(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.bfs(graph, settings.source(), options);
    }

    @Override
    String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.explainBfs(graph, settings.source(), options);
    }
  }

  /** PageRank that spreads the ranks of sinks. */
  static final class PageRank extends GraphalyticsAlgorithm {
    PageRank() {
      super("graphalytics-pr", "rank", Kind.DOUBLE);
    }

    @Override
    boolean takesDamping() {
      return true;
    }

    @Override
    VertexResult<?> run(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.pageRank(graph, iterations(settings), damping(settings), options);
    }

    @Override
    String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.explainPageRank(graph, iterations(settings), damping(settings), options);
    }

    private static int iterations(Settings settings) {
      return settings.iterationsOr(PageRankAlgorithm.DEFAULT_ITERATIONS);
    }

    private static double damping(Settings settings) {
      return settings.dampingOr(Graphalytics.DAMPING);
    }
  }

  /** Weakly connected components. */
  static final class Wcc extends GraphalyticsAlgorithm {
    Wcc() {
      super("graphalytics-wcc", "component", Kind.LONG);
    }

    @Override
    void checkMore(Settings settings) {
      refuseIterations(this, settings);
    }

    @Override
    VertexResult<?> run(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.wcc(graph, options);
    }

    @Override
    String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.explainWcc(graph, options);
    }
  }

  /** Communities by label propagation. */
  static final class Cdlp extends GraphalyticsAlgorithm {
    Cdlp() {
      super("graphalytics-cdlp", "label", Kind.LONG);
    }

    @Override
    VertexResult<?> run(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.cdlp(graph, iterations(settings), options);
    }

    @Override
    String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.explainCdlp(graph, iterations(settings), options);
    }

    private static int iterations(Settings settings) {
      return settings.iterationsOr(LibraryAlgorithm.LABEL_STEPS);
    }
  }

  /** Lengths of shortest paths; the edges' weights are read with --weighted. */
  static final class Sssp extends GraphalyticsAlgorithm {
    Sssp() {
      super("graphalytics-sssp", "distance", Kind.DOUBLE);
    }

    @Override
    boolean needsSource() {
      return true;
    }

    @Override
    boolean readsWeights() {
      return true;
    }

    @Override
    void checkMore(Settings settings) {
      refuseIterations(this, settings);
    }

    @Override
    VertexResult<?> run(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.sssp(graph, settings.source(), options);
    }

    @Override
    String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.explainSssp(graph, settings.source(), options);
    }
  }

  /** Local clustering coefficients. */
  static final class Lcc extends GraphalyticsAlgorithm {
    Lcc() {
      super("graphalytics-lcc", "coefficient", Kind.DOUBLE);
    }

    @Override
    void checkMore(Settings settings) {
      refuseIterations(this, settings);
    }

    @Override
    VertexResult<?> run(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.lcc(graph, options);
    }

    @Override
    String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
      return Graphalytics.explainLcc(graph, options);
    }
  }
}
