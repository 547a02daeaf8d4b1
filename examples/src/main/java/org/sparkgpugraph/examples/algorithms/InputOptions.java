package org.sparkgpugraph.examples.algorithms;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.sparkgpugraph.examples.algorithms.Algorithm.Takes;
import org.sparkgpugraph.examples.command.Choice;
import org.sparkgpugraph.examples.command.UsageException;
import org.sparkgpugraph.files.EdgeLoader;
import org.sparkgpugraph.files.VertexLoader;
import org.sparkgpugraph.files.generate.GeneratedGraph;
import org.sparkgpugraph.files.generate.LatticeGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.EdgeTextFormat;
import org.sparkgpugraph.files.input.MatrixMarketFiles;
import org.sparkgpugraph.files.input.Printable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import picocli.CommandLine.Option;

/** Which graph a job works on. */
public final class InputOptions {
  /** File formats. */
  enum Format {
    EDGELIST,
    CSV,
    PARQUET,
    MTX
  }

  static final class FormatChoice extends Choice<Format> {
    FormatChoice() {
      super(Format.class, "an input format");
    }
  }

  @Option(
      names = "--input",
      paramLabel = "PATH",
      description =
          "Read the graph from a file, directory or glob of any file system that Hadoop knows.")
  String input;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      converter = FormatChoice.class,
      description =
          "edgelist: lines 'source destination [weight]', # and %% begin comments (default);"
              + " csv: with or without header; parquet; mtx: Matrix Market, coordinate (an edge list"
              + " whose first file begins with %%%%MatrixMarket is read as such).")
  Format format;

  @Option(
      names = "--columns",
      paramLabel = "SRC,DST[,WEIGHT]",
      description =
          "Columns of CSV (names or positions from 1) and Parquet (names)."
              + " Default: src,dst,weight, in CSV else the first three.")
  String columns;

  @Option(
      names = "--delimiter",
      paramLabel = "C",
      description = "Character between CSV columns; default a comma.")
  Character delimiter;

  @Option(
      names = "--weighted",
      description =
          "Read weights: the third column of an edge list or matrix, else the column 'weight'. sssp and"
              + " graphalytics-sssp (lengths), sswp (widths), hs and cs (conductances), nn,"
              + " weighted-pagerank, louvain, minimum-spanning-forest, soft-labels; svd-plus-plus, als"
              + " (ratings); several of each edge, in the columns behind: multi-modal (--alpha),"
              + " manifold-ranking (--k), belief-propagation (--k times --k).")
  private boolean weighted;

  @Option(
      names = "--undirected",
      description = "Treat every edge as two, one in each direction (a self-loop too).")
  boolean undirected;

  @Option(
      names = "--directed",
      paramLabel = "true|false",
      arity = "1",
      description = "--directed false is --undirected; true is the default.")
  Boolean directed;

  @Option(
      names = "--vertices",
      paramLabel = "PATH",
      description =
          "Read vertices too, one id a line, so that isolated ones are there: a file, directory or"
              + " glob.")
  String vertices;

  @Option(
      names = "--rmat",
      paramLabel = "SCALE",
      description =
          "Instead of --input: generate an R-MAT graph with 2^SCALE ids; its vertices are the ids"
              + " that occur in edges.")
  Integer rmat;

  @Option(
      names = "--edge-factor",
      paramLabel = "N",
      description = "Edges per id of --rmat; default 16.")
  Integer edgeFactor;

  @Option(
      names = "--lattice",
      paramLabel = "N",
      description = "Instead of --input: generate a lattice of N x N vertices, 4 neighbours each.")
  Integer lattice;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Seed of --rmat, of the weights, and of algorithms that draw: maximal-independent-set,"
              + " maximal-matching, graph-colouring, betweenness, svd-plus-plus, als; default 1.")
  private Long seed;

  /** What {@code --seed} says; null: nothing. */
  public Long seed() {
    return seed;
  }

  /** Whether weights are read. */
  public boolean isWeighted() {
    return weighted;
  }

  /** Reads weights, or leaves them alone, whatever the command line says. */
  public void setWeighted(boolean read) {
    weighted = read;
  }

  /** Whether the graph is a generated lattice. */
  public boolean isLattice() {
    return lattice != null;
  }

  /** Refuses several weights of each edge where there is only one. */
  public void checkArrays() {
    if (input == null || format == Format.PARQUET || format == Format.MTX) {
      throw new UsageException(
          "several weights of each edge are read of edge lists and CSV alone: use --input with"
              + " --format edgelist or csv");
    }
  }

  /** Refuses combinations that make no sense. */
  public void check(Algorithm algorithm) {
    if (weighted && !algorithm.readsWeights()) {
      throw new UsageException(algorithm.name() + " does not use weights: leave --weighted out");
    }
    if (!weighted && algorithm.takes(Takes.RATINGS)) {
      throw new UsageException(
          algorithm.name() + " learns from ratings, the weights of the edges: add --weighted");
    }
    int inputs = (input == null ? 0 : 1) + (rmat == null ? 0 : 1) + (lattice == null ? 0 : 1);
    if (inputs != 1) {
      throw new UsageException(
          (inputs == 0 ? "no graph is given" : "more than one graph is given")
              + ": use one of --input PATH, --rmat SCALE and --lattice N");
    }
    if (undirected && Boolean.TRUE.equals(directed)) {
      throw new UsageException("--undirected contradicts --directed true: use one of them");
    }
    undirected |= Boolean.FALSE.equals(directed);
    refuse(format != null && input == null, "--format", "--input");
    refuse(columns != null && input == null, "--columns", "--input");
    refuse(delimiter != null && format != Format.CSV, "--delimiter", "--format csv");
    refuse(edgeFactor != null && rmat == null, "--edge-factor", "--rmat");
    refuse(
        seed != null && input != null && !algorithm.takes(Takes.SEED),
        "--seed",
        "--rmat and --lattice");
    if (columns != null) {
      if (format != Format.CSV && format != Format.PARQUET) {
        throw new UsageException("--columns needs --format csv or --format parquet");
      }
      int parts = columns.split(",", -1).length;
      if (parts != 2 && parts != 3 || columns.matches("(^|.*,)\\s*(,.*|$)")) {
        throw new UsageException("--columns is SRC,DST or SRC,DST,WEIGHT, not '" + columns + "'");
      }
      List<String> names = Stream.of(columns.split(",")).map(String::strip).toList();
      for (int i = 1; i < names.size(); i++) {
        if (names.subList(0, i).stream().anyMatch(names.get(i)::equalsIgnoreCase)) {
          throw new UsageException(
              "--columns names '" + names.get(i) + "' twice: each is a column of its own");
        }
      }
      if (parts == 3 && !weighted) {
        throw new UsageException("--columns names a weight column: add --weighted to read it");
      }
    }
    try {
      generated();
    } catch (BadInputException e) {
      throw new UsageException(e.getMessage());
    }
  }

  private static void refuse(boolean given, String option, String needed) {
    if (given) {
      throw new UsageException(option + " only goes with " + needed);
    }
  }

  /** The generator; null for files. */
  private GeneratedGraph generated() {
    long seedOrDefault = seed == null ? 1 : seed;
    if (rmat != null) {
      return new RmatGraph(rmat, edgeFactor == null ? 16 : edgeFactor, seedOrDefault);
    }
    return lattice == null ? null : new LatticeGraph(lattice, lattice, seedOrDefault);
  }

  /**
   * The edges; nothing is read or generated yet, but files are looked for.
   *
   * @param tasks number of tasks that generate them, and about that many that read them
   */
  public JavaRDD<EdgeBlock> edges(SparkSession spark, int tasks) {
    return edges(spark, tasks, 0);
  }

  /**
   * As above.
   *
   * @param length of the array of weights of each edge; 0: it has one weight, or none
   */
  public JavaRDD<EdgeBlock> edges(SparkSession spark, int tasks, int length) {
    JavaSparkContext sc = JavaSparkContext.fromSparkContext(spark.sparkContext());
    GeneratedGraph generated = generated();
    if (generated != null) {
      return generated.edges(sc, tasks, weighted, undirected);
    }
    String[] names = columns == null ? new String[0] : columns.split(",");
    String source = names.length > 0 ? names[0].strip() : null;
    String destination = names.length > 1 ? names[1].strip() : null;
    String weight = names.length > 2 ? names[2].strip() : null;
    if (format == Format.PARQUET) {
      String weightOrNone = weight == null ? EdgeTextFormat.DEFAULT_WEIGHT : weight;
      return EdgeLoader.parquet(
          spark, input, source, destination, weighted ? weightOrNone : null, undirected);
    }
    EdgeTextFormat text =
        format == Format.CSV
            ? EdgeTextFormat.csv()
                .withDelimiter(delimiter == null ? ',' : delimiter)
                .withColumns(source, destination, weight)
            : lines();
    EdgeTextFormat read =
        weighted && length > 0 ? text.withWeights(length) : text.withWeights(weighted);
    return EdgeLoader.text(sc, input, read.withBothDirections(undirected), tasks);
  }

  private EdgeTextFormat lines() {
    return format == Format.MTX ? EdgeTextFormat.matrixMarket() : EdgeTextFormat.edgeList();
  }

  /**
   * The vertices that are given beside the edges, by --vertices or by a matrix's size; null: none.
   *
   * @param tasks about that many read them
   * @throws BadInputException when --vertices names files without any
   */
  public JavaRDD<VertexBlock> vertices(SparkSession spark, int tasks) {
    JavaSparkContext sc = JavaSparkContext.fromSparkContext(spark.sparkContext());
    JavaRDD<VertexBlock> listed = null;
    if (vertices != null) {
      listed = VertexLoader.text(sc, vertices, tasks);
      if (listed.isEmpty()) {
        throw new BadInputException(
            "there are no vertices in " + vertices + ": it has only blank lines and comments");
      }
    }
    boolean maybeMatrix = input != null && format != Format.CSV && format != Format.PARQUET;
    Optional<MatrixMarketFiles> matrices =
        maybeMatrix
            ? MatrixMarketFiles.of(sc, input, lines().withWeights(weighted))
            : Optional.empty();
    if (matrices.isEmpty() || matrices.get().vertices() == 0) {
      return listed;
    }
    JavaRDD<VertexBlock> indexes = matrices.get().vertices(sc, tasks);
    return listed == null ? indexes : indexes.union(listed);
  }

  /**
   * Refuses a graph from files that hold none: a wrong path looks like that, or a header alone.
   *
   * @param vertexCount of the graph
   */
  public void requireGraph(long vertexCount) {
    if (input != null && vertexCount == 0) {
      throw new BadInputException(
          "there are no edges in "
              + input
              + ": its files have only blank lines, comments or headers (names that begin with _ or"
              + " . are left out); check the path, or list vertices with --vertices");
    }
  }

  /** What the graph is, for messages. */
  public String describe() {
    String what = input == null ? generated().toString() : input;
    return Printable.of(
        what + (vertices == null ? "" : " and " + vertices) + (undirected ? ", undirected" : ""));
  }
}
