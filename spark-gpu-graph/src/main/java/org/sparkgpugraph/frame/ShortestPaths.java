package org.sparkgpugraph.frame;

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
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.ShortestPaths.Hops;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.frame.table.VertexKeys;
import org.sparkgpugraph.run.RunOptions;

/**
 * Hops to landmarks, along the edges: {@code distances}, a map from each landmark that a vertex can
 * reach to the number of hops.
 */
public final class ShortestPaths extends FrameAlgorithm {
  private static final String COLUMN = "distances";
  private static final int WIDTH = org.sparkgpugraph.algorithm.ShortestPaths.WIDTH;

  private Set<Object> landmarks = Set.of();

  ShortestPaths(PropertyGraph graph) {
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

  /** One run for each eight landmarks; their hops are put together to maps. */
  @Override
  Dataset<Row> values(FrameGraph on, RunOptions options) {
    List<Object> ids = List.copyOf(landmarks);
    long[] keys = ids.stream().mapToLong(id -> on.keyOf(id, "landmark")).toArray();
    Dataset<Row> all = null;
    Column distances = null;
    for (int from = 0; from < keys.length; from += WIDTH) {
      int to = Math.min(keys.length, from + WIDTH);
      Dataset<Row> some = hops(on, Arrays.copyOfRange(keys, from, to), "hops" + from, options);
      all = all == null ? some : all.join(some, FrameResult.KEY);
      Column map = map(ids.subList(from, to), "hops" + from, on.keys());
      distances = distances == null ? map : functions.map_concat(distances, map);
    }
    return all.select(TableColumns.named(FrameResult.KEY), distances.as(COLUMN));
  }

  /** A column of arrays with the hops to some landmarks, null where there is no path. */
  private static Dataset<Row> hops(FrameGraph on, long[] keys, String name, RunOptions options) {
    int count = keys.length;
    try (VertexResult<Hops> result =
        org.sparkgpugraph.algorithm.ShortestPaths.run(on.graph(), keys, options)) {
      return FrameResult.of(
          on.spark(),
          result,
          new StructType().add(name, DataTypes.createArrayType(DataTypes.IntegerType, true)),
          hops -> {
            Integer[] each = new Integer[count];
            for (int i = 0; i < count; i++) {
              int reached = hops.get(i);
              each[i] =
                  reached == org.sparkgpugraph.algorithm.ShortestPaths.UNREACHED ? null : reached;
            }
            return new Object[] {each};
          });
    }
  }

  private static Column map(List<Object> ids, String name, VertexKeys keys) {
    Column[] landmarks =
        ids.stream().map(id -> FrameGraph.literal(id, keys.type())).toArray(Column[]::new);
    return functions.map_filter(
        functions.map_from_arrays(functions.array(landmarks), TableColumns.named(name)),
        (landmark, hops) -> hops.isNotNull());
  }
}
