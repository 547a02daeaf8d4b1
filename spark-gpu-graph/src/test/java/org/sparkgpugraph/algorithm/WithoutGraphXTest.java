package org.sparkgpugraph.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.testing.JobProcess;

/** Graphs of DataFrames, and resident ones, where GraphX's jar is not on the class path. */
@Tag("any-spark-4")
class WithoutGraphXTest {
  private static final Predicate<String> NEEDS_GRAPHX =
      entry -> new File(entry).getName().matches("spark-(graphx|mllib)_.*\\.jar");

  /** What a JVM with this class path printed; it ended well. */
  private static List<String> run(String classPath, Path folder) throws Exception {
    Process process =
        JobProcess.start(classPath, "768m", WithoutGraphXJob.class, folder.toString());
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  private static List<String> results(List<String> lines) {
    return lines.stream().filter(line -> line.startsWith("result of ")).toList();
  }

  @Test
  void allResultsAreTheSameWithoutGraphX(@TempDir Path folder) throws Exception {
    List<String> all = Arrays.asList(JobProcess.classPath().split(File.pathSeparator));
    assertThat(all).anyMatch(NEEDS_GRAPHX);
    String without =
        all.stream().filter(NEEDS_GRAPHX.negate()).collect(Collectors.joining(File.pathSeparator));
    List<String> alone = run(without, folder.resolve("without"));
    assertThat(alone).contains("GraphX is not here");
    List<String> beside = run(JobProcess.classPath(), folder.resolve("with"));
    assertThat(beside).contains("GraphX is here");
    assertThat(results(alone)).hasSizeGreaterThan(50).isEqualTo(results(beside));
  }
}
