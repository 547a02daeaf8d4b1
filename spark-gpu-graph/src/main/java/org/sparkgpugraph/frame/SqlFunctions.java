package org.sparkgpugraph.frame;

import static org.sparkgpugraph.frame.sql.ArgumentKind.BOOLEAN;
import static org.sparkgpugraph.frame.sql.ArgumentKind.COLUMN;
import static org.sparkgpugraph.frame.sql.ArgumentKind.DOUBLE;
import static org.sparkgpugraph.frame.sql.ArgumentKind.ID;
import static org.sparkgpugraph.frame.sql.ArgumentKind.IDS;
import static org.sparkgpugraph.frame.sql.ArgumentKind.INT;
import static org.sparkgpugraph.frame.sql.ArgumentKind.LONG;

import java.util.List;

/** The functions of SQL: one for each algorithm of {@link PropertyGraph}. */
final class SqlFunctions {
  private static final String ITERATIONS = "how many iterations, at least 1";
  private static final String SEED = "another one gives another result; 1 unless it is given";

  static final List<SqlFunction<?>> ALL =
      List.of(
          new SqlFunction<>(
              "connected_components",
              PropertyGraph::connectedComponents,
              "Vertices that are connected have one component, a bigint."),
          new SqlFunction<>(
                  "strongly_connected_components",
                  PropertyGraph::stronglyConnectedComponents,
                  "Vertices that reach each other have one component, a bigint.")
              .option(
                  "max_iter",
                  INT,
                  StronglyConnectedComponents::maxIter,
                  "most rounds; without it until all components are found"),
          new SqlFunction<>(
                  "page_rank",
                  PropertyGraph::pageRank,
                  "PageRank of the vertices: pagerank, a double.")
              .option("max_iter", INT, PageRank::maxIter, ITERATIONS + "; it or tol must be given")
              .option("tol", DOUBLE, PageRank::tol, "ends when no rank changes by more")
              .option("tolerance", DOUBLE, PageRank::tol, "the same as tol")
              .option(
                  "reset_probability",
                  DOUBLE,
                  PageRank::resetProbability,
                  "of a random jump; 0.15 unless it is given")
              .option("source_id", ID, PageRank::sourceId, "where all random jumps go")
              .option(
                  "weight",
                  COLUMN,
                  PageRank::weight,
                  "of the edges, by which a rank is divided among them; takes max_iter"),
          new SqlFunction<>(
                  "label_propagation",
                  PropertyGraph::labelPropagation,
                  "Vertices of a community have one label, a bigint.")
              .required("max_iter", INT, LabelPropagation::maxIter, ITERATIONS),
          new SqlFunction<>(
                  "louvain",
                  PropertyGraph::louvain,
                  "Communities by modularity: community, a bigint that their members have in common.")
              .option(
                  "resolution", DOUBLE, Louvain::resolution, "above 0; larger: smaller communities")
              .option("max_levels", INT, Louvain::maxLevels, "most levels, at least 1")
              .option("refine", BOOLEAN, Louvain::refine, "whether each community is connected")
              .option("weight", COLUMN, Louvain::weight, "of the edges; without it each counts 1"),
          new SqlFunction<>(
                  "shortest_paths",
                  PropertyGraph::shortestPaths,
                  "Hops to landmarks: distances, a map from those that can be reached to integers.")
              .required("landmarks", IDS, ShortestPaths::landmarks, "to which paths lead"),
          new SqlFunction<>(
                  "hops",
                  PropertyGraph::hops,
                  "Edges on a shortest path from a source: hops, an integer, null where there is none.")
              .required("source", ID, Hops::source, "where paths begin"),
          new SqlFunction<>(
                  "distances",
                  PropertyGraph::distances,
                  "Lengths of shortest paths from a source: distance, a double, null where there is"
                      + " none.")
              .required("source", ID, Distances::source, "where paths begin")
              .required("weight", COLUMN, Distances::weight, "of the edges: their lengths"),
          new SqlFunction<>(
              "triangle_count",
              PropertyGraph::triangleCount,
              "Triangles that a vertex is in: count, a bigint."),
          new SqlFunction<>(
              "clustering_coefficient",
              PropertyGraph::clusteringCoefficient,
              "How many of a vertex's neighbours are neighbours: coefficient, a double."),
          new SqlFunction<>(
                  "hits", PropertyGraph::hits, "Hubs and authorities: hub and authority, doubles.")
              .required("max_iter", INT, Hits::maxIter, ITERATIONS),
          new SqlFunction<>(
                  "betweenness",
                  PropertyGraph::betweenness,
                  "On how many shortest paths a vertex is: betweenness, a double.")
              .option(
                  "sources",
                  IDS,
                  (algorithm, ids) -> algorithm.sources(ids.toArray()),
                  "where paths begin; they or samples must be given")
              .option("samples", INT, Betweenness::samples, "how many sources are drawn by chance")
              .option("seed", LONG, Betweenness::seed, SEED),
          new SqlFunction<>(
              "coreness",
              PropertyGraph::coreness,
              "The largest k whose k-core a vertex is in: coreness, an integer."),
          new SqlFunction<>(
                  "independent_set",
                  PropertyGraph::independentSet,
                  "A maximal set of vertices without edges between them: member, a boolean.")
              .option("seed", LONG, IndependentSet::seed, SEED));

  private SqlFunctions() {}
}
