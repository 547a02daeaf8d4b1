package org.sparkgpugraph.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples of one algorithm family each do what they say. */
@Tag("any-spark")
class SmallExamplesTest {
  @BeforeAll
  static void startSpark() {
    SparkSession.builder()
        .master("local[2]")
        .appName("examples tests")
        .config("spark.ui.enabled", "false")
        .getOrCreate();
  }

  private static String printed(Consumer<PrintStream> example) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    example.accept(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void recommendationsLearnTheTwoKinds() {
    String text = printed(RecommendItems::run);
    assertThat(text).startsWith("192 ratings, mean 3.00; root mean squared error ");
    // Guessing the mean is wrong by 2.
    assertThat(Double.parseDouble(text.strip().replaceAll(".* ", ""))).isLessThan(1);
  }

  @Test
  void communitiesAreTheGroups() {
    // Six friends make 20 triangles, and each knows the five others.
    assertThat(printed(FindCommunities::run).lines())
        .containsExactly(
            "components: 1",
            "communities: 10",
            "dense communities: 10 of modularity 0.84",
            "triangles: 200",
            "strongly connected components: 60",
            "mean clustering: 0.89",
            "largest core: 5",
            "of whom none knows another: 10");
  }

  @Test
  void routesHaveTheLengthOfTheCity() {
    assertThat(printed(PlanRoutes::run))
        .startsWith("fewest streets: 98")
        .contains("widest way: ", "to the stations: 0 49 98", "stations that reach: 3");
  }

  @Test
  void heatSpreadsEvenly() {
    assertThat(printed(HeatRod::run).lines())
        .contains(
            "after 1 steps: 60.0 20.0 0.0 0.0 0.0 0.0 0.0 0.0",
            "after 1000 steps: 10.0 10.0 10.0 10.0 10.0 10.0 10.0 10.0",
            "volts: 80.0 68.6 57.1 45.7 34.3 22.9 11.4 0.0",
            "neurons: 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0");
  }

  @Test
  void ranksHaveFiveLeaders() {
    assertThat(printed(RankVertices::run).lines())
        .hasSize(6)
        .allMatch(line -> line.split("\\(").length == 6);
  }
}
