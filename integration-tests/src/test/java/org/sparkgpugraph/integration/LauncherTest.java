package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** examples/run as a user starts it, on this build's classes. */
class LauncherTest {
  @TempDir Path scratch;

  @Tag("any-spark")
  @Test
  void helpNamesTheJobs() throws Exception {
    Command.Ended ended = launch("--help");
    assertThat(ended.status()).as("%s", ended).isZero();
    assertThat(ended.out()).contains("GraphJob", "Comparison", "BUILD_FOLDER");
  }

  @Tag("smoke")
  @Test
  void graphJobRanksTheKarateClub() throws Exception {
    Path output = scratch.resolve("ranks");
    Command.Ended ended = launchOnKarate("pagerank", "--undirected", "--output", output.toString());
    assertThat(ended.status()).as("%s", ended).isZero();
    assertThat(output.resolve("_SUCCESS")).exists();
    List<String> lines = lines(output);
    assertThat(lines).hasSize(34).allMatch(line -> line.matches("\\d+\\t\\d+\\.\\d+(E-?\\d+)?"));
    double sum = lines.stream().mapToDouble(l -> Double.parseDouble(l.split("\t")[1])).sum();
    assertThat(sum).isCloseTo(34, org.assertj.core.data.Offset.offset(1e-9));
  }

  @Tag("any-spark")
  @Test
  void outputThatExistsIsRefusedInOneLineAndKept() throws Exception {
    Path output = Files.createDirectories(scratch.resolve("ranks"));
    Path kept = Files.writeString(output.resolve("part-00000"), "1\t1.0\n");
    Command.Ended ended = launchOnKarate("pagerank", "--output", output.toString());
    assertRefused(ended, 1, "exists already", output.toString());
    assertThat(kept).hasContent("1\t1.0\n");
    assertThat(output.resolve("_SUCCESS")).doesNotExist();
  }

  @Tag("any-spark")
  @Test
  void outputThatCannotBeMadeIsRefusedInOneLine() throws Exception {
    Path file = Files.writeString(scratch.resolve("file"), "no directory");
    Path output = file.resolve("ranks");
    Command.Ended ended = launchOnKarate("bfs", "--source", "1", "--output", output.toString());
    assertRefused(ended, 1, output.toString());
    assertThat(file).hasContent("no directory");
  }

  @Test
  void unreadableLineIsNamedAndNothingLooksComplete() throws Exception {
    Path graph = Files.writeString(scratch.resolve("graph.txt"), "1 2\n2 3\n3 four\n");
    Path output = scratch.resolve("components");
    Command.Ended ended =
        launch(
            "GraphJob",
            "connected-components",
            "--input",
            graph.toString(),
            "--output",
            output.toString());
    assertRefused(ended, 1, "graph.txt", "line 3", "four");
    assertThat(output.resolve("_SUCCESS")).doesNotExist();
  }

  @Tag("any-spark")
  @Test
  void aJobThatIsEndedFromOutsideSaysSoAndLeavesNothing() throws Exception {
    Path output = Files.createDirectory(scratch.resolve("output")).resolve("ranks");
    Path log = scratch.resolve("log");
    Process process = startedEndlessJob(output, log);
    try {
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(log))
        .contains("running pagerank", "GraphJob: ended before it was done")
        .doesNotContain("\tat ");
    assertThat(process.exitValue()).isNotZero();
    assertThat(output.getParent()).isEmptyDirectory();
  }

  @Tag("any-spark")
  @Test
  void whatAKilledJobLeavesIsToldInOneLineWithTheRemedy() throws Exception {
    Path output = scratch.resolve("ranks");
    Path leftover = scratch.resolve(".ranks.incomplete");
    Process process = startedEndlessJob(output, scratch.resolve("log"));
    process.destroyForcibly().waitFor();
    Command.Ended ended = launchOnKarate("pagerank", "--output", output.toString());
    assertRefused(
        ended,
        1,
        "GraphJob: another job writes the output file:" + output + ": GraphJob pagerank (local-",
        "), process " + process.pid() + " of ",
        "If it runs no more, remove what it left, file:" + leftover + ", and start again");
    assertThat(output).doesNotExist();
    Files.delete(leftover.resolve("owner"));
    Files.delete(leftover);
    ended = launchOnKarate("pagerank", "--output", output.toString());
    assertThat(ended.status()).as("%s", ended).isZero();
    assertThat(lines(output)).hasSize(34);
    assertThat(leftover).doesNotExist();
  }

  /** A job in the middle of its supersteps. */
  private Process startedEndlessJob(Path output, Path log) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Product.root().resolve("examples/run").toString(),
                "GraphJob",
                "pagerank",
                "--rmat",
                "10",
                "--iterations",
                "100000000",
                "--output",
                output.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment());
    Process process = builder.start();
    boolean running = false;
    try {
      Await.until(
          "the supersteps",
          () -> !process.isAlive() || Files.readString(log).contains("running pagerank"));
      assertThat(Files.readString(log)).contains("running pagerank");
      running = true;
      return process;
    } finally {
      if (!running) {
        process.destroyForcibly();
      }
    }
  }

  @Tag("any-spark")
  @Test
  void wrongCommandLinesEndWithStatus2AndTheNearestName() throws Exception {
    assertRefused(launch("GraphJob", "pagerang", "--rmat", "4", "--output", "x"), 2, "pagerank");
    assertRefused(launch("GraphJop"), 2, "GraphJob");
  }

  @Tag("any-spark")
  @Test
  void whatSparkCannotStartWithIsNamedInOneLine() throws Exception {
    for (String memory : List.of("300m", "1k", "0g", "449M")) {
      Command.Ended ended = launch("--driver-memory", memory, "GraphJob", "--help");
      assertThat(ended.status()).as("%s", ended).isEqualTo(2);
      assertThat(ended.err())
          .isEqualTo(
              "examples/run: --driver-memory "
                  + memory
                  + " is too small: Spark needs at least 450m\n");
    }
    for (String option : List.of("-Dspark.master=local[abc]", "-Xmx300m")) {
      Map<String, String> environment = new java.util.HashMap<>(environment());
      environment.merge("RUN_JAVA_OPTS", option, (a, b) -> a + " " + b);
      List<String> command =
          List.of(
              Product.root().resolve("examples/run").toString(),
              "GraphJob",
              "pagerank",
              "--rmat",
              "4",
              "--output",
              scratch.resolve("out").toString());
      Command.Ended ended = Command.run(scratch, environment, "", command);
      assertRefused(
          ended, 1, option.startsWith("-X") ? "Spark needs at least 450" : "'local[abc]'");
      assertThat(ended.err().lines()).as("%s", ended).hasSize(1);
    }
  }

  private Command.Ended launchOnKarate(String algorithm, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("GraphJob", algorithm, "--input"));
    all.add(Product.root().resolve("examples/data/karate.txt").toString());
    all.addAll(Arrays.asList(arguments));
    return launch(all.toArray(String[]::new));
  }

  private Command.Ended launch(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Product.root().resolve("examples/run").toString());
    command.addAll(Arrays.asList(arguments));
    return Command.run(scratch, environment(), "", command);
  }

  private static Map<String, String> environment() {
    return Map.of(
        "BUILD_FOLDER",
        Product.buildFolder(),
        "DRIVER_MEMORY",
        "512m",
        "RUN_JAVA_OPTS",
        "-XX:TieredStopAtLevel=1",
        "JAVA_HOME",
        System.getProperty("java.home"));
  }

  /** One line on standard error tells what is wrong; progress may stand before it. */
  private static void assertRefused(Command.Ended ended, int status, String... parts) {
    assertThat(ended.status()).as("%s", ended).isEqualTo(status);
    assertThat(ended.out()).as("%s", ended).isEmpty();
    String last = ended.err().lines().reduce((a, b) -> b).orElse("");
    assertThat(last).as("%s", ended).contains(parts);
    assertThat(ended.err()).as("%s", ended).doesNotContain("\tat ", "Exception in thread");
  }

  private static List<String> lines(Path output) throws Exception {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().startsWith("part-")).sorted().toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }
}
