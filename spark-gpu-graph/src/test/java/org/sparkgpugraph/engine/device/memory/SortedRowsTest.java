package org.sparkgpugraph.engine.device.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.SpreadingCase;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.settings.EdgeOrder;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.LaterArray;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.program.ir.Kind;

/** Rows whose edges are sorted by a value. */
@Tag("any-spark")
class SortedRowsTest {
  private static final int[] DEGREES = {
    0, 1, 2, 31, 32, 33, 64, 1000, 4096, 4097, 20_000, 0, 5, 8192, 0
  };

  private record Edge(int neighbour, double value) {}

  private static Object array(DeviceHoldings on, LaterArray name, Object found) {
    try (ResidentArrays.Use use = on.resident().use(name, "test")) {
      on.device().download(use.memory(), 0, found, 0, name.length());
    }
    return found;
  }

  private static double[] doubles(Kind kind, Object array, int count) {
    double[] all = new double[count];
    for (int e = 0; e < count; e++) {
      all[e] =
          switch (kind) {
            case INT -> ((int[]) array)[e];
            case LONG -> ((long[]) array)[e];
            case FLOAT -> ((float[]) array)[e];
            default -> ((double[]) array)[e];
          };
    }
    return all;
  }

  /** By classes of values of which at most one in ten are alike, and whole rows as they were. */
  private static void check(
      DeviceHoldings on, Kind kind, DoubleUnaryOperator value, boolean falls, boolean exact) {
    Random random = new Random(DEGREES.length);
    int[] offsets = new int[DEGREES.length + 1];
    for (int v = 0; v < DEGREES.length; v++) {
      offsets[v + 1] = offsets[v] + DEGREES[v];
    }
    int edges = offsets[DEGREES.length];
    int[] neighbours = new int[edges];
    Arrays.setAll(neighbours, e -> random.nextInt(1000));
    Columns values =
        SpreadingCase.column(
            kind, edges, Double.NaN, e -> value.applyAsDouble(random.nextDouble()));
    Csr rows = new Csr(offsets, neighbours);
    assertThat(on.sorted().ready(rows, values, 0, falls, 0)).isTrue();
    // They are kept.
    assertThat(on.sorted().ready(rows, values, 0, falls, 0)).isTrue();
    SortedRows.Arrays names = on.derived().sorted(rows, values, 0, falls);
    int[] found = (int[]) array(on, names.neighbours(), new int[edges]);
    double[] before = doubles(kind, values.array(0), edges);
    double[] after =
        doubles(
            kind,
            array(on, names.values(), Columns.allocate(List.of(kind), edges).array(0)),
            edges);
    String what = kind + (falls ? ", falling" : ", rising");
    Comparator<Edge> order = Comparator.comparingDouble(Edge::value);
    Comparator<Edge> best = falls ? order.reversed() : order;
    int inversions = 0;
    for (int v = 0; v < DEGREES.length; v++) {
      List<Edge> wanted = edges(neighbours, before, offsets[v], offsets[v + 1]);
      List<Edge> sorted = edges(found, after, offsets[v], offsets[v + 1]);
      List<Edge> rest = new ArrayList<>(sorted);
      Comparator<Edge> all = best.thenComparing(Edge::neighbour);
      wanted.sort(all);
      rest.sort(all);
      assertThat(rest).as(what + ", row " + v).isEqualTo(wanted);
      for (int i = 1; i < sorted.size(); i++) {
        inversions += best.compare(sorted.get(i - 1), sorted.get(i)) > 0 ? 1 : 0;
      }
      if (DEGREES[v] <= 32) {
        assertThat(sorted).as(what + ", row " + v).isSortedAccordingTo(best);
      }
    }
    // Random neighbours within a class are in the wrong order half of the time.
    assertThat(inversions).as(what).isLessThan(exact ? 1 : (int) (0.51 * edges));
    double[] averages = averages(after, offsets[10], offsets[11]);
    assertThat(IntStream.range(1, averages.length).mapToObj(i -> averages[i - 1]).toList())
        .as(what)
        .isSortedAccordingTo(falls ? Comparator.reverseOrder() : Comparator.naturalOrder());
  }

  /** Of twenty parts of a row. */
  private static double[] averages(double[] values, int begin, int end) {
    double[] averages = new double[20];
    for (int e = begin; e < end; e++) {
      averages[(int) (20L * (e - begin) / (end - begin))] += values[e];
    }
    return averages;
  }

  private static List<Edge> edges(int[] neighbours, double[] values, int begin, int end) {
    return new ArrayList<>(
        IntStream.range(begin, end).mapToObj(e -> new Edge(neighbours[e], values[e])).toList());
  }

  @Test
  void edgesOfARowAreSortedByClassesOfTheirValues() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withSeed(3));
        DeviceHoldings on = new DeviceHoldings(device)) {
      for (boolean falls : new boolean[] {false, true}) {
        for (Kind kind : EdgeOrder.KINDS) {
          check(
              on, kind, x -> 1 + Math.floor(64 * x), falls, kind == Kind.INT || kind == Kind.LONG);
          if (kind == Kind.INT || kind == Kind.LONG) {
            check(on, kind, x -> Math.floor(200 * x) - 100, falls, true);
          }
          check(on, kind, x -> 7, falls, true);
        }
        for (Kind kind : List.of(Kind.FLOAT, Kind.DOUBLE)) {
          check(on, kind, x -> x, falls, false);
          check(on, kind, x -> -Math.exp(12 * x), falls, false);
          check(on, kind, x -> Math.exp(12 * x), falls, false);
        }
      }
    }
  }

  @Test
  void rowsWithoutEdgesAreNotSorted() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    try (Device device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceHoldings on = new DeviceHoldings(device)) {
      Csr rows = new Csr(new int[4], new int[0]);
      Columns values = Columns.allocate(List.of(Kind.FLOAT), 0);
      assertThat(on.sorted().ready(rows, values, 0, false, 0)).isFalse();
      assertThat(on.resident().bytes()).isZero();
    }
  }
}
