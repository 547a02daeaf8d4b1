package org.sparkgpugraph.runtime.run;

import org.apache.spark.SparkContext;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;

/**
 * The graph of a job, and what is in force for it.
 *
 * @param resident the graph when it is already held, else null
 */
public record JobInput(GraphSource source, GraphView resident, RunOptions options, RunConf conf) {
  /**
   * Checks what was asked for.
   *
   * @throws IllegalArgumentException when the options say how to spread or cut a graph that is held
   */
  public static JobInput of(GraphSource source, GraphView resident, RunOptions options) {
    if (resident != null && options.executors() != null) {
      throw new IllegalArgumentException(
          ("a resident graph was spread over %s executor(s) when it was loaded; pass"
                  + " executors to load(...), not to run(...)")
              .formatted(resident.state().handle().executors()));
    }
    if (resident != null && options.partitions() != null) {
      throw new IllegalArgumentException(
          ("a resident graph was cut into %s partitions when it was loaded; pass"
                  + " partitions to load(...), not to run(...)")
              .formatted(resident.state().handle().partitions()));
    }
    return new JobInput(source, resident, options, RunConf.of(source.sc(), options));
  }

  /** The context. */
  public SparkContext sc() {
    return source.sc();
  }

  /** Whether every edge is turned round. */
  boolean isReversed() {
    return resident != null && resident.reversed();
  }

  /** Refuses to run on stock GraphX what the GraphX graph does not have. */
  void checkStockAttributes() {
    if (resident != null && !resident.state().hasAttributesOfSource()) {
      throw new IllegalStateException(
          "stock GraphX does not see the vertex attributes that withVertices(...) gave: unset"
              + " engine and fallback, or join them to the GraphX graph");
    }
  }

  /** Refuses to make a GraphX graph of what is none. */
  void checkGraphX() {
    if (source.origin() == null) {
      throw new IllegalStateException(
          "this resident graph was not made from a GraphX graph: call runVertices()");
    }
    if (isReversed()) {
      throw new IllegalStateException(
          "a GraphX graph cannot be made from a reversed view: call runVertices(), or load"
              + " graph.reverse()");
    }
  }
}
