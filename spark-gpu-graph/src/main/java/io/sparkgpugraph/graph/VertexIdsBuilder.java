package io.sparkgpugraph.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Finds the dense ids of a graph: all vertices and all ends of edges, in ascending order.
 *
 * <p>Ids that lie close together (largest below 8 times their number, none negative) become a
 * bitmap, others a sorted array.
 */
final class VertexIdsBuilder {
  /** A bitmap is used when the largest id is below this many times the number of ids. */
  private static final int BITMAP_SPREAD = 8;

  /** How many bits per id a bitmap may take before the sorted array is the smaller one. */
  private static final int BITMAP_BITS_PER_ID = 42;

  private final List<EdgeBlock> edges;
  private final List<VertexBlock> vertices;
  private final List<long[]> ends;
  private final Workers workers;

  /**
   * @param vertices null: the vertices are the ends of the edges
   * @param ends further ids: ends of edges that are not here, vertices without edges
   */
  VertexIdsBuilder(
      List<EdgeBlock> edges, List<VertexBlock> vertices, List<long[]> ends, Workers workers) {
    this.edges = edges;
    this.vertices = vertices;
    this.ends = ends;
    this.workers = workers;
  }

  /**
   * The outcome.
   *
   * @param ids all ids
   * @param present which dense ids are vertices; null: all
   */
  record Result(VertexIds ids, long[] present) {}

  /** The ids of blocks of vertices, as further ids. */
  static List<long[]> ids(List<VertexBlock> blocks) {
    return blocks.stream().map(block -> Arrays.copyOf(block.ids(), block.size())).toList();
  }

  /** Runs it. */
  Result build() {
    Range range = range();
    if (range.count == 0) {
      return new Result(new IdentityVertexIds(0), null);
    }
    if (range.min >= 0
        && range.max / BITMAP_SPREAD < range.count
        && range.max >>> 6 < Integer.MAX_VALUE - 8) {
      return bitmap(range.max);
    }
    return sorted();
  }

  private static final class Range {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    long count;

    synchronized void add(Range other) {
      min = Math.min(min, other.min);
      max = Math.max(max, other.max);
      count += other.count;
    }

    static Range of(long[] ids, int from, int to) {
      long low = Long.MAX_VALUE;
      long high = Long.MIN_VALUE;
      for (int i = from; i < to; i++) {
        low = Math.min(low, ids[i]);
        high = Math.max(high, ids[i]);
      }
      return of(low, high, to - from);
    }

    static Range of(int[] ids, int from, int to) {
      int low = Integer.MAX_VALUE;
      int high = Integer.MIN_VALUE;
      for (int i = from; i < to; i++) {
        low = Math.min(low, ids[i]);
        high = Math.max(high, ids[i]);
      }
      return of(low, high, to - from);
    }

    private static Range of(long min, long max, long count) {
      Range range = new Range();
      range.min = min;
      range.max = max;
      range.count = count;
      return range;
    }
  }

  private Range range() {
    Range all = new Range();
    for (EdgeBlock block : edges) {
      if (block instanceof LocalEdgeBlock local) {
        add(all, local.localToGlobal(), local.localToGlobal().length);
      } else if (block instanceof IntEdgeBlock ints) {
        add(all, ints.sources(), ints.size());
        add(all, ints.destinations(), ints.size());
      } else if (block instanceof GlobalEdgeBlock global) {
        add(all, global.sources(), global.size());
        add(all, global.destinations(), global.size());
      }
    }
    if (vertices != null) {
      for (VertexBlock block : vertices) {
        add(all, block.ids(), block.size());
      }
    }
    for (long[] some : ends) {
      add(all, some, some.length);
    }
    return all;
  }

  private void add(Range all, long[] ids, int size) {
    workers.forEachChunk(size, (from, to) -> all.add(Range.of(ids, from, to)));
  }

  private void add(Range all, int[] ids, int size) {
    workers.forEachChunk(size, (from, to) -> all.add(Range.of(ids, from, to)));
  }

  private Result bitmap(long max) {
    int words = (int) (max >>> 6) + 1;
    RankedBitmap present = null;
    AtomicBitmap bits = new AtomicBitmap(words);
    if (vertices != null) {
      for (VertexBlock block : vertices) {
        setAll(block.ids(), block.size(), bits);
      }
      present = bits.ranked();
    }
    edges.forEach(block -> addEnds(block, bits));
    for (long[] some : ends) {
      setAll(some, some.length, bits);
    }
    RankedBitmap all = bits.ranked();
    VertexIds ids;
    if (all.cardinality() == max + 1) {
      ids = new IdentityVertexIds(max + 1);
    } else if ((long) words * 64 <= (long) all.cardinality() * BITMAP_BITS_PER_ID) {
      ids = new BitmapVertexIds(all);
    } else {
      ids = new SortedVertexIds(all.members());
    }
    if (present == null || present.cardinality() == all.cardinality()) {
      return new Result(ids, null);
    }
    long[] dense = new long[(all.cardinality() + 63) >>> 6];
    int next = 0;
    for (int w = 0; w < words; w++) {
      for (long word = all.words()[w]; word != 0; word &= word - 1) {
        if (present.get(((long) w << 6) + Long.numberOfTrailingZeros(word))) {
          dense[next >>> 6] |= 1L << next;
        }
        next++;
      }
    }
    return new Result(ids, dense);
  }

  private void setAll(long[] ids, int size, AtomicBitmap bits) {
    workers.forEachChunk(
        size,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            bits.set(ids[i]);
          }
        });
  }

  private void addEnds(EdgeBlock block, AtomicBitmap bits) {
    if (!(block instanceof LocalEdgeBlock local)) {
      workers.forEachChunk(
          block.size(),
          (from, to) -> {
            for (int i = from; i < to; i++) {
              bits.set(block.source(i));
              bits.set(block.destination(i));
            }
          });
      return;
    }
    long[] ids = local.localToGlobal();
    if (known(ids, bits)) {
      return;
    }
    boolean[] used = used(local);
    workers.forEachChunk(
        ids.length,
        (from, to) -> {
          for (int l = from; l < to; l++) {
            if (used[l]) {
              bits.set(ids[l]);
            }
          }
        });
  }

  private boolean known(long[] ids, AtomicBitmap bits) {
    AtomicBoolean all = new AtomicBoolean(true);
    workers.forEachChunk(
        ids.length,
        (from, to) -> {
          boolean known = all.get();
          for (int l = from; known && l < to; l++) {
            known = bits.get(ids[l]);
          }
          if (!known) {
            all.set(false);
          }
        });
    return all.get();
  }

  /** Which dictionary entries of a block are an end of an edge; all writers write the same. */
  private boolean[] used(LocalEdgeBlock block) {
    boolean[] used = new boolean[block.localToGlobal().length];
    workers.forEachChunk(
        block.size(),
        (from, to) -> {
          for (int i = from; i < to; i++) {
            used[block.localSources()[i]] = true;
            used[block.localDestinations()[i]] = true;
          }
        });
    return used;
  }

  private Result sorted() {
    SortedVertexIds known = null;
    if (vertices != null) {
      List<long[]> arrays = new ArrayList<>();
      for (VertexBlock block : vertices) {
        arrays.add(Arrays.copyOf(block.ids(), block.size()));
      }
      known = new SortedVertexIds(DistinctIds.of(arrays));
    }
    SortedVertexIds vertexIds = known;
    List<long[]> arrays = new ArrayList<>();
    for (EdgeBlock block : edges) {
      strangers(block, vertexIds, arrays);
    }
    for (long[] some : ends) {
      arrays.add(strangers(some, vertexIds));
    }
    if (known != null && arrays.stream().allMatch(a -> a.length == 0)) {
      return new Result(known, null);
    }
    if (known != null) {
      long[] members = new long[Math.toIntExact(known.size())];
      for (int i = 0; i < members.length; i++) {
        members[i] = known.original(i);
      }
      arrays.add(members);
    }
    SortedVertexIds all = new SortedVertexIds(DistinctIds.of(arrays));
    if (known == null) {
      return new Result(all, null);
    }
    int size = Math.toIntExact(all.size());
    long[] present = new long[(size + 63) >>> 6];
    for (int i = 0; i < size; i++) {
      if (known.dense(all.original(i)) >= 0) {
        present[i >>> 6] |= 1L << i;
      }
    }
    return new Result(all, present);
  }

  /** The ids that are not among the known vertices. */
  private static long[] strangers(long[] ids, SortedVertexIds known) {
    return known == null ? ids : Arrays.stream(ids).filter(id -> known.dense(id) < 0).toArray();
  }

  /**
   * The ends of a block's edges that are not among the known vertices.
   *
   * @param into receives arrays of them; an id may be in several
   */
  private void strangers(EdgeBlock block, SortedVertexIds known, List<long[]> into) {
    if (block instanceof LocalEdgeBlock local) {
      long[] ids = local.localToGlobal();
      boolean[] strange = new boolean[ids.length];
      AtomicBoolean any = new AtomicBoolean();
      workers.forEachChunk(
          ids.length,
          (from, to) -> {
            boolean found = false;
            for (int l = from; l < to; l++) {
              strange[l] = known == null || known.dense(ids[l]) < 0;
              found |= strange[l];
            }
            if (found) {
              any.set(true);
            }
          });
      if (any.get()) {
        boolean[] used = used(local);
        into.add(
            IntStream.range(0, ids.length)
                .filter(l -> strange[l] && used[l])
                .mapToLong(l -> ids[l])
                .toArray());
      }
      return;
    }
    List<long[]> found = Collections.synchronizedList(into);
    workers.forEachPiece(
        block.size(),
        (from, to) -> {
          LongHashSet distinct = new LongHashSet();
          for (int i = from; i < to; i++) {
            long source = block.source(i);
            if (known == null || known.dense(source) < 0) {
              distinct.add(source);
            }
            long destination = block.destination(i);
            if (known == null || known.dense(destination) < 0) {
              distinct.add(destination);
            }
          }
          found.add(distinct.toArray());
        });
  }
}
