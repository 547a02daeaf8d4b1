package org.sparkgpugraph.files.output;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.Unreachable;

/**
 * The directory that a job writes its result to. One job at a time has the right to ({@link
 * OutputClaim}), from before its work begins to its end. Where the file system renames directories
 * in one step the files are written beside the directory and moved when all are there, so the
 * directory appears complete or not at all. Object stores cannot do that: there the committer of
 * the file system writes to the directory itself.
 *
 * <p>Only what this job has made is ever removed; but an output that is to be replaced, when the
 * new one is complete.
 */
public final class OutputDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutputDirectory.class);

  /** Priority of a hook between Spark's, which ends its tasks, and that of the file systems. */
  private static final int AFTER_SPARK = FileSystem.SHUTDOWN_HOOK_PRIORITY + 10;

  private final Path named;
  private final Path output;
  private final FileSystem fs;
  private final AtomicSteps steps;
  private final OutputClaim claim;
  private final boolean replace;

  // A JVM that is told to end does not run a finally to its end.
  private final Runnable atExit = this::close;

  private boolean claimed;
  private boolean begun;
  private boolean committed;

  /**
   * Takes the right to write. The directories above are made.
   *
   * @param named a Hadoop path
   * @param replace whether an output that exists is replaced
   * @throws BadInputException when the directory exists and is not to be replaced or is no output,
   *     when another job writes it, or when it cannot be written
   */
  public OutputDirectory(SparkSession spark, String named, boolean replace) {
    if (named.isBlank()) {
      throw new BadInputException("the output path is empty");
    }
    this.replace = replace;
    try {
      Configuration conf = spark.sparkContext().hadoopConfiguration();
      Path path = new Path(named);
      FileSystem first = path.getFileSystem(conf);
      this.named = first.makeQualified(path);
      if (this.named.isRoot()) {
        throw new BadInputException("the output " + this.named + " is the root of its file system");
      }
      Path parent = this.named.getParent();
      if (!first.mkdirs(parent)) {
        throw new BadInputException(
            "cannot write to "
                + this.named
                + ": the directory above cannot be made; check it and its permissions");
      }
      // Mount tables (viewfs) lead to file systems of other abilities.
      this.output = new Path(first.resolvePath(parent), this.named.getName());
      this.fs = output.getFileSystem(conf);
      this.steps = AtomicSteps.of(fs);
      this.claim = new OutputClaim(fs, steps, output, spark.sparkContext());
      if (!steps.canRename()) {
        // Who writes has begun the directory itself.
        claim.checkFree();
      }
      checkExisting();
      claim();
    } catch (BadInputException e) {
      throw e;
    } catch (IOException | RuntimeException | FSError e) {
      throw Unreachable.exception("write to", named, e);
    }
  }

  private synchronized void claim() throws IOException {
    ShutdownHookManager.get().addShutdownHook(atExit, AFTER_SPARK);
    boolean free = false;
    try {
      claim.take();
      claimed = true;
      // Another job may have had the right, and ended, since this was looked at.
      checkExisting();
      free = true;
    } finally {
      if (!free) {
        close();
      }
    }
  }

  /** Refuses what is there already. */
  private void checkExisting() throws IOException {
    boolean link = steps.isLink(output);
    if (!link && !fs.exists(output)) {
      return;
    }
    if (!replace) {
      throw new BadInputException(
          ("the output %s exists already: choose another directory, remove it first, or"
                  + " have it replaced (--overwrite of GraphJob)")
              .formatted(named));
    }
    String reason = link ? "it is a link" : whyKept();
    if (reason != null) {
      throw new BadInputException(
          ("the output %s is not replaced: %s; choose another directory, or remove it"
                  + " yourself if nothing in it is needed")
              .formatted(named, reason));
    }
  }

  /** Why what is there may not be removed, or null. */
  private String whyKept() throws IOException {
    if (!steps.canRename()) {
      return "its file system (" + fs.getUri().getScheme() + ") cannot do so in one step";
    }
    if (!fs.getFileStatus(output).isDirectory()) {
      return "it is a file, not a directory";
    }
    FileStatus[] files = fs.listStatus(output);
    boolean complete = false;
    for (FileStatus file : files) {
      complete |= file.getPath().getName().equals(FileOutputCommitter.SUCCEEDED_FILE_NAME);
    }
    if (files.length > 0 && !complete) {
      return "it has no "
          + FileOutputCommitter.SUCCEEDED_FILE_NAME
          + ", so it is no output that a job has completed";
    }
    for (FileStatus file : files) {
      String name = file.getPath().getName();
      boolean written = name.startsWith("part-") || name.startsWith("_") || name.startsWith(".");
      if (!written || file.isDirectory()) {
        return "it holds '" + name + "', which no job of this kind writes";
      }
    }
    return null;
  }

  /** The directory, as it was named, qualified. */
  public Path named() {
    return named;
  }

  /**
   * Begins to write.
   *
   * @return the directory that a Hadoop committer may make
   * @throws BadInputException when the right was taken away
   */
  public synchronized Path begin() throws IOException {
    checkClaim();
    begun = true;
    return steps.canRename() ? claim.attempt() : output;
  }

  private void checkClaim() throws IOException {
    if (!claimed) {
      throw new IllegalStateException("the output " + named + " was closed");
    }
    if (!claim.isHeld()) {
      throw new BadInputException(
          ("the output %s is not written: %s was removed or taken by another job while"
                  + " this one ran")
              .formatted(named, claim.folder()));
    }
  }

  /**
   * Shows what was written to the world.
   *
   * @throws BadInputException when the right was taken away, or a program that does not ask for it
   *     has made the directory
   */
  public synchronized void commit() throws IOException {
    // Synchronized with close, which may come from the hook at any time.
    if (steps.canRename()) {
      checkClaim();
      checkExisting();
      if (fs.exists(output)) {
        replace();
      } else {
        steps.rename(claim.attempt(), output);
      }
    }
    committed = true;
    close();
  }

  /** Moves the old output aside, which is removed when the new one is in its place. */
  private void replace() throws IOException {
    steps.rename(output, claim.replaced());
    try {
      steps.rename(claim.attempt(), output);
    } catch (IOException | RuntimeException | FSError e) {
      try {
        steps.rename(claim.replaced(), output);
      } catch (IOException | RuntimeException | FSError back) {
        e.addSuppressed(back);
        throw new BadInputException(
            ("the output %s could not be replaced (%s), and the old one not be moved back:"
                    + " move it there from %s")
                .formatted(named, Unreachable.message(e), claim.replaced()),
            e);
      }
      throw e;
    }
  }

  /** Gives the right back, and removes what this job has written unless it was committed. */
  @Override
  public synchronized void close() {
    if (claimed) {
      claimed = false;
      try {
        if (begun && !committed && !steps.canRename()) {
          closeIncomplete();
        }
        claim.release(committed);
      } catch (IOException | RuntimeException | FSError e) {
        LOG.warn(
            "cannot remove {}: remove it before the next job writes {} ({})",
            claim.folder(),
            named,
            e.toString());
      }
    }
    // Refused while the JVM ends.
    if (!ShutdownHookManager.get().isShutdownInProgress()) {
      ShutdownHookManager.get().removeShutdownHook(atExit);
    }
  }

  /**
   * The committer has removed what it could. Others may have come in between: nothing else goes.
   */
  private void closeIncomplete() throws IOException {
    steps.removeIfEmpty(output);
    if (fs.exists(output)) {
      LOG.warn("the output {} is incomplete and has files: remove it", named);
    }
  }
}
