package org.sparkgpugraph.examples.algorithms;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.examples.command.Choice;
import org.sparkgpugraph.examples.command.UsageException;
import org.sparkgpugraph.files.VertexWriter;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

/**
 * An algorithm of the library as the command line offers it: on a resident graph, on a GraphX
 * graph, and as stock GraphX computes it.
 */
public abstract class Algorithm {
  /** All of them, in the order of the help. */
  public static final List<Algorithm> ALL =
      Stream.of(
              List.of(
                  new PageRankAlgorithm(),
                  new ConnectedComponentsAlgorithm(),
                  new SsspAlgorithm(),
                  new BfsAlgorithm()),
              GraphalyticsAlgorithms.all(),
              List.of(new TriangleCountAlgorithm()),
              LibraryAlgorithms.all(),
              List.of(new SvdAlgorithm(), new AlsAlgorithm()),
              LearningAlgorithm.all())
          .<Algorithm>flatMap(List::stream)
          .toList();

  /** What an algorithm takes of the command line. */
  public enum Takes {
    /** A number of them, or a bound. */
    ITERATIONS,
    /** Of convergence; iterations bound it. */
    TOLERANCE,
    /** Likewise, and may be 0. */
    ZERO_TOLERANCE,
    /** Instead of a number of iterations. */
    ALTERNATIVE_TOLERANCE,
    DAMPING,
    RESOLUTION,
    REFINE,
    SOURCE,
    OPTIONAL_SOURCE,
    SOURCES,
    /** Sources that are drawn. */
    SAMPLE,
    GROUND,
    K,
    SEED,
    RATINGS,
    /** First arrays of the vertices. */
    VALUES,
    WEIGHTS,
    /** Without them it has a simpler way than weights of 1. */
    OPTIONAL_WEIGHTS,
    NEGATIVE_WEIGHTS
  }

  private final String name;
  private final String valueName;
  private final Kind kind;
  private final Set<Takes> takes;
  private final Merit merit;

  /**
   * Describes an algorithm.
   *
   * @param name on the command line
   * @param valueName column of the result
   * @param kind of the values
   * @param takes what it understands
   * @param merit what its result comes to
   */
  Algorithm(String name, String valueName, Kind kind, Set<Takes> takes, Merit merit) {
    this.merit = merit;
    this.name = name;
    this.valueName = valueName;
    this.kind = kind;
    this.takes = takes;
  }

  /** The algorithm of a name; the nearest one is named when there is none. */
  public static Algorithm of(String name) {
    for (Algorithm algorithm : ALL) {
      if (algorithm.name.equals(name)) {
        return algorithm;
      }
    }
    throw new UsageException(Choice.unknown(name, "an algorithm", names()));
  }

  public static List<String> names() {
    return ALL.stream().map(Algorithm::name).toList();
  }

  /** Its name on the command line. */
  public final String name() {
    return name;
  }

  /** What its result comes to. */
  public final Merit merit() {
    return merit;
  }

  /** Names of the result's columns. */
  public List<String> valueNames(Settings settings) {
    return List.of(valueName);
  }

  /** Kind of its only column. */
  public final Kind kind() {
    return kind;
  }

  /** Kinds of the result's columns. */
  public List<Kind> kinds(Settings settings) {
    return List.of(kind);
  }

  /** The result's blocks with these columns. */
  public JavaRDD<VertexBlock> blocks(VertexResult<?> result, Settings settings) {
    return result.blocks();
  }

  public final boolean takes(Takes what) {
    return takes.contains(what);
  }

  /** Whether it starts from a source vertex. */
  public final boolean needsSource() {
    return takes(Takes.SOURCE);
  }

  /** Whether it knows what to do with a tolerance. */
  public final boolean takesTolerance() {
    return takes(Takes.TOLERANCE)
        || takes(Takes.ZERO_TOLERANCE)
        || takes(Takes.ALTERNATIVE_TOLERANCE);
  }

  /** Whether it reads weights. */
  public final boolean readsWeights() {
    return readsWeights(true);
  }

  /**
   * Whether it reads them in this job.
   *
   * @param given whether the graph has any; otherwise each is 1
   */
  public final boolean readsWeights(boolean given) {
    return takes(Takes.WEIGHTS) || given && takes(Takes.OPTIONAL_WEIGHTS);
  }

  /**
   * How many weights of an edge it reads as an array; 0: one, which is a number.
   *
   * @param settings that {@link #check} has taken
   */
  public int weightsPerEdge(Settings settings) {
    return 0;
  }

  /** Whether GraphX has it, or we have written it as GraphX's users do. */
  public boolean hasStock() {
    return true;
  }

  /** How its values are written unless another format is asked for. */
  public VertexWriter.Format format() {
    return VertexWriter.Format.TEXT;
  }

  /**
   * Refuses settings that it does not understand.
   *
   * @param requireSource whether a source must be given where one is needed
   */
  public final void check(Settings settings, boolean requireSource) {
    if (needsSource() && settings.source() == null && requireSource) {
      throw new UsageException(name + " starts from a vertex: give it with --source ID");
    }
    if (!needsSource() && !takes(Takes.OPTIONAL_SOURCE) && settings.source() != null) {
      throw new UsageException(name + " has no source: leave --source out");
    }
    if (!takes(Takes.DAMPING) && settings.damping() != null) {
      throw new UsageException(name + " has no damping factor: leave --damping out");
    }
    if (settings.damping() != null && !(settings.damping() >= 0 && settings.damping() <= 1)) {
      throw new UsageException("--damping must be from 0 to 1, not " + settings.damping());
    }
    if (!takes(Takes.RESOLUTION) && settings.resolution() != null) {
      throw new UsageException(name + " has no resolution: leave --resolution out");
    }
    if (settings.resolution() != null
        && !(settings.resolution() > 0 && settings.resolution() <= Double.MAX_VALUE)) {
      throw new UsageException(
          "--resolution must be more than 0 and finite, not " + settings.resolution());
    }
    if (!takes(Takes.REFINE) && settings.refine()) {
      throw new UsageException(name + " has no communities to refine: leave --refine out");
    }
    if (!takesTolerance() && settings.tolerance() != null) {
      throw new UsageException(name + " is exact: leave --tolerance out");
    }
    if (settings.iterations() != null && settings.iterations() < 1) {
      throw new UsageException("--iterations must be at least 1, not " + settings.iterations());
    }
    boolean zero = takes(Takes.ZERO_TOLERANCE);
    if (settings.tolerance() != null && zero && !(settings.tolerance() >= 0)) {
      throw new UsageException("--tolerance must be 0 or more, not " + settings.tolerance());
    }
    if (settings.tolerance() != null && !zero && !(settings.tolerance() > 0)) {
      throw new UsageException(
          "--tolerance must be more than 0 (rounding keeps ranks changing), not "
              + settings.tolerance());
    }
    if (settings.tolerance() != null && settings.tolerance() > Double.MAX_VALUE) {
      throw new UsageException(
          "--tolerance must be finite, not "
              + settings.tolerance()
              + ": every run would end at once");
    }
    checkSources(settings);
    if (!takes(Takes.RATINGS) && settings.ratings().given()) {
      throw new UsageException(
          name
              + " learns from no ratings: leave --rank, --range, --gammas, --lambda and"
              + " --plain-lambda out");
    }
    if (!takes(Takes.VALUES) && settings.learning().given()) {
      throw new UsageException(
          name
              + " begins with no arrays: leave --values, --alpha, --pull, --potential and --deltas"
              + " out");
    }
    require(takes(Takes.GROUND), settings.ground(), "the ground", "--ground ID");
    if (settings.ground() != null && settings.ground().equals(settings.source())) {
      throw new UsageException(
          "vertex "
              + settings.source()
              + " is both --source, of 1 V, and --ground, of 0 V: use two vertices");
    }
    require(takes(Takes.K), settings.k(), "a k", "--k N");
    if (settings.tolerance() != null
        && settings.iterations() != null
        && takes(Takes.ALTERNATIVE_TOLERANCE)) {
      throw new UsageException(
          "--tolerance runs until convergence and --iterations a fixed number: use one of them");
    }
    if (!takes(Takes.ITERATIONS) && settings.iterations() != null) {
      throw new UsageException(name + " runs to its end: leave --iterations out");
    }
    checkMore(settings);
  }

  private void checkSources(Settings settings) {
    if (settings.sample() == null) {
      String option = takes(Takes.SAMPLE) ? "--sources ID,ID or --sample N" : "--sources ID,ID";
      require(takes(Takes.SOURCES), settings.sources(), "several vertices", option);
      return;
    }
    require(takes(Takes.SAMPLE), settings.sample(), "a sample of sources", "--sample N");
    if (settings.sources() != null) {
      throw new UsageException("--sources names sources and --sample draws them: use one of them");
    }
    if (settings.sample() < 1) {
      throw new UsageException("--sample must be at least 1, not " + settings.sample());
    }
  }

  private void require(boolean takes, Object given, String what, String option) {
    if (takes && given == null) {
      throw new UsageException(name + " needs " + what + ": give it with " + option);
    }
    if (!takes && given != null) {
      throw new UsageException(
          name + " does not take " + what + ": leave " + option.split(" ")[0] + " out");
    }
  }

  /** Refuses what is not for this algorithm alone. */
  void checkMore(Settings settings) {}

  /** Runs on a resident graph; edge values are the weights where it reads them. */
  public abstract VertexResult<?> run(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options);

  /** Tells what {@link #run} would do. */
  public abstract String explain(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options);

  /** GraphX graph in, GraphX graph out, by the library. */
  public Graph<?, ?> run(Graph<Double, Double> graph, Settings settings, RunOptions options) {
    throw noStock();
  }

  /** As above, superstep by superstep, also where the library has a faster operator for it. */
  public Graph<?, ?> runProgram(
      Graph<Double, Double> graph, Settings settings, RunOptions options) {
    return run(graph, settings, options);
  }

  /**
   * The same by stock GraphX.
   *
   * @throws UsageException when there is no such thing
   */
  public Graph<?, ?> runStock(Graph<Double, Double> graph, Settings settings) {
    throw noStock();
  }

  /** Refuses to run where stock GraphX would have to. */
  public final UsageException noStock() {
    return new UsageException(
        "stock GraphX has no "
            + name
            + "; it has "
            + String.join(
                ", ", ALL.stream().filter(Algorithm::hasStock).map(Algorithm::name).toList()));
  }
}
