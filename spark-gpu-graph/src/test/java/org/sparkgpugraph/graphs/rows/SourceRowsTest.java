package org.sparkgpugraph.graphs.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/** Rows by source in the order (block, position), against an object per edge. */
@Tag("any-spark")
class SourceRowsTest {
  private record Edge(int source, int destination, double value, int count) {}

  private final Workers workers = new Workers(3);

  @AfterEach
  void close() {
    workers.close();
  }

  /** Blocks with a dictionary or without, and the same edges in order. */
  private static final class Blocks {
    final List<DenseBlock> dense = new ArrayList<>();
    final List<Columns> values = new ArrayList<>();
    final List<Edge> edges = new ArrayList<>();

    void add(Random random, List<Edge> block, int known) {
      int size = block.size();
      int[] map = random.nextBoolean() ? null : permutation(random, known);
      int[] back = new int[known];
      for (int l = 0; map != null && l < known; l++) {
        back[map[l]] = l;
      }
      // Arrays may be longer than they need be.
      int[] sources = new int[size + random.nextInt(3)];
      int[] destinations = new int[size + random.nextInt(3)];
      double[] doubles = new double[size + random.nextInt(3)];
      int[] ints = new int[size];
      for (int i = 0; i < size; i++) {
        Edge edge = block.get(i);
        sources[i] = map == null ? edge.source : back[edge.source];
        destinations[i] = map == null ? edge.destination : back[edge.destination];
        doubles[i] = edge.value;
        ints[i] = edge.count;
      }
      dense.add(new DenseBlock(size, sources, destinations, map));
      values.add(new Columns(KINDS, new Object[] {doubles, ints}, size));
      edges.addAll(block);
    }

    UnsortedEdges.Loaded loaded(boolean withValues) {
      UnsortedEdges.Loaded loaded = UnsortedEdges.Loaded.of(dense);
      return withValues ? loaded.with(KINDS, new EdgeValueLoader.InPlace(values, 0)) : loaded;
    }

    void assertRows(SourceRows made, int known, boolean withValues) {
      List<Edge> expected = new ArrayList<>(edges);
      expected.sort(Comparator.comparingInt(Edge::source));
      int[] offsets = new int[known + 1];
      edges.forEach(edge -> offsets[edge.source + 1]++);
      Arrays.parallelPrefix(offsets, Integer::sum);
      assertThat(made.csr().offsets()).isEqualTo(offsets);
      assertThat(made.csr().neighbours())
          .isEqualTo(expected.stream().mapToInt(Edge::destination).toArray());
      if (withValues) {
        assertThat(made.values().kinds()).isEqualTo(KINDS);
        assertThat(made.values().doubles(0))
            .isEqualTo(expected.stream().mapToDouble(Edge::value).toArray());
        assertThat(made.values().ints(1))
            .isEqualTo(expected.stream().mapToInt(Edge::count).toArray());
      } else {
        assertThat(made.values()).isNull();
      }
    }
  }

  private static final List<ColumnType> KINDS = List.of(Kind.DOUBLE, Kind.INT);

  private static int[] permutation(Random random, int size) {
    int[] map = IntStream.range(0, size).toArray();
    for (int i = size - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swap = map[i];
      map[i] = map[j];
      map[j] = swap;
    }
    return map;
  }

  private static Edge edge(Random random, int source, int known) {
    return new Edge(source, random.nextInt(known), random.nextDouble(), random.nextInt());
  }

  @Test
  void equalsEdgesInOrderWhateverThePieces() {
    int[] made = new int[2];
    PhaseTimes.start();
    for (int seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      int known = 1 + random.nextInt(random.nextBoolean() ? 4 : 200);
      int step = 1 + random.nextInt(2) * random.nextInt(30);
      boolean ascending = random.nextInt(4) != 0;
      Blocks blocks = new Blocks();
      int count = 1 + random.nextInt(16);
      for (int b = 0; b < count; b++) {
        List<Edge> block = new ArrayList<>();
        int size = random.nextInt(5) == 0 ? 0 : random.nextInt(60);
        for (int i = 0; i < size; i++) {
          int source = (int) (Math.pow(random.nextDouble(), 2) * known);
          block.add(edge(random, source - source % step, known));
        }
        if (ascending || random.nextBoolean()) {
          block.sort(Comparator.comparingInt(Edge::source));
        }
        blocks.add(random, block, known);
      }
      boolean values = random.nextBoolean();
      int pieces = 1 + random.nextInt(8);
      made[ascending ? 1 : 0]++;
      try {
        blocks.assertRows(
            SourceRows.of(blocks.loaded(values), known, pieces, workers), known, values);
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed + ", " + pieces + " pieces", e);
      }
    }
    int placed =
        PhaseTimes.stop().stream()
            .filter(p -> p.name().equals("rows by source: place"))
            .mapToInt(PhaseTimes.Phase::times)
            .sum();
    assertThat(placed).as("without counters for every thread").isBetween(made[1] * 9 / 10, 3_000);
    assertThat(made[0]).isPositive();
  }

  /** Several pieces unless one asks for them; values in several chunks, of one source. */
  @Test
  void hubsOfLargeGraphs() {
    Random random = new Random(3);
    int known = 3_000;
    for (boolean ascending : new boolean[] {true, false}) {
      Blocks blocks = new Blocks();
      for (int b = 0; b < 3; b++) {
        List<Edge> block = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
          boolean hub = random.nextInt(3) != 0;
          block.add(edge(random, hub ? 1_000 + b % 2 : random.nextInt(known), known));
        }
        if (ascending || b < 2) {
          block.sort(Comparator.comparingInt(Edge::source));
        } else {
          // Not seen by the first edges.
          block.sort(Comparator.comparingInt(Edge::source));
          Edge last = block.remove(block.size() - 1);
          block.add(block.size() / 2, last);
        }
        blocks.add(random, block, known);
      }
      for (boolean values : new boolean[] {false, true}) {
        blocks.assertRows(SourceRows.of(blocks.loaded(values), known, workers), known, values);
      }
    }
  }

  @Test
  void noEdges() {
    for (int known : new int[] {0, 1, 5}) {
      Blocks blocks = new Blocks();
      blocks.assertRows(SourceRows.of(blocks.loaded(true), known, workers), known, true);
      blocks.add(new Random(1), List.of(), known);
      blocks.assertRows(SourceRows.of(blocks.loaded(false), known, workers), known, false);
    }
  }
}
