package org.sparkgpugraph.graphs.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;

/** Rows of blocks whose sources ascend, against the sorts that take edges in any order. */
@Tag("any-spark")
class AscendingRowsTest {
  /**
   * What a graph looks like.
   *
   * @param step only every so many vertices have out-edges
   */
  private record Shape(
      int known, int first, int rows, int blocks, int edges, double skew, int step) {
    Shape(int known, int first, int rows, int blocks, int edges, double skew) {
      this(known, first, rows, blocks, edges, skew, 1);
    }

    static Shape small(Random random) {
      int known = 1 + random.nextInt(random.nextBoolean() ? 6 : 300);
      int first = random.nextBoolean() ? 0 : random.nextInt(known);
      return new Shape(
          known,
          first,
          1 + random.nextInt(known - first),
          1 + random.nextInt(5),
          1 + random.nextInt(200),
          1 + 2 * random.nextInt(4),
          1 + random.nextInt(2) * random.nextInt(40));
    }

    /** The same edges, fewer rows. */
    Shape withoutRow(Random random) {
      int before = random.nextInt(2);
      return new Shape(known, first + before, Math.max(0, rows - 1), blocks, edges, skew, step);
    }
  }

  /** Blocks whose sources ascend; destinations are rows. Not all of a dictionary is used. */
  private static List<DenseBlock> blocks(Random random, Shape shape) {
    List<DenseBlock> blocks = new ArrayList<>();
    for (int b = 0; b < shape.blocks; b++) {
      int size = random.nextInt(6) == 0 ? 0 : random.nextInt(2 * shape.edges / shape.blocks + 1);
      if (b > 0 && random.nextInt(5) == 0) {
        DenseBlock other = blocks.get(random.nextInt(b));
        size = Math.min(size, other.size());
        blocks.add(new DenseBlock(size, other.sources(), other.destinations(), other.map()));
        continue;
      }
      long[] edges = new long[size];
      for (int i = 0; i < size; i++) {
        int source = (int) (Math.pow(random.nextDouble(), shape.skew) * shape.known);
        int row = (int) (Math.pow(random.nextDouble(), shape.skew) * shape.rows);
        edges[i] = (long) (source - source % shape.step) << 32 | shape.first + row;
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

  /** A permutation with unknown ids in between. */
  private static int[] dictionary(Random random, int known) {
    int[] map = new int[known + 1 + random.nextInt(5)];
    for (int i = 0; i < map.length; i++) {
      int j = random.nextInt(i + 1);
      map[i] = map[j];
      map[j] = i >= known ? -1 : i;
    }
    return map;
  }

  private static void swap(DenseBlock block, int a, int b) {
    for (int[] ends : List.of(block.sources(), block.destinations())) {
      int end = ends[a];
      ends[a] = ends[b];
      ends[b] = end;
    }
  }

  private static boolean ascend(List<DenseBlock> blocks) {
    return blocks.stream()
        .allMatch(b -> IntStream.range(1, b.size()).allMatch(i -> b.source(i - 1) <= b.source(i)));
  }

  private static boolean haveRows(List<DenseBlock> blocks, Shape shape) {
    return blocks.stream()
        .allMatch(
            b ->
                IntStream.range(0, b.size())
                    .map(i -> b.destination(i) - shape.first)
                    .allMatch(row -> row >= 0 && row < shape.rows));
  }

  /** What the sorts make. */
  private static RowBuilder.Made sorted(List<DenseBlock> blocks, Shape shape, Workers workers) {
    int[][] places = new int[blocks.size()][];
    for (int b = 0; b < places.length; b++) {
      places[b] = new int[blocks.get(b).size()];
    }
    Csr bySource = CsrSort.bySource(blocks, shape.known, places, workers);
    Csr csr = CsrSort.transpose(bySource, shape.first, shape.rows, workers);
    for (int[] of : places) {
      for (int i = 0; i < of.length; i++) {
        of[i] = bySource.neighbours()[of[i]];
      }
    }
    int[] degrees = EdgeCounts.of(EdgeSequence.of(blocks), false, 0, shape.known, workers);
    return new RowBuilder.Made(csr, degrees, places);
  }

  private static void assertSame(Csr made, Csr expected) {
    assertThat(made.offsets()).isEqualTo(expected.offsets());
    assertThat(made.neighbours()).isEqualTo(expected.neighbours());
  }

  private static void assertSame(RowBuilder.Made made, RowBuilder.Made expected, boolean places) {
    assertThat(made).isNotNull();
    assertSame(made.csr(), expected.csr());
    assertThat(made.farDegrees()).isEqualTo(expected.farDegrees());
    assertThat(made.places()).isEqualTo(places ? expected.places() : null);
  }

  /** The arrays of blocks are somebody else's. */
  private static List<int[]> copies(List<DenseBlock> blocks) {
    return blocks.stream()
        .flatMap(b -> List.of(b.sources().clone(), b.destinations().clone()).stream())
        .toList();
  }

  private static void assertUnchanged(List<DenseBlock> blocks, List<int[]> before) {
    assertThat(copies(blocks)).usingElementComparator(Arrays::compare).isEqualTo(before);
  }

  /** Few edges in many pieces: cuts fall among the edges of one source, and beside empty blocks. */
  @Test
  void equalsTheSortsWhateverThePieces() {
    int[] made = new int[4];
    try (Workers one = new Workers(1);
        Workers three = new Workers(3)) {
      for (int seed = 0; seed < 6_000; seed++) {
        Random random = new Random(seed);
        Shape shape = Shape.small(random);
        List<DenseBlock> blocks = blocks(random, shape);
        DenseBlock block = blocks.get(random.nextInt(blocks.size()));
        int swaps = random.nextInt(4) == 0 ? 1 << random.nextInt(7) : 0;
        for (int i = 0; i < swaps && block.size() > 0; i++) {
          swap(block, random.nextInt(block.size()), random.nextInt(block.size()));
        }
        Shape rows = random.nextInt(6) == 0 ? shape.withoutRow(random) : shape;
        int tasks = 1 + random.nextInt(9);
        boolean places = random.nextBoolean();
        List<int[]> before = copies(blocks);
        boolean ascend = ascend(blocks);
        boolean haveRows = haveRows(blocks, rows);
        made[(ascend ? 1 : 0) + (haveRows ? 2 : 0)]++;
        try {
          RowBuilder.Made found =
              AscendingRows.of(
                  blocks,
                  rows.first,
                  rows.rows,
                  rows.known,
                  places,
                  seed % 8 == 0 ? three : one,
                  tasks);
          if (ascend && haveRows) {
            assertSame(found, sorted(blocks, rows, one), places);
          } else {
            assertThat(found).isNull();
          }
          assertUnchanged(blocks, before);
        } catch (Throwable e) {
          throw new AssertionError(
              "seed " + seed + ", " + rows + ", " + tasks + " pieces, places " + places, e);
        }
      }
    }
    assertThat(made).as("neither, only ascend, only have rows, both").doesNotContain(0);
  }

  private static boolean isTaken(List<DenseBlock> blocks, Shape shape, boolean places) {
    try (Workers workers = new Workers(2)) {
      return AscendingRows.of(blocks, shape.first, shape.rows, shape.known, places, workers)
          != null;
    }
  }

  /** So many edges that there are several pieces unless one asks for them. */
  @Test
  void severalThreads() {
    for (Shape shape :
        List.of(new Shape(30_000, 0, 30_000, 3, 600_000, 1), new Shape(9, 2, 7, 4, 600_000, 3))) {
      List<DenseBlock> blocks = blocks(new Random(shape.known + 7), shape);
      try (Workers workers = new Workers(4)) {
        RowBuilder.Made expected = sorted(blocks, shape, workers);
        int edges = expected.csr().edges();
        assertThat(CsrSort.tasks(edges, shape.rows, workers)).isGreaterThan(1);
        for (boolean places : new boolean[] {false, true}) {
          assertSame(
              AscendingRows.of(blocks, shape.first, shape.rows, shape.known, places, workers),
              expected,
              places);
        }
      }
    }
  }

  /** A block that does not ascend somewhere, seen by its first edges or not before its last. */
  @Test
  void unsortedBlocksAreLeftToTheSorts() {
    int left = 0;
    try (Workers workers = new Workers(2)) {
      for (int seed = 0; seed < 40; seed++) {
        Random random = new Random(seed);
        Shape shape = new Shape(400, 0, 400, 3, 30_000, 1 + random.nextInt(3));
        List<DenseBlock> blocks = blocks(random, shape);
        DenseBlock block = blocks.get(random.nextInt(blocks.size()));
        if (block.size() > 0) {
          int at = random.nextInt(block.size());
          int near = Math.min(at + 1, block.size() - 1);
          swap(block, at, random.nextBoolean() ? near : random.nextInt(block.size()));
        }
        boolean ascend = ascend(blocks);
        left += ascend ? 0 : 1;
        List<int[]> before = copies(blocks);
        RowBuilder.Made expected = sorted(blocks, shape, workers);
        int known = shape.known;
        try {
          PartitionRows rows = PartitionRows.of(blocks, 0, known, known, workers);
          assertSame(rows.csr(), expected.csr());
          assertSame(
              RowSort.all(EdgeSequence.of(blocks), 0, known, known, workers), expected.csr());
          assertThat(rows.farDegrees()).isEqualTo(ascend ? expected.farDegrees() : null);
          RowBuilder.Made placed = RowBuilder.fastest(blocks, 0, known, known, true, workers);
          assertSame(placed.csr(), expected.csr());
          assertThat(placed.places()).isEqualTo(expected.places());
          assertThat(placed.farDegrees()).isEqualTo(ascend ? expected.farDegrees() : null);
          assertUnchanged(blocks, before);
        } catch (Throwable e) {
          throw new AssertionError("seed " + seed, e);
        }
      }
    }
    assertThat(left).isBetween(10, 39);
  }

  /** Many blocks with few edges of each source: to look at every block for it would be slow. */
  @Test
  void manySmallBlocksAreLeftToTheSorts() {
    Shape shape = new Shape(3_000, 0, 3_000, 40, 20_000, 1);
    assertThat(isTaken(blocks(new Random(3), shape), shape, false)).isFalse();
    assertThat(isTaken(List.of(), shape, true)).isFalse();
  }
}
