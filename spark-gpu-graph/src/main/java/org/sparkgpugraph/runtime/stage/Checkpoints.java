package org.sparkgpugraph.runtime.stage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import scala.reflect.ClassTag$;

/**
 * The checkpoints of one run, seen from the driver: a directory of its own in Spark's checkpoint
 * directory, with a folder for each checkpoint. One is complete when the files of all shards and
 * then a manifest were written; then the one before is removed, and everything when the run has
 * ended, well or not; a driver that is killed leaves them. One that cannot be written is left out.
 *
 * <p>What file systems throw is an {@link IOException}, or unchecked (those of clouds), or an
 * {@link FSError} (the local one, when the disk is full or broken).
 */
public final class Checkpoints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final String MANIFEST = "manifest";

  private final SparkContext sc;
  private final Path directory;
  private final FileSystem files;
  private final Broadcast<SerializableConfiguration> conf;
  private final long run;

  private Checkpoints(
      SparkContext sc,
      Path directory,
      FileSystem files,
      Broadcast<SerializableConfiguration> conf,
      long run) {
    this.sc = sc;
    this.directory = directory;
    this.files = files;
    this.conf = conf;
    this.run = run;
  }

  /**
   * Makes the directory of a run.
   *
   * @param run number of the run
   * @return null when Spark has no checkpoint directory
   * @throws IllegalStateException when it cannot be written
   */
  public static Checkpoints of(SparkContext sc, long run) {
    String parent = parent(sc);
    if (parent == null) {
      return null;
    }
    Path directory = new Path(parent, "spark-gpu-graph-" + Long.toHexString(run));
    Configuration configuration = sc.hadoopConfiguration();
    FileSystem files = null;
    try {
      files = directory.getFileSystem(configuration);
      if (!files.mkdirs(directory)) {
        throw new IOException("it cannot be made");
      }
      // Removed also when the driver is asked to end.
      files.deleteOnExit(directory);
      probe(files, directory);
    } catch (IOException | RuntimeException | FSError e) {
      if (files != null) {
        discard(files, directory);
      }
      throw unwritable(directory.toString(), e);
    }
    Broadcast<SerializableConfiguration> conf =
        sc.broadcast(
            new SerializableConfiguration(configuration),
            ClassTag$.MODULE$.apply(SerializableConfiguration.class));
    return new Checkpoints(sc, directory, files, conf, run);
  }

  private static IllegalStateException unwritable(String directory, Throwable error) {
    return new IllegalStateException(
        ("the checkpoint directory %s cannot be written (%s): give another one to"
                + " SparkContext.setCheckpointDir, or set %s = 0")
            .formatted(
                directory,
                error.getMessage() == null ? error : error.getMessage(),
                GpuGraphConf.CHECKPOINT_INTERVAL.key()),
        error);
  }

  /** Fails where no file can be made in a directory. */
  private static void probe(FileSystem files, Path directory) throws IOException {
    Path probe = new Path(directory, ".probe");
    try (OutputStream out = files.create(probe, true)) {
      out.write(0);
    }
    files.delete(probe, false);
  }

  private static void discard(FileSystem files, Path directory) {
    delete(files, directory);
    files.cancelDeleteOnExit(directory);
  }

  private static String parent(SparkContext sc) {
    if (sc.getCheckpointDir().isEmpty()) {
      // Spark 4 reads this key itself.
      String configured = sc.getConf().get("spark.checkpoint.dir", "");
      if (configured.isEmpty()) {
        return null;
      }
      try {
        sc.setCheckpointDir(configured);
      } catch (Exception | FSError e) {
        // It makes the directory; Scala does not declare IOException.
        throw unwritable(configured, e);
      }
    }
    return sc.getCheckpointDir().get();
  }

  /** Where the checkpoint behind an exchange goes. */
  public CheckpointFolder folder(int epoch) {
    return new CheckpointFolder(path(epoch).toString(), conf, run, epoch);
  }

  private Path path(int epoch) {
    return new Path(directory, "epoch-" + epoch);
  }

  /**
   * Completes a checkpoint whose files are written.
   *
   * @param lengths length of each shard's file
   * @throws IOException which names the file, when it cannot be written
   */
  public void complete(CheckpointFolder folder, int superstep, Map<Integer, Long> lengths)
      throws IOException {
    String shards =
        new TreeMap<>(lengths)
            .entrySet().stream()
                .map(shard -> CheckpointFolder.file(shard.getKey()) + "=" + shard.getValue() + "\n")
                .collect(Collectors.joining());
    String text =
        "version=1\nrun=%x\nepoch=%s\nsuperstep=%s\nshards=%s\n%s"
            .formatted(run, folder.epoch(), superstep, lengths.size(), shards);
    Path manifest = new Path(folder.path(), MANIFEST);
    Path temporary = new Path(folder.path(), "." + MANIFEST + ".tmp");
    try {
      try (OutputStream out = files.create(temporary, true)) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
      CheckpointFolder.move(files, temporary, manifest);
    } catch (IOException | RuntimeException | FSError e) {
      throw new IOException("checkpoint " + manifest + " cannot be written: " + e, e);
    }
  }

  /** Whether a checkpoint is complete. */
  public boolean isComplete(CheckpointFolder folder) {
    try {
      return files.exists(new Path(folder.path(), MANIFEST));
    } catch (IOException | RuntimeException | FSError e) {
      LOG.warn("checkpoint {} cannot be looked for", folder.path(), e);
      return false;
    }
  }

  /** Removes a checkpoint. */
  public void remove(CheckpointFolder folder) {
    delete(files, new Path(folder.path()));
  }

  private static void delete(FileSystem files, Path path) {
    try {
      files.delete(path, true);
    } catch (IOException | RuntimeException | FSError e) {
      LOG.warn("checkpoint {} could not be removed", path, e);
    }
  }

  /** Removes everything. */
  @Override
  public void close() {
    discard(files, directory);
    if (!sc.isStopped()) {
      conf.destroy();
    }
  }
}
