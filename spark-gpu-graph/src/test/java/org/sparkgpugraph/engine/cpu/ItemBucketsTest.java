package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.cpu.frame.ItemBuckets;
import org.sparkgpugraph.exchange.VertexBitmap;

@Tag("any-spark")
class ItemBucketsTest {
  private static final long[] NONE = {};

  /** What is added comes out once, bucket by bucket, window by window. */
  @Test
  void itemsComeOutInTheOrderOfTheirBuckets() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      ItemBuckets buckets = new ItemBuckets(1 << 20, new VertexBitmap(1));
      int n = 1 + random.nextInt(3000);
      double range = Math.scalb(1.0, random.nextInt(16));
      double width = Math.scalb(1.0, 4 + random.nextInt(6));
      IntStream.range(0, n).forEach(v -> buckets.add(v, (float) (random.nextDouble() * range)));
      assertThat(buckets.size()).isEqualTo(n);
      List<Integer> out = new ArrayList<>();
      while (buckets.size() > 0) {
        double base = buckets.leastBehind();
        buckets.window(base, width);
        for (int b = 0; b < ItemBuckets.BEHIND; b++) {
          int count = buckets.size(b);
          long[] items = buckets.take(b, NONE);
          for (int i = 0; i < count; i++) {
            double priority = Float.intBitsToFloat((int) (items[i] >>> 32));
            assertThat((int) ((priority - base) / width)).as("seed %s", seed).isEqualTo(b);
            out.add((int) items[i]);
          }
        }
      }
      assertThat(out).as("seed %s", seed).hasSize(n).doesNotHaveDuplicates();
    }
  }

  @Test
  void extremesHaveABucket() {
    double infinite = Double.POSITIVE_INFINITY;
    double[] all = {Double.NaN, -infinite, -1e300, -0.0, 0, 1e-300, 5, 1e300, infinite};
    ItemBuckets buckets = new ItemBuckets(1 << 20, new VertexBitmap(1));
    for (double base : all) {
      buckets.window(Double.isNaN(base) ? 0 : base, 1);
      for (double priority : all) {
        buckets.add(0, priority);
      }
    }
    assertThat(buckets.size()).isEqualTo(all.length * all.length);
  }

  /** What is better than the head is put into it, and so is a NaN. */
  @Test
  void nothingGoesBackBehindTheHead() {
    ItemBuckets buckets = new ItemBuckets(1 << 20, new VertexBitmap(1));
    buckets.window(5, 1);
    buckets.head(7);
    for (double priority : new double[] {Double.NaN, 4, 6, 12}) {
      buckets.add(1, priority);
    }
    assertThat(buckets.filled()).isEqualTo(1 << 7);
    assertThat(buckets.size(7)).isEqualTo(4);
  }

  /** Buckets that are empty give their room to others; nothing is lost. */
  @Test
  void whatFindsNoRoomIsSpilled() {
    VertexBitmap spilled = new VertexBitmap(1000);
    ItemBuckets buckets = new ItemBuckets(128, spilled);
    buckets.window(0, 1);
    IntStream.range(0, 1000).forEach(v -> buckets.add(v, v < 500 ? 0 : 1));
    assertThat(buckets.size()).isEqualTo(128);
    assertThat(spilled.members()).isEqualTo(1000 - 128);
    buckets.take(0, new long[128]);
    spilled.clear();
    IntStream.range(0, 1000).forEach(v -> buckets.add(v, 3));
    assertThat(buckets.size()).isEqualTo(128);
    assertThat(spilled.members()).isEqualTo(1000 - 128);
  }
}
