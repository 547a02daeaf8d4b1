package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver in a JVM of its own is killed in the middle of a run, and started again. */
@Tag("any-spark")
class DriverDeathTest {
  private static final int TIMEOUT_SECONDS = 150;

  @TempDir Path scratch;

  @Test
  void whoRunsAgainAfterTheDriverWasKilledGetsTheResultAndNoExecutorIsLeft() throws Exception {
    Path checkpoints = scratch.resolve("checkpoints");
    Driver undisturbed = new Driver("undisturbed", scratch.resolve("other-checkpoints"));
    String expected = undisturbed.result();

    Driver killed = new Driver("killed", checkpoints);
    Await.until("superstep 9 of " + killed, () -> killed.log().contains("superstep 9\n"));
    assertThat(Cluster.files(checkpoints)).as("%s", killed).isNotEmpty();
    killed.process.destroyForcibly().waitFor();
    assertThat(killed.log()).doesNotContain("result");
    Await.until(
        "the end of the executors of the driver that was killed",
        () -> ExecutorProcess.all(killed.folder.toString()).isEmpty());
    // An executor that has no driver does not know whether that is dead or out of reach.
    Set<Path> left = Set.copyOf(Cluster.files(checkpoints));
    assertThat(left).anyMatch(file -> file.getFileName().toString().equals("manifest"));

    Driver again = new Driver("again", checkpoints);
    assertThat(again.result()).isEqualTo(expected);
    assertThat(ExecutorProcess.all(again.folder.toString())).isEmpty();
    assertThat(Cluster.files(checkpoints)).containsExactlyInAnyOrderElementsOf(left);
  }

  /** A process of {@link DriverJob}. */
  private final class Driver {
    private final Path folder;
    private final Process process;

    Driver(String name, Path checkpoints) throws IOException {
      folder = Files.createDirectories(scratch.resolve(name));
      List<String> command = new ArrayList<>();
      command.add(Command.ofJdk("java"));
      command.addAll(Product.jvmOptions());
      command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"));
      command.add("-Djava.io.tmpdir=" + folder);
      for (String property : System.getProperties().stringPropertyNames()) {
        if (property.startsWith("sgg.") || property.startsWith("gpugraph.")) {
          command.add("-D" + property + "=" + System.getProperty(property));
        }
      }
      String classes =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      command.addAll(
          List.of(
              "-Dlog4j2.configurationFile=" + Product.root().resolve("conf/log4j2.properties"),
              "-cp",
              classes,
              DriverJob.class.getName(),
              folder.toString(),
              checkpoints.toString()));
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(new File(folder.toFile(), "log"))
              .start();
    }

    String log() throws IOException {
      return Files.readString(folder.resolve("log"));
    }

    /** The line that it prints at its end. */
    String result() throws Exception {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        throw new AssertionError(this + " took more than " + TIMEOUT_SECONDS + " s");
      }
      assertThat(process.exitValue()).as("%s", this).isZero();
      return log()
          .lines()
          .filter(line -> line.startsWith("result "))
          .findFirst()
          .orElseThrow(() -> new AssertionError(this + " has no result"));
    }

    @Override
    public String toString() {
      try {
        return folder.getFileName() + ":\n" + log();
      } catch (IOException e) {
        return folder.getFileName() + " without a log: " + e;
      }
    }
  }
}
