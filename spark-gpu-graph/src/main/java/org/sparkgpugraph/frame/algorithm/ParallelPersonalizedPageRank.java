package org.sparkgpugraph.frame.algorithm;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.frame.table.ArrayRounds;
import org.sparkgpugraph.run.RunOptions;

/**
 * Personalised PageRank for several sources: {@code pageranks}, an array of doubles, the ranks of a
 * vertex for each source in their order.
 */
public final class ParallelPersonalizedPageRank extends FrameAlgorithm {
  private static final String COLUMN = "pageranks";
  private static final ArrayType RANKS = DataTypes.createArrayType(DataTypes.DoubleType, false);

  private double resetProbability = org.sparkgpugraph.algorithm.PageRank.RESET_PROBABILITY;
  private Integer maxIter;
  private Set<Object> sourceIds = Set.of();

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public ParallelPersonalizedPageRank(GraphTables graph) {
    super(graph, new StructType().add(COLUMN, RANKS, false));
  }

  /** Probability of a random jump, in [0, 1]; 0.15 unless it is given. */
  public ParallelPersonalizedPageRank resetProbability(double value) {
    resetProbability = value;
    return this;
  }

  /** Iterations, at least 1; must be given. */
  public ParallelPersonalizedPageRank maxIter(int value) {
    maxIter = value;
    return this;
  }

  /** Ids of the sources, each to which all random jumps of its ranks go; must be given. */
  public ParallelPersonalizedPageRank sourceIds(Object... ids) {
    return sourceIds(Arrays.asList(ids));
  }

  /** Ids of the sources, each to which all random jumps of its ranks go; must be given. */
  public ParallelPersonalizedPageRank sourceIds(List<?> ids) {
    sourceIds = new LinkedHashSet<>(ids);
    return this;
  }

  @Override
  void check() {
    if (maxIter == null) {
      throw new IllegalArgumentException("maxIter is not set: give the number of iterations");
    }
    if (sourceIds.isEmpty()) {
      throw new IllegalArgumentException("sourceIds are not set: give the id of a vertex");
    }
  }

  @Override
  Dataset<Row> values(LoadedGraph on, RunOptions options) {
    return ArrayRounds.of(
        on.spark(),
        COLUMN,
        Sources.perRun(on.graph(), org.sparkgpugraph.algorithm.ParallelPersonalizedPageRank.WIDTH),
        sourceIds.stream().mapToLong(id -> on.keyOf(id, "source")).toArray(),
        RANKS,
        keys ->
            org.sparkgpugraph.algorithm.PageRank.runParallelPersonalizedPageRank(
                on.graph(), maxIter, resetProbability, keys, options),
        ranks -> new Object[] {Arrays.stream(ranks).boxed().toArray(Double[]::new)});
  }
}
