package org.sparkgpugraph.examples.algorithms;

import java.util.List;
import java.util.Set;
import org.sparkgpugraph.examples.algorithms.Algorithm.Takes;
import org.sparkgpugraph.files.VertexWriter;
import org.sparkgpugraph.lib.Graphalytics;
import org.sparkgpugraph.program.ir.Kind;

/** The LDBC Graphalytics benchmark's algorithms, written as its validator reads them. */
final class GraphalyticsAlgorithms {
  private GraphalyticsAlgorithms() {}

  /** All of them, in the order of the help. */
  static List<Algorithm> all() {
    return List.of(
        of(
            "graphalytics-bfs",
            "depth",
            Kind.LONG,
            Set.of(Takes.SOURCE),
            Merit.depths(Long.MAX_VALUE),
            (graph, s, options) -> Graphalytics.bfs(graph, s.source(), options),
            (graph, s, options) -> Graphalytics.explainBfs(graph, s.source(), options)),
        of(
            "graphalytics-pr",
            "rank",
            Kind.DOUBLE,
            Set.of(Takes.ITERATIONS, Takes.DAMPING),
            Merit.ranks(),
            (graph, s, options) -> Graphalytics.pageRank(graph, iterations(s), damping(s), options),
            (graph, s, options) ->
                Graphalytics.explainPageRank(graph, iterations(s), damping(s), options)),
        of(
            "graphalytics-wcc",
            "component",
            Kind.LONG,
            Set.of(),
            Merit.components(),
            (graph, s, options) -> Graphalytics.wcc(graph, options),
            (graph, s, options) -> Graphalytics.explainWcc(graph, options)),
        of(
            "graphalytics-cdlp",
            "label",
            Kind.LONG,
            Set.of(Takes.ITERATIONS),
            Merit.communities(),
            (graph, s, options) ->
                Graphalytics.cdlp(graph, s.iterationsOr(LibraryAlgorithms.LABEL_STEPS), options),
            (graph, s, options) ->
                Graphalytics.explainCdlp(
                    graph, s.iterationsOr(LibraryAlgorithms.LABEL_STEPS), options)),
        of(
            "graphalytics-sssp",
            "distance",
            Kind.DOUBLE,
            Set.of(Takes.SOURCE, Takes.WEIGHTS),
            Merit.lengths(),
            (graph, s, options) -> Graphalytics.sssp(graph, s.source(), options),
            (graph, s, options) -> Graphalytics.explainSssp(graph, s.source(), options)),
        of(
            "graphalytics-lcc",
            "coefficient",
            Kind.DOUBLE,
            Set.of(),
            Merit.mean("mean coefficient"),
            (graph, s, options) -> Graphalytics.lcc(graph, options),
            (graph, s, options) -> Graphalytics.explainLcc(graph, options)));
  }

  private static int iterations(Settings settings) {
    return settings.iterationsOr(PageRankAlgorithm.DEFAULT_ITERATIONS);
  }

  private static double damping(Settings settings) {
    return settings.dampingOr(Graphalytics.DAMPING);
  }

  private static Algorithm of(
      String name,
      String valueName,
      Kind kind,
      Set<Takes> takes,
      Merit merit,
      LibraryAlgorithm.Run run,
      LibraryAlgorithm.Explain explain) {
    return new LibraryAlgorithm(name, valueName, kind, takes, merit, run, explain) {
      @Override
      public VertexWriter.Format format() {
        return VertexWriter.Format.GRAPHALYTICS;
      }
    };
  }
}
