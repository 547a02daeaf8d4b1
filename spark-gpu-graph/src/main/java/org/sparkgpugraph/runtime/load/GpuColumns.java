package org.sparkgpugraph.runtime.load;

import java.util.Optional;
import org.apache.spark.SparkContext;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.Placement;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.conf.BuildRows;
import org.sparkgpugraph.runtime.conf.ConfigEntry;
import org.sparkgpugraph.runtime.conf.EdgeHome;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.conf.VertexPlacement;
import org.sparkgpugraph.runtime.held.EdgeHomes;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.rapids.Rapids;

/** Whether columns stay on the GPU that RAPIDS uses, edges that come and results that leave. */
public final class GpuColumns {
  private static final String LOCAL = "the master is not local[n]";

  private GpuColumns() {}

  /** Whether the application has RAPIDS, so that there is something to tell. */
  public static boolean areAsked(SparkContext sc) {
    return Rapids.isAmong(sc.getConf().get("spark.plugins", ""));
  }

  /**
   * Why edges do not stay on a GPU where they may be: they do where the only executor, be it the
   * driver, holds all of the graph, for the GPU that it shares. Otherwise their columns are copied
   * to the host.
   *
   * @return empty where nothing is in the way
   */
  public static Optional<String> edgesObstacle(SparkContext sc, RunOptions options) {
    RunConf conf = RunConf.of(sc, options);
    if (conf.executors() > 1) {
      return because(GpuGraphConf.EXECUTORS, conf.executors());
    }
    if (!Placement.isAlone(sc, conf.executors())) {
      return Optional.of("there are several executors, or may be");
    }
    return engineObstacle(sc, conf);
  }

  /**
   * Why edges do not stay on the GPUs of several executors where they may be: they do where RAPIDS
   * sends them to the shards of the graph, each of which is a range of the ids.
   *
   * @return empty where nothing is in the way
   */
  public static Optional<String> shardsObstacle(SparkContext sc, RunOptions options) {
    RunConf conf = RunConf.of(sc, options);
    if (conf.placement().by() != VertexPlacement.RANGES) {
      return because(GpuGraphConf.PLACEMENT, conf.placement().by());
    }
    return engineObstacle(sc, conf);
  }

  private static Optional<String> engineObstacle(SparkContext sc, RunConf conf) {
    if (conf.partitions() > 1) {
      return because(GpuGraphConf.PARTITIONS, conf.partitions());
    }
    if (conf.engine() != EngineChoice.AUTO && conf.engine() != EngineChoice.CUDA) {
      return because(GpuGraphConf.ENGINE, conf.engine());
    }
    if (conf.device().poolFraction() <= 0) {
      return because(GpuGraphConf.POOL_FRACTION, conf.device().poolFraction());
    }
    EdgeHome home = EdgeHomes.wanted(sc.getConf());
    return home == EdgeHome.AUTO || home == EdgeHome.HEAP
        ? Optional.empty()
        : because(GpuGraphConf.MEMORY_EDGES, home);
  }

  /** Why edges are read row by row, wherever they are; empty where nobody asks for that. */
  public static Optional<String> rowsAsked(SparkContext sc, RunOptions options) {
    return rowsAsked(RunConf.of(sc, options));
  }

  /**
   * Why a table of a result is not one of columns that RAPIDS takes from this process' heap to the
   * GPU.
   *
   * @param graph that it is of
   * @param type of its values
   * @return empty where nothing is in the way
   */
  public static Optional<String> resultObstacle(
      SparkContext sc, GraphHandle graph, ValueType type) {
    if (graph.executors() > 1 || graph.locations().get(0) != null) {
      return Optional.of(LOCAL);
    }
    if (!type.isNumbers()) {
      return Optional.of("its values are not single numbers");
    }
    Optional<String> asked = rowsAsked(RunConf.of(sc, RunOptions.DEFAULT));
    return asked.isEmpty() && Rapids.here().isEmpty()
        ? Optional.of("RAPIDS uses no GPU in this process")
        : asked;
  }

  /** Of a result, in a sentence for {@code explain()} and the report. */
  public static String ofResult(SparkContext sc, GraphHandle graph, ValueType type) {
    String has =
        type.isNumbers()
            ? "a table of the result has columns in Spark's storage: "
            : "a table of the result has rows: ";
    return resultObstacle(sc, graph, type)
        .map(has::concat)
        .orElse("a table of the result has columns that RAPIDS takes to the GPU");
  }

  private static Optional<String> rowsAsked(RunConf conf) {
    return conf.device().buildRows() == BuildRows.HOST
        ? because(GpuGraphConf.GPU_BUILD_ROWS, BuildRows.HOST)
        : Optional.empty();
  }

  private static <T> Optional<String> because(ConfigEntry<T> entry, T value) {
    return Optional.of(entry.key() + " = " + entry.text(value));
  }
}
