package org.sparkgpugraph.runtime.serial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.testing.JobProcess;

/** Whole jobs on record graphs under Kryo; one SparkContext each, so one JVM each. */
@Tag("any-spark-4")
class KryoJobTest {
  private static final String KRYO = "spark.serializer=org.apache.spark.serializer.KryoSerializer";
  private static final String REGISTRATOR =
      "spark.kryo.registrator=org.sparkgpugraph.GpuGraphKryoRegistrator";

  private static JobProcess.Ended run(String... settings) throws Exception {
    return JobProcess.run(KryoJob.class, settings);
  }

  @Tag("any-spark")
  @Test
  void scalarGraphsNeedNoRegistratorAndRecordGraphsAreToldItsKey() throws Exception {
    JobProcess.Ended ended = run(KRYO);
    assertThat(ended.output())
        .contains("scalars: ", "tables: ", "modes: ", "factors: ", "forests: ", "algorithms: ");
    // In lines: AssertJ looks for a subsequence of a long text in time that is quadratic in it.
    assertThat(ended.output().lines())
        .containsSubsequence("refused: neighborhoods", "refused: neighborhoods");
    assertThat(ended.output().substring(ended.output().lastIndexOf("refused: neighborhoods")))
        .contains(REGISTRATOR);
    assertThat(ended.status()).as(ended.output()).isNotZero();
  }

  @Test
  void ownClassesAreAllRegistered() throws Exception {
    JobProcess.Ended ended =
        run(
            KRYO,
            REGISTRATOR,
            "spark.test.scalarsOnly=true",
            "spark.kryo.registrationRequired=true");
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output())
        .contains("scalars: ", "tables: ", "modes: ", "factors: ", "forests: ", "neighborhoods: ");
  }

  /** Their own class is not registered; what the others use was above. */
  @Test
  void recordGraphsRunUnderKryoWithTheRegistrator() throws Exception {
    JobProcess.Ended ended = run(KRYO, REGISTRATOR, "spark.test.recordsOnly=true");
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("algorithms: ", "neighborhoods: ", "same results");
  }
}
