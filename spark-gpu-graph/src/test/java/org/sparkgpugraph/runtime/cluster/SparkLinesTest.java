package org.sparkgpugraph.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkLinesTest {
  @Test
  void theSparkOfThisBuildIsTaken() {
    SparkLines.check();
  }

  @ParameterizedTest
  @CsvSource({
    "3.5.0,2.12.18,2.12",
    "3.5.7,2.12.18,2.12",
    "3.5.1-amzn-0,2.12.17,2.12",
    "3.5.6,2.13.8,2.13",
    "4.0.1,2.13.16,2.13",
    "4.1.0,2.13.17,2.13",
    "4.1.0-SNAPSHOT,2.13.17,2.13",
  })
  void everyVersionOfALineIsTaken(String spark, String scala, String jar) {
    SparkLines.check(spark, scala, jar);
  }

  @ParameterizedTest
  @CsvSource({
    "3.4.1,2.12.17,2.12",
    "3.3.4,2.13.8,2.13",
    "4.2.0,2.13.18,2.13",
    "35.1.0,2.12.18,2.12",
    "3.50.0,2.12.18,2.12",
    "5.0.0,3.8.1,2.13",
    "unknown,unknown,2.13",
  })
  void otherLinesAreRefusedWithTheVersionAndTheJarsThatThereAre(
      String spark, String scala, String jar) {
    assertThatThrownBy(() -> SparkLines.check(spark, scala, jar))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "this is Spark "
                + spark
                + " with Scala "
                + scala
                + ", which spark-gpu-graph_"
                + jar
                + " is not for: no spark-gpu-graph is; there are spark-gpu-graph_2.12 for Spark 3.5,"
                + " and spark-gpu-graph_2.13 for Spark 3.5, 4.0, 4.1");
  }

  @ParameterizedTest
  @CsvSource({
    "4.0.1,2.13.16,2.12,2.13",
    "3.5.6,2.13.8,2.12,2.13",
    "3.5.5,2.12.18,2.13,2.12",
  })
  void theJarOfTheOtherScalaVersionIsNamedWhereItFits(
      String spark, String scala, String jar, String remedy) {
    assertThatThrownBy(() -> SparkLines.check(spark, scala, jar))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not for: take spark-gpu-graph_" + remedy + ";");
  }
}
