package org.sparkgpugraph.frame.draw;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.frame.draw.DrawnGraph.Attribute;
import org.sparkgpugraph.frame.draw.DrawnGraph.Edge;
import org.sparkgpugraph.frame.draw.DrawnGraph.Kind;
import org.sparkgpugraph.frame.draw.DrawnGraph.Vertex;

/**
 * A small graph, or a part of one, as a file that other programs draw. Columns are attributes:
 * integers, floating-point numbers and booleans with their types, everything else as text (structs,
 * arrays and maps as JSON, binary in hexadecimal); what is null is left out.
 *
 * <p>The graph is collected in the driver, so it is bounded: a larger one is refused. Paths are
 * those of Hadoop; a file that is there already is an error.
 */
public final class Drawing {
  /** Most vertices, unless another limit is given. */
  public static final int LIMIT = 10_000;

  /** Most edges for each vertex of the limit. */
  private static final int EDGES = 10;

  private static final String ID = "id";
  private static final String SRC = "src";
  private static final String DST = "dst";

  private final Dataset<Row> vertices;
  private final Dataset<Row> edges;
  private int limit = LIMIT;
  private int hops;
  private List<Object> around;

  /**
   * @param vertices with a column {@code id}
   * @param edges with columns {@code src} and {@code dst}
   */
  public Drawing(Dataset<Row> vertices, Dataset<Row> edges) {
    this.vertices = vertices;
    this.edges = edges;
  }

  /**
   * How much may be drawn.
   *
   * @param most vertices, at least 1, {@value #LIMIT} unless it is given; ten times as many edges
   */
  public Drawing limit(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("limit is " + most + ", but 1 is the least");
    }
    limit = most;
    return this;
  }

  /**
   * Draws a neighbourhood only: the vertices that are at most so many edges away from one of those
   * given, whatever the edges' directions, and all edges between them.
   *
   * @param most hops, 0 or more
   * @param ids at least one, as in the table
   */
  public Drawing around(int most, Object... ids) {
    if (most < 0) {
      throw new IllegalArgumentException("hops are " + most + ", but 0 is the least");
    }
    if (ids.length == 0) {
      throw new IllegalArgumentException("no id is given around which to draw");
    }
    hops = most;
    around = List.copyOf(Arrays.asList(ids));
    return this;
  }

  /** Writes GraphML, which Gephi, Cytoscape, yEd and NetworkX read. */
  public void graphMl(String path) {
    write(new GraphMl(), path);
  }

  /** Writes GEXF 1.3, Gephi's format; a column {@code weight} of the edges is their weight. */
  public void gexf(String path) {
    write(new Gexf(), path);
  }

  /** Writes DOT, which Graphviz draws: {@code dot -Tsvg}. Columns are in tooltips. */
  public void dot(String path) {
    write(new Dot(), path);
  }

  /** In memory first: what cannot be drawn leaves no file. */
  private void write(DrawingFormat format, String path) {
    Path file = new Path(path);
    try {
      FileSystem files =
          file.getFileSystem(edges.sparkSession().sparkContext().hadoopConfiguration());
      if (files.exists(file)) {
        throw new FileAlreadyExistsException(path);
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      format.write(collect(), bytes);
      try (OutputStream out = files.create(file, false)) {
        bytes.writeTo(out);
      }
    } catch (FileAlreadyExistsException e) {
      throw new IllegalArgumentException(
          path + " exists already: give another path or remove it", e);
    } catch (IOException e) {
      throw new UncheckedIOException("writing " + path, e);
    }
  }

  private DrawnGraph collect() {
    Dataset<Row> drawnVertices = vertices;
    Dataset<Row> drawnEdges = edges;
    if (around != null) {
      Object[] near = neighbourhood().toArray();
      drawnVertices = vertices.filter(text(vertices, ID).isin(near));
      drawnEdges = edges.filter(text(edges, SRC).isin(near)).filter(text(edges, DST).isin(near));
    }
    List<StructField> vertexColumns = others(vertices, ID);
    List<StructField> edgeColumns = others(edges, SRC, DST);
    List<Vertex> all = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (Row row : rows(drawnVertices, vertexColumns, limit, "vertices", ID)) {
      if (!ids.add(row.getString(0))) {
        throw new IllegalArgumentException(
            "two vertices have the id %s: ids are unique".formatted(row.getString(0)));
      }
      all.add(new Vertex(row.getString(0), values(row, 1)));
    }
    if (around != null) {
      for (String id : given()) {
        if (!ids.contains(id)) {
          throw new IllegalArgumentException(id + " is no vertex, so nothing is around it");
        }
      }
    }
    List<Edge> between = new ArrayList<>();
    for (Row row :
        rows(drawnEdges, edgeColumns, Math.multiplyExact((long) limit, EDGES), "edges", SRC, DST)) {
      for (int end = 0; end < 2; end++) {
        if (!ids.contains(row.getString(end))) {
          throw new IllegalArgumentException(
              ("%s is the end of an edge, but no vertex: use missing(Missing.ADD) or"
                      + " missing(Missing.DROP) of the graph")
                  .formatted(row.getString(end)));
        }
      }
      between.add(new Edge(row.getString(0), row.getString(1), values(row, 2)));
    }
    return new DrawnGraph(attributes(vertexColumns), attributes(edgeColumns), all, between);
  }

  /** The texts of the ids that are near enough. */
  private Set<String> neighbourhood() {
    Set<String> near = new LinkedHashSet<>(given());
    Set<String> last = near;
    for (int i = 0; i < hops && !last.isEmpty(); i++) {
      Object[] from = last.toArray();
      Dataset<Row> next =
          step(SRC, DST, from)
              .union(step(DST, SRC, from))
              .distinct()
              .limit((int) Math.min(Integer.MAX_VALUE, 1L + limit + near.size()));
      last = new LinkedHashSet<>();
      for (Row row : next.collectAsList()) {
        if (near.add(row.getString(0))) {
          last.add(row.getString(0));
        }
      }
      requireFew(near.size(), limit, "vertices");
    }
    return near;
  }

  private Dataset<Row> step(String from, String to, Object[] ids) {
    return edges.filter(text(edges, from).isin(ids)).select(text(edges, to).as(ID));
  }

  /** What was given, as the ids of the table are written. */
  private List<String> given() {
    DataType type = type(vertices, ID);
    List<String> ids = new ArrayList<>();
    for (Object id : around) {
      Column column = functions.lit(id).cast(type);
      Row row;
      try {
        row = edges.sparkSession().range(1).select(text(column, type)).head();
      } catch (NumberFormatException e) {
        // In ANSI mode; otherwise it is null.
        row = null;
      }
      if (row == null || row.isNullAt(0)) {
        throw new IllegalArgumentException(
            "%s is no vertex, whose ids are of type %s".formatted(id, type.simpleString()));
      }
      ids.add(row.getString(0));
    }
    return ids;
  }

  /** The keys and the columns as texts. */
  private static List<Row> rows(
      Dataset<Row> table, List<StructField> columns, long most, String what, String... keys) {
    List<Column> selected = new ArrayList<>();
    for (String key : keys) {
      selected.add(text(table, key).as(key));
    }
    for (StructField column : columns) {
      selected.add(text(table, column.name()));
    }
    int asked = (int) Math.min(most, Integer.MAX_VALUE - 1) + 1;
    List<Row> rows = table.select(selected.toArray(Column[]::new)).limit(asked).collectAsList();
    requireFew(rows.size(), most, what);
    for (Row row : rows) {
      for (int i = 0; i < keys.length; i++) {
        if (row.isNullAt(i)) {
          throw new IllegalArgumentException(
              "column '%s' of the %s is null in %s: filter such rows out"
                  .formatted(keys[i], what, row));
        }
      }
    }
    return rows;
  }

  private static void requireFew(long found, long most, String what) {
    if (found > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "there are more than %,d %s, which nobody could tell apart: draw a part, by"
                  + " around(hops, ids) or filterVertices and filterEdges of the graph, or set"
                  + " limit",
              most,
              what));
    }
  }

  private static List<String> values(Row row, int from) {
    List<String> values = new ArrayList<>();
    for (int i = from; i < row.size(); i++) {
      values.add(row.getString(i));
    }
    return values;
  }

  private static List<StructField> others(Dataset<Row> table, String... keys) {
    boolean sensitive =
        Boolean.parseBoolean(table.sparkSession().conf().get("spark.sql.caseSensitive", "false"));
    return Arrays.stream(table.schema().fields())
        .filter(
            field ->
                Arrays.stream(keys)
                    .noneMatch(sensitive ? field.name()::equals : field.name()::equalsIgnoreCase))
        .toList();
  }

  private static DataType type(Dataset<Row> table, String column) {
    return table.select(TableColumns.named(column)).schema().apply(0).dataType();
  }

  private static Column text(Dataset<Row> table, String column) {
    return text(TableColumns.named(column), type(table, column));
  }

  private static Column text(Column column, DataType type) {
    if (type instanceof BinaryType) {
      return functions.hex(column);
    }
    return type instanceof StructType || type instanceof ArrayType || type instanceof MapType
        ? functions.to_json(column)
        : column.cast("string");
  }

  private static List<Attribute> attributes(List<StructField> columns) {
    return columns.stream().map(field -> new Attribute(field.name(), kind(field))).toList();
  }

  private static Kind kind(StructField field) {
    DataType type = field.dataType();
    if (type instanceof BooleanType) {
      return Kind.BOOLEAN;
    }
    if (type instanceof IntegerType || type instanceof ShortType || type instanceof ByteType) {
      return Kind.INT;
    }
    if (type instanceof LongType) {
      return Kind.LONG;
    }
    if (type instanceof FloatType) {
      return Kind.FLOAT;
    }
    return type instanceof DoubleType ? Kind.DOUBLE : Kind.STRING;
  }
}
