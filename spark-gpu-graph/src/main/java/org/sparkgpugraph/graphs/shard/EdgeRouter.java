package org.sparkgpugraph.graphs.shard;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.NullValueException;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.program.ValueType;

/**
 * The map side of loading a graph into several shards: cuts blocks of edges and vertices into
 * parcels for the shards that need them.
 *
 * <p>An edge goes to the shard of its destination; with out-edges also to that of its source, once
 * if they are the same. Without out-edges the shard of the source is told that the source exists
 * (each source once for each some millions of edges), so that it knows vertices without in-edges.
 *
 * <p>The same input gives the same edges in the same order, however they are cut into parcels. The
 * shard of every entry of a {@link LocalEdgeBlock}'s dictionary is looked up once. While it runs it
 * takes up to 28 bytes for each of the 8 million edges that are routed at a time (fewer where
 * memory is short), 12 bytes for each entry of the block's dictionary, a copy of small blocks that
 * are {@linkplain JoinedBlocks joined}, and the parcel that is being made. Not thread-safe; not
 * serializable: every task makes its own.
 */
public final class EdgeRouter {
  /** Most shards. */
  static final int MAX_SHARDS = 1 << 16;

  private final VertexOwners owners;
  private final boolean outEdges;
  private final ValueType edgeType;

  /** Bytes that an edge takes while it is routed. */
  private static final int EDGE_BYTES = 28;

  /** The same of an entry of a block's dictionary. */
  private static final int ENTRY_BYTES = 12;

  /** With fewer edges at a time parcels get too small; smaller blocks are joined. */
  private static final int LEAST_WINDOW = 1 << 18;

  private final BuildMemory.Reservation memory;
  private final int windowEdges;
  private final int parcelEdges;

  /**
   * @param owners where vertices belong
   * @param outEdges whether shards hold the out-edges of their vertices too
   * @param edgeType type of the edge values that travel along; null: none
   */
  public EdgeRouter(VertexOwners owners, boolean outEdges, ValueType edgeType) {
    this(owners, outEdges, edgeType, BuildMemory.Reservation.NONE);
  }

  /**
   * As above.
   *
   * @param memory where it reserves what it takes, as long as somebody asks for parcels; whoever
   *     made it closes it
   */
  public EdgeRouter(
      VertexOwners owners, boolean outEdges, ValueType edgeType, BuildMemory.Reservation memory) {
    this(owners, outEdges, edgeType, memory, 1 << 23, 1 << 21);
  }

  /**
   * @param windowEdges number of edges that are routed at a time
   * @param parcelEdges most edges, or ids, of a parcel
   */
  public EdgeRouter(
      VertexOwners owners,
      boolean outEdges,
      ValueType edgeType,
      BuildMemory.Reservation memory,
      int windowEdges,
      int parcelEdges) {
    if (owners.shards() > MAX_SHARDS) {
      throw new IllegalArgumentException(
          owners.shards() + " shards; at most " + MAX_SHARDS + " are possible");
    }
    this.owners = owners;
    this.outEdges = outEdges;
    this.edgeType = edgeType;
    this.memory = memory;
    this.windowEdges = windowEdges;
    this.parcelEdges = parcelEdges;
  }

  /**
   * Routes the edges of one source partition.
   *
   * @param sourcePartition number of the partition in the source: edges are ordered by it
   * @param blocks its blocks, in order; read as parcels are asked for, each once
   * @return the parcels, made when they are asked for
   * @throws NullValueException when an edge has no value though values travel along
   */
  public Iterator<EdgeParcel> route(int sourcePartition, Iterator<? extends EdgeBlock> blocks) {
    ValueCodec codec = edgeType == null ? null : ValueCodec.of(edgeType);
    RoutingWindow.Settings settings =
        new RoutingWindow.Settings(owners, outEdges, codec, sourcePartition, parcelEdges);
    Iterator<EdgeBlock> joined =
        new JoinedBlocks(blocks, Math.min(windowEdges, LEAST_WINDOW), memory);
    return new Parcels<>() {
      private EdgeBlock block;
      private RoutedIds ids;
      private int next;
      private int sequence;
      private RoutingWindow window;
      private long blockBytes;
      private long windowBytes;

      @Override
      EdgeParcel make() {
        while (true) {
          EdgeParcel parcel = window == null ? null : window.next(sequence);
          if (parcel != null) {
            sequence = Math.addExact(sequence, 1);
            return parcel;
          }
          window = null;
          memory.release(windowBytes);
          windowBytes = 0;
          if (block == null || next == block.size()) {
            memory.release(blockBytes);
            blockBytes = 0;
            if (!joined.hasNext()) {
              return null;
            }
            block = joined.next();
            blockBytes = dictionaryBytes(block);
            memory.acquire(blockBytes);
            ids = block instanceof LocalEdgeBlock l ? RoutedIds.of(l, owners) : null;
            next = 0;
          }
          int end = (int) Math.min(block.size(), (long) next + window());
          if (next < end) {
            windowBytes = (long) EDGE_BYTES * (end - next);
            memory.acquire(windowBytes);
            RoutedIds here = ids == null ? RoutedIds.of(block, next, end, owners) : ids;
            window = new RoutingWindow(settings, block, here, next, end);
          }
          next = end;
        }
      }
    };
  }

  private static long dictionaryBytes(EdgeBlock block) {
    return block instanceof LocalEdgeBlock local
        ? (long) ENTRY_BYTES * local.localToGlobal().length
        : 0;
  }

  /** How many edges to route at a time: as many as there is room for. */
  private int window() {
    int window = windowEdges;
    while (window > LEAST_WINDOW && !memory.hasRoom((long) EDGE_BYTES * window)) {
      window /= 2;
    }
    return window;
  }

  /**
   * Routes the vertices of one source partition.
   *
   * @param sourcePartition number of the partition in the source
   * @param block its vertices
   * @param vertexType type of the attributes that travel along; null: none
   * @return the parcels, made when they are asked for; none for a shard without vertices here
   * @throws NullValueException when a vertex has no attribute though they travel along
   */
  public Iterator<VertexParcel> routeVertices(
      int sourcePartition, VertexBlock block, ValueType vertexType) {
    ValueCodec codec = vertexType == null ? null : ValueCodec.of(vertexType);
    int shards = owners.shards();
    int size = block.size();
    int[] starts = new int[shards + 1];
    char[] home = new char[size];
    for (int i = 0; i < size; i++) {
      home[i] = (char) owners.shardOf(block.ids()[i]);
      starts[home[i] + 1]++;
    }
    for (int s = 0; s < shards; s++) {
      starts[s + 1] += starts[s];
    }
    int[] positions = new int[size];
    int[] cursors = starts.clone();
    for (int i = 0; i < size; i++) {
      positions[cursors[home[i]]++] = i;
    }
    return new Parcels<>() {
      private int shard;
      private int from;
      private int sequence;

      @Override
      VertexParcel make() {
        while (shard < shards && from == starts[shard + 1]) {
          shard++;
        }
        if (shard == shards) {
          return null;
        }
        int to = (int) Math.min(starts[shard + 1], (long) from + parcelEdges);
        int[] mine = Arrays.copyOfRange(positions, from, to);
        Columns values = null;
        if (codec != null) {
          values = Columns.allocate(codec.kinds(), mine.length);
          int[] slots = new int[mine.length];
          for (int i = 0; i < slots.length; i++) {
            slots[i] = block.slot(mine[i]);
          }
          codec.read(
              block.values(),
              slots,
              0,
              slots.length,
              values,
              null,
              i -> "vertex " + block.ids()[mine[i]]);
        }
        from = to;
        return new VertexParcel(
            shard, sourcePartition, sequence++, VertexParcel.content(block, mine, values));
      }
    };
  }

  /** Parcels that are made one ahead. */
  private abstract static class Parcels<T> implements Iterator<T> {
    private T ahead;
    private boolean done;

    /** The next parcel, or null. */
    abstract T make();

    @Override
    public boolean hasNext() {
      if (ahead == null && !done) {
        ahead = make();
        done = ahead == null;
      }
      return ahead != null;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException("no more parcels");
      }
      T parcel = ahead;
      ahead = null;
      return parcel;
    }
  }
}
