package io.sparkgpugraph.io;

import io.sparkgpugraph.graph.EdgeBlock;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.ShortType;

/**
 * Edges from files and tables, as blocks of primitive arrays: {@code long[]} of sources and of
 * destinations and, where weights are read, {@code double[]} of values (null otherwise). Ids are
 * any 64-bit integers, negative ones too. Parallel edges and self-loops are kept.
 *
 * <p>Paths are Hadoop's: a local path, or one with a scheme ({@code hdfs:}, {@code s3a:}, …), of a
 * file, a directory (read with its subdirectories, hidden files left out) or a glob; several are
 * separated by commas. Compressed files are known by their suffix ({@code .gz}, {@code .bz2}, …).
 */
public final class EdgeLoader {
  private static final long MAX_SPLIT_BYTES = 64L << 20;
  private static final long MIN_SPLIT_BYTES = 64L << 10;

  private EdgeLoader() {}

  /**
   * Edges from text. Nothing is read yet, but the files are looked for.
   *
   * @param path input paths
   * @param minPartitions files are split so that about this many tasks share them, if they are
   *     large enough and not compressed
   * @throws BadInputException when a path matches nothing or cannot be accessed; inside the job
   *     that reads, for a line that is no edge (with file, line number and text)
   */
  public static JavaRDD<EdgeBlock> text(
      JavaSparkContext sc, String path, EdgeTextFormat format, int minPartitions) {
    Configuration conf = new Configuration(sc.hadoopConfiguration());
    long bytes = checkInput(path, conf);
    long share = bytes / Math.max(1, minPartitions) + 1;
    conf.setLong(
        FileInputFormat.SPLIT_MAXSIZE, Math.max(MIN_SPLIT_BYTES, Math.min(MAX_SPLIT_BYTES, share)));
    conf.setBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, true);
    conf.set(FileInputFormat.INPUT_DIR, inputPaths(path, conf));
    EdgeTextInputFormat.configure(conf, format);
    return sc.newAPIHadoopRDD(conf, EdgeTextInputFormat.class, NullWritable.class, EdgeBlock.class)
        .values();
  }

  /**
   * Edges from Parquet files.
   *
   * @param path input paths
   * @param source column of the sources, of an integer type; null: {@code src}
   * @param destination column of the destinations; null: {@code dst}
   * @param weight column of the weights, of a numeric type; null: edges carry no values
   * @param undirected whether every row is two edges, one in each direction
   * @throws BadInputException when a path matches nothing or the files lack a column
   */
  public static JavaRDD<EdgeBlock> parquet(
      SparkSession spark,
      String path,
      String source,
      String destination,
      String weight,
      boolean undirected) {
    Configuration conf = new Configuration(spark.sparkContext().hadoopConfiguration());
    checkInput(path, conf);
    List<String> paths = new ArrayList<>();
    for (Path each : pathsOf(path, conf)) {
      paths.add(each.toString());
    }
    Dataset<Row> table;
    try {
      table =
          spark.read().option("recursiveFileLookup", "true").parquet(paths.toArray(new String[0]));
    } catch (Exception e) {
      // Spark throws AnalysisException, which is checked but undeclared in Scala code, for files
      // without a schema, and SparkException around the cause for files that are no Parquet.
      throw new BadInputException(
          path + " cannot be read as Parquet: " + firstLine(root(e)) + "; check its format", e);
    }
    return fromDataset(
        table,
        source == null ? EdgeTextFormat.DEFAULT_SOURCE : source,
        destination == null ? EdgeTextFormat.DEFAULT_DESTINATION : destination,
        weight,
        undirected);
  }

  /** As {@link #fromDataset(Dataset, String, String, String, boolean)}, directed. */
  public static JavaRDD<EdgeBlock> fromDataset(
      Dataset<Row> table, String source, String destination, String weight) {
    return fromDataset(table, source, destination, weight, false);
  }

  /**
   * Edges from the rows of a table.
   *
   * @param source column of the sources, of an integer type
   * @param destination column of the destinations, of an integer type
   * @param weight column of the weights, of a numeric type; null: edges carry no values
   * @param undirected whether every row is two edges, one in each direction
   * @throws BadInputException when a column is missing or of another type; inside the job that
   *     reads, for a null
   */
  public static JavaRDD<EdgeBlock> fromDataset(
      Dataset<Row> table, String source, String destination, String weight, boolean undirected) {
    requireId(table, source);
    requireId(table, destination);
    boolean weighted = weight != null;
    Dataset<Row> edges;
    if (weighted) {
      requireWeight(table, weight);
      edges =
          table.select(
              column(source).cast("long"),
              column(destination).cast("long"),
              column(weight).cast("double"));
    } else {
      edges = table.select(column(source).cast("long"), column(destination).cast("long"));
    }
    List<String> names =
        weighted ? List.of(source, destination, weight) : List.of(source, destination);
    return InternalRows.of(edges)
        .toJavaRDD()
        .mapPartitions(rows -> new RowBlocks(rows, names, undirected));
  }

  private static org.apache.spark.sql.Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  private static void requireId(Dataset<Row> table, String column) {
    DataType type = typeOf(table, column);
    if (!(type instanceof LongType
        || type instanceof IntegerType
        || type instanceof ShortType
        || type instanceof ByteType)) {
      throw new BadInputException(
          "column '"
              + column
              + "' is of type "
              + type.simpleString()
              + ", but vertex ids are integers: cast it to bigint");
    }
  }

  private static void requireWeight(Dataset<Row> table, String column) {
    DataType type = typeOf(table, column);
    if (!(type instanceof NumericType)) {
      throw new BadInputException(
          "column '"
              + column
              + "' is of type "
              + type.simpleString()
              + ", but weights are numbers: cast it to double");
    }
  }

  private static DataType typeOf(Dataset<Row> table, String column) {
    for (var field : table.schema().fields()) {
      if (field.name().equalsIgnoreCase(column)) {
        return field.dataType();
      }
    }
    throw new BadInputException(
        "the table has no column '" + column + "', only " + List.of(table.columns()));
  }

  private static Path[] pathsOf(String path, Configuration conf) {
    try {
      Job job = Job.getInstance(conf);
      FileInputFormat.setInputPaths(job, path);
      return FileInputFormat.getInputPaths(job);
    } catch (IOException | RuntimeException | FSError e) {
      throw Unreachable.exception("read", path, e);
    }
  }

  private static String inputPaths(String path, Configuration conf) {
    StringBuilder joined = new StringBuilder();
    for (Path each : pathsOf(path, conf)) {
      joined.append(joined.length() == 0 ? "" : ",");
      joined.append(org.apache.hadoop.util.StringUtils.escapeString(each.toString()));
    }
    return joined.toString();
  }

  /** Looks for every path now, before a job is started for them; returns the bytes of all files. */
  private static long checkInput(String path, Configuration conf) {
    if (path.isBlank()) {
      throw new BadInputException("the input path is empty");
    }
    long bytes = 0;
    for (Path each : pathsOf(path, conf)) {
      try {
        FileSystem fs = each.getFileSystem(conf);
        FileStatus[] found = fs.globStatus(each);
        if (found == null || found.length == 0) {
          throw new BadInputException(
              "no file matches " + fs.makeQualified(each) + ": check the path");
        }
        long files = 0;
        for (FileStatus status : found) {
          if (status.isDirectory()) {
            var content = fs.getContentSummary(status.getPath());
            files += content.getFileCount();
            bytes += content.getLength();
          } else {
            files++;
            bytes += status.getLen();
          }
        }
        if (files == 0) {
          throw new BadInputException(
              "there are no files in " + fs.makeQualified(each) + ": check the path");
        }
      } catch (FileNotFoundException e) {
        throw new BadInputException("no file matches " + each + ": check the path", e);
      } catch (IOException | FSError e) {
        throw Unreachable.exception("read", each.toString(), e);
      }
    }
    return bytes;
  }

  private static Throwable root(Throwable error) {
    Throwable root = error;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }

  static String firstLine(Throwable error) {
    String message = error.getMessage() == null ? error.toString() : error.getMessage();
    return message.lines().findFirst().orElse(error.toString());
  }

  /** Packs rows of (long, long[, double]) into blocks. */
  private static final class RowBlocks implements Iterator<EdgeBlock> {
    private final Iterator<InternalRow> rows;
    private final List<String> names;
    private final EdgeBlockBuilder builder;

    RowBlocks(Iterator<InternalRow> rows, List<String> names, boolean undirected) {
      this.rows = rows;
      this.names = names;
      this.builder = new EdgeBlockBuilder(names.size() == 3, undirected);
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public EdgeBlock next() {
      boolean weighted = names.size() == 3;
      while (!builder.isFull() && rows.hasNext()) {
        InternalRow row = rows.next();
        for (int i = 0; i < names.size(); i++) {
          if (row.isNullAt(i)) {
            throw nullIn(row, i);
          }
        }
        builder.add(row.getLong(0), row.getLong(1), weighted ? row.getDouble(2) : 0);
      }
      return builder.take();
    }

    private BadInputException nullIn(InternalRow row, int column) {
      StringBuilder others = new StringBuilder();
      for (int i = 0; i < names.size(); i++) {
        if (!row.isNullAt(i)) {
          others.append(others.length() == 0 ? " of the row with " : ", ");
          others.append(names.get(i)).append(" = ");
          others.append(i == 2 ? String.valueOf(row.getDouble(i)) : String.valueOf(row.getLong(i)));
        }
      }
      return new BadInputException(
          "column '" + names.get(column) + "'" + others + " is null: filter such rows out first");
    }
  }
}
