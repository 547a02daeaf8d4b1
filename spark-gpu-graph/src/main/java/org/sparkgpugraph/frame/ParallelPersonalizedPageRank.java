package org.sparkgpugraph.frame;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.PersonalizedRanks;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Personalised PageRank for several sources: {@code pageranks}, an array of doubles, the ranks of a
 * vertex for each source in their order.
 */
public final class ParallelPersonalizedPageRank extends FrameAlgorithm {
  private static final String COLUMN = "pageranks";
  private static final int WIDTH = PersonalizedRanks.WIDTH;

  private double resetProbability = org.sparkgpugraph.algorithm.PageRank.RESET_PROBABILITY;
  private Integer maxIter;
  private Set<Object> sourceIds = Set.of();

  ParallelPersonalizedPageRank(PropertyGraph graph) {
    super(
        graph,
        new StructType()
            .add(COLUMN, DataTypes.createArrayType(DataTypes.DoubleType, false), false));
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

  /** One run for each eight sources. */
  @Override
  Dataset<Row> values(FrameGraph on, RunOptions options) {
    long[] keys = sourceIds.stream().mapToLong(id -> on.keyOf(id, "source")).toArray();
    Dataset<Row> all = null;
    Column ranks = null;
    for (int from = 0; from < keys.length; from += WIDTH) {
      String name = "ranks" + from;
      long[] some = Arrays.copyOfRange(keys, from, Math.min(keys.length, from + WIDTH));
      Dataset<Row> part = ranks(on, some, name, options);
      Column column = TableColumns.named(name);
      all = all == null ? part : all.join(part, FrameResult.KEY);
      ranks = ranks == null ? column : functions.concat(ranks, column);
    }
    return all.select(TableColumns.named(FrameResult.KEY), ranks.as(COLUMN));
  }

  private Dataset<Row> ranks(FrameGraph on, long[] keys, String name, RunOptions options) {
    int count = keys.length;
    try (VertexResult<PersonalizedRanks> result =
        org.sparkgpugraph.algorithm.PageRank.runParallelPersonalizedPageRank(
            on.graph(), maxIter, resetProbability, keys, options)) {
      return FrameResult.of(
          on.spark(),
          result,
          new StructType().add(name, DataTypes.createArrayType(DataTypes.DoubleType, false), false),
          ranks -> {
            Double[] each = new Double[count];
            for (int i = 0; i < count; i++) {
              each[i] = ranks.get(i);
            }
            return new Object[] {each};
          });
    }
  }
}
