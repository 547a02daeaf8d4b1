package org.sparkgpugraph.runtime.stage;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * The folder of one checkpoint, a file for each shard, in any Hadoop file system; used by tasks.
 *
 * @param path of the folder
 * @param conf Hadoop's configuration
 * @param run number of the run
 * @param epoch the exchange that it stands behind
 */
public record CheckpointFolder(
    String path, Broadcast<SerializableConfiguration> conf, long run, int epoch)
    implements Serializable {
  private static final int BUFFER = 1 << 16;

  /** A shard's file. */
  static String file(int shard) {
    return "shard-" + shard;
  }

  /**
   * Writes a shard's file under a temporary name, and renames it.
   *
   * @return its length in bytes
   * @throws IOException which names the file
   */
  public long write(int shard, CheckpointFile file) throws IOException {
    Path target = new Path(path, file(shard));
    TaskContext context = TaskContext.get();
    long attempt = context == null ? 0 : context.taskAttemptId();
    Path temporary = new Path(path, "." + file(shard) + "-" + attempt + ".tmp");
    try {
      FileSystem files = files();
      try (OutputStream out = new BufferedOutputStream(files.create(temporary, true), BUFFER)) {
        file.write(new CheckpointFile.Name(run, epoch, shard), out);
      }
      move(files, temporary, target);
      return files.getFileStatus(target).getLen();
    } catch (IOException | RuntimeException | FSError e) {
      // File systems of clouds throw exceptions of their own, which are not checked; the local one
      // throws an Error when the disk is full.
      throw new IOException("checkpoint " + target + " cannot be written: " + e, e);
    }
  }

  /** Renames a file; one that is there already, of an earlier attempt, is replaced. */
  static void move(FileSystem files, Path from, Path to) throws IOException {
    files.delete(to, false);
    if (!files.rename(from, to)) {
      throw new IOException(from + " cannot be renamed to " + to);
    }
  }

  /**
   * Reads a shard's file.
   *
   * @throws IOException which names the file
   */
  public CheckpointFile read(int shard) throws IOException {
    Path file = new Path(path, file(shard));
    try {
      FileSystem files = files();
      long bytes = files.getFileStatus(file).getLen();
      try (InputStream in = new BufferedInputStream(files.open(file), BUFFER)) {
        return CheckpointFile.read(new CheckpointFile.Name(run, epoch, shard), in, bytes);
      }
    } catch (IOException | RuntimeException | FSError e) {
      throw new IOException("checkpoint " + file + " cannot be read: " + e, e);
    }
  }

  private FileSystem files() throws IOException {
    return new Path(path).getFileSystem(conf.value().value());
  }
}
