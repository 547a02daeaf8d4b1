package io.sparkgpugraph.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows of blocks whose sources ascend, against the sorts that take edges in any order. */
@Tag("any-spark")
class AscendingRowsTest {
  /** What a graph looks like. */
  private record Shape(int known, int first, int rows, int blocks, int edges, double skew) {}

  /** Blocks whose sources ascend; destinations are rows. Not all of a dictionary is used. */
  private static List<DenseBlock> blocks(Random random, Shape shape) {
    List<DenseBlock> blocks = new ArrayList<>();
    for (int b = 0; b < shape.blocks; b++) {
      int size = random.nextInt(6) == 0 ? 0 : random.nextInt(2 * shape.edges / shape.blocks + 1);
      long[] edges = new long[size];
      for (int i = 0; i < size; i++) {
        long source = (long) (Math.pow(random.nextDouble(), shape.skew) * shape.known);
        int row = (int) (Math.pow(random.nextDouble(), shape.skew) * shape.rows);
        edges[i] = source << 32 | shape.first + row;
      }
      Arrays.sort(edges);
      int[] map = random.nextInt(3) == 0 ? null : dictionary(random, shape.known);
      int[] back = new int[shape.known];
      for (int l = 0; map != null && l < map.length; l++) {
        if (map[l] >= 0) {
          back[map[l]] = l;
        }
      }
      int[] sources = new int[size + random.nextInt(3)];
      int[] destinations = new int[size + random.nextInt(3)];
      for (int i = 0; i < size; i++) {
        int source = (int) (edges[i] >>> 32);
        int destination = (int) edges[i];
        sources[i] = map == null ? source : back[source];
        destinations[i] = map == null ? destination : back[destination];
      }
      blocks.add(new DenseBlock(size, sources, destinations, map));
    }
    return blocks;
  }

  /** A permutation with an unknown id in between. */
  private static int[] dictionary(Random random, int known) {
    int[] map = new int[known + 1];
    for (int i = 0; i <= known; i++) {
      int j = random.nextInt(i + 1);
      map[i] = map[j];
      map[j] = i == known ? -1 : i;
    }
    return map;
  }

  private static int[][] sortedPlaces(
      List<DenseBlock> blocks, Shape shape, Csr[] csr, Workers workers) {
    int[][] places = new int[blocks.size()][];
    for (int b = 0; b < places.length; b++) {
      places[b] = new int[blocks.get(b).size()];
    }
    Csr bySource = CsrSort.bySource(blocks, shape.known, places, workers);
    csr[0] = CsrSort.transpose(bySource, shape.first, shape.rows, workers);
    for (int[] of : places) {
      for (int i = 0; i < of.length; i++) {
        of[i] = bySource.neighbours()[of[i]];
      }
    }
    return places;
  }

  private static void assertSame(List<DenseBlock> blocks, Shape shape, int threads) {
    try (Workers workers = new Workers(threads)) {
      Csr[] expected = new Csr[1];
      int[][] places = sortedPlaces(blocks, shape, expected, workers);
      int[] degrees = EdgeCounts.of(EdgeSequence.of(blocks), false, 0, shape.known, workers);
      for (boolean wanted : new boolean[] {false, true}) {
        AscendingRows.Made made =
            AscendingRows.of(blocks, shape.first, shape.rows, shape.known, wanted, workers);
        assertThat(made).isNotNull();
        assertThat(made.csr().offsets()).isEqualTo(expected[0].offsets());
        assertThat(made.csr().neighbours()).isEqualTo(expected[0].neighbours());
        assertThat(made.degrees()).isEqualTo(degrees);
        assertThat(made.places()).isEqualTo(wanted ? places : null);
      }
    }
  }

  private static boolean isTaken(List<DenseBlock> blocks, Shape shape, boolean places) {
    try (Workers workers = new Workers(2)) {
      return AscendingRows.of(blocks, shape.first, shape.rows, shape.known, places, workers)
          != null;
    }
  }

  @Test
  void equalsTheSorts() {
    for (int seed = 0; seed < 120; seed++) {
      Random random = new Random(seed);
      int known = 1 + random.nextInt(random.nextBoolean() ? 4 : 600);
      int first = random.nextInt(known);
      Shape shape =
          new Shape(
              known,
              first,
              1 + random.nextInt(known - first),
              1 + random.nextInt(5),
              1 + random.nextInt(40_000),
              1 + 2 * random.nextInt(4));
      List<DenseBlock> blocks = blocks(random, shape);
      try {
        if (isTaken(blocks, shape, false)) {
          assertSame(blocks, shape, 1 + random.nextInt(2));
        }
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed + ", " + shape, e);
      }
    }
  }

  /** Enough edges for several pieces; cuts fall among the edges of one source too. */
  @Test
  void severalThreads() {
    for (Shape shape :
        List.of(
            new Shape(30_000, 0, 30_000, 3, 900_000, 1),
            new Shape(5_000, 100, 3_000, 1, 700_000, 6),
            new Shape(1, 0, 1, 4, 600_000, 1),
            new Shape(9, 2, 7, 4, 600_000, 3))) {
      List<DenseBlock> blocks = blocks(new Random(shape.known + 7), shape);
      for (int threads : new int[] {1, 2, 5}) {
        assertSame(blocks, shape, threads);
      }
    }
  }

  /** A block that does not ascend somewhere, seen by its first edges or not before its last. */
  @Test
  void unsortedBlocksAreLeftToTheSorts() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      Shape shape = new Shape(400, 0, 400, 3, 300_000, 1 + random.nextInt(3));
      List<DenseBlock> blocks = blocks(random, shape);
      DenseBlock block = blocks.get(random.nextInt(blocks.size()));
      if (block.size() < 2) {
        continue;
      }
      int at = random.nextInt(block.size() - 1);
      int other = random.nextBoolean() ? at + 1 : random.nextInt(block.size());
      boolean same = block.source(at) == block.source(other);
      int source = block.sources()[at];
      block.sources()[at] = block.sources()[other];
      block.sources()[other] = source;
      for (boolean places : new boolean[] {false, true}) {
        assertThat(isTaken(blocks, shape, places)).as("seed " + seed).isEqualTo(same);
      }
    }
  }

  /** The sorts name what is wrong. */
  @Test
  void edgesWithoutRowAreLeftToTheSorts() {
    Shape shape = new Shape(50, 0, 50, 2, 10_000, 1);
    List<DenseBlock> blocks = blocks(new Random(5), shape);
    assertThat(isTaken(blocks, shape, false)).isTrue();
    assertThat(isTaken(blocks, new Shape(50, 0, 49, 0, 0, 1), false)).isFalse();
    assertThat(isTaken(blocks, new Shape(50, 1, 49, 0, 0, 1), true)).isFalse();
  }

  /** Many blocks with few edges of each source: to look at every block for it would be slow. */
  @Test
  void manySmallBlocksAreLeftToTheSorts() {
    Shape shape = new Shape(3_000, 0, 3_000, 40, 20_000, 1);
    assertThat(isTaken(blocks(new Random(3), shape), shape, false)).isFalse();
    assertThat(isTaken(List.of(), shape, true)).isFalse();
  }
}
