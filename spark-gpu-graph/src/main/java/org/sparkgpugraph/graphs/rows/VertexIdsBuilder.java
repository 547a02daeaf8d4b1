package org.sparkgpugraph.graphs.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.sparkgpugraph.graphs.memory.AtomicBitmap;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.LongHashSet;
import org.sparkgpugraph.graphs.memory.RankedBitmap;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.StoredEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexIds;

/**
 * Finds the dense ids of a graph: all vertices and all ends of edges, in ascending order.
 *
 * <p>Ids that lie close together (largest below 8 times their number, none negative) become a
 * bitmap, others a sorted array.
 */
public final class VertexIdsBuilder {
  /** A bitmap is used when the largest id is below this many times the number of ids. */
  private static final int BITMAP_SPREAD = 8;

  /** How many bits per id a bitmap may take before the sorted array is the smaller one. */
  private static final int BITMAP_BITS_PER_ID = 42;

  private final List<EdgeBlock> edges;
  private final List<VertexBlock> vertices;
  private final List<long[]> ends;
  private final Workers workers;
  private final BuildMemory.Reservation memory;

  private VertexIdsBuilder(
      List<EdgeBlock> edges,
      List<VertexBlock> vertices,
      List<long[]> ends,
      Workers workers,
      BuildMemory.Reservation memory) {
    this.edges = edges;
    this.vertices = vertices;
    this.ends = ends;
    this.workers = workers;
    this.memory = memory;
  }

  /**
   * Finds the ids, which the workers reserve.
   *
   * @param vertices null: the vertices are the ends of the edges
   * @param ends further ids: ends of edges that are not here, vertices without edges
   */
  public static Result of(
      List<EdgeBlock> edges, List<VertexBlock> vertices, List<long[]> ends, Workers workers) {
    try (BuildMemory.Reservation temporary = workers.temporary()) {
      Result found = new VertexIdsBuilder(edges, vertices, ends, workers, temporary).build();
      workers.acquire(found.bytes());
      return found;
    }
  }

  /**
   * The outcome.
   *
   * @param ids all ids
   * @param present which dense ids are vertices; null: all
   */
  public record Result(VertexIds ids, long[] present) {
    private long bytes() {
      return ids.bytes() + (present == null ? 0 : 8L * present.length);
    }
  }

  /** The ids of blocks of vertices, as further ids. */
  public static List<long[]> ids(List<VertexBlock> blocks) {
    return blocks.stream().map(block -> Arrays.copyOf(block.ids(), block.size())).toList();
  }

  private Result build() {
    Range range = range();
    if (range.count == 0) {
      return new Result(new IdentityVertexIds(0), null);
    }
    if (areClose(range.min, range.max, range.count)) {
      return bitmap(range.max);
    }
    return sorted();
  }

  /**
   * Whether ids become a bitmap.
   *
   * @param count of the ids, doubled ones counted
   */
  public static boolean areClose(long least, long largest, long count) {
    return least >= 0 && largest / BITMAP_SPREAD < count && largest >>> 6 < Integer.MAX_VALUE - 8;
  }

  /**
   * The ids that a bitmap has.
   *
   * @param largest of them
   */
  public static VertexIds of(RankedBitmap all, long largest) {
    if (all.cardinality() == largest + 1) {
      return new IdentityVertexIds(largest + 1);
    }
    return (long) all.words().length * Long.SIZE <= (long) all.cardinality() * BITMAP_BITS_PER_ID
        ? new BitmapVertexIds(all)
        : new SortedVertexIds(all.members());
  }

  /** Ids that ascend, each once; the array is not copied. */
  public static VertexIds ofSorted(long[] ids) {
    return new SortedVertexIds(ids);
  }

  private record Range(long min, long max, long count) {
    Range and(Range other) {
      return new Range(Math.min(min, other.min), Math.max(max, other.max), count + other.count);
    }

    static Range of(long[] ids, int from, int to) {
      long low = Long.MAX_VALUE;
      long high = Long.MIN_VALUE;
      for (int i = from; i < to; i++) {
        low = Math.min(low, ids[i]);
        high = Math.max(high, ids[i]);
      }
      return new Range(low, high, to - from);
    }

    static Range of(int[] ids, int from, int to) {
      int low = Integer.MAX_VALUE;
      int high = Integer.MIN_VALUE;
      for (int i = from; i < to; i++) {
        low = Math.min(low, ids[i]);
        high = Math.max(high, ids[i]);
      }
      return new Range(low, high, to - from);
    }
  }

  private Range range() {
    List<Object> arrays = new ArrayList<>(ends);
    List<Integer> sizes = new ArrayList<>();
    ends.forEach(some -> sizes.add(some.length));
    for (EdgeBlock block : edges) {
      if (block instanceof LocalEdgeBlock local) {
        arrays.add(local.localToGlobal());
        sizes.add(local.localToGlobal().length);
      } else if (block instanceof IntEdgeBlock ints) {
        arrays.addAll(List.of(ints.sources(), ints.destinations()));
        sizes.addAll(List.of(ints.size(), ints.size()));
      } else if (block instanceof GlobalEdgeBlock global) {
        arrays.addAll(List.of(global.sources(), global.destinations()));
        sizes.addAll(List.of(global.size(), global.size()));
      }
    }
    if (vertices != null) {
      for (VertexBlock block : vertices) {
        arrays.add(block.ids());
        sizes.add(block.size());
      }
    }
    AtomicReference<Range> all = new AtomicReference<>(stored());
    workers.forEachPart(
        sizes.stream().mapToInt(Integer::intValue).toArray(),
        (array, from, to) ->
            all.accumulateAndGet(
                arrays.get(array) instanceof int[] ints
                    ? Range.of(ints, from, to)
                    : Range.of((long[]) arrays.get(array), from, to),
                Range::and));
    return all.get();
  }

  /** The range of ends of edges off the heap, which know it. */
  private Range stored() {
    return edges.stream()
        .filter(StoredEdgeBlock.class::isInstance)
        .map(StoredEdgeBlock.class::cast)
        .map(block -> new Range(block.least(), block.largest(), 2L * block.size()))
        .reduce(new Range(Long.MAX_VALUE, Long.MIN_VALUE, 0), Range::and);
  }

  private Result bitmap(long max) {
    int words = (int) (max >>> 6) + 1;
    RankedBitmap present = null;
    // While it is filled, then with its ranks.
    memory.acquire((Long.BYTES + rankedBytes(vertices == null ? 1 : 2)) * words);
    AtomicBitmap bits = new AtomicBitmap(words);
    if (vertices != null) {
      setAll(
          vertices.stream().map(VertexBlock::ids).toList(),
          vertices.stream().mapToInt(VertexBlock::size).toArray(),
          bits);
      present = bits.ranked();
    }
    addEnds(bits);
    setAll(ends, ends.stream().mapToInt(some -> some.length).toArray(), bits);
    RankedBitmap all = bits.ranked();
    VertexIds ids = of(all, max);
    if (ids instanceof SortedVertexIds) {
      memory.acquire(8L * all.cardinality());
    }
    if (present == null || present.cardinality() == all.cardinality()) {
      return new Result(ids, null);
    }
    memory.acquire(all.cardinality() / 8);
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

  /** Bytes of a word of some ranked bitmaps. */
  private static long rankedBytes(int bitmaps) {
    return (Long.BYTES + Integer.BYTES) * (long) bitmaps;
  }

  private void setAll(List<long[]> ids, int[] sizes, AtomicBitmap bits) {
    workers.forEachPart(
        sizes,
        (array, from, to) -> {
          long[] some = ids.get(array);
          for (int i = from; i < to; i++) {
            bits.set(some[i]);
          }
        });
  }

  private void addEnds(AtomicBitmap bits) {
    boolean[] incomplete = new boolean[edges.size()];
    workers.forEachPart(
        dictionarySizes(),
        (b, from, to) -> {
          long[] ids = ((LocalEdgeBlock) edges.get(b)).localToGlobal();
          for (int l = from; l < to && !incomplete[b]; l++) {
            if (!bits.get(ids[l])) {
              incomplete[b] = true;
            }
          }
        });
    boolean[][] used = used(incomplete);
    workers.forEachPart(
        dictionarySizes(),
        (b, from, to) -> {
          long[] ids = ((LocalEdgeBlock) edges.get(b)).localToGlobal();
          for (int l = from; l < to && used[b] != null; l++) {
            if (used[b][l]) {
              bits.set(ids[l]);
            }
          }
        });
    workers.forEachPart(
        edges.stream().mapToInt(b -> b instanceof LocalEdgeBlock ? 0 : b.size()).toArray(),
        (b, from, to) -> {
          EdgeBlock block = edges.get(b);
          if (block instanceof StoredEdgeBlock) {
            addEnds(block, from, to, bits);
            return;
          }
          for (int i = from; i < to; i++) {
            bits.set(block.source(i));
            bits.set(block.destination(i));
          }
        });
  }

  private static void addEnds(EdgeBlock block, int from, int to, AtomicBitmap bits) {
    long[] ends = new long[EdgeSequence.CHUNK];
    for (int at = from; at < to; at += ends.length) {
      int count = Math.min(ends.length, to - at);
      for (boolean sources : new boolean[] {true, false}) {
        block.ends(sources, at, count, ends);
        for (int i = 0; i < count; i++) {
          bits.set(ends[i]);
        }
      }
    }
  }

  /** Number of ids in the dictionary of each block; 0 where it has none. */
  private int[] dictionarySizes() {
    return edges.stream()
        .mapToInt(b -> b instanceof LocalEdgeBlock local ? local.localToGlobal().length : 0)
        .toArray();
  }

  /**
   * Which dictionary entries are an end of an edge of their block.
   *
   * @param wanted the blocks, with a dictionary, of which it is asked
   * @return null for others
   */
  private boolean[][] used(boolean[] wanted) {
    int[] dictionaries = dictionarySizes();
    boolean[][] used = new boolean[wanted.length][];
    int[] sizes = new int[wanted.length];
    for (int b = 0; b < wanted.length; b++) {
      if (wanted[b]) {
        memory.acquire(dictionaries[b]);
        used[b] = new boolean[dictionaries[b]];
        sizes[b] = edges.get(b).size();
      }
    }
    // All that write to an entry write the same.
    workers.forEachPart(
        sizes,
        (b, from, to) -> {
          LocalEdgeBlock block = (LocalEdgeBlock) edges.get(b);
          for (int i = from; i < to; i++) {
            used[b][block.localSources()[i]] = true;
            used[b][block.localDestinations()[i]] = true;
          }
        });
    return used;
  }

  private Result sorted() {
    SortedVertexIds known = null;
    if (vertices != null) {
      List<long[]> arrays = new ArrayList<>();
      for (VertexBlock block : vertices) {
        memory.acquire(8L * block.size());
        arrays.add(Arrays.copyOf(block.ids(), block.size()));
      }
      known = new SortedVertexIds(DistinctIds.of(arrays, memory));
    }
    SortedVertexIds vertexIds = known;
    List<long[]> arrays = strangers(vertexIds);
    for (long[] some : ends) {
      arrays.add(strangers(some, vertexIds));
    }
    if (known != null && arrays.stream().allMatch(a -> a.length == 0)) {
      return new Result(known, null);
    }
    if (known != null) {
      memory.acquire(8 * known.size());
      long[] members = new long[Math.toIntExact(known.size())];
      for (int i = 0; i < members.length; i++) {
        members[i] = known.original(i);
      }
      arrays.add(members);
    }
    SortedVertexIds all = new SortedVertexIds(DistinctIds.of(arrays, memory));
    if (known == null) {
      return new Result(all, null);
    }
    int size = Math.toIntExact(all.size());
    memory.acquire(size / 8);
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
   * The ends of edges that are not among the known vertices.
   *
   * @param known null: none is
   * @return an id may be in several of the arrays
   */
  private List<long[]> strangers(SortedVertexIds known) {
    int[] dictionaries = dictionarySizes();
    boolean[] incomplete = new boolean[edges.size()];
    boolean[][] strange = new boolean[edges.size()][];
    memory.acquire(Arrays.stream(dictionaries).asLongStream().sum());
    Arrays.setAll(strange, b -> new boolean[dictionaries[b]]);
    workers.forEachPart(
        dictionaries,
        (b, from, to) -> {
          long[] ids = ((LocalEdgeBlock) edges.get(b)).localToGlobal();
          for (int l = from; l < to; l++) {
            if (known == null || known.dense(ids[l]) < 0) {
              strange[b][l] = true;
              incomplete[b] = true;
            }
          }
        });
    boolean[][] used = used(incomplete);
    List<long[]> found = Collections.synchronizedList(new ArrayList<>());
    workers.run(
        edges.size(),
        b -> {
          if (incomplete[b]) {
            long[] ids = ((LocalEdgeBlock) edges.get(b)).localToGlobal();
            found.add(
                IntStream.range(0, ids.length)
                    .filter(l -> strange[b][l] && used[b][l])
                    .mapToLong(l -> ids[l])
                    .toArray());
          }
        });
    int[] sizes =
        edges.stream().mapToInt(b -> b instanceof LocalEdgeBlock ? 0 : b.size()).toArray();
    // Large parts: an id is found once in each.
    long all = Arrays.stream(sizes).asLongStream().sum();
    workers.forEachPart(
        sizes,
        Math.max(1 << 20, all / (2L * workers.threads())),
        (b, from, to) -> found.add(strangers(edges.get(b), from, to, known)));
    return new ArrayList<>(found);
  }

  private long[] strangers(EdgeBlock block, int from, int to, SortedVertexIds known) {
    try (BuildMemory.Reservation table = workers.temporary()) {
      LongHashSet distinct = new LongHashSet(table);
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
      memory.acquire(8L * distinct.size());
      return distinct.toArray();
    }
  }
}
