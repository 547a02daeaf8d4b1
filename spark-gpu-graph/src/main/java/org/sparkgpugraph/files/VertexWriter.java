package org.sparkgpugraph.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.Unreachable;
import org.sparkgpugraph.files.output.OutputDirectory;
import org.sparkgpugraph.files.output.VertexTextOutputFormat;
import org.sparkgpugraph.files.output.VertexValues;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.ColumnType;
import scala.Tuple2;

/**
 * Writes the values of vertices into a directory, one file per task. The directory appears when all
 * tasks have ended, complete and with {@code _SUCCESS}; on object stores, which cannot rename
 * directories, their output committer does what it can. Of several jobs that write to one path at a
 * time one succeeds, and what another job has written is never removed. A job that fails leaves no
 * directory.
 */
public final class VertexWriter implements AutoCloseable {
  /** How values are written. */
  public enum Format {
    /** Lines {@code id<TAB>value}. */
    TEXT,
    /** Lines {@code id value}, one blank between them: what Graphalytics' validator reads. */
    GRAPHALYTICS,
    /** Lines {@code id,value}, each file with a header. */
    CSV,
    /** Parquet with a column {@code id} and one per value. */
    PARQUET
  }

  /** What is done with an output that exists. */
  public enum Existing {
    /** The writer is not made. */
    REFUSE,
    /**
     * When the new output is complete it takes the place of the old one, which is removed. Only a
     * directory that is empty, or has {@code _SUCCESS} and nothing that jobs do not write, is
     * replaced, and only on file systems that rename directories in one step.
     */
    REPLACE
  }

  private final SparkSession spark;
  private final OutputDirectory output;
  private final Format format;
  private final List<String> names;

  /**
   * As below, with an output that must not exist.
   *
   * @throws BadInputException when the directory exists or cannot be written
   */
  public VertexWriter(SparkSession spark, String output, Format format, List<String> names) {
    this(spark, output, format, names, Existing.REFUSE);
  }

  /**
   * Prepares to write: takes the right to, which one job has at a time, until all is written or the
   * writer is closed. Call before any work is done for the result, since it looks whether the
   * output can be written at all.
   *
   * @param output directory, a Hadoop path
   * @param names of the value columns, for CSV and Parquet
   * @throws BadInputException when the directory exists and is not to be replaced, when another job
   *     writes it, or when it cannot be written
   */
  public VertexWriter(
      SparkSession spark, String output, Format format, List<String> names, Existing existing) {
    this.spark = spark;
    this.format = Objects.requireNonNull(format, "format");
    this.names = List.copyOf(names);
    this.output = new OutputDirectory(spark, output, existing == Existing.REPLACE);
  }

  /** The directory, qualified. */
  public String output() {
    return output.named().toString();
  }

  /**
   * Writes all blocks, commits and closes.
   *
   * @param kinds of the value columns, one per name
   * @param blocks ids and values of these kinds: an array of primitives, or columns
   * @throws BadInputException when the output cannot be written, or another program has made it
   * @throws IllegalStateException when the writer is closed
   */
  public void write(List<? extends ColumnType> kinds, JavaRDD<VertexBlock> blocks) {
    if (kinds.size() != names.size()) {
      throw new IllegalArgumentException(kinds.size() + " kinds, " + names.size() + " names");
    }
    try (output) {
      Path directory = output.begin();
      if (format == Format.PARQUET) {
        writeParquet(directory, kinds, blocks);
      } else {
        writeText(directory, blocks);
      }
      output.commit();
    } catch (IOException e) {
      throw new BadInputException("cannot write to " + output() + ": " + Unreachable.message(e), e);
    }
  }

  /** Gives the right to write back if nothing was written. */
  @Override
  public void close() {
    output.close();
  }

  private void writeText(Path directory, JavaRDD<VertexBlock> blocks) throws IOException {
    Configuration conf = new Configuration(spark.sparkContext().hadoopConfiguration());
    conf.set(FileOutputFormat.OUTDIR, directory.toString());
    switch (format) {
      case CSV -> VertexTextOutputFormat.configureCsv(conf, names);
      case GRAPHALYTICS -> VertexTextOutputFormat.configure(conf, ' ');
      default -> VertexTextOutputFormat.configure(conf, '\t');
    }
    Job job = Job.getInstance(conf);
    job.setOutputFormatClass(VertexTextOutputFormat.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(VertexBlock.class);
    blocks
        .mapToPair(block -> new Tuple2<>(NullWritable.get(), block))
        .saveAsNewAPIHadoopDataset(job.getConfiguration());
  }

  private void writeParquet(
      Path directory, List<? extends ColumnType> kinds, JavaRDD<VertexBlock> blocks) {
    List<StructField> fields = new ArrayList<>();
    fields.add(DataTypes.createStructField("id", DataTypes.LongType, false));
    for (int column = 0; column < names.size(); column++) {
      fields.add(DataTypes.createStructField(names.get(column), sqlType(kinds.get(column)), false));
    }
    StructType schema = DataTypes.createStructType(fields);
    JavaRDD<Row> rows = blocks.flatMap(VertexWriter::rows);
    spark.createDataFrame(rows, schema).write().parquet(directory.toString());
  }

  private static DataType sqlType(ColumnType type) {
    if (type.isArray()) {
      return DataTypes.createArrayType(sqlType(type.kind()), false);
    }
    return switch (type.kind()) {
      case BOOLEAN -> DataTypes.BooleanType;
      case INT -> DataTypes.IntegerType;
      case LONG -> DataTypes.LongType;
      case FLOAT -> DataTypes.FloatType;
      case DOUBLE -> DataTypes.DoubleType;
    };
  }

  private static Iterator<Row> rows(VertexBlock block) {
    VertexValues values = new VertexValues(block);
    return IntStream.range(0, block.size())
        .mapToObj(
            position -> {
              Object[] cells = new Object[1 + values.width()];
              cells[0] = block.ids()[position];
              for (int column = 1; column < cells.length; column++) {
                cells[column] = values.get(column - 1, position);
              }
              return RowFactory.create(cells);
            })
        .iterator();
  }
}
