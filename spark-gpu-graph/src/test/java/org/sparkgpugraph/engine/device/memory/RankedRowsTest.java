package org.sparkgpugraph.engine.device.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.memory.LaterArray;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * Ranks of vertices by how many edges end there, and what part of the edges the first ones have.
 */
@Tag("any-spark")
class RankedRowsTest {
  /** One row with these neighbours: who is in which row does not count. */
  private static Csr row(int... neighbours) {
    return new Csr(new int[] {0, neighbours.length}, neighbours);
  }

  private static int[] array(DeviceHoldings on, LaterArray name) {
    int[] found = new int[name.length()];
    try (ResidentArrays.Use use = on.resident().use(name, "test")) {
      on.device().download(use.memory(), 0, found, 0, found.length);
    }
    return found;
  }

  /**
   * The most first by powers of two, equals by their ids, those without edges last and not counted.
   */
  @Test
  void verticesAreRankedByHowManyEdgesEndThere() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withSeed(3));
        DeviceHoldings on = new DeviceHoldings(device)) {
      for (int seed = 0; seed < 6; seed++) {
        Random random = new Random(seed);
        int vertices = new int[] {1, 2, 40, 300, 3000, 70_000}[seed];
        int[] ends = new int[seed == 0 ? 300 : vertices * 2];
        Arrays.setAll(ends, e -> (int) (vertices * Math.pow(random.nextDouble(), 4)));
        Csr rows = row(ends);
        assertThat(on.ranked().ready(rows, vertices, 0)).isTrue();
        RankedRows.Arrays names = on.derived().ranks(rows, vertices);
        int[] degrees = new int[vertices];
        Arrays.stream(ends).forEach(v -> degrees[v]++);
        int[] wanted =
            IntStream.range(0, vertices)
                .boxed()
                .sorted(Comparator.comparing(v -> Integer.numberOfLeadingZeros(degrees[v])))
                .mapToInt(v -> v)
                .toArray();
        int[] found = array(on, names.vertices());
        String what = "seed " + seed;
        assertThat(Arrays.copyOf(found, vertices)).as(what).isEqualTo(wanted);
        assertThat(found[vertices])
            .as(what)
            .isEqualTo((int) Arrays.stream(degrees).filter(d -> d > 0).count());
        int[] neighbours = array(on, names.neighbours());
        for (int e = 0; e < ends.length; e++) {
          assertThat(found[neighbours[e]]).as(what).isEqualTo(ends[e]);
        }
      }
    }
  }

  /** Rows without edges have no ranks, and nothing is made for them. */
  @Test
  void rowsWithoutEdgesHaveNone() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceHoldings on = new DeviceHoldings(device)) {
      assertThat(on.ranked().ready(row(), 3, 0)).isFalse();
      assertThat(on.resident().bytes()).isZero();
    }
  }

  @Test
  void theHottestHaveTheirShareOfTheEdges() {
    DegreeHistogram few = histogram(1, 0, 5, 3, 0, 1);
    double[] shares = {0, 0.5, 0.8, 0.9, 1, 1, 1};
    for (int hottest = 0; hottest < shares.length; hottest++) {
      assertThat(few.share(hottest)).isCloseTo(shares[hottest], within(1e-12));
    }
    assertThat(histogram(new int[4]).share(2)).isZero();
    // Of a large graph a part is looked at, whatever its ids: a Pareto distribution.
    Random random = new Random(1);
    int[] skewed = new int[1 << 21];
    Arrays.setAll(
        skewed,
        v -> (int) Math.min(1 << 14, (v % 2 == 0 ? 4 : 1) / Math.pow(random.nextDouble(), 0.7)));
    long all = Arrays.stream(skewed).asLongStream().sum();
    int[] ascending = skewed.clone();
    Arrays.sort(ascending);
    long first = Arrays.stream(ascending, (1 << 21) - (1 << 15), 1 << 21).asLongStream().sum();
    assertThat(histogram(skewed).share(1 << 15)).isCloseTo((double) first / all, within(0.02));
    // Of those with very many only the mean is known.
    DegreeHistogram many = histogram(300_000, 100_000, 100_000, 0);
    assertThat(many.share(1)).isCloseTo(1.0 / 3, within(1e-12));
    assertThat(many.share(3)).isCloseTo(1, within(1e-12));
  }

  private static DegreeHistogram histogram(int... degrees) {
    return DegreeHistogram.of(degrees.length, v -> degrees[v]);
  }
}
