package org.sparkgpugraph.engine.device.memory;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.DeviceTable;
import org.sparkgpugraph.graphs.rows.DenseBlock;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Edges that become rows on a device: keys that are sorted, in one of two buffers ({@code
 * sgg/rows.cuh}). All memory is the session's until it is handed over.
 */
final class RowWork {
  final int bits;
  private final DeviceSession session;
  private final long count;
  private final int vertices;
  private final boolean numbered;
  private final FrameLayout.Frame frame = RowKernels.FRAME.newFrame();
  private final KeySort sort;
  private final DeviceMemory strangers;
  private final List<DeviceMemory> results = new ArrayList<>();
  private final List<Object> names = new ArrayList<>();

  /**
   * @param count of the edges
   * @param vertices that they can end at
   * @param numbered whether the numbers of edges travel with the keys
   */
  RowWork(DeviceSession session, long count, int vertices, boolean numbered) {
    this(session, count, vertices, vertices, numbered);
  }

  /**
   * As above.
   *
   * @param ends how many different ends keys have, vertices or not
   */
  RowWork(DeviceSession session, long count, int vertices, long ends, boolean numbered) {
    this.session = session;
    this.count = count;
    this.vertices = vertices;
    this.numbered = numbered;
    bits = KeySort.bits(ends);
    String purpose = "rows of unsorted edges, while they are sorted";
    sort = new KeySort(session, frame, count, numbered, purpose);
    strangers = session.zeros(Long.BYTES, purpose);
    frame
        .set("count", count)
        .set("vertices", vertices)
        .set("neighbourBits", bits)
        .set("strangers", strangers);
  }

  /** Uploads edges, to where the other keys will be, and makes keys of them. */
  void pack(List<DenseBlock> loaded) {
    int[] map = null;
    DeviceMemory dictionary = null;
    DeviceMemory ends = sort.other();
    long first = 0;
    for (DenseBlock block : loaded) {
      if (block.map() != map && dictionary != null) {
        session.free(dictionary);
        dictionary = null;
      }
      map = block.map();
      if (map != null && dictionary == null) {
        dictionary = session.upload(map, map.length, "a dictionary of edges");
      }
      long sources = KeySort.KEY_BYTES * first;
      long destinations = sources + Integer.BYTES * (long) block.size();
      session.upload(block.sources(), 0, block.size(), ends, sources);
      session.upload(block.destinations(), 0, block.size(), ends, destinations);
      frame
          .set("sources", ends.address() + sources)
          .set("destinations", ends.address() + destinations)
          .set("map", dictionary)
          .set("first", first)
          .set("count", block.size());
      session.launch(RowKernels.PACK, block.size(), 1, frame);
      first += block.size();
    }
    frame.set("count", count);
  }

  /**
   * Makes keys of tables' edges; where all three are null, ids are dense.
   *
   * @param bits marks of the ids that there are
   * @param ranks marks before each 64
   * @param distinct or the ids themselves, in ascending order
   */
  void pack(
      List<DeviceTable> tables, DeviceMemory bits, DeviceMemory ranks, DeviceMemory distinct) {
    pack(RowKernels.TABLE_PACK, tables, bits, ranks, distinct);
  }

  /**
   * The same of a shard's edges.
   *
   * @param shard what is held
   */
  void pack(
      HeldIds shard,
      List<DeviceTable> tables,
      DeviceMemory bits,
      DeviceMemory ranks,
      DeviceMemory distinct) {
    shard.tell(frame);
    pack(RowKernels.TABLE_PACK_SHARD, tables, bits, ranks, distinct);
  }

  private void pack(
      String kernel,
      List<DeviceTable> tables,
      DeviceMemory bits,
      DeviceMemory ranks,
      DeviceMemory distinct) {
    frame.set("bits", bits).set("bitRanks", ranks).set("distinctIds", distinct);
    long first = 0;
    for (DeviceTable table : tables) {
      frame
          .set("ids", table.sources())
          .set("otherIds", table.destinations())
          .set("first", first)
          .set("count", table.size());
      session.launch(kernel, table.size(), 1, frame);
      first += table.size();
    }
    frame.set("count", count);
  }

  /** Makes keys of rows' edges, turned round. */
  void turn(DeviceMemory offsets, DeviceMemory neighbours) {
    frame.set("offsets", offsets).set("neighbours", neighbours);
    session.launch(RowKernels.TURN, (count + 1023) / 1024, DeviceProperties.WARP, frame);
  }

  /** Sorts by a part of the keys that is as wide as an end. */
  void sort(int from) {
    sort.sort(from, bits);
  }

  /** Where the rows of sorted keys begin. */
  DeviceMemory offsets(int from) {
    long rows = vertices + 1L;
    DeviceMemory offsets = session.allocate(Integer.BYTES * rows, "offsets of rows");
    frame.set("offsets", offsets).set("shift", from);
    session.launch(RowKernels.OFFSETS, rows, 1, frame);
    return offsets;
  }

  int[] download(DeviceMemory offsets) {
    return session.ints(offsets, vertices + 1);
  }

  /**
   * @throws IllegalArgumentException when an edge has an end without a dense id
   */
  void checkStrangers() {
    long[] found = new long[1];
    session.download(strangers, found, 1);
    if (found[0] > 0) {
      throw new IllegalArgumentException(
          found[0] + " of " + count + " edges belong to none of " + vertices + " rows");
    }
  }

  /**
   * Makes neighbours of sorted keys.
   *
   * @param key what they are known by
   */
  void finish(Object key) {
    keep(key, neighbours());
  }

  /** As {@link #finish}, for the caller. */
  DeviceMemory neighbours() {
    sort.freeOther();
    DeviceMemory neighbours = session.allocate(Integer.BYTES * count, "neighbours of rows");
    frame.set("neighbours", neighbours);
    session.launch(RowKernels.NEIGHBOURS, count, 1, frame);
    if (numbered) {
      sort.freeKeys();
    }
    return neighbours;
  }

  /**
   * Sorted keys of a shard that become rows.
   *
   * @param first the first of them
   * @param count how many there are
   * @param firstHeld dense id of the first row
   * @param endHeld dense id behind the last row
   */
  record Part(int first, int count, int firstHeld, int endHeld) {}

  /**
   * Makes neighbours of some sorted keys, as local indexes of a shard.
   *
   * @param from lowest bit of the end that is the neighbour
   */
  DeviceMemory neighbours(Part part, int from) {
    DeviceMemory neighbours =
        session.allocate((long) Integer.BYTES * part.count(), "neighbours of rows");
    frame
        .set("neighbours", neighbours)
        .set("first", part.first())
        .set("count", part.count())
        .set("shift", from)
        .set("firstHeld", part.firstHeld())
        .set("endHeld", part.endHeld());
    session.launch(RowKernels.TABLE_NEIGHBOURS, part.count(), 1, frame);
    frame.set("count", count);
    return neighbours;
  }

  /** How many of some edges leave each vertex: {@code int[vertices]}. */
  int[] leaving(Part part) {
    DeviceMemory counts = session.zeros((long) Integer.BYTES * vertices, "degrees of sources");
    frame.set("leaving", counts).set("first", part.first()).set("count", part.count());
    session.launch(RowKernels.TABLE_LEAVING, part.count(), 1, frame);
    frame.set("count", count);
    int[] leaving = session.ints(counts, vertices);
    session.free(counts);
    return leaving;
  }

  /**
   * Puts values of some edges in order.
   *
   * @param from of all edges, as {@link #gathered} made them
   */
  DeviceMemory values(Part part, DeviceMemory from) {
    DeviceMemory to = session.allocate((long) Double.BYTES * part.count(), "values of rows");
    frame
        .set("numbers", sort.numbers() + (long) Integer.BYTES * part.first())
        .set("values", from)
        .set("sortedValues", to)
        .set("valueWidth", 1)
        .set("count", part.count());
    session.launch(RowKernels.values(Double.BYTES), part.count(), 1, frame);
    frame.set("numbers", sort.numbers()).set("count", count);
    return to;
  }

  /** Puts the values of tables in order. */
  DeviceMemory values(List<DeviceTable> tables) {
    DeviceMemory from = gathered(tables);
    DeviceMemory to = sorted(Kind.DOUBLE, from);
    session.free(from);
    return to;
  }

  /** The values of tables, one table behind the other. */
  DeviceMemory gathered(List<DeviceTable> tables) {
    DeviceMemory from = session.allocate(Double.BYTES * count, "values of tables");
    long first = 0;
    for (DeviceTable table : tables) {
      frame
          .set("ids", table.values())
          .set("bounds", from)
          .set("first", first)
          .set("count", table.size());
      session.launch(RowKernels.TABLE_COPY, table.size(), 1, frame);
      first += table.size();
    }
    frame.set("count", count);
    return from;
  }

  /** Uploads values as they were loaded, and puts them in order. */
  void values(Columns sorted, List<Columns> loaded) {
    for (int c = 0; sorted != null && c < sorted.width(); c++) {
      ColumnType type = sorted.kinds().get(c);
      int bytes = type.bytes();
      DeviceMemory from = session.allocate(bytes * count, "edge values as they were loaded");
      long offset = 0;
      for (Columns block : loaded) {
        session.upload(block.array(c), 0, block.length() * type.width(), from, offset);
        offset += (long) bytes * block.length();
      }
      values(sorted.key(c), type, from);
      session.free(from);
    }
  }

  /** Puts values in order that are on the device. */
  void values(Object key, ColumnType type, DeviceMemory from) {
    keep(key, sorted(type, from));
  }

  private DeviceMemory sorted(ColumnType type, DeviceMemory from) {
    DeviceMemory to = session.allocate(type.bytes() * count, "values of rows");
    frame.set("values", from).set("sortedValues", to).set("valueWidth", type.width());
    session.launch(RowKernels.values(type.kind().bytes()), count * type.width(), 1, frame);
    return to;
  }

  /** Remembers a result, which stays if all goes well. */
  void keep(Object key, DeviceMemory memory) {
    names.add(key);
    results.add(memory);
  }

  /** Waits for all, and lets the results stay on the device. */
  void handOver(ResidentArrays resident) {
    session.synchronize();
    for (int r = 0; r < results.size(); r++) {
      resident.adopt(names.get(r), session.released(results.get(r)));
    }
  }
}
