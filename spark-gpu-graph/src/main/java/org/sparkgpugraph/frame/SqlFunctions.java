package org.sparkgpugraph.frame;

import static org.sparkgpugraph.frame.sql.ArgumentKind.BOOLEAN;
import static org.sparkgpugraph.frame.sql.ArgumentKind.COLUMN;
import static org.sparkgpugraph.frame.sql.ArgumentKind.DOUBLE;
import static org.sparkgpugraph.frame.sql.ArgumentKind.ID;
import static org.sparkgpugraph.frame.sql.ArgumentKind.IDS;
import static org.sparkgpugraph.frame.sql.ArgumentKind.INT;
import static org.sparkgpugraph.frame.sql.ArgumentKind.LONG;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.frame.algorithm.Betweenness;
import org.sparkgpugraph.frame.algorithm.Distances;
import org.sparkgpugraph.frame.algorithm.FrameAlgorithm;
import org.sparkgpugraph.frame.algorithm.GraphColouring;
import org.sparkgpugraph.frame.algorithm.Hits;
import org.sparkgpugraph.frame.algorithm.Hops;
import org.sparkgpugraph.frame.algorithm.IndependentSet;
import org.sparkgpugraph.frame.algorithm.KCore;
import org.sparkgpugraph.frame.algorithm.Katz;
import org.sparkgpugraph.frame.algorithm.LabelPropagation;
import org.sparkgpugraph.frame.algorithm.Louvain;
import org.sparkgpugraph.frame.algorithm.MaximalMatching;
import org.sparkgpugraph.frame.algorithm.MinimumSpanningForest;
import org.sparkgpugraph.frame.algorithm.MultiSourceBfs;
import org.sparkgpugraph.frame.algorithm.PageRank;
import org.sparkgpugraph.frame.algorithm.ParallelPersonalizedPageRank;
import org.sparkgpugraph.frame.algorithm.ShortestPaths;
import org.sparkgpugraph.frame.algorithm.StronglyConnectedComponents;
import org.sparkgpugraph.frame.algorithm.SvdPlusPlus;
import org.sparkgpugraph.frame.algorithm.WidestPaths;
import org.sparkgpugraph.frame.sql.SqlFunction;

/** The functions of SQL: one for each algorithm of {@link PropertyGraph}. */
final class SqlFunctions {
  private static final String ITERATIONS = "how many iterations, at least 1";
  private static final String SEED = "another one gives another result; 1 unless it is given";

  static final List<SqlFunction<?>> ALL =
      List.of(
          of(
              "connected_components",
              PropertyGraph::connectedComponents,
              "Vertices that are connected have one component, a bigint."),
          of(
                  "strongly_connected_components",
                  PropertyGraph::stronglyConnectedComponents,
                  "Vertices that reach each other have one component, a bigint.")
              .option(
                  "max_iter",
                  INT,
                  StronglyConnectedComponents::maxIter,
                  "most rounds; without it until all components are found"),
          of("page_rank", PropertyGraph::pageRank, "PageRank of the vertices: pagerank, a double.")
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
          of(
                  "label_propagation",
                  PropertyGraph::labelPropagation,
                  "Vertices of a community have one label, a bigint.")
              .required("max_iter", INT, LabelPropagation::maxIter, ITERATIONS),
          of(
                  "louvain",
                  PropertyGraph::louvain,
                  "Communities by modularity: community, a bigint that their members have in common.")
              .option(
                  "resolution", DOUBLE, Louvain::resolution, "above 0; larger: smaller communities")
              .option("max_levels", INT, Louvain::maxLevels, "most levels, at least 1")
              .option("refine", BOOLEAN, Louvain::refine, "whether each community is connected")
              .option("weight", COLUMN, Louvain::weight, "of the edges; without it each counts 1"),
          of(
                  "shortest_paths",
                  PropertyGraph::shortestPaths,
                  "Hops to landmarks: distances, a map from those that can be reached to integers.")
              .required("landmarks", IDS, ShortestPaths::landmarks, "to which paths lead"),
          of(
                  "hops",
                  PropertyGraph::hops,
                  "Edges on a shortest path from a source: hops, an integer, null where there is none.")
              .required("source", ID, Hops::source, "where paths begin"),
          of(
                  "distances",
                  PropertyGraph::distances,
                  "Lengths of shortest paths from a source: distance, a double, null where there is"
                      + " none.")
              .required("source", ID, Distances::source, "where paths begin")
              .required("weight", COLUMN, Distances::weight, "of the edges: their lengths"),
          of(
              "triangle_count",
              PropertyGraph::triangleCount,
              "Triangles that a vertex is in: count, a bigint."),
          of(
              "clustering_coefficient",
              PropertyGraph::clusteringCoefficient,
              "How many of a vertex's neighbours are neighbours: coefficient, a double."),
          of("hits", PropertyGraph::hits, "Hubs and authorities: hub and authority, doubles.")
              .required("max_iter", INT, Hits::maxIter, ITERATIONS),
          of(
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
          of(
              "coreness",
              PropertyGraph::coreness,
              "The largest k whose k-core a vertex is in: coreness, an integer."),
          of("katz", PropertyGraph::katz, "Katz centrality: katz, a double.")
              .required("alpha", DOUBLE, Katz::alpha, "less than one over the largest in-degree")
              .option("beta", DOUBLE, Katz::beta, "what each has for itself; 1 unless it is given")
              .option("tol", DOUBLE, Katz::tol, "ends when nothing changes by more; 1e-6")
              .option("max_iter", INT, Katz::maxIter, "most iterations; 100"),
          of(
                  "k_core",
                  PropertyGraph::kCore,
                  "The k-core: coreDegree, an integer, a vertex's edges to members, 0 if it is none.")
              .required("k", INT, KCore::k, "the least number of edges between members"),
          of(
                  "widest_paths",
                  PropertyGraph::widestPaths,
                  "Widest paths from a source: width, a double, null where there is none.")
              .required("source", ID, WidestPaths::source, "where paths begin")
              .required("weight", COLUMN, WidestPaths::weight, "of the edges: their widths"),
          of(
                  "multi_source_bfs",
                  PropertyGraph::multiSourceBfs,
                  "How many sources reach a vertex: reachedBy, an integer, and totalHops, a bigint,"
                      + " from all of these.")
              .required("sources", IDS, MultiSourceBfs::sources, "1 to 64, where paths begin"),
          of(
                  "parallel_personalized_page_rank",
                  PropertyGraph::parallelPersonalizedPageRank,
                  "PageRank for each of several sources: pageranks, an array of doubles.")
              .required(
                  "source_ids",
                  IDS,
                  ParallelPersonalizedPageRank::sourceIds,
                  "where all random jumps of a rank go")
              .required("max_iter", INT, ParallelPersonalizedPageRank::maxIter, ITERATIONS)
              .option(
                  "reset_probability",
                  DOUBLE,
                  ParallelPersonalizedPageRank::resetProbability,
                  "of a random jump; 0.15 unless it is given"),
          of(
                  "svd_plus_plus",
                  PropertyGraph::svdPlusPlus,
                  "SVD++ of ratings: column1 and column2, arrays of doubles, column3 and column4,"
                      + " doubles: of a user p, U, bias and norm, of an item q, y, bias and error.")
              .required("weight", COLUMN, SvdPlusPlus::weight, "of the edges: the ratings")
              .option("rank", INT, SvdPlusPlus::rank, "length of the vectors, 1 to 64; 10")
              .option("max_iter", INT, SvdPlusPlus::maxIter, ITERATIONS + "; 2")
              .option("min_value", DOUBLE, SvdPlusPlus::minValue, "the least rating; 0")
              .option("max_value", DOUBLE, SvdPlusPlus::maxValue, "the largest rating; 5")
              .option("gamma1", DOUBLE, SvdPlusPlus::gamma1, "learning rate of biases; 0.007")
              .option("gamma2", DOUBLE, SvdPlusPlus::gamma2, "learning rate of vectors; 0.007")
              .option("gamma6", DOUBLE, SvdPlusPlus::gamma6, "regularisation of biases; 0.005")
              .option("gamma7", DOUBLE, SvdPlusPlus::gamma7, "regularisation of vectors; 0.015")
              .option("seed", LONG, SvdPlusPlus::seed, SEED),
          of(
                  "independent_set",
                  PropertyGraph::independentSet,
                  "A maximal set of vertices without edges between them: member, a boolean.")
              .option("seed", LONG, IndependentSet::seed, SEED),
          of(
                  "maximal_matching",
                  PropertyGraph::maximalMatching,
                  "A maximal set of edges that do not touch: partner, the id of the other end of a"
                      + " vertex's edge, null where it has none.")
              .option("seed", LONG, MaximalMatching::seed, SEED),
          of(
                  "graph_colouring",
                  PropertyGraph::graphColouring,
                  "Neighbours have different colours: colour, an integer from 0.")
              .option("seed", LONG, GraphColouring::seed, SEED),
          of(
                  "minimum_spanning_forest",
                  PropertyGraph::minimumSpanningForest,
                  "The lightest edges that connect what is connected: component, a bigint, parent,"
                      + " the id of the next vertex on the way to the root, and weight, a double, of"
                      + " the edge to it, both null at a root.")
              .required(
                  "weight",
                  COLUMN,
                  MinimumSpanningForest::weight,
                  "of the edges: finite numbers, also negative ones"));

  private SqlFunctions() {}

  private static <A extends FrameAlgorithm> SqlFunction<A> of(
      String name, Function<PropertyGraph, A> algorithm, String usage) {
    return new SqlFunction<>(
        name,
        new SqlFunction.Algorithm<>() {
          @Override
          public A on(Dataset<Row> vertices, Dataset<Row> edges, String missing) {
            return algorithm.apply(
                vertices == null
                    ? PropertyGraph.ofEdges(edges)
                    : PropertyGraph.of(vertices, edges)
                        .missing(Missing.valueOf(missing.toUpperCase(Locale.ROOT))));
          }

          @Override
          public StructType resultColumns(A on) {
            return on.resultColumns();
          }

          @Override
          public Dataset<Row> run(A on) {
            return on.run();
          }
        },
        usage);
  }
}
