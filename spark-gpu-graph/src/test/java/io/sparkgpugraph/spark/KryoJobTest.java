package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whole jobs on record graphs under Kryo; one SparkContext each, so one JVM each. */
class KryoJobTest {
  private static final String KRYO = "spark.serializer=org.apache.spark.serializer.KryoSerializer";
  private static final String REGISTRATOR =
      "spark.kryo.registrator=io.sparkgpugraph.spark.GpuGraphKryoRegistrator";

  /** What a JVM printed, and how it ended. */
  private record Ended(int status, String output) {}

  private static Ended run(String... settings) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (argument.startsWith("--add-opens") || argument.startsWith("-Djdk.")) {
        command.add(argument);
      }
    }
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(KryoJob.class.getName());
    command.addAll(List.of(settings));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  @Test
  void scalarGraphsNeedNoRegistrator() throws Exception {
    Ended ended = run(KRYO, "spark.test.scalarsOnly=true");
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("scalars: ");
  }

  @Test
  void ownClassesAreAllRegistered() throws Exception {
    Ended ended =
        run(
            KRYO,
            REGISTRATOR,
            "spark.test.scalarsOnly=true",
            "spark.kryo.registrationRequired=true");
    assertThat(ended.output()).contains("scalars: ");
  }

  @Test
  void recordGraphsRunUnderKryoWithTheRegistrator() throws Exception {
    Ended ended = run(KRYO, REGISTRATOR);
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("same results");
  }

  @Test
  void withoutTheRegistratorTheErrorNamesTheKey() throws Exception {
    Ended ended = run(KRYO);
    assertThat(ended.status()).isNotZero();
    assertThat(ended.output())
        .contains("spark.kryo.registrator=io.sparkgpugraph.spark.GpuGraphKryoRegistrator");
  }
}
