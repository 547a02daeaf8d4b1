package io.sparkgpugraph.io;

import io.sparkgpugraph.graph.VertexBlock;
import io.sparkgpugraph.program.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Tuple2;

/**
 * Writes the values of vertices into a new directory, one file per task. Tasks write below a
 * temporary directory; only when all have ended are the files moved to their place and {@code
 * _SUCCESS} is added, by the output committer of the file system. A job that fails leaves no
 * directory.
 */
public final class VertexWriter {
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

  /** Priority of a hook between Spark's, which ends its tasks, and that of the file systems. */
  private static final int AFTER_SPARK = FileSystem.SHUTDOWN_HOOK_PRIORITY + 10;

  private final Path output;
  private final Format format;
  private final List<String> names;

  /**
   * Prepares to write. Call before any work is done for the result, since it looks whether the
   * output can be written at all.
   *
   * @param output directory that does not exist yet, a Hadoop path
   * @param names of the value columns, for CSV and Parquet
   * @throws BadInputException when the directory exists or its file system cannot be reached
   */
  public VertexWriter(Configuration conf, String output, Format format, List<String> names) {
    this.format = Objects.requireNonNull(format, "format");
    this.names = List.copyOf(names);
    if (output.isBlank()) {
      throw new BadInputException("the output path is empty");
    }
    try {
      Path path = new Path(output);
      FileSystem fs = path.getFileSystem(conf);
      this.output = fs.makeQualified(path);
      if (fs.exists(this.output)) {
        throw new BadInputException(
            "the output "
                + this.output
                + " exists already: choose another directory or remove it first");
      }
      probe(fs);
    } catch (BadInputException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw Unreachable.exception("write to", output, e);
    }
  }

  /** Makes and removes the directory: permission bits alone do not tell what the system allows. */
  private void probe(FileSystem fs) throws IOException {
    if (!fs.mkdirs(output)) {
      throw new BadInputException(
          "cannot write to "
              + output
              + ": the directory cannot be made; check its parent and its permissions");
    }
    // Not recursive: what another job has begun to write here in the meantime must stay.
    fs.delete(output, false);
  }

  /** The directory, qualified. */
  public String output() {
    return output.toString();
  }

  /**
   * Writes all blocks and commits.
   *
   * @param kinds of the value columns, one per name
   * @param blocks ids and values of these kinds: an array of primitives, or columns
   */
  public void write(SparkSession spark, List<Kind> kinds, JavaRDD<VertexBlock> blocks) {
    if (kinds.size() != names.size()) {
      throw new IllegalArgumentException(kinds.size() + " kinds, " + names.size() + " names");
    }
    Configuration conf = new Configuration(spark.sparkContext().hadoopConfiguration());
    AtomicBoolean written = new AtomicBoolean();
    // A JVM that is told to end does not run the finally below to its end.
    Runnable atExit =
        () -> {
          if (!written.get()) {
            discard(conf);
          }
        };
    ShutdownHookManager.get().addShutdownHook(atExit, AFTER_SPARK);
    try {
      if (format == Format.PARQUET) {
        writeParquet(spark, kinds, blocks);
      } else {
        writeText(conf, blocks);
      }
      written.set(true);
    } finally {
      if (!written.get()) {
        discard(conf);
      }
      // Refused while the JVM ends.
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(atExit);
      }
    }
  }

  private void writeText(Configuration conf, JavaRDD<VertexBlock> blocks) {
    conf.set(FileOutputFormat.OUTDIR, output.toString());
    VertexTextOutputFormat.configure(conf, format, names);
    try {
      Job job = Job.getInstance(conf);
      job.setOutputFormatClass(VertexTextOutputFormat.class);
      job.setOutputKeyClass(NullWritable.class);
      job.setOutputValueClass(VertexBlock.class);
      blocks
          .mapToPair(block -> new Tuple2<>(NullWritable.get(), block))
          .saveAsNewAPIHadoopDataset(job.getConfiguration());
    } catch (IOException e) {
      throw new BadInputException("cannot write to " + output + ": " + e.getMessage(), e);
    }
  }

  private void writeParquet(SparkSession spark, List<Kind> kinds, JavaRDD<VertexBlock> blocks) {
    List<StructField> fields = new ArrayList<>();
    fields.add(DataTypes.createStructField("id", DataTypes.LongType, false));
    for (int column = 0; column < names.size(); column++) {
      fields.add(DataTypes.createStructField(names.get(column), sqlType(kinds.get(column)), false));
    }
    StructType schema = DataTypes.createStructType(fields);
    JavaRDD<Row> rows = blocks.flatMap(block -> new BlockRows(block));
    spark.createDataFrame(rows, schema).write().parquet(output.toString());
  }

  private static DataType sqlType(Kind kind) {
    return switch (kind) {
      case BOOLEAN -> DataTypes.BooleanType;
      case INT -> DataTypes.IntegerType;
      case LONG -> DataTypes.LongType;
      case FLOAT -> DataTypes.FloatType;
      case DOUBLE -> DataTypes.DoubleType;
    };
  }

  /** Removes what a failed job left: the directory did not exist before it. */
  private void discard(Configuration conf) {
    try {
      output.getFileSystem(conf).delete(output, true);
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(VertexWriter.class)
          .warn("cannot remove the incomplete output {}: {}", output, e.toString());
    }
  }

  private static final class BlockRows implements Iterator<Row> {
    private final VertexBlock block;
    private final VertexValues values;
    private int next;

    BlockRows(VertexBlock block) {
      this.block = block;
      this.values = new VertexValues(block);
    }

    @Override
    public boolean hasNext() {
      return next < block.size();
    }

    @Override
    public Row next() {
      Object[] cells = new Object[1 + values.width()];
      cells[0] = block.ids()[next];
      for (int column = 1; column < cells.length; column++) {
        cells[column] = values.get(column - 1, next);
      }
      next++;
      return RowFactory.create(cells);
    }
  }
}
