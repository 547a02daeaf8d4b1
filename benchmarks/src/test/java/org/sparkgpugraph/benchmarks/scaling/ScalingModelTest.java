package org.sparkgpugraph.benchmarks.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.benchmarks.scaling.ScalingModel.Algorithm;
import org.sparkgpugraph.benchmarks.scaling.ScalingModel.Cluster;
import org.sparkgpugraph.benchmarks.scaling.ScalingModel.Constants;
import org.sparkgpugraph.benchmarks.scaling.ScalingModel.Estimate;
import org.sparkgpugraph.benchmarks.scaling.ScalingModel.Graph;

/** The model's arithmetic, by hand and by counting. */
@Tag("any-spark")
class ScalingModelTest {
  private static final Constants ROUND =
      new Constants(1e9, 0.02, 0.001, 0.005, 0.0001, 1000, 1e-5, 1e9, 2e9, 10e9, 100, 1e6, 10, 8);

  @Test
  void boundaryIsWhatRandomCrossingEdgesGive() {
    int vertices = 20_000;
    int crossing = 3;
    int executors = 16;
    long seed = 20261120;
    Random random = new Random(seed);
    long pairs = 0;
    for (int v = 0; v < vertices; v++) {
      long readers = 0;
      for (int e = 0; e < crossing; e++) {
        readers |= 1L << random.nextInt(executors);
      }
      // The executor that holds the vertex is number 0.
      pairs += Long.bitCount(readers & ~1);
    }
    ScalingModel model = new ScalingModel(new Graph(vertices, 30.0 * vertices, 0.1), ROUND);
    assertThat(model.boundary(executors)).as("seed %d", seed).isCloseTo(pairs, withPercentage(1));
    assertThat(model.boundary(1)).isZero();
  }

  @Test
  void timesAreThoseComputedByHand() {
    // Two executors; one crossing edge per vertex: a half of the vertices are read by the other.
    ScalingModel model = new ScalingModel(new Graph(8e6, 80e6, 0.1), ROUND);
    Algorithm algorithm = new Algorithm("test", 10, 10, 10, 4, 1, 16, 4, 0.5);
    Estimate e = model.estimate(new Cluster(2, 2), algorithm);
    assertThat(e.boundary()).isCloseTo(4e6, withPercentage(1e-6));
    assertThat(e.ghosts()).isCloseTo(2e6, withPercentage(1e-6));
    // 40 M edges of 4 bytes; 4 M held and 2 M ghosts of 28; lists of 2 · 2 M entries of 4.
    assertThat(e.heapBytes()).isCloseTo(160e6 + 168e6 + 16e6, withPercentage(1e-6));
    // 20 M edges of 4 bytes; half of 6 M vertices of 20; half of the lists.
    assertThat(e.gpuBytes()).isCloseTo(80e6 + 60e6 + 8e6, withPercentage(1e-6));
    // 4 M entries of 5 bytes, two records of 100.
    double bytes = 20e6 + 200;
    assertThat(e.bytesPerSuperstep()).isCloseTo(bytes, withPercentage(1e-6));
    assertThat(e.kernelSeconds()).isCloseTo(80e6 / 4 / 0.5e9, withPercentage(1e-6));
    assertThat(e.hubSeconds()).isCloseTo(2 * bytes / 4 / 10e9, withPercentage(1e-6));
    // Both ways, by 20 cores of each of two executors.
    assertThat(e.codecSeconds()).isCloseTo(bytes / 20 / 2e9, withPercentage(1e-6));
    assertThat(e.networkSeconds())
        .isCloseTo(bytes / 2 / 1e9 + 0.005 + 0.0001, withPercentage(1e-6));
    assertThat(e.sparkSeconds()).isCloseTo(0.022, withPercentage(1e-6));
    assertThat(e.superstepSeconds())
        .isCloseTo(
            e.kernelSeconds()
                + e.hubSeconds()
                + e.codecSeconds()
                + e.networkSeconds()
                + e.sparkSeconds(),
            withPercentage(1e-6));
    // 40 cores; 320 MB through each of two networks.
    assertThat(model.loadSeconds(new Cluster(2, 2))).isCloseTo(2 + 0.32, withPercentage(1e-6));
  }

  @Test
  void whatIsLittleGoesByWayOfTheDriver() {
    ScalingModel model = new ScalingModel(Graph.WEB, ROUND);
    // 4 executors, each with a record for each of the others: 1 000 bytes of each, then one more.
    assertThat(model.exchangeSeconds(4, 12, 4000))
        .isCloseTo(1e-6 + 12 * 1e-5, withPercentage(1e-6));
    assertThat(model.exchangeSeconds(4, 12, 4004))
        .isCloseTo(1.001e-6 + 0.005 + 3 * 0.0001, withPercentage(1e-6));
    assertThat(model.exchangeSeconds(4, 0, 0)).isZero();
  }

  @Test
  void whatLocalIdsCannotNumberDoesNotFit() {
    ScalingModel web = new ScalingModel(Graph.WEB, ROUND);
    assertThat(web.fits(new Cluster(8, 8))).isTrue();
    assertThat(web.fits(new Cluster(8, 1))).as("12.5 G edges on a GPU").isFalse();
    ScalingModel scrambled = new ScalingModel(Graph.SCRAMBLED, ROUND);
    assertThat(scrambled.fits(new Cluster(8, 8))).as("3.4 G vertices known").isFalse();
  }

  @Test
  void thePageHasTheTablesThatTheModelPrints() throws Exception {
    Path page = Path.of(System.getProperty("basedir", "."), "..", "docs", "scaling.md");
    assertThat(Files.readString(page))
        .as("docs/scaling.md: put what benchmarks/run ScalingModel prints below its mark")
        .contains(ScalingModel.tables());
  }
}
