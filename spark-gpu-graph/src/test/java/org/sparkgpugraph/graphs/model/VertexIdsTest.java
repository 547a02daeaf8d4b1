package org.sparkgpugraph.graphs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.LongHashSet;
import org.sparkgpugraph.graphs.memory.LongRadixSort;
import org.sparkgpugraph.graphs.memory.RankedBitmap;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.rows.BitmapVertexIds;
import org.sparkgpugraph.graphs.rows.DistinctIds;
import org.sparkgpugraph.graphs.rows.IdentityVertexIds;
import org.sparkgpugraph.graphs.rows.SortedVertexIds;
import org.sparkgpugraph.graphs.rows.VertexIdsBuilder;

@Tag("any-spark")
class VertexIdsTest {
  private static VertexIds of(long... ids) {
    try (Workers workers = new Workers(2)) {
      return VertexIdsBuilder.of(List.of(), List.of(new VertexBlock(ids, null)), List.of(), workers)
          .ids();
    }
  }

  @Test
  void theFormFollowsTheIds() {
    assertThat(of(2, 0, 1)).isInstanceOf(IdentityVertexIds.class);
    assertThat(of(20, 3, 1)).isInstanceOf(BitmapVertexIds.class);
    assertThat(of(2, 0, 1, 10_000)).isInstanceOf(SortedVertexIds.class);
    assertThat(of(2, 0, -1)).isInstanceOf(SortedVertexIds.class);
    assertThat(of(Long.MIN_VALUE, Long.MAX_VALUE)).isInstanceOf(SortedVertexIds.class);
  }

  @Property(tries = 300)
  void mapsBothWays(@ForAll @Size(max = 200) List<Long> ids, @ForAll List<Long> others) {
    long[] originals = ids.stream().mapToLong(Long::longValue).toArray();
    VertexIds mapping = of(originals);
    long[] sorted = Arrays.stream(originals).sorted().distinct().toArray();
    assertThat(mapping.size()).isEqualTo(sorted.length);
    for (int dense = 0; dense < sorted.length; dense++) {
      assertThat(mapping.original(dense)).isEqualTo(sorted[dense]);
      assertThat(mapping.dense(sorted[dense])).isEqualTo(dense);
    }
    for (long other : others) {
      int at = Arrays.binarySearch(sorted, other);
      assertThat(mapping.dense(other)).isEqualTo(at >= 0 ? at : -1);
    }
    for (int from = 0; from < sorted.length; from += 7) {
      long[] some = {-7, -7, -7, -7, -7, -7};
      int count = Math.min(5, sorted.length - from);
      mapping.originals(from, count, some);
      assertThat(some).startsWith(Arrays.copyOfRange(sorted, from, from + count));
      assertThat(Arrays.copyOfRange(some, count, some.length)).containsOnly(-7);
    }
  }

  @Test
  void lookupsOutsideAreRefused() {
    for (VertexIds ids : List.of(of(0, 1), of(3, 5), of(-4, 1L << 50))) {
      assertThat(ids.dense(77)).isEqualTo(-1);
      assertThat(ids.dense(-77)).isEqualTo(-1);
      assertThatThrownBy(() -> ids.original(2)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void radixSortEqualsArraysSort() {
    Random random = new Random(42);
    for (int shift : new int[] {0, 10, 33, 60}) {
      long[] ids = random.longs(20_000).map(id -> id >> shift).toArray();
      long[] expected = ids.clone();
      Arrays.sort(expected);
      assertThat(LongRadixSort.sort(ids.clone())).isEqualTo(expected);
      assertThat(LongRadixSort.distinct(ids))
          .isEqualTo(Arrays.stream(expected).distinct().toArray());
    }
  }

  @Test
  void hashSetKeepsEachIdOnce() {
    Random random = new Random(43);
    long[] ids = random.longs(50_000).map(id -> id % 9_000).toArray();
    LongHashSet set = new LongHashSet(BuildMemory.Reservation.NONE);
    for (long id : ids) {
      set.add(id);
    }
    assertThat(Arrays.stream(set.toArray()).sorted().toArray())
        .isEqualTo(Arrays.stream(ids).sorted().distinct().toArray());
  }

  /** More than are sorted at a time. */
  @Test
  void distinctIdsOfManyArrays() {
    long[] ids = new long[1 << 23];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = (i * 7919L & (1 << 20) - 1) - 1000;
    }
    long[] distinct =
        DistinctIds.of(
            List.of(ids, ids, new long[] {Long.MAX_VALUE}, ids, new long[0]),
            BuildMemory.Reservation.NONE);
    assertThat(distinct)
        .hasSize((1 << 20) + 1)
        .isSorted()
        .startsWith(-1000)
        .endsWith(Long.MAX_VALUE);
    assertThat(DistinctIds.of(List.of(), BuildMemory.Reservation.NONE)).isEmpty();
  }

  @Test
  void rankedBitmapCountsAndFinds() {
    long[] words = {0b1011L, 0, 1L << 63 | 1};
    RankedBitmap bitmap = new RankedBitmap(words);
    assertThat(bitmap.cardinality()).isEqualTo(5);
    long[] set = {0, 1, 3, 128, 191};
    for (int rank = 0; rank < set.length; rank++) {
      assertThat(bitmap.select(rank)).isEqualTo(set[rank]);
      assertThat(bitmap.rank(set[rank])).isEqualTo(rank);
    }
    assertThat(bitmap.get(192)).isFalse();
    assertThat(bitmap.get(-1)).isFalse();
  }
}
