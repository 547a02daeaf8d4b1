package org.sparkgpugraph.files;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.EdgeBlockBuilder;
import org.sparkgpugraph.files.input.EdgeTextFormat;
import org.sparkgpugraph.files.input.EdgeTextInputFormat;
import org.sparkgpugraph.files.input.InputBytes;
import org.sparkgpugraph.files.input.InputFiles;
import org.sparkgpugraph.files.input.InternalRows;
import org.sparkgpugraph.files.input.MatrixMarketFiles;
import org.sparkgpugraph.files.input.ParquetFiles;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.files.input.TextProbes;
import org.sparkgpugraph.graphs.model.EdgeBlock;

/**
 * Edges from files and tables, as blocks of primitive arrays: {@code long[]} of sources and of
 * destinations and, where weights are read, {@code double[]} of values (null otherwise). Ids are
 * any 64-bit integers, negative ones too. Parallel edges and self-loops are kept.
 *
 * <p>Paths are Hadoop's: a local path, or one with a scheme ({@code hdfs:}, {@code s3a:}, …), of a
 * file, a directory (read with its subdirectories, hidden files left out) or a glob; several are
 * separated by commas. What exists as it is written is no glob. Compressed files are known by their
 * suffix ({@code .gz}, {@code .bz2}, …).
 */
public final class EdgeLoader {
  private static final long MAX_SPLIT_BYTES = 64L << 20;
  private static final long MIN_SPLIT_BYTES = 64L << 10;

  private EdgeLoader() {}

  /**
   * Edges from text. Nothing is read yet, but the files are looked for, and the first of an edge
   * list is opened: files of the Matrix Market are recognised. These are read once more if they are
   * large enough to be split, to count their entries.
   *
   * @param path input paths
   * @param minPartitions files are split so that about this many tasks share them, if they are
   *     large enough and not compressed
   * @throws BadInputException when a path matches nothing or cannot be accessed, or a matrix has
   *     another number of entries than it says; inside the job that reads, for a line that is no
   *     edge (with file, line number and text) and a file that cannot be decompressed
   */
  public static JavaRDD<EdgeBlock> text(
      JavaSparkContext sc, String path, EdgeTextFormat format, int minPartitions) {
    Configuration conf = new Configuration(sc.hadoopConfiguration());
    InputFiles input = InputFiles.of(path, conf);
    input.files().forEach(file -> InputBytes.refuseEmpty(conf, file));
    long share = input.bytes() / Math.max(1, minPartitions) + 1;
    long splitBytes = Math.max(MIN_SPLIT_BYTES, Math.min(MAX_SPLIT_BYTES, share));
    conf.setLong(FileInputFormat.SPLIT_MAXSIZE, splitBytes);
    Optional<MatrixMarketFiles> matrices = MatrixMarketFiles.of(input, conf, format);
    EdgeTextFormat known =
        matrices.isPresent() ? format.withStyle(EdgeTextFormat.Style.MATRIX_MARKET) : format;
    EdgeTextInputFormat.configure(conf, path, known);
    if (matrices.isPresent()) {
      matrices.get().log();
      matrices.get().checkEntries(sc, conf, splitBytes);
    }
    JavaRDD<EdgeBlock> edges =
        sc.newAPIHadoopRDD(conf, EdgeTextInputFormat.class, NullWritable.class, EdgeBlock.class)
            .values();
    return TextProbes.known(sc, conf, input, edges);
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
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    Dataset<Row> table = ParquetFiles.of(path, conf).read(spark);
    return blocks(
        path,
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
    return blocks(null, table, source, destination, weight, undirected);
  }

  private static JavaRDD<EdgeBlock> blocks(
      String parquet,
      Dataset<Row> table,
      String source,
      String destination,
      String weight,
      boolean undirected) {
    List<String> names =
        weight == null ? List.of(source, destination) : List.of(source, destination, weight);
    requireDistinct(names);
    List<Column> columns = new ArrayList<>();
    for (String end : names.subList(0, 2)) {
      requireType(
          table, end, TableColumns::isInteger, "vertex ids are integers: cast it to bigint");
      columns.add(TableColumns.named(end).cast("long"));
    }
    if (weight != null) {
      requireType(
          table, weight, NumericType.class::isInstance, "weights are numbers: cast it to double");
      columns.add(TableColumns.named(weight).cast("double"));
    }
    Dataset<Row> edges = table.select(columns.toArray(Column[]::new));
    return InternalRows.of(edges)
        .toJavaRDD()
        .mapPartitions(rows -> new RowBlocks(parquet, rows, names, undirected));
  }

  private static void requireDistinct(List<String> names) {
    for (int i = 1; i < names.size(); i++) {
      String name = names.get(i);
      if (names.subList(0, i).stream().anyMatch(name::equalsIgnoreCase)) {
        throw new BadInputException(
            ("column '%s' is named twice, in %s: source, destination and weight are"
                    + " different columns")
                .formatted(name, names));
      }
    }
  }

  private static void requireType(
      Dataset<Row> table, String column, Predicate<DataType> fits, String expected) {
    DataType type = typeOf(table, column);
    if (!fits.test(type)) {
      throw new BadInputException(
          "column '%s' is of type %s, but %s".formatted(column, type.simpleString(), expected));
    }
  }

  private static DataType typeOf(Dataset<Row> table, String column) {
    DataType found = null;
    for (var field : table.schema().fields()) {
      if (field.name().equalsIgnoreCase(column)) {
        if (found != null) {
          throw new BadInputException(
              "the table has two columns '%s' (capitals count for nothing), of %s: rename one"
                  .formatted(column, List.of(table.columns())));
        }
        found = field.dataType();
      }
    }
    if (found == null) {
      throw new BadInputException(
          "the table has no column '" + column + "', only " + List.of(table.columns()));
    }
    return found;
  }

  /** Packs rows of (long, long[, double]) into blocks. */
  private static final class RowBlocks implements Iterator<EdgeBlock> {
    private final String parquet;
    private final Iterator<InternalRow> rows;
    private final List<String> names;
    private final EdgeBlockBuilder builder;

    /**
     * @param parquet the path of the files that rows come from; null: they come from elsewhere
     */
    RowBlocks(String parquet, Iterator<InternalRow> rows, List<String> names, boolean undirected) {
      this.parquet = parquet;
      this.rows = rows;
      this.names = names;
      this.builder = new EdgeBlockBuilder(names.size() == 3, undirected);
    }

    @Override
    public boolean hasNext() {
      try {
        return rows.hasNext();
      } catch (Exception e) {
        // Spark's exceptions for a damaged file are checked, but Scala declares none.
        if (parquet == null || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        throw ParquetFiles.unreadable(parquet, e);
      }
    }

    @Override
    public EdgeBlock next() {
      boolean weighted = names.size() == 3;
      while (!builder.isFull() && hasNext()) {
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
