package org.sparkgpugraph.runtime.rapids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.deploy.SparkSubmit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.testing.JobProcess;

/**
 * RAPIDS itself on a GPU, each time in a JVM of its own that is started as spark-submit starts it:
 * so RAPIDS' own loader finds the classes of this Spark.
 */
@Tag("gpu")
class RapidsPluginTest {
  @BeforeAll
  static void rapidsIsThere() {
    assumeTrue(
        RapidsPluginTest.class.getResource("/com/nvidia/spark/SQLPlugin.class") != null,
        "skipped: RAPIDS is not on the class path (integration-tests/gpu/run --rapids FOLDER)");
  }

  private static String run(String scenario, String... settings) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--master",
                "local[4]",
                "--class",
                RapidsJob.class.getName(),
                "spark-internal",
                scenario));
    arguments.addAll(List.of(settings));
    JobProcess.Ended ended =
        JobProcess.run("8g", SparkSubmit.class, arguments.toArray(String[]::new));
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output())
        .contains("done")
        .as("the leak detector of cudf, and of the device")
        .doesNotContainIgnoringCase("leaked")
        .doesNotContain("outstanding allocations", "were not freed");
    return ended.output();
  }

  /** Programs run in RAPIDS' pool, whatever part of the GPU that has. */
  @Test
  void memoryIsOfItsPool() throws Exception {
    for (String fraction : new String[] {"0.2", "0.9"}) {
      run(
          "sharing",
          "spark.rapids.memory.gpu.allocFraction=" + fraction,
          "spark.gpugraph.gpu.buildRows=host");
    }
  }

  @Test
  void columnsOnTheGpuBecomeGraphsThere() throws Exception {
    assertThat(run("columns")).contains("are made where these are");
  }

  @Test
  void resultsAreColumnsOnTheGpu() throws Exception {
    assertThat(run("results")).contains("pagerank: ", "component: ", "hub: ", "hops: ");
  }

  @Test
  void itGetsBackWhatNoRunUses() throws Exception {
    run("spilling", "spark.gpugraph.gpu.buildRows=host");
    run("spilling");
  }

  @Test
  void whatIsBeyondItsPartRunsOnTheCpu() throws Exception {
    run("bounded", "spark.gpugraph.gpu.poolFraction=0.0002");
  }

  @Test
  void queriesAndProgramsRunAtOnce() throws Exception {
    run("together", "spark.rapids.sql.concurrentGpuTasks=1");
  }
}
