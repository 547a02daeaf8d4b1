package org.sparkgpugraph.files.output;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.files.input.BadInputException;

/**
 * The right to write an output directory, which one job has at a time: a folder beside the output
 * with a file that names the job. Whoever makes that file has the right until he removes it. What
 * the job writes lies in the folder, too, below names that no other job uses, so one folder is what
 * a job leaves that was killed.
 */
public final class OutputClaim {
  private static final Logger LOG = LoggerFactory.getLogger(OutputClaim.class);

  /** The folder of the output {@code ranks} is {@code .ranks.incomplete}; readers skip the dot. */
  private static final String SUFFIX = ".incomplete";

  /** How often jobs that end may come in between. */
  private static final int ATTEMPTS = 10;

  private static final String OWNER = "owner";
  private static final String ATTEMPT = "attempt-";
  private static final String REPLACED = "replaced-";

  private final FileSystem fs;
  private final AtomicSteps steps;
  private final Path output;
  private final Path folder;
  private final Path owner;
  private final String id = UUID.randomUUID().toString();
  private final Attempt run;
  private final String job;

  /**
   * Which of a cluster's attempts to run an application this is: a cluster starts a driver that was
   * lost again, under the same id.
   *
   * @param number from 1 on; 0 where there are no attempts
   */
  public record Attempt(String application, int number) {
    static Attempt of(SparkContext sc) {
      String number = sc.applicationAttemptId().getOrElse(() -> "");
      return new Attempt(
          sc.applicationId(), number.matches("[0-9]{1,9}") ? Integer.parseInt(number) : 0);
    }

    @Override
    public String toString() {
      return application + " " + number;
    }

    /** Whether a line of a claim is of an earlier attempt of the same application. */
    boolean follows(String line) {
      return line.matches("\\S+ [0-9]{1,9}")
          && line.startsWith(application + " ")
          && Integer.parseInt(line.substring(application.length() + 1)) < number;
    }
  }

  /**
   * Claims nothing yet.
   *
   * @param output below a directory that exists
   */
  public OutputClaim(FileSystem fs, AtomicSteps steps, Path output, SparkContext sc) {
    this(fs, steps, output, sc, Attempt.of(sc));
  }

  /** For tests of applications that are started again. */
  public OutputClaim(FileSystem fs, AtomicSteps steps, Path output, SparkContext sc, Attempt run) {
    this.run = run;
    this.fs = fs;
    this.steps = steps;
    this.output = output;
    this.folder = new Path(output.getParent(), "." + output.getName() + SUFFIX);
    this.owner = new Path(folder, OWNER);
    this.job =
        "%s (%s), process %s of %s on %s, since %s"
            .formatted(
                sc.appName(),
                sc.applicationId(),
                ProcessHandle.current().pid(),
                sc.sparkUser(),
                host(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "a host without a name";
    }
  }

  /** Where the job's files are while it runs. */
  public Path attempt() {
    return new Path(folder, ATTEMPT + id);
  }

  /** Where an output is while it is being replaced. */
  public Path replaced() {
    return new Path(folder, REPLACED + id);
  }

  /** The folder. */
  public Path folder() {
    return folder;
  }

  /**
   * Takes the right.
   *
   * @throws BadInputException when another job has it, or had it when it was killed
   */
  public void take() throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        steps.create(owner, id + "\n" + job + "\n" + run + "\n");
        return;
      } catch (IOException | RuntimeException | FSError e) {
        // By what is there, since file systems differ in what they throw.
        if (isHeldNow(attempt)) {
          return;
        }
        // Another job may have given it back, and removed the folder, a moment ago.
        if (attempt == ATTEMPTS) {
          steps.removeIfEmpty(folder);
          throw e;
        }
      }
    }
  }

  /**
   * Whether the job has the right after all, though it could not make the file. Where the file is
   * there and cannot be read it is asked again: HDFS finds no bytes of a file that a busy cluster
   * removes meanwhile.
   *
   * @param attempt at the last one what reading threw is thrown
   * @throws BadInputException when another job has it, or had it when it was killed
   */
  private boolean isHeldNow(int attempt) throws IOException {
    try {
      removeEarlierAttempt();
      checkFree();
      return isHeld();
    } catch (IOException e) {
      if (attempt == ATTEMPTS) {
        throw e;
      }
      LOG.info("{} cannot be read, and is asked again: {}", owner, e.toString());
      return false;
    }
  }

  /**
   * Removes the claim of an earlier attempt of this application: the cluster has ended it before it
   * started this one. If it runs on all the same it finds out before it moves anything to the
   * output. What it was replacing when it ended is for people to decide.
   */
  private void removeEarlierAttempt() throws IOException {
    List<String> lines = owner();
    if (lines == null || lines.size() < 3 || !run.follows(lines.get(2))) {
      return;
    }
    if (!fs.exists(new Path(folder, REPLACED + lines.get(0)))) {
      LOG.warn("{}: the claim of an earlier attempt of this application is taken over", folder);
      fs.delete(new Path(folder, ATTEMPT + lines.get(0)), true);
      fs.delete(owner, false);
    }
  }

  /**
   * Looks whether another job has the right.
   *
   * @throws BadInputException when one has, or had when it was killed
   */
  void checkFree() throws IOException {
    List<String> lines = owner();
    if (lines != null && !isMine(lines)) {
      throw new BadInputException(taken(lines));
    }
  }

  /** Whether the job has the right still: people may have removed the folder. */
  public boolean isHeld() throws IOException {
    List<String> lines = owner();
    return lines != null && isMine(lines);
  }

  private boolean isMine(List<String> lines) {
    return !lines.isEmpty() && lines.get(0).equals(id);
  }

  /**
   * The lines of the file that names the job; none while it is written; null where there is none.
   * Nothing is read before the file is closed: a node of HDFS takes a block for lost, and has it
   * deleted, that it is asked for while it moves it to where closed ones are (HDFS-17342).
   */
  private List<String> owner() throws IOException {
    try {
      if (fs.getFileStatus(owner).getLen() == 0) {
        return List.of();
      }
      try (InputStream in = fs.open(owner)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      }
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /** What to say to whoever comes second. */
  private String taken(List<String> lines) throws IOException {
    String who = lines.size() < 2 ? "one that has not given its name yet" : lines.get(1);
    String message =
        ("another job writes the output %s: %s; wait for it or choose another"
                + " directory. If it runs no more, ")
            .formatted(output, who);
    String other = lines.isEmpty() ? "" : lines.get(0);
    Path old = new Path(folder, REPLACED + other);
    if (fs.exists(old) && !fs.exists(output)) {
      return message
          + ("it was killed while it replaced the output: move the old one, %s, or the new one, %s,"
                  + " to %s, then remove %s and start again")
              .formatted(old, new Path(folder, ATTEMPT + other), output, folder);
    }
    // Files that a committer has moved to their place already, or tasks were writing.
    boolean half =
        !steps.canRename()
            && fs.exists(output)
            && !fs.exists(new Path(output, FileOutputCommitter.SUCCEEDED_FILE_NAME));
    return message
        + "remove what it left, "
        + (half ? folder + " and the incomplete " + output : folder)
        + ", and start again";
  }

  /**
   * Removes what this job has made, and nothing else but an output that it has replaced. Where
   * something of it cannot be removed the file that names the job stays, for whoever finds the
   * rest.
   *
   * @param committed whether the new output is in its place
   */
  public void release(boolean committed) throws IOException {
    fs.delete(attempt(), true);
    if (committed) {
      fs.delete(replaced(), true);
    }
    if (!isHeld()) {
      return;
    }
    for (FileStatus file : fs.listStatus(folder)) {
      String name = file.getPath().getName();
      if (name.equals(ATTEMPT + id) || name.equals(REPLACED + id)) {
        throw new IOException(file.getPath() + " is still there");
      }
    }
    fs.delete(owner, false);
    steps.removeIfEmpty(folder);
  }
}
