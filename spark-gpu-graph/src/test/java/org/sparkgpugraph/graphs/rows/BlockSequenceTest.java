package org.sparkgpugraph.graphs.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.RankedBitmap;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexIds;

/** Parts of what is read, against all of it. */
@Tag("any-spark")
class BlockSequenceTest {
  private static VertexIds ids(Random random, int size) {
    return switch (random.nextInt(3)) {
      case 0 -> new IdentityVertexIds(size);
      case 1 -> {
        long[] words = new long[size];
        // One in each word, so that there are as many.
        Arrays.setAll(words, w -> 1L << random.nextInt(64));
        yield new BitmapVertexIds(new RankedBitmap(words));
      }
      default -> new SortedVertexIds(random.longs().distinct().limit(size).sorted().toArray());
    };
  }

  private static List<EdgeBlock> blocks(Random random, VertexIds ids) {
    List<EdgeBlock> blocks = new ArrayList<>();
    for (int b = random.nextInt(5); b >= 0; b--) {
      int size = random.nextInt(3000);
      long[] sources = random.longs(size, 0, ids.size()).map(ids::original).toArray();
      long[] destinations = random.longs(size, 0, ids.size()).map(ids::original).toArray();
      blocks.add(new GlobalEdgeBlock(size, sources, destinations, null));
    }
    return blocks;
  }

  @Test
  void rangesAndPlacesAreReadAlone() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      VertexIds ids = ids(random, 1 + random.nextInt(1000));
      EdgeSequence edges = new BlockSequence(blocks(random, ids), ids, random.nextBoolean());
      long first = random.nextInt((int) edges.size() + 1);
      int count = random.nextInt((int) Math.min(2048, edges.size() - first) + 1);
      int[] rows = new int[count + 3];
      edges.rows(first, count, rows, 3);
      int low = random.nextInt((int) ids.size() + 1);
      int high = low + random.nextInt((int) ids.size() - low + 1);
      int[] some = new int[count + 3];
      edges.rows(first, count, low, high, some, 3);
      for (int i = 3; i < some.length; i++) {
        if (rows[i] >= low && rows[i] < high) {
          assertThat(some[i]).as("seed %s, edge %s", seed, i).isEqualTo(rows[i]);
        } else {
          assertThat(some[i] >= low && some[i] < high).as("seed %s, edge %s", seed, i).isFalse();
        }
      }
      int[] neighbours = new int[count];
      edges.neighbours(first, count, neighbours);
      int[] places = IntStream.range(0, count).filter(i -> random.nextInt(3) == 0).toArray();
      int[] read = new int[count];
      edges.neighbours(first, count, places, places.length, read);
      assertThat(Arrays.copyOf(read, places.length))
          .as("seed %s", seed)
          .isEqualTo(Arrays.stream(places).map(i -> neighbours[i]).toArray());
    }
  }
}
