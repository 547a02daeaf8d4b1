package org.sparkgpugraph.frame;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.Modularity;
import org.sparkgpugraph.algorithm.support.BadWeightException;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.InternalRows;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.frame.algorithm.LoadedGraph;
import org.sparkgpugraph.frame.ids.EdgeIds;
import org.sparkgpugraph.frame.table.EdgeValues;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.frame.table.VertexKeys;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.SparkFailures;
import org.sparkgpugraph.runtime.rapids.NullInTableException;
import scala.Tuple2;

/**
 * A property graph in the executors' memory: its structure, weights if they are asked for, and what
 * turns results into tables again. Only keys and weights are loaded; other columns stay where they
 * are.
 *
 * <p>Vertices are counted by their ids and by their keys before the edges are loaded, which finds
 * doubled ids, nulls and keys of several ids. An edge whose end is no vertex shows by the number of
 * vertices that the loaded graph has, so that edges are joined with vertices only where there is
 * one.
 */
final class FrameGraph implements LoadedGraph, AutoCloseable {
  private static final int SALTS = 8;
  private static final String ID = PropertyGraph.ID;

  /** Names of columns that no user's column has. */
  private static final String OTHER_KEY = "__other_key";

  private static final String OTHER_ID = "__other_id";

  private final ResidentGraph<Object, ?> graph;
  private final VertexKeys keys;
  private final SparkSession spark;

  /** Null: the vertices are the ends of the edges, whose ids are their keys. */
  private final Dataset<Row> vertices;

  private FrameGraph(
      SparkSession spark, ResidentGraph<Object, ?> graph, VertexKeys keys, Dataset<Row> vertices) {
    this.spark = spark;
    this.graph = graph;
    this.keys = keys;
    this.vertices = vertices;
  }

  /**
   * Loads a graph.
   *
   * @param vertices null: the ends of the edges
   * @param values of the edges
   */
  static FrameGraph load(
      Dataset<Row> vertices,
      Dataset<Row> edges,
      VertexKeys keys,
      EdgeValues values,
      Missing missing,
      RunOptions options) {
    SparkSession spark = edges.sparkSession();
    if (vertices == null && keys.areIds()) {
      return new FrameGraph(spark, resident(null, edges, keys, values, options), keys, null);
    }
    if (vertices == null && EdgeIds.areOf(keys.type())) {
      return ofEdgeIds(edges, keys, values, options);
    }
    Dataset<Row> all = vertices == null ? ends(edges, keys) : vertices;
    Counted counted = count(all, keys, () -> vertices == null ? nullEnd(edges) : nullId(vertices));
    // Ends of edges are vertices anyhow.
    ResidentGraph<Object, ?> graph = resident(vertices, edges, counted.keys(), values, options);
    if (vertices == null || graph.vertexCount() == counted.vertices()) {
      return new FrameGraph(spark, graph, counted.keys(), all);
    }
    if (missing == Missing.ADD) {
      return withEnds(graph, vertices, edges, counted.keys(), values, options);
    }
    graph.close();
    if (missing == Missing.ERROR) {
      throw stranger(vertices, edges, keys);
    }
    Dataset<Row> known = known(vertices, edges, keys);
    return new FrameGraph(
        spark,
        resident(vertices, known, counted.keys(), values, options),
        counted.keys(),
        vertices);
  }

  /** A graph of edges alone, whose ids need no row each to be found. */
  private static FrameGraph ofEdgeIds(
      Dataset<Row> edges, VertexKeys first, EdgeValues values, RunOptions options) {
    List<Column> ends =
        List.of(TableColumns.named(PropertyGraph.SRC), TableColumns.named(PropertyGraph.DST));
    VertexKeys keys = first;
    for (int i = 0; i < SALTS; i++) {
      Optional<EdgeIds> ids;
      try {
        ids = EdgeIds.of(edges, ends, ends.stream().map(keys::of).toList());
      } catch (Exception e) {
        // Also Spark's own exceptions, which are checked though its methods do not declare them.
        throw hasNull(edges, values, SparkFailures.unwrap(e));
      }
      if (ids.isPresent()) {
        SparkSession spark = edges.sparkSession();
        return new FrameGraph(
            spark, resident(null, edges, keys, values, options), keys, ids.get().table(spark, ID));
      }
      keys = keys.next();
    }
    throw noSalt(first);
  }

  private static IllegalStateException noSalt(VertexKeys keys) {
    return new IllegalStateException(
        "ids of type %s have equal hashes under each of %d salts"
            .formatted(keys.type().simpleString(), SALTS));
  }

  /**
   * A loaded graph with the ends that are no vertices among the rows of its vertices. It has them
   * already, so it is loaded once more only if one of them has the key of another vertex.
   */
  private static FrameGraph withEnds(
      ResidentGraph<Object, ?> graph,
      Dataset<Row> vertices,
      Dataset<Row> edges,
      VertexKeys keys,
      EdgeValues values,
      RunOptions options) {
    Dataset<Row> all = withStrangers(vertices, edges, keys);
    VertexKeys own;
    try {
      own = count(all, keys, () -> nullEnd(edges)).keys();
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      graph.close();
      throw e;
    }
    ResidentGraph<Object, ?> kept = graph;
    if (!own.equals(keys)) {
      graph.close();
      kept = resident(all, edges, own, values, options);
    }
    return new FrameGraph(edges.sparkSession(), kept, own, all);
  }

  @Override
  public ResidentGraph<Object, ?> graph() {
    return graph;
  }

  @Override
  @SuppressWarnings("unchecked") // an algorithm with weights has loaded it with them
  public ResidentGraph<Object, Double> weighted() {
    return (ResidentGraph<Object, Double>) graph;
  }

  @Override
  public SparkSession spark() {
    return spark;
  }

  @Override
  public VertexKeys keys() {
    return keys;
  }

  /** The vertices, also those that only edges name. */
  Dataset<Row> vertices(Dataset<Row> edges) {
    return vertices != null ? vertices : ends(edges, keys);
  }

  @Override
  public Dataset<Row> join(Dataset<Row> values) {
    if (vertices != null) {
      return vertices
          .withColumn(FrameResult.KEY, keys.of(TableColumns.named(ID)))
          .join(values, FrameResult.KEY)
          .drop(FrameResult.KEY);
    }
    Dataset<Row> ids = values.withColumn(ID, TableColumns.named(FrameResult.KEY).cast(keys.type()));
    Column[] columns =
        Stream.concat(Stream.of(ID), Stream.of(values.columns()).skip(1))
            .map(TableColumns::named)
            .toArray(Column[]::new);
    return ids.select(columns);
  }

  @Override
  public Dataset<Row> naming(Dataset<Row> values, String column) {
    Column key = TableColumns.named(column);
    Dataset<Row> others =
        values.withColumn(
            column, functions.when(key.notEqual(TableColumns.named(FrameResult.KEY)), key));
    if (keys.areIds()) {
      return others.withColumn(column, key.cast(keys.type()));
    }
    Column id = TableColumns.named(ID);
    Dataset<Row> named =
        others.join(
            vertices.select(keys.of(id).as(OTHER_KEY), id.as(OTHER_ID)),
            key.equalTo(TableColumns.named(OTHER_KEY)),
            "left_outer");
    return named.withColumn(column, TableColumns.named(OTHER_ID)).drop(OTHER_KEY, OTHER_ID);
  }

  /**
   * What an algorithm says of a weight, with the ids of the edge in the place of their keys.
   *
   * @param edges that were loaded
   */
  IllegalArgumentException named(BadWeightException bad, Dataset<Row> edges) {
    Column source = TableColumns.named(PropertyGraph.SRC);
    Column destination = TableColumns.named(PropertyGraph.DST);
    List<Row> found =
        keys.areIds()
            ? List.of()
            : edges
                .filter(
                    keys.of(source)
                        .equalTo(bad.source())
                        .and(keys.of(destination).equalTo(bad.destination())))
                .select(source, destination)
                .takeAsList(1);
    return found.isEmpty() ? bad : bad.of(found.get(0).get(0), found.get(0).get(1));
  }

  /** The modularity of the communities that a column names. */
  @SuppressWarnings("unchecked") // it was loaded with weights
  double modularity(
      Dataset<Row> table, String community, boolean weighted, double gamma, RunOptions options) {
    Column key =
        VertexKeys.of(Names.require(table, "vertices", community).dataType())
            .of(TableColumns.named(community));
    Dataset<Row> members = table.select(keys.of(TableColumns.named(ID)), key);
    Dataset<Row> none = table.filter(TableColumns.named(community).isNull());
    for (Row row : none.takeAsList(1)) {
      throw new FrameException(
          "column '%s' of the vertices is null in %s: filter such rows out"
              .formatted(community, row));
    }
    JavaPairRDD<Long, Long> communities =
        members.toJavaRDD().mapToPair(row -> new Tuple2<>(row.getLong(0), row.getLong(1)));
    try (ResidentGraph<Long, ?> marked = graph.withVertices(communities, Long.class, 0L)) {
      return weighted
          ? Modularity.ofWeighted((ResidentGraph<Long, Double>) marked, gamma, options)
          : Modularity.of(marked, gamma, options);
    }
  }

  @Override
  public long keyOf(Object id, String what) {
    Row row;
    try {
      row = spark.range(1).select(keys.of(keys.literal(id))).head();
    } catch (NumberFormatException e) {
      // In ANSI mode; otherwise it is null.
      row = RowFactory.create((Object) null);
    }
    if (row.isNullAt(0) || !graph.containsVertex(row.getLong(0))) {
      throw new FrameException(
          "%s %s is no vertex of the graph, whose ids are of type %s"
              .formatted(what, id, keys.type().simpleString()));
    }
    return row.getLong(0);
  }

  @Override
  public void close() {
    graph.close();
  }

  /** The different ends of edges, as vertices. */
  static Dataset<Row> ends(Dataset<Row> edges, VertexKeys keys) {
    return edges
        .select(keys.id(TableColumns.named(PropertyGraph.SRC)).as(ID))
        .union(edges.select(keys.id(TableColumns.named(PropertyGraph.DST)).as(ID)))
        .distinct();
  }

  /** Ends of edges that are no vertices. */
  private static Dataset<Row> strangers(
      Dataset<Row> vertices, Dataset<Row> edges, VertexKeys keys) {
    return ends(edges, keys)
        .join(
            ids(vertices, keys),
            TableColumns.named(ID).equalTo(TableColumns.named("known")),
            "left_anti");
  }

  /** The vertices, and the ends of edges that are none, whose other columns are null. */
  static Dataset<Row> withStrangers(Dataset<Row> vertices, Dataset<Row> edges, VertexKeys keys) {
    return vertices.unionByName(strangers(vertices, edges, keys), true);
  }

  private static Dataset<Row> ids(Dataset<Row> vertices, VertexKeys keys) {
    return vertices.select(keys.id(TableColumns.named(ID)).as("known"));
  }

  private static FrameException stranger(
      Dataset<Row> vertices, Dataset<Row> edges, VertexKeys keys) {
    Object id = strangers(vertices, edges, keys).head().get(0);
    Column is =
        TableColumns.named(PropertyGraph.SRC)
            .equalTo(keys.literal(id))
            .or(TableColumns.named(PropertyGraph.DST).equalTo(keys.literal(id)));
    return new FrameException(
        ("%s is the end of an edge, %s, but no vertex: add it to the vertices, or say"
                + " missing(Missing.ADD) or missing(Missing.DROP)")
            .formatted(id, edges.filter(is).head()));
  }

  /** The edges both ends of which are vertices. */
  static Dataset<Row> known(Dataset<Row> vertices, Dataset<Row> edges, VertexKeys keys) {
    Dataset<Row> kept = edges;
    for (String end : List.of(PropertyGraph.SRC, PropertyGraph.DST)) {
      kept =
          kept.join(
              ids(vertices, keys),
              keys.id(TableColumns.named(end)).equalTo(TableColumns.named("known")),
              "left_semi");
    }
    return kept;
  }

  /**
   * @param vertices how many there are
   * @param keys under which all of them have keys of their own
   */
  private record Counted(long vertices, VertexKeys keys) {}

  private static Counted count(
      Dataset<Row> vertices, VertexKeys first, Supplier<FrameException> isNull) {
    VertexKeys keys = first;
    for (int i = 0; i < SALTS; i++) {
      Dataset<Row> byId =
          vertices
              .groupBy(keys.id(TableColumns.named(ID)).as("id"))
              .agg(functions.count(functions.lit(1)).as("rows"));
      Dataset<Row> byKey =
          keys.areIds()
              ? byId.withColumn("ids", functions.lit(1))
              : byId.groupBy(keys.of(TableColumns.named("id")).as("key"))
                  .agg(
                      functions.count(functions.lit(1)).as("ids"),
                      functions.max("rows").as("rows"),
                      functions.max(TableColumns.named("id").isNull()).as("none"));
      Column none = keys.areIds() ? TableColumns.named("id").isNull() : TableColumns.named("none");
      Row row =
          byKey
              .agg(
                  functions.count(functions.lit(1)),
                  functions.max("ids"),
                  functions.max("rows"),
                  functions.max(none))
              .head();
      if (row.getLong(0) > 0 && row.getBoolean(3)) {
        throw isNull.get();
      }
      if (row.getLong(0) > 0 && ((Number) row.get(2)).longValue() > 1) {
        throw doubled(vertices, byId, keys);
      }
      if (row.getLong(0) == 0 || ((Number) row.get(1)).longValue() == 1) {
        return new Counted(row.getLong(0), keys);
      }
      keys = keys.next();
    }
    throw noSalt(first);
  }

  private static FrameException nullId(Dataset<Row> vertices) {
    return new FrameException(
        "a vertex has no id: column 'id' is null in %s: filter such rows out"
            .formatted(vertices.filter(TableColumns.named(ID).isNull()).head()));
  }

  private static FrameException doubled(Dataset<Row> vertices, Dataset<Row> byId, VertexKeys keys) {
    Row row = byId.filter(TableColumns.named("rows").gt(1)).head();
    List<Row> examples =
        vertices
            .filter(keys.id(TableColumns.named(ID)).equalTo(keys.literal(row.get(0))))
            .takeAsList(2);
    return new FrameException(
        ("id %s is that of %d vertices, of %s and %s: ids are unique, so use"
                + " dropDuplicates(\"id\") or group by it")
            .formatted(
                row.get(0), row.getLong(1), examples.get(0), examples.get(examples.size() - 1)));
  }

  private static ResidentGraph<Object, ?> resident(
      Dataset<Row> vertices,
      Dataset<Row> edges,
      VertexKeys keys,
      EdgeValues values,
      RunOptions options) {
    try {
      return values.load(edges, vertices == null ? null : blocks(vertices, keys), keys, options);
    } catch (RuntimeException e) {
      throw hasNull(edges, values, e);
    }
  }

  /** Says it with an example where an edge has a null; every other failure stays as it is. */
  private static RuntimeException hasNull(
      Dataset<Row> edges, EdgeValues values, RuntimeException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof BadInputException || cause instanceof NullInTableException) {
        return nullIn(edges, values.read());
      }
    }
    return e;
  }

  private static FrameException nullEnd(Dataset<Row> edges) {
    return nullIn(edges, PropertyGraph.SRC, PropertyGraph.DST);
  }

  private static FrameException nullIn(Dataset<Row> edges, String... columns) {
    for (String column : columns) {
      List<Row> rows = edges.filter(TableColumns.named(column).isNull()).takeAsList(1);
      if (!rows.isEmpty()) {
        return new FrameException(
            "column '%s' of the edges is null in %s: filter such rows out"
                .formatted(column, rows.get(0)));
      }
    }
    return new FrameException(
        "an edge had a null when it was loaded, but none has now: the edges give other rows each"
            + " time that they are read; cache them");
  }

  private static JavaRDD<VertexBlock> blocks(Dataset<Row> vertices, VertexKeys keys) {
    return InternalRows.of(vertices.select(keys.of(TableColumns.named(ID))))
        .toJavaRDD()
        .mapPartitions(rows -> List.of(block(rows)).iterator());
  }

  private static VertexBlock block(Iterator<InternalRow> rows) {
    long[] ids = new long[1 << 10];
    int size = 0;
    while (rows.hasNext()) {
      if (size == ids.length) {
        ids = Arrays.copyOf(ids, 2 * size);
      }
      ids[size++] = rows.next().getLong(0);
    }
    return new VertexBlock(Arrays.copyOf(ids, size), null);
  }

  /** The type of a weight column, checked. */
  static void requireWeight(Dataset<Row> edges, String column) {
    StructField field = Names.require(edges, "edges", column);
    if (!(field.dataType() instanceof NumericType)) {
      throw new FrameException(
          "column '%s' of the edges is of type %s, but weights are numbers: cast it to double"
              .formatted(column, field.dataType().simpleString()));
    }
  }
}
