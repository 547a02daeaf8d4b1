package org.sparkgpugraph.files.input;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Parquet files among those that input paths stand for. A README beside them is left out with a
 * warning; Spark would take it for one of them.
 *
 * @param written the paths as they were given
 * @param paths what Spark is to read
 * @param globs whether Spark has to look for these
 */
public record ParquetFiles(String written, List<String> paths, boolean globs) {
  private static final Logger LOG = LoggerFactory.getLogger(ParquetFiles.class);
  private static final String SUFFIX = ".parquet";

  /** Files of other names are opened to see what they are, if they are not more than these. */
  private static final int MAX_OPENED = 256;

  private static final int MAX_NAMED = 3;

  /**
   * Looks for the files.
   *
   * @throws BadInputException when there are none, or a path names another file
   */
  public static ParquetFiles of(String written, Configuration conf) {
    InputFiles input = InputFiles.of(written, conf);
    List<Path> others = new ArrayList<>();
    List<String> files = new ArrayList<>();
    List<Path> unclear = new ArrayList<>();
    for (FileStatus file : input.files()) {
      refuseColon(file.getPath(), conf);
      if (!file.getPath().getName().endsWith(SUFFIX)) {
        unclear.add(file.getPath());
      }
    }
    if (unclear.size() <= MAX_OPENED) {
      for (Path file : unclear) {
        if (!isParquet(file, conf)) {
          others.add(file);
        }
      }
    }
    for (Path other : others) {
      if (input.named().contains(other)) {
        throw new BadInputException(other + " is not a Parquet file: check its format");
      }
    }
    for (FileStatus file : input.files()) {
      if (!others.contains(file.getPath())) {
        files.add(file.getPath().toString());
      }
    }
    if (files.isEmpty()) {
      throw new BadInputException(
          "there are no Parquet files in " + written + ", only " + names(others));
    }
    if (!others.isEmpty()) {
      LOG.warn("{} in {} left out: no Parquet", names(others), written);
    }
    // Spark lists directories in parallel; but it takes all in them, and odd names for globs.
    boolean literal = input.named().stream().anyMatch(path -> InputFiles.isGlob(path.toString()));
    return others.isEmpty() && !literal
        ? new ParquetFiles(
            written,
            InputFiles.split(written).stream().map(p -> InputFiles.path(p).toString()).toList(),
            true)
        : new ParquetFiles(written, files, false);
  }

  private static void refuseColon(Path file, Configuration conf) {
    try {
      if (file.getName().indexOf(':') >= 0
          && file.getFileSystem(conf) instanceof ChecksumFileSystem) {
        throw new BadInputException(
            file + ": Hadoop cannot read Parquet from a name with a colon: rename the file");
      }
    } catch (IOException e) {
      throw Unreachable.exception("read", file.toString(), e);
    }
  }

  private static boolean isParquet(Path file, Configuration conf) {
    byte[] magic = new byte[4];
    try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
      in.readNBytes(magic, 0, magic.length);
    } catch (IOException | RuntimeException | FSError e) {
      throw Unreachable.exception("read", file.toString(), e);
    }
    String text = new String(magic, StandardCharsets.US_ASCII);
    // The second one: with an encrypted footer.
    return text.equals("PAR1") || text.equals("PARE");
  }

  private static String names(List<Path> files) {
    String shown =
        files.stream().limit(MAX_NAMED).map(Path::getName).reduce((a, b) -> a + ", " + b).get();
    return files.size() > MAX_NAMED
        ? shown + " and " + (files.size() - MAX_NAMED) + " more"
        : shown;
  }

  /**
   * The table.
   *
   * @throws BadInputException when Spark finds no schema in the files
   */
  public Dataset<Row> read(SparkSession spark) {
    try {
      return spark
          .read()
          .option("recursiveFileLookup", "true")
          .option(DataSource.GLOB_PATHS_KEY(), String.valueOf(globs))
          .parquet(paths.toArray(new String[0]));
    } catch (Exception e) {
      // Spark throws AnalysisException, which is checked but undeclared in Scala code, for files
      // without a schema, and SparkException around the cause for files that are no Parquet.
      throw unreadable(written, e);
    }
  }

  /** What Spark says of a file, which may also come while its rows are read. */
  public static BadInputException unreadable(String written, Throwable error) {
    Throwable root = error;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return new BadInputException(
        "%s cannot be read as Parquet: %s; check its format"
            .formatted(written, Unreachable.firstLine(root)),
        error);
  }
}
