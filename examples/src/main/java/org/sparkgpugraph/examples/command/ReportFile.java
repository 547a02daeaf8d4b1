package org.sparkgpugraph.examples.command;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.Printable;
import org.sparkgpugraph.runtime.report.ReportListener;

/**
 * What {@code --report} asks for: a file with tables and charts of what a job ran, which is written
 * when the job has ended, however it did.
 */
public final class ReportFile implements AutoCloseable {
  private final Path path;
  private final SparkContext sc;
  private final String title;
  private final ReportListener listener;
  private final List<String> facts = new ArrayList<>();

  private ReportFile(Path path, SparkContext sc, String title) {
    this.path = path;
    this.sc = sc;
    this.title = title;
    listener = ReportListener.of(sc);
  }

  /**
   * Begins a report.
   *
   * @param path Hadoop path of the file, which is replaced when it exists
   * @throws BadInputException when it is a directory or cannot be reached
   */
  public static ReportFile of(String path, SparkContext sc, String title) {
    try {
      Path file = new Path(path);
      FileSystem files = files(file, sc);
      if (files.exists(file) && files.getFileStatus(file).isDirectory()) {
        throw new BadInputException(
            "--report " + Printable.of(path) + " is a directory: name a file in it");
      }
      return new ReportFile(file, sc, title);
    } catch (IOException | IllegalArgumentException e) {
      throw unwritable(path, e);
    }
  }

  /** Without checksums in files beside the others. */
  private static FileSystem files(Path path, SparkContext sc) throws IOException {
    FileSystem files = path.getFileSystem(sc.hadoopConfiguration());
    return files instanceof ChecksumFileSystem checked ? checked.getRawFileSystem() : files;
  }

  private static BadInputException unwritable(String path, Exception why) {
    return new BadInputException(
        "--report " + Printable.of(path) + " cannot be written: " + why.getMessage(), why);
  }

  /** Adds a line to what stands above the tables. */
  public void add(String fact) {
    facts.add(fact);
  }

  /** Writes it. */
  @Override
  public void close() {
    try (ReportListener heard = listener;
        OutputStream out = files(path, sc).create(path, true)) {
      out.write(heard.html(title, facts).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw unwritable(path.toString(), e);
    }
  }
}
