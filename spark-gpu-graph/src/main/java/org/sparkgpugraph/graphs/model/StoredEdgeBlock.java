package org.sparkgpugraph.graphs.model;

import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Edges without values by their original ids, off the heap: what blocks become that wait for the
 * build of a graph larger than the heap. It is filled by one thread and read by many, and never
 * travels.
 */
public final class StoredEdgeBlock implements EdgeBlock {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final int room;
  private final transient OffHeapArray sources;
  private final transient OffHeapArray destinations;
  private int size;
  private long least = Long.MAX_VALUE;
  private long largest = Long.MIN_VALUE;

  /**
   * Allocates an empty block.
   *
   * @param kind of the ids, int or long
   * @param room for so many edges
   */
  public StoredEdgeBlock(EdgeMemory memory, Kind kind, int room) {
    this.kind = kind;
    this.room = room;
    sources = memory.allocate(kind, room);
    destinations = memory.allocate(kind, room);
  }

  /** Whether a block's ids are of this one's kind, so that its edges may be added. */
  public boolean takes(EdgeBlock block) {
    return kind == kind(block);
  }

  /** The kind of ids of a block. */
  public static Kind kind(EdgeBlock block) {
    return block instanceof IntEdgeBlock ? Kind.INT : Kind.LONG;
  }

  /**
   * Adds edges of a block that it {@linkplain #takes takes}.
   *
   * @param from the first of them
   * @return behind the last for which there was room
   */
  public int add(EdgeBlock block, int from) {
    int count = Math.min(block.size() - from, room - size);
    if (block instanceof IntEdgeBlock ints) {
      put(ints.sources(), ints.destinations(), from, count);
    } else if (block instanceof GlobalEdgeBlock longs) {
      put(longs.sources(), longs.destinations(), from, count);
    } else {
      long[] ids = new long[count];
      block.ends(true, from, count, ids);
      sources.put(size, ids, 0, count);
      block.ends(false, from, count, ids);
      destinations.put(size, ids, 0, count);
    }
    for (int i = from; i < from + count; i++) {
      long source = block.source(i);
      long destination = block.destination(i);
      least = Math.min(least, Math.min(source, destination));
      largest = Math.max(largest, Math.max(source, destination));
    }
    size += count;
    return from + count;
  }

  private void put(Object from, Object to, int first, int count) {
    sources.put(size, from, first, count);
    destinations.put(size, to, first, count);
  }

  /** Nothing is added any more. */
  public void seal() {
    sources.seal();
    destinations.seal();
  }

  /** Whether no more edges fit. */
  public boolean isFull() {
    return size == room;
  }

  /** The least id of any end; of no edges the largest long. */
  public long least() {
    return least;
  }

  /** The largest id of any end; of no edges the least long. */
  public long largest() {
    return largest;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long source(int position) {
    return end(sources, position);
  }

  @Override
  public long destination(int position) {
    return end(destinations, position);
  }

  private long end(OffHeapArray ends, int position) {
    return kind == Kind.INT ? ends.getInt(position) : ends.getLong(position);
  }

  @Override
  public void ends(boolean ofSources, int from, int count, long[] into) {
    OffHeapArray ends = ofSources ? sources : destinations;
    if (kind == Kind.LONG) {
      ends.get(from, into, 0, count);
      return;
    }
    int[] ints = new int[count];
    ends.get(from, ints, 0, count);
    for (int i = 0; i < count; i++) {
      into[i] = ints[i];
    }
  }

  @Override
  public Object values() {
    return null;
  }

  /** None: they are off the heap. */
  @Override
  public long bytes() {
    return 0;
  }
}
