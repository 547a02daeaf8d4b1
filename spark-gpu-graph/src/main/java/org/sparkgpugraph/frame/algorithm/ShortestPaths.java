package org.sparkgpugraph.frame.algorithm;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.frame.table.ArrayRounds;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.frame.table.VertexKeys;
import org.sparkgpugraph.run.RunOptions;

/**
 * Hops to landmarks, along the edges: {@code distances}, a map from each landmark that a vertex can
 * reach to the number of hops.
 */
public final class ShortestPaths extends FrameAlgorithm {
  private static final String COLUMN = "distances";
  private static final String HOPS = "hops";

  private Set<Object> landmarks = Set.of();

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public ShortestPaths(GraphTables graph) {
    super(graph, new StructType().add(COLUMN, map(DataTypes.NullType)));
  }

  private static MapType map(DataType ids) {
    return DataTypes.createMapType(ids, DataTypes.IntegerType);
  }

  @Override
  StructType columns(DataType ids) {
    return new StructType().add(COLUMN, map(ids));
  }

  /** Ids of the landmarks; must be given. */
  public ShortestPaths landmarks(Object... ids) {
    return landmarks(Arrays.asList(ids));
  }

  /** Ids of the landmarks; must be given. */
  public ShortestPaths landmarks(List<?> ids) {
    landmarks = new LinkedHashSet<>(ids);
    return this;
  }

  @Override
  void check() {
    if (landmarks.isEmpty()) {
      throw new IllegalArgumentException("landmarks are not set: give the id of a vertex");
    }
  }

  /** A run has arrays of hops, which are made maps. */
  @Override
  Dataset<Row> values(LoadedGraph on, RunOptions options) {
    List<Object> ids = List.copyOf(landmarks);
    Dataset<Row> hops =
        ArrayRounds.of(
            on.spark(),
            HOPS,
            Sources.perRun(on.graph(), org.sparkgpugraph.algorithm.ShortestPaths.WIDTH),
            ids.stream().mapToLong(id -> on.keyOf(id, "landmark")).toArray(),
            DataTypes.createArrayType(DataTypes.IntegerType, true),
            keys -> org.sparkgpugraph.algorithm.ShortestPaths.run(on.graph(), keys, options),
            ShortestPaths::cells);
    return hops.select(TableColumns.named(FrameResult.KEY), map(ids, on.keys()).as(COLUMN));
  }

  /** An array of the hops, null where there is no path. */
  private static Object[] cells(int[] hops) {
    Integer[] each = new Integer[hops.length];
    for (int i = 0; i < each.length; i++) {
      each[i] =
          hops[i] == org.sparkgpugraph.algorithm.ShortestPaths.UNREACHED
              ? null
              : Integer.valueOf(hops[i]);
    }
    return new Object[] {each};
  }

  private static Column map(List<Object> ids, VertexKeys keys) {
    Column[] landmarks = ids.stream().map(keys::literal).toArray(Column[]::new);
    return functions.map_filter(
        functions.map_from_arrays(functions.array(landmarks), TableColumns.named(HOPS)),
        (landmark, hops) -> hops.isNotNull());
  }
}
