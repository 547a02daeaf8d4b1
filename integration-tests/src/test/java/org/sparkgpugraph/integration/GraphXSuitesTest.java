package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * GraphX's own test suites in transparent mode, as Spark publishes them: all of them, all green,
 * and nearly all of their calls run here. Some make no call that is taken over, those about
 * partitions and checkpointers for instance: they show that the rest of GraphX stays as it was.
 */
class GraphXSuitesTest {
  /** All suites of the jar are in it or below it. */
  private static final String PACKAGE = "org.apache.spark.graphx";

  /** A file that the suites look for in a folder of the class path. */
  private static final String RATINGS = "als-test.data";

  private static final int TIMEOUT_SECONDS = 400;
  private static final Pattern CALL =
      Pattern.compile("CallHook: (\\S+) (ran on spark-gpu-graph|ran on stock|runs on stock)");
  private static final Pattern SUITES = Pattern.compile("Suites: completed (\\d+), aborted (\\d+)");
  private static final Pattern TESTS =
      Pattern.compile("Tests: succeeded (\\d+), failed (\\d+), canceled (\\d+)");

  @Test
  void allAreGreenAndNearlyAllCallsRunHere(@TempDir Path scratch) throws Exception {
    String list = System.getProperty("sgg.graphx.suites");
    assumeTrue(list != null, "GraphX's suites are run with Spark 3.5.5 and 4.0.1");
    Command.Ended ended =
        Command.run(scratch, Map.of(), "", TIMEOUT_SECONDS, command(scratch, Path.of(list)));
    Matcher tests = TESTS.matcher(ended.out());
    assertThat(tests.find()).as(ended.toString()).isTrue();
    assertThat(tests.group(2) + " failed, " + tests.group(3) + " canceled")
        .as(ended.toString())
        .isEqualTo("0 failed, 0 canceled");
    assertThat(Integer.parseInt(tests.group(1))).isGreaterThanOrEqualTo(100);
    Matcher suites = SUITES.matcher(ended.out());
    assertThat(suites.find()).as(ended.toString()).isTrue();
    assertThat(Integer.parseInt(suites.group(1))).as(ended.out()).isGreaterThanOrEqualTo(18);
    assertThat(suites.group(2)).as("aborted").isEqualTo("0");
    System.out.println("GraphX's suites: " + tests.group() + "; " + suites.group());
    assertThat(ended.status()).as(ended.toString()).isZero();

    // Calls that ran here, and those that GraphX ran, by what was called.
    Map<String, int[]> calls = new TreeMap<>();
    for (Matcher call = CALL.matcher(ended.err()); call.find(); ) {
      boolean here = call.group(2).endsWith("spark-gpu-graph");
      calls.computeIfAbsent(call.group(1), name -> new int[2])[here ? 0 : 1]++;
    }
    int[] all = new int[2];
    System.out.println("calls of GraphX's suites: here, on stock GraphX");
    calls.forEach(
        (name, count) -> {
          System.out.println("  " + name + ": " + count[0] + ", " + count[1]);
          all[0] += count[0];
          all[1] += count[1];
        });
    System.out.println("  all: " + all[0] + ", " + all[1]);
    assertThat(all[0]).as("calls that run here, of %s", Arrays.toString(all)).isGreaterThan(100);
    assertThat(all[0] / (double) (all[0] + all[1])).isGreaterThanOrEqualTo(0.8);
    List<String> off =
        List.of(
            "Pregel.apply",
            "lib.LabelPropagation.run",
            "lib.PageRank.runParallelPersonalizedPageRank",
            "lib.SVDPlusPlus.run");
    calls.keySet().removeAll(off);
    calls.forEach((name, count) -> assertThat(count[1]).as(name + " on stock GraphX").isZero());
  }

  private static List<String> command(Path scratch, Path list) throws Exception {
    String jars = Files.readString(list).strip();
    Path suites =
        Arrays.stream(jars.split(File.pathSeparator))
            .map(Path::of)
            .filter(jar -> jar.getFileName().toString().matches("spark-graphx_.*-tests.jar"))
            .findFirst()
            .orElseThrow();
    Path data = Files.createDirectories(scratch.resolve("data"));
    try (JarFile jar = new JarFile(suites.toFile());
        InputStream in = jar.getInputStream(jar.getEntry(RATINGS))) {
      Files.copy(in, data.resolve(RATINGS));
    }
    List<String> command = new ArrayList<>();
    command.add(Command.ofJdk("java"));
    command.addAll(Product.jvmOptions());
    command.addAll(List.of(Command.SHORT_LIVED.split(" ")));
    command.addAll(
        List.of(
            "-Xmx1g",
            "-Djava.io.tmpdir=" + scratch,
            "-Dlog4j2.configurationFile=" + Product.root().resolve("conf/log4j2.properties"),
            "-Dspark.testing=true",
            "-Dspark.ui.enabled=false",
            "-Dspark.driver.host=127.0.0.1",
            "-Dspark.driver.bindAddress=127.0.0.1",
            "-Dspark.gpugraph.engine=cpu",
            "-Dspark.plugins=org.sparkgpugraph.GpuGraphPlugin",
            "-Dspark.gpugraph.transparent=true",
            "-cp",
            String.join(File.pathSeparator, data.toString(), Product.libraryJar().toString(), jars),
            "org.scalatest.tools.Runner",
            "-R",
            suites.toString(),
            "-oWD",
            "-w",
            PACKAGE));
    return command;
  }
}
