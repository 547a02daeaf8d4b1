package org.sparkgpugraph.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.Kind;

/** Jobs in several JVMs that write to one path, and what they leave when they are ended. */
@Tag("any-spark")
class OutputRaceTest {
  /** Of the steps before and after the tasks. */
  private static final int ROUNDS = Integer.getInteger("outputRaces", 60);

  /** With the tasks, each format a quarter. */
  private static final int SPARK_ROUNDS = Integer.getInteger("outputJobs", 4);

  @TempDir Path folder;

  private static String id(String line) {
    return line.split("[\t ,]")[0];
  }

  private static List<String> lines(Path output, VertexWriter.Format format) throws IOException {
    List<String> lines = new ArrayList<>();
    if (format == VertexWriter.Format.PARQUET) {
      for (Row row : LocalSpark.session().read().parquet(output.toString()).collectAsList()) {
        lines.add(row.getLong(0) + " " + row.getDouble(1));
      }
      return lines;
    }
    for (Path file : files(output)) {
      if (file.getFileName().toString().startsWith("part-")) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    lines.remove("id,distance");
    lines.remove("id,distance");
    return lines;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void ofTwoJobsOneWritesAndItsFilesAreComplete() throws IOException {
    int busy = 0;
    try (WriterProcess first = new WriterProcess(0);
        WriterProcess second = new WriterProcess(1)) {
      List<WriterProcess> both = List.of(first, second);
      for (int round = 0; round < ROUNDS; round++) {
        Path output = folder.resolve("round-" + round);
        first.commit(output.toString());
        second.commit(output.toString());
        String[] failures = failures(round, both);
        int winner = failures[0] == null ? 0 : 1;
        assertThat(lines(output, VertexWriter.Format.TEXT))
            .as("round %d", round)
            .hasSize(WriterProcess.FILES)
            .containsOnly(Integer.toString(winner));
        busy += failures[1 - winner].startsWith("another job writes") ? 1 : 0;
      }
      for (int round = ROUNDS; round < ROUNDS + SPARK_ROUNDS; round++) {
        VertexWriter.Format format = VertexWriter.Format.values()[round % 4];
        Path output = folder.resolve("round-" + round);
        first.write(output.toString(), format);
        second.write(output.toString(), format);
        int winner = failures(round, both)[0] == null ? 0 : 1;
        assertThat(output.resolve("_SUCCESS")).as("round %d", round).exists();
        assertThat(lines(output, format))
            .as("round %d", round)
            .hasSize(WriterProcess.VERTICES)
            .allMatch(line -> line.endsWith(winner + ".0"))
            .extracting(OutputRaceTest::id)
            .doesNotHaveDuplicates();
      }
    }
    // Otherwise one came always too late to meet the other.
    assertThat(busy).as("rounds in which both were at it").isPositive();
  }

  /** Waits for both: one has no failure, the other one that tells, and nothing else is there. */
  private String[] failures(int round, List<WriterProcess> both) throws IOException {
    String[] failures = {both.get(0).failure(), both.get(1).failure()};
    assertThat(failures).as("round %d", round).containsOnlyOnce((String) null);
    assertThat(failures[0] == null ? failures[1] : failures[0])
        .as("round %d", round)
        .containsAnyOf("another job writes", "exists already");
    assertThat(files(folder)).as("round %d", round).hasSize(round + 1);
    return failures;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "store:"})
  void whatAKilledJobLeavesIsNamedWithTheRemedy(String scheme) throws Exception {
    Path output = folder.resolve("ranks");
    Path leftover = folder.resolve(".ranks.incomplete");
    long pid;
    try (WriterProcess killed = new WriterProcess(0)) {
      pid = killed.pid();
      killed.hang(scheme + output, VertexWriter.Format.TEXT);
      killed.kill();
    }
    LocalSpark.context()
        .hadoopConfiguration()
        .set("fs.store.impl", StoreFileSystem.class.getName());
    String shown = (scheme.isEmpty() ? "file:" : scheme) + output;
    // The committer of a store writes to the directory itself.
    String incomplete = scheme.isEmpty() ? "" : " and the incomplete " + shown;
    assertThatThrownBy(() -> writer(scheme + output))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("another job writes the output " + shown + ": writer 0 (local-")
        .hasMessageContaining("), process " + pid + " of ")
        .hasMessageEndingWith(
            "; wait for it or choose another directory. If it runs no more, remove what it left, "
                + (scheme.isEmpty() ? "file:" : scheme)
                + leftover
                + incomplete
                + ", and start again");
    remove(leftover);
    if (!scheme.isEmpty()) {
      remove(output);
    }
    writer(scheme + output)
        .write(
            List.of(Kind.DOUBLE),
            LocalSpark.context()
                .parallelize(List.of(new VertexBlock(new long[] {1}, new double[] {2})), 1));
    assertThat(lines(output, VertexWriter.Format.TEXT)).containsExactly("1\t2.0");
    assertThat(files(folder)).containsExactly(output);
  }

  private static VertexWriter writer(String output) {
    return new VertexWriter(
        LocalSpark.session(), output, VertexWriter.Format.TEXT, List.of("distance"));
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobThatIsAskedToEndLeavesNothing(boolean whileItWrites) throws Exception {
    String output = folder.resolve("ranks").toString();
    try (WriterProcess ended = new WriterProcess(0)) {
      if (whileItWrites) {
        ended.hang(output, VertexWriter.Format.TEXT);
      } else {
        ended.claim(output);
      }
      assertThat(folder.resolve(".ranks.incomplete")).exists();
      ended.terminate();
    }
    assertThat(files(folder)).isEmpty();
  }
}
