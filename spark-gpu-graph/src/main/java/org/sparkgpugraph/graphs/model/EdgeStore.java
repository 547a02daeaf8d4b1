package org.sparkgpugraph.graphs.model;

import java.util.Arrays;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Room off the heap for edges by their original ids, and their values as columns, that is filled
 * from its start on. One thread adds; others read what was {@linkplain #block given} to them.
 */
final class EdgeStore {
  /** Edges whose values are read at a time. */
  private static final int READ = 1 << 12;

  private final Kind kind;
  private final int room;

  /** Reads values; null: it keeps none. */
  private final ValueCodec codec;

  private final OffHeapArray sources;
  private final OffHeapArray destinations;
  private final Columns values;
  private int size;
  private long least = Long.MAX_VALUE;
  private long largest = Long.MIN_VALUE;

  /**
   * Allocates an empty store.
   *
   * @param kind of the ids, int or long
   * @param codec reads values; null: it keeps none
   * @param room for so many edges
   */
  EdgeStore(EdgeMemory memory, Kind kind, ValueCodec codec, int room) {
    this.kind = kind;
    this.room = room;
    this.codec = codec;
    sources = memory.allocate(kind, room);
    destinations = memory.allocate(kind, room);
    values = codec == null ? null : Columns.allocate(memory, codec.kinds(), room);
  }

  /**
   * Whether it keeps edges of a kind.
   *
   * @param ids see {@link #kind}
   * @param valued whether with values
   */
  boolean takes(Kind ids, boolean valued) {
    return (kind == Kind.LONG || ids == Kind.INT) && valued == (codec != null);
  }

  /** The kind that the ids of a block's ends fit. */
  static Kind kind(EdgeBlock block) {
    boolean ints =
        block instanceof IntEdgeBlock
            || block instanceof LocalEdgeBlock local
                && Arrays.stream(local.localToGlobal()).allMatch(id -> id == (int) id);
    return ints ? Kind.INT : Kind.LONG;
  }

  /**
   * Adds edges of a block.
   *
   * @param from the first of them
   * @return behind the last for which there was room
   */
  int add(EdgeBlock block, int from) {
    int count = Math.min(block.size() - from, room - size);
    if (block instanceof IntEdgeBlock ints && kind == Kind.INT) {
      sources.put(size, ints.sources(), from, count);
      destinations.put(size, ints.destinations(), from, count);
    } else if (block instanceof GlobalEdgeBlock longs) {
      sources.put(size, longs.sources(), from, count);
      destinations.put(size, longs.destinations(), from, count);
    } else {
      put(block, true, from, count, sources);
      put(block, false, from, count, destinations);
    }
    if (codec != null) {
      putValues(block, from, count);
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

  private void put(EdgeBlock block, boolean ofSources, int from, int count, OffHeapArray to) {
    long[] ids = new long[Math.min(count, READ)];
    int[] ints = new int[ids.length];
    for (int done = 0; done < count; done += ids.length) {
      int part = Math.min(ids.length, count - done);
      block.ends(ofSources, from + done, part, ids);
      if (kind == Kind.LONG) {
        to.put(size + done, ids, 0, part);
        continue;
      }
      for (int i = 0; i < part; i++) {
        ints[i] = (int) ids[i];
      }
      to.put(size + done, ints, 0, part);
    }
  }

  private void putValues(EdgeBlock block, int from, int count) {
    Columns view = codec.view(block.values(), block.size());
    if (view != null) {
      values.put(size, view, from, count);
      return;
    }
    Columns some = Columns.allocate(codec.kinds(), Math.min(count, READ));
    for (int done = 0; done < count; done += some.length()) {
      int part = Math.min(some.length(), count - done);
      codec.read(block, from + done, part, some);
      values.put(size + done, some, 0, part);
    }
  }

  /** The edges from one on, as a block. */
  StoredEdgeBlock block(int first) {
    return new StoredEdgeBlock(this, first, size - first);
  }

  /** Number of edges. */
  int size() {
    return size;
  }

  /** Whether no more edges fit. */
  boolean isFull() {
    return size == room;
  }

  /** Nothing is added any more. */
  void seal() {
    sources.seal();
    destinations.seal();
    if (values != null) {
      values.seal();
    }
  }

  /** The least id of any end; of no edges the largest long. */
  long least() {
    return least;
  }

  /** The largest id of any end; of no edges the least long. */
  long largest() {
    return largest;
  }

  /** The values, off the heap; null: it keeps none. */
  Columns values() {
    return values;
  }

  /** The original id of an end of an edge. */
  long end(boolean ofSource, int edge) {
    OffHeapArray ends = ofSource ? sources : destinations;
    return kind == Kind.INT ? ends.getInt(edge) : ends.getLong(edge);
  }

  /** Those of some edges; see {@link EdgeBlock#ends}. */
  void ends(boolean ofSources, int from, int count, long[] into) {
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
}
