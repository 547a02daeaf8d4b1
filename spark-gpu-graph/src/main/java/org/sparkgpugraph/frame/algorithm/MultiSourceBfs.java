package org.sparkgpugraph.frame.algorithm;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.MultiSourceBfs.Reached;
import org.sparkgpugraph.run.RunOptions;

/**
 * Breadth-first searches from several sources at once: {@code reachedBy}, an int, how many of them
 * reach a vertex, and {@code totalHops}, a long, the sum of the hops from these.
 */
public final class MultiSourceBfs extends SingleRun<Reached> {
  private List<?> sources = List.of();

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public MultiSourceBfs(GraphTables graph) {
    super(
        graph,
        new StructType()
            .add("reachedBy", DataTypes.IntegerType, false)
            .add("totalHops", DataTypes.LongType, false),
        reached -> new Object[] {reached.count(), reached.distances()});
  }

  /** Ids of the sources, 1 to 64; must be given. */
  public MultiSourceBfs sources(Object... ids) {
    return sources(Arrays.asList(ids));
  }

  /** Ids of the sources, 1 to 64; must be given. */
  public MultiSourceBfs sources(List<?> ids) {
    sources = List.copyOf(ids);
    return this;
  }

  @Override
  void check() {
    if (sources.isEmpty()) {
      throw new IllegalArgumentException("sources are not set: give the id of a vertex");
    }
  }

  @Override
  VertexResult<Reached> result(LoadedGraph on, RunOptions options) {
    long[] keys = sources.stream().mapToLong(id -> on.keyOf(id, "source")).toArray();
    return org.sparkgpugraph.algorithm.MultiSourceBfs.run(on.graph(), keys, options);
  }
}
