package io.sparkgpugraph.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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

    void add(Range other) {
      min = Math.min(min, other.min);
      max = Math.max(max, other.max);
      count += other.count;
    }

    void add(long[] ids, int size) {
      long low = min;
      long high = max;
      for (int i = 0; i < size; i++) {
        low = Math.min(low, ids[i]);
        high = Math.max(high, ids[i]);
      }
      min = low;
      max = high;
      count += size;
    }

    void add(int[] ids, int size) {
      int low = Integer.MAX_VALUE;
      int high = Integer.MIN_VALUE;
      for (int i = 0; i < size; i++) {
        low = Math.min(low, ids[i]);
        high = Math.max(high, ids[i]);
      }
      if (size > 0) {
        min = Math.min(min, low);
        max = Math.max(max, high);
        count += size;
      }
    }
  }

  private Range range() {
    Range[] ranges = new Range[edges.size()];
    workers.run(
        ranges.length,
        b -> {
          Range range = new Range();
          EdgeBlock block = edges.get(b);
          if (block instanceof LocalEdgeBlock local) {
            range.add(local.localToGlobal(), local.localToGlobal().length);
          } else if (block instanceof IntEdgeBlock ints) {
            range.add(ints.sources(), ints.size());
            range.add(ints.destinations(), ints.size());
          } else if (block instanceof GlobalEdgeBlock global) {
            range.add(global.sources(), global.size());
            range.add(global.destinations(), global.size());
          }
          ranges[b] = range;
        });
    Range all = new Range();
    for (Range range : ranges) {
      all.add(range);
    }
    if (vertices != null) {
      for (VertexBlock block : vertices) {
        all.add(block.ids(), block.size());
      }
    }
    for (long[] some : ends) {
      all.add(some, some.length);
    }
    return all;
  }

  private Result bitmap(long max) {
    int words = (int) (max >>> 6) + 1;
    RankedBitmap present = null;
    AtomicBitmap bits = new AtomicBitmap(words);
    if (vertices != null) {
      workers.run(
          vertices.size(),
          b -> {
            VertexBlock block = vertices.get(b);
            for (int i = 0; i < block.size(); i++) {
              bits.set(block.ids()[i]);
            }
          });
      present = bits.ranked();
    }
    workers.run(edges.size(), b -> addEnds(edges.get(b), bits));
    for (long[] some : ends) {
      for (long id : some) {
        bits.set(id);
      }
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

  private static void addEnds(EdgeBlock block, AtomicBitmap bits) {
    if (block instanceof LocalEdgeBlock local) {
      long[] ids = local.localToGlobal();
      boolean[] used = null;
      for (int l = 0; l < ids.length; l++) {
        if (!bits.get(ids[l])) {
          used = used == null ? used(local) : used;
          if (used[l]) {
            bits.set(ids[l]);
          }
        }
      }
    } else {
      for (int i = 0; i < block.size(); i++) {
        bits.set(block.source(i));
        bits.set(block.destination(i));
      }
    }
  }

  /** Which dictionary entries of a block are an end of an edge. */
  private static boolean[] used(LocalEdgeBlock block) {
    boolean[] used = new boolean[block.localToGlobal().length];
    for (int i = 0; i < block.size(); i++) {
      used[block.localSources()[i]] = true;
      used[block.localDestinations()[i]] = true;
    }
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
    long[][] strangers = new long[edges.size()][];
    workers.run(edges.size(), b -> strangers[b] = strangers(edges.get(b), vertexIds));
    List<long[]> arrays = new ArrayList<>(Arrays.asList(strangers));
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

  /** The ends of a block's edges that are not among the known vertices. */
  private static long[] strangers(EdgeBlock block, SortedVertexIds known) {
    if (block instanceof LocalEdgeBlock local) {
      long[] ids = local.localToGlobal();
      long[] found = new long[ids.length];
      int size = 0;
      boolean[] used = null;
      for (int l = 0; l < ids.length; l++) {
        if (known == null || known.dense(ids[l]) < 0) {
          used = used == null ? used(local) : used;
          if (used[l]) {
            found[size++] = ids[l];
          }
        }
      }
      return Arrays.copyOf(found, size);
    }
    LongHashSet distinct = new LongHashSet();
    for (int i = 0; i < block.size(); i++) {
      long source = block.source(i);
      if (known == null || known.dense(source) < 0) {
        distinct.add(source);
      }
      long destination = block.destination(i);
      if (known == null || known.dense(destination) < 0) {
        distinct.add(destination);
      }
    }
    return distinct.toArray();
  }
}
