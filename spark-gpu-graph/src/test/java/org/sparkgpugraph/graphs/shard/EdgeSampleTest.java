package org.sparkgpugraph.graphs.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;

@Tag("any-spark")
class EdgeSampleTest {
  private static EdgeBlock block(long[] destinations) {
    return new GlobalEdgeBlock(
        destinations.length, new long[destinations.length], destinations, null);
  }

  private static EdgeSample sample(long seed, long... destinations) {
    return EdgeSample.of(List.of(block(destinations)).iterator(), seed);
  }

  private static long[] held(IdRanges ranges, long[] destinations) {
    long[] held = new long[ranges.shards()];
    for (long id : destinations) {
      held[ranges.shardOf(id)]++;
    }
    return held;
  }

  /** Parts of very different sizes: what is kept of them must be weighed by their sizes. */
  @Test
  void partsOfUnequalSizesAreWeighed() {
    int shards = 8;
    for (int seed = 0; seed < 3; seed++) {
      Random random = new Random(seed);
      long[] large = random.longs(200_000, 0, 1000).toArray();
      long[] small = random.longs(5_000, 1_000_000, 1_001_000).toArray();
      EdgeSample merged = sample(2L * seed, large).merge(sample(2L * seed + 1, small));
      assertThat(merged.edges()).isEqualTo(205_000);
      assertThat(merged.kept()).isBetween(3_500, EdgeSample.MERGED);
      long[] all = LongStream.concat(Arrays.stream(large), Arrays.stream(small)).toArray();
      for (long held : held(merged.split(shards, false), all)) {
        assertThat(held).as("seed " + seed).isBetween(20_000L, 31_000L);
      }
    }
  }

  @Test
  void mergingOrderDoesNotMatter() {
    for (int seed = 0; seed < 3; seed++) {
      Random random = new Random(seed);
      List<EdgeSample> parts = new ArrayList<>();
      for (int p = 0; p < 24; p++) {
        parts.add(
            sample(seed * 100L + p, random.longs(1 + random.nextInt(20_000), 0, 100).toArray()));
      }
      IdRanges expected = null;
      for (int order = 0; order < 3; order++) {
        Collections.shuffle(parts, random);
        List<EdgeSample> tree = new ArrayList<>(parts);
        while (tree.size() > 1) {
          tree.add(tree.remove(0).merge(tree.remove(random.nextInt(tree.size()))));
        }
        IdRanges ranges = tree.get(0).split(5, true);
        expected = expected == null ? ranges : expected;
        assertThat(ranges).as("seed " + seed).isEqualTo(expected);
        assertThat(tree.get(0).kept()).isLessThanOrEqualTo(EdgeSample.MERGED);
      }
    }
  }

  /** Merging more than are kept in all. */
  @Test
  void mergedSamplesAreBounded() {
    EdgeSample all = EdgeSample.empty();
    long[] ids = LongStream.range(0, EdgeSample.PART).toArray();
    for (int p = 0; p < 20; p++) {
      all = all.merge(sample(p, ids));
    }
    assertThat(all.edges()).isEqualTo(20L * EdgeSample.PART);
    assertThat(all.kept()).isEqualTo(EdgeSample.MERGED);
    for (long held : held(all.split(4, false), ids)) {
      assertThat(held).isBetween(1_000L, 1_050L);
    }
  }

  @Test
  void aHubGetsAShardOfItsOwnAndTheOthersShareTheRest() {
    LongUnaryOperator hub = i -> i % 2 == 0 ? 500 : i / 2 % 1000;
    for (LongUnaryOperator place :
        List.<LongUnaryOperator>of(
            id -> id, id -> Long.MAX_VALUE - 1000 + id, id -> Long.MIN_VALUE + id)) {
      long[] ids = LongStream.range(0, 4000).map(hub).map(place).toArray();
      IdRanges ranges = sample(1, ids).split(4, false);
      long[] held = held(ranges, ids);
      assertThat(Arrays.stream(held).max().orElseThrow()).isBetween(2000L, 2500L);
      assertThat(Arrays.stream(held).filter(h -> h > 0 && h < 1100).count()).isEqualTo(3);
    }
    for (long only : new long[] {0, Long.MIN_VALUE, Long.MAX_VALUE}) {
      long[] ids = new long[100];
      Arrays.fill(ids, only);
      assertThat(Arrays.stream(held(sample(1, ids).split(5, true), ids)).sum()).isEqualTo(100);
    }
  }

  @Test
  void outEdgesCountWhereTheyAreHeld() {
    int size = 2000;
    long[] sources = LongStream.range(0, size).toArray();
    long[] destinations = LongStream.range(size, 2 * size).toArray();
    GlobalEdgeBlock block = new GlobalEdgeBlock(size, sources, destinations, null);
    EdgeSample sample = EdgeSample.of(List.of(block).iterator(), 1);
    assertThat(sample.split(2, false)).isEqualTo(new IdRanges(size + size / 2));
    assertThat(sample.split(2, true)).isEqualTo(new IdRanges(size));
  }

  @Test
  void withoutEdgesAnySplitIsRight() {
    IdRanges ranges = EdgeSample.empty().split(3, true);
    assertThat(ranges.shards()).isEqualTo(3);
    assertThat(sample(1).split(1, false).shards()).isEqualTo(1);
    assertThatThrownBy(() -> EdgeSample.empty().split(0, false)).hasMessageContaining("0 shards");
  }

  /** Every id has one shard, and shards ascend with ids, whatever the sample was. */
  @Property(tries = 300)
  void rangesAreOrderedAndCoverAllIds(
      @ForAll @Size(max = 40) List<Long> ids,
      @ForAll @IntRange(min = 1, max = 9) int shards,
      @ForAll List<Long> others) {
    long[] destinations = ids.stream().mapToLong(Long::longValue).toArray();
    IdRanges ranges = sample(3, destinations).split(shards, true);
    assertThat(ranges.shards()).isEqualTo(shards);
    List<Long> all = new ArrayList<>(others);
    all.addAll(ids);
    all.addAll(List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE));
    Collections.sort(all);
    int last = 0;
    for (long id : all) {
      int shard = ranges.shardOf(id);
      assertThat(shard).isBetween(last, shards - 1);
      last = shard;
    }
  }

  @Test
  void cutsMustAscend() {
    assertThatThrownBy(() -> new IdRanges(3, 2)).hasMessageContaining("cut 1 is 2");
    assertThat(new IdRanges(3, 3).shardOf(3)).isEqualTo(2);
    assertThat(new IdRanges(3, 3).shardOf(2)).isZero();
  }
}
