package org.sparkgpugraph.graphs.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/** The sort of edges into rows, against a plain counting sort of the whole. */
@Tag("any-spark")
class RowSortTest {
  /** Edges in blocks, with dictionaries or without, as they would come one by one. */
  private static final class Edges {
    private final List<DenseBlock> blocks = new ArrayList<>();
    private final List<int[]> flat = new ArrayList<>();

    void add(Random random, int size, int known, double skew, boolean sorted, boolean dictionary) {
      int[][] edges = new int[size][];
      for (int i = 0; i < size; i++) {
        edges[i] =
            new int[] {
              (int) (Math.pow(random.nextDouble(), skew) * known),
              (int) (Math.pow(random.nextDouble(), skew) * known)
            };
      }
      if (sorted) {
        Arrays.sort(edges, (a, b) -> a[0] != b[0] ? Integer.compare(a[0], b[0]) : a[1] - b[1]);
      }
      int[] map = dictionary ? permutation(random, known) : null;
      int[] back = dictionary ? inverse(map) : null;
      int[] sources = new int[size + 2];
      int[] destinations = new int[size + 2];
      for (int i = 0; i < size; i++) {
        sources[i] = dictionary ? back[edges[i][0]] : edges[i][0];
        destinations[i] = dictionary ? back[edges[i][1]] : edges[i][1];
        flat.add(edges[i]);
      }
      blocks.add(new DenseBlock(size, sources, destinations, map));
    }

    private static int[] permutation(Random random, int size) {
      int[] map = new int[size];
      for (int i = 0; i < size; i++) {
        int j = random.nextInt(i + 1);
        map[i] = map[j];
        map[j] = i;
      }
      return map;
    }

    private static int[] inverse(int[] map) {
      int[] back = new int[map.length];
      for (int i = 0; i < map.length; i++) {
        back[map[i]] = i;
      }
      return back;
    }

    /** Parallel edges are the same, so that no order of theirs can be told here. */
    Csr expected(int first, int rows) {
      long[] sorted =
          flat.stream()
              .filter(e -> e[1] >= first && e[1] < first + rows)
              .mapToLong(e -> (long) e[1] << 32 | e[0])
              .sorted()
              .toArray();
      int[] offsets = new int[rows + 1];
      for (long edge : sorted) {
        offsets[(int) (edge >>> 32) - first + 1]++;
      }
      for (int r = 0; r < rows; r++) {
        offsets[r + 1] += offsets[r];
      }
      return new Csr(offsets, Arrays.stream(sorted).mapToInt(e -> (int) e).toArray());
    }
  }

  private static void assertSame(Csr found, Csr expected) {
    assertThat(found.offsets()).isEqualTo(expected.offsets());
    assertThat(found.neighbours()).isEqualTo(expected.neighbours());
  }

  @Test
  void smallGraphsOfEveryShape() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int known = 1 + random.nextInt(random.nextBoolean() ? 5 : 5000);
      Edges edges = new Edges();
      for (int b = random.nextInt(5); b > 0; b--) {
        int size = random.nextInt(4) == 0 ? 0 : random.nextInt(7000);
        edges.add(
            random, size, known, 1 + random.nextInt(4), random.nextBoolean(), random.nextBoolean());
      }
      EdgeSequence sequence = EdgeSequence.of(edges.blocks);
      try (Workers workers = new Workers(1 + random.nextInt(4))) {
        Csr all = RowSort.all(sequence, 0, known, known, workers);
        assertSame(all, edges.expected(0, known));
        int first = random.nextInt(known);
        int rows = random.nextInt(known - first + 1);
        assertSame(
            RowSort.some(
                sequence,
                first,
                rows,
                known,
                n -> new IllegalStateException(n + " edges"),
                workers),
            edges.expected(first, rows));
        assertCounts(sequence, edges, first, rows, workers);
        assertTransposed(all, known, workers);
        assertPlaces(edges.blocks, known, workers);
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static void assertCounts(
      EdgeSequence sequence, Edges edges, int first, int count, Workers workers) {
    int[] sources = new int[count];
    int[] destinations = new int[count];
    for (int[] edge : edges.flat) {
      if (edge[0] >= first && edge[0] < first + count) {
        sources[edge[0] - first]++;
      }
      if (edge[1] >= first && edge[1] < first + count) {
        destinations[edge[1] - first]++;
      }
    }
    assertThat(EdgeCounts.of(sequence, false, first, count, workers)).isEqualTo(sources);
    assertThat(EdgeCounts.of(sequence, true, first, count, workers)).isEqualTo(destinations);
  }

  /** Against two counting sorts; parallel edges keep their order. */
  private static void assertPlaces(List<DenseBlock> blocks, int known, Workers workers) {
    int[][] places = new int[blocks.size()][];
    Arrays.setAll(places, b -> new int[blocks.get(b).size()]);
    Csr bySource = CsrSort.bySource(blocks, known, places, workers);
    Csr expected = CsrSort.transpose(bySource, 0, known, workers);
    for (int[] of : places) {
      Arrays.setAll(of, i -> bySource.neighbours()[of[i]]);
    }
    RowBuilder.Made made = RowSort.of(blocks, 0, known, known, true, workers);
    assertSame(made.csr(), expected);
    assertThat(made.places()).isEqualTo(places);
  }

  private static void assertTransposed(Csr csr, int rows, Workers workers) {
    Csr transposed = RowSort.transpose(csr, rows, workers);
    for (int r = 0, e = 0; r < csr.rows(); r++) {
      for (; e < csr.offsets()[r + 1]; e++) {
        int of = csr.neighbours()[e];
        assertThat(
                Arrays.binarySearch(
                    transposed.neighbours(),
                    transposed.offsets()[of],
                    transposed.offsets()[of + 1],
                    r))
            .isNotNegative();
      }
    }
    assertSame(RowSort.transpose(transposed, csr.rows(), workers), csr);
  }

  /** Several pieces and buckets, a hub that fills some of these alone, ids of three digits. */
  @Test
  void manyPiecesAndBuckets() {
    for (int[] shape : new int[][] {{2_400_000, 4_500_000, 1}, {2_200_000, 200_000, 9}}) {
      Random random = new Random(shape[0]);
      Edges edges = new Edges();
      edges.add(random, shape[0] / 2, shape[1], shape[2], true, true);
      edges.add(random, shape[0] / 2, shape[1], shape[2], false, false);
      EdgeSequence sequence = EdgeSequence.of(edges.blocks);
      Csr expected = edges.expected(0, shape[1]);
      for (int threads : new int[] {1, 3}) {
        try (Workers workers = new Workers(threads)) {
          assertSame(RowSort.all(sequence, 0, shape[1], shape[1], workers), expected);
          assertPlaces(edges.blocks, shape[1], workers);
        }
      }
    }
  }

  @Test
  void edgesWithoutRowAreRefused() {
    Edges edges = new Edges();
    edges.add(new Random(1), 100, 50, 1, false, false);
    EdgeSequence sequence = EdgeSequence.of(edges.blocks);
    try (Workers workers = new Workers(2)) {
      for (int rows : new int[] {0, 20}) {
        assertThatThrownBy(() -> RowSort.all(sequence, 0, rows, 50, workers))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("of 100 edges")
            .hasMessageContaining(rows + " rows");
      }
    }
  }

  /** All to one vertex, in no memory at all. */
  @Test
  void moreEdgesThanAPartitionHoldsAreRefused() {
    long size = GraphPartition.MAX_EDGES + 1L;
    EdgeSequence zeros =
        new EdgeSequence() {
          @Override
          public long size() {
            return size;
          }

          @Override
          public void rows(long first, int count, int[] into, int at) {
            // They are zero.
          }

          @Override
          public void neighbours(long first, int count, int[] into) {
            throw new AssertionError("nothing is to be taken");
          }
        };
    try (Workers workers = new Workers(2)) {
      assertThatThrownBy(
              () ->
                  RowSort.some(
                      zeros, 0, 1, 2, n -> new IllegalStateException(n + " edges"), workers))
          .hasMessage(size + " edges");
    }
  }
}
