package org.sparkgpugraph.graphs.build;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.sparkgpugraph.graphs.memory.AtomicBitmap;
import org.sparkgpugraph.graphs.memory.BinarySearch;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.RankedBitmap;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.StoredEdgeBlock;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.rows.BlockSequence;
import org.sparkgpugraph.graphs.rows.DenseBlock;
import org.sparkgpugraph.graphs.rows.DenseBlocks;
import org.sparkgpugraph.graphs.rows.EdgeCounts;
import org.sparkgpugraph.graphs.rows.EdgeSequence;
import org.sparkgpugraph.graphs.rows.EdgeSides;
import org.sparkgpugraph.graphs.rows.EdgeValueLoader;
import org.sparkgpugraph.graphs.rows.PartitionRows;
import org.sparkgpugraph.graphs.rows.PartitionSlice;
import org.sparkgpugraph.graphs.rows.PlacedVertexIds;
import org.sparkgpugraph.graphs.rows.RowSort;
import org.sparkgpugraph.graphs.rows.RowsElsewhere;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.graphs.rows.VertexIdsBuilder;
import org.sparkgpugraph.program.ValueType;

/**
 * Puts an executor graph together once the ids that it knows are known: ranges with about equal
 * numbers of in-edges, rows, ghosts and boundary lists. The ids that are held are a contiguous
 * range of those known; for a whole graph they are all of them.
 */
public final class GraphAssembly {
  private final EdgeSides edges;
  private final VertexIds ids;
  private final long[] present;
  private final ShardPlace place;
  private final int partitionCount;
  private final ExecutorGraphBuilder.Options options;
  private final ValueType edgeType;
  private final Workers workers;

  private final int size;
  private final int firstHeld;
  private final int endHeld;

  /**
   * @param edges the edges that are held, in order
   * @param found ids of their ends, and of the vertices held. Which of those that are not held are
   *     vertices means nothing: their shard sends it later
   * @param place which part of the graph it is; null: all of it
   */
  public GraphAssembly(
      EdgeSides edges,
      VertexIdsBuilder.Result found,
      ShardPlace place,
      ExecutorGraphBuilder.Options options,
      Workers workers) {
    this.edges = edges;
    this.place = place;
    VertexIdsBuilder.Result placed =
        place == null || !place.spread() || place.owners().ascending()
            ? found
            : PlacedVertexIds.of(found, place.owners(), workers);
    ids = placed.ids();
    present = placed.present();
    this.options = options;
    edgeType = options.edgeType();
    this.workers = workers;
    size = Math.toIntExact(ids.size());
    firstHeld = place == null ? 0 : place.firstHeld(ids);
    endHeld = place == null ? size : place.endHeld(ids);
    // One that holds no vertex would cost all the same.
    partitionCount = Math.max(1, Math.min(options.partitions(), endHeld - firstHeld));
  }

  public CsrExecutorGraph build() {
    boolean spread = place != null && place.spread();
    boolean out = spread && place.outEdges();
    long start = System.nanoTime();
    boolean stored = StoredEdgeBlock.isAmong(edges.all());
    PlacedVertexIds placed = ids instanceof PlacedVertexIds some ? some : null;
    if (placed != null) {
      checkOnHeap(stored);
    }
    // Those that need not fit the heap are looked up whenever they are read.
    List<DenseBlock> dense = stored ? null : DenseBlocks.of(edges.all(), ids, workers);
    start = PhaseTimes.ended("build: dictionaries", start);
    boolean whole = partitionCount == 1 && !spread && firstHeld == 0 && endHeld == size;
    if (options.rows() != RowsMade.NOW
        && !stored
        && whole
        && DenseBlocks.edges(dense) <= GraphPartition.MAX_EDGES) {
      return unsorted(dense);
    }
    Incoming all = stored ? Incoming.of(new BlockSequence(edges.all(), ids)) : Incoming.of(dense);
    Incoming incoming;
    Incoming turned;
    if (placed != null) {
      incoming = Incoming.of(DenseBlocks.inOrder(edges.in(), placed, false, workers));
      turned = out ? Incoming.of(DenseBlocks.inOrder(edges.out(), placed, true, workers)) : null;
    } else if (stored) {
      incoming = Incoming.of(new BlockSequence(edges.in(), ids));
      turned = Incoming.of(new BlockSequence(edges.out(), ids, true));
    } else {
      incoming = Incoming.of(edges.in(dense));
      turned = Incoming.of(PartitionRows.turned(edges.out(dense)));
    }
    // Those of a placed graph have the order of their ends' ids, which counts do not ask for.
    EdgeSequence held = placed == null ? incoming.sequence() : EdgeSequence.of(edges.in(dense));
    int[] bounds = bounds(held);
    start = PhaseTimes.ended("build: bounds", start);
    ValueCodec codec = edgeType == null ? null : ValueCodec.of(edgeType);
    List<CsrGraphPartition> partitions = new ArrayList<>();
    int[] degrees = null;
    for (int p = 0; p < partitionCount; p++) {
      int first = bounds[p];
      int rows = bounds[p + 1] - first;
      PartitionRows in = rows(p, "in-edges", incoming, edges.in(), codec, first, rows);
      PartitionRows back =
          out ? rows(p, "out-edges", turned, edges.out(), codec, first, rows) : null;
      start = PhaseTimes.ended("build: rows", start);
      if (partitionCount == 1 && placed == null && in.farDegrees() != null) {
        degrees = Arrays.copyOfRange(in.farDegrees(), firstHeld, endHeld);
      }
      long[] ghosts = new long[0];
      if (partitionCount > 1 || spread) {
        RankedBitmap farEnds = farEnds(all.sequence(), first, first + rows, !spread || out);
        workers.acquire(8L * farEnds.cardinality());
        ghosts = farEnds.members();
        toLocal(in.csr(), first, rows, farEnds, placed, workers);
        if (out) {
          toLocal(back.csr(), first, rows, farEnds, placed, workers);
        }
        workers.release(20L * farEnds.words().length);
      }
      partitions.add(
          new CsrGraphPartition(
              p,
              first,
              rows,
              ghosts,
              localPresent(present, first, rows, ghosts),
              new CsrGraphPartition.Edges(in.csr(), in.values()),
              out ? new CsrGraphPartition.Edges(back.csr(), back.values()) : null));
      start = PhaseTimes.ended("build: ghosts", start);
    }
    if (degrees == null) {
      degrees = EdgeCounts.of(held, false, firstHeld, endHeld - firstHeld, workers);
      PhaseTimes.ended("build: degrees", start);
    }
    return graph(degrees, partitions);
  }

  /** Rows of placed vertices are sorted by ids, for which all edges have to be on the heap. */
  private void checkOnHeap(boolean stored) {
    if (stored || workers.edges() != null) {
      throw new OffHeapMemoryException(
          "vertices that are placed beside their neighbours need their edges on the heap: set"
              + " spark.gpugraph.placement = ranges, or spark.gpugraph.memory.edges = heap and"
              + " executors larger or more of them");
    }
  }

  private CsrExecutorGraph graph(int[] degrees, List<CsrGraphPartition> partitions) {
    return new CsrExecutorGraph(
        ids,
        place,
        new CsrExecutorGraph.Held(firstHeld, endHeld, degrees),
        present,
        partitions,
        boundaries(partitions),
        options.threads(),
        options.memory(),
        edgeType);
  }

  /** A whole graph of edges whose rows are made later, or were made elsewhere. */
  static CsrExecutorGraph unsorted(
      VertexIds ids, UnsortedEdges edges, ExecutorGraphBuilder.Options options) {
    int size = Math.toIntExact(ids.size());
    CsrGraphPartition partition =
        new CsrGraphPartition(
            0,
            0,
            size,
            new long[0],
            null,
            new CsrGraphPartition.Edges(edges.rows(false), edges.values(false)),
            new CsrGraphPartition.Edges(edges.rows(true), edges.values(true)));
    return of(ids, null, new CsrExecutorGraph.Held(0, size, null), partition, options);
  }

  /** A graph, or a shard of one, of one partition. */
  private static CsrExecutorGraph of(
      VertexIds ids,
      ShardPlace place,
      CsrExecutorGraph.Held held,
      CsrGraphPartition partition,
      ExecutorGraphBuilder.Options options) {
    return new CsrExecutorGraph(
        ids,
        place,
        held,
        null,
        List.of(partition),
        List.of(),
        options.threads(),
        options.memory(),
        options.edgeType());
  }

  /** A shard of one partition whose rows were made elsewhere. */
  static CsrExecutorGraph elsewhere(
      ShardPlace place, ShardRows rows, ExecutorGraphBuilder.Options options) {
    int size = Math.toIntExact(rows.ids().size());
    int first = place.firstHeld(rows.ids());
    int end = place.endHeld(rows.ids());
    int stored = end - first;
    CsrGraphPartition partition;
    try (BuildMemory.Reservation memory = options.memory().begin()) {
      memory.acquire((long) Long.BYTES * (size - stored) + (long) Integer.BYTES * size);
      long[] ghosts = new long[size - stored];
      int[] leaving = new int[ghosts.length];
      for (int g = 0; g < ghosts.length; g++) {
        ghosts[g] = g < first ? g : g + stored;
        leaving[g] = rows.leaving()[(int) ghosts[g]];
      }
      RowsElsewhere out = rows.out();
      partition =
          new CsrGraphPartition(
              0,
              first,
              stored,
              ghosts,
              null,
              new CsrGraphPartition.Edges(rows.in().csr(), rows.in().values()),
              out == null ? null : new CsrGraphPartition.Edges(out.csr(), out.values()));
      // With out-edges their home counts what leaves a vertex.
      partition.setLeavingGhosts(out == null ? leaving : null);
    }
    int[] leaving = Arrays.copyOfRange(rows.leaving(), first, end);
    CsrExecutorGraph.Held held = new CsrExecutorGraph.Held(first, end, leaving);
    return of(rows.ids(), place, held, partition, options);
  }

  /** The graph with its edges as they are. */
  private CsrExecutorGraph unsorted(List<DenseBlock> dense) {
    long start = System.nanoTime();
    UnsortedEdges.Loaded loaded = UnsortedEdges.Loaded.of(dense);
    if (edgeType != null) {
      loaded =
          loaded.with(edgeType.columns(), EdgeValueLoader.inPlace(edgeType, edges.in(), workers));
    }
    UnsortedEdges later =
        new UnsortedEdges(loaded, size, options.threads(), options.rows(), options.memory());
    PhaseTimes.ended("build: edge values", start);
    CsrGraphPartition partition =
        new CsrGraphPartition(
            0,
            firstHeld,
            endHeld - firstHeld,
            new long[0],
            localPresent(present, firstHeld, endHeld - firstHeld, new long[0]),
            new CsrGraphPartition.Edges(later.rows(false), later.values(false)),
            new CsrGraphPartition.Edges(later.rows(true), later.values(true)));
    return graph(null, List.of(partition));
  }

  /**
   * Edges that become rows.
   *
   * @param blocks null: they are not on the heap
   */
  private record Incoming(EdgeSequence sequence, List<DenseBlock> blocks) {
    static Incoming of(List<DenseBlock> blocks) {
      return new Incoming(EdgeSequence.of(blocks), blocks);
    }

    static Incoming of(EdgeSequence sequence) {
      return new Incoming(sequence, null);
    }
  }

  private PartitionRows rows(
      int partition,
      String what,
      Incoming from,
      List<EdgeBlock> blocks,
      ValueCodec codec,
      int first,
      int stored) {
    List<DenseBlock> dense = from.blocks();
    if (codec == null) {
      if (partitionCount == 1) {
        long all = from.sequence().size();
        if (all > GraphPartition.MAX_EDGES) {
          throw tooMany(partition, what, all);
        }
        return dense == null
            ? PartitionRows.of(from.sequence(), first, size, stored, workers)
            : PartitionRows.of(dense, first, size, stored, workers);
      }
      return new PartitionRows(
          RowSort.some(
              from.sequence(),
              first,
              stored,
              size,
              count -> tooMany(partition, what, count),
              workers),
          null);
    }
    if (dense == null || workers.edges() != null) {
      return PartitionRows.of(
          from.sequence(),
          blocks,
          first,
          size,
          stored,
          codec,
          count -> tooMany(partition, what, count),
          workers);
    }
    PartitionSlice slice =
        partitionCount == 1
            ? PartitionSlice.all(dense, first)
            : PartitionSlice.of(dense, first, first + stored, workers);
    if (slice.edges() > GraphPartition.MAX_EDGES) {
      throw tooMany(partition, what, slice.edges());
    }
    PartitionRows made = PartitionRows.of(slice, blocks, size, stored, codec, workers);
    workers.release(slice.copiedBytes());
    return made;
  }

  private IllegalArgumentException tooMany(int partition, String what, long count) {
    return new IllegalArgumentException(
        ("partition %s would hold %s edges (%s), at most %s are possible: use more than"
                + " %s partitions")
            .formatted(partition, count, what, GraphPartition.MAX_EDGES, partitionCount));
  }

  /** First dense id of every partition, and the end of what is held: each has as many in-edges. */
  private int[] bounds(EdgeSequence incoming) {
    int[] bounds = new int[partitionCount + 1];
    bounds[0] = firstHeld;
    bounds[partitionCount] = endHeld;
    if (partitionCount == 1) {
      return bounds;
    }
    int held = endHeld - firstHeld;
    long bytes = 8L * (held + 1);
    workers.acquire(bytes);
    int[] inDegrees = EdgeCounts.of(incoming, true, firstHeld, held, workers);
    long[] before = new long[held + 1];
    for (int v = 0; v < held; v++) {
      before[v + 1] = before[v] + inDegrees[v];
    }
    long all = before[held];
    for (int p = 1; p < partitionCount; p++) {
      if (all == 0) {
        bounds[p] = firstHeld + (int) ((long) held * p / partitionCount);
      } else {
        long share = all / partitionCount * p + all % partitionCount * p / partitionCount;
        int at = Arrays.binarySearch(before, share);
        int cut = firstHeld + Math.min(held, at >= 0 ? at : -at - 1);
        bounds[p] = Math.max(bounds[p - 1], cut);
      }
    }
    workers.release(bytes + 4L * held);
    return bounds;
  }

  /**
   * The ends outside {@code [from, to)} of the edges that have the other end in it.
   *
   * @param ofOutEdges whether destinations count too
   */
  private RankedBitmap farEnds(EdgeSequence all, int from, int to, boolean ofOutEdges) {
    // Filled, then with its ranks.
    int words = (size + 63) >>> 6;
    workers.acquire(20L * words);
    AtomicBitmap ends = new AtomicBitmap(words);
    int tasks = 4 * workers.threads();
    workers.run(
        tasks,
        t -> {
          int[] sources = new int[EdgeSequence.CHUNK];
          int[] destinations = new int[EdgeSequence.CHUNK];
          long last = all.size() * (t + 1) / tasks;
          for (long e = all.size() * t / tasks; e < last; e += EdgeSequence.CHUNK) {
            int count = (int) Math.min(EdgeSequence.CHUNK, last - e);
            all.neighbours(e, count, sources);
            all.rows(e, count, destinations, 0);
            for (int i = 0; i < count; i++) {
              boolean sourceHeld = sources[i] >= from && sources[i] < to;
              boolean destinationHeld = destinations[i] >= from && destinations[i] < to;
              if (destinationHeld && !sourceHeld) {
                ends.set(sources[i]);
              } else if (ofOutEdges && sourceHeld && !destinationHeld) {
                ends.set(destinations[i]);
              }
            }
          }
        });
    return ends.ranked();
  }

  /** Turns dense ids of held vertices and ghosts into local indexes. */
  static void toLocal(Csr csr, int first, int stored, RankedBitmap ghosts, Workers workers) {
    workers.forEachChunk(
        csr.edges(), (from, to) -> csr.change(from, to, v -> local(v, first, stored, ghosts)));
  }

  /**
   * The same of rows that are made in the order of original ids.
   *
   * @param placed null: neighbours are dense ids
   */
  private static void toLocal(
      Csr csr,
      int first,
      int stored,
      RankedBitmap ghosts,
      PlacedVertexIds placed,
      Workers workers) {
    if (placed == null) {
      toLocal(csr, first, stored, ghosts, workers);
      return;
    }
    int[] dense = placed.denseInOrder();
    workers.forEachChunk(
        csr.edges(),
        (from, to) -> csr.change(from, to, v -> local(dense[v], first, stored, ghosts)));
  }

  private static int local(int dense, int first, int stored, RankedBitmap ghosts) {
    return dense >= first && dense < first + stored ? dense - first : stored + ghosts.rank(dense);
  }

  /** The bits of a partition's held vertices and ghosts; null when all are set. */
  static long[] localPresent(long[] present, int first, int stored, long[] ghosts) {
    if (present == null) {
      return null;
    }
    int size = stored + ghosts.length;
    long[] local = new long[(size + 63) >>> 6];
    boolean all = true;
    for (int i = 0; i < size; i++) {
      long dense = i < stored ? first + i : ghosts[i - stored];
      if ((present[(int) (dense >>> 6)] >>> dense & 1) != 0) {
        local[i >>> 6] |= 1L << i;
      } else {
        all = false;
      }
    }
    return all ? null : local;
  }

  private List<BoundaryList> boundaries(List<CsrGraphPartition> partitions) {
    List<BoundaryList> lists = new ArrayList<>();
    long[] firsts = partitions.stream().mapToLong(CsrGraphPartition::firstVertex).toArray();
    for (CsrGraphPartition reader : partitions) {
      long[] ghosts = reader.ghostIds();
      int end = position(ghosts, endHeld);
      // From one home that it reads to the next: of many partitions most read few.
      for (int from = position(ghosts, firstHeld), to; from < end; from = to) {
        // Those that hold nothing begin where the next one does.
        CsrGraphPartition home = partitions.get(position(firsts, ghosts[from] + 1) - 1);
        to = position(ghosts, home.firstVertex() + home.stored());
        int[] vertices = new int[to - from];
        for (int i = 0; i < vertices.length; i++) {
          vertices[i] = (int) (ghosts[from + i] - home.firstVertex());
        }
        lists.add(new BoundaryList(home.index(), reader.index(), vertices, reader.stored() + from));
      }
    }
    lists.sort(Comparator.comparingInt(BoundaryList::home).thenComparingInt(BoundaryList::reader));
    return lists;
  }

  /** The first position whose value is not smaller. */
  private static int position(long[] sorted, long value) {
    return BinarySearch.first(0, sorted.length, i -> sorted[i] >= value);
  }
}
