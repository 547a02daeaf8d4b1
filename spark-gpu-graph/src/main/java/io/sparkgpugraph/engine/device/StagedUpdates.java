package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.exchange.RefinedUpdates;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.program.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An outbox on its way over the host: page-locked copies of exactly the entries that it has, laid
 * out as on a device. Not thread-safe; between the thread that writes it and the one that reads it
 * lies a barrier.
 */
final class StagedUpdates implements AutoCloseable {
  private final List<Kind> kinds;
  private final PinnedArray positions;
  private final PinnedArray flags;
  private final List<PinnedArray> values = new ArrayList<>();
  private final List<PinnedArray> all = new ArrayList<>();
  private int count;

  /**
   * @param device whose driver locks the pages; other devices copy from them too
   * @param kinds kinds of the columns that travel
   */
  StagedUpdates(Device device, List<Kind> kinds) {
    this.kinds = kinds;
    positions = array(device);
    flags = array(device);
    for (int c = 0; c < kinds.size(); c++) {
      values.add(array(device));
    }
  }

  private PinnedArray array(Device device) {
    PinnedArray array = new PinnedArray(device);
    all.add(array);
    return array;
  }

  /** Number of updates. */
  int count() {
    return count;
  }

  /** Bytes of the updates: what a copy to or from the device moves. */
  long bytes() {
    return bytes(count, kinds);
  }

  /** Bytes of a number of updates: position, flag and value each. */
  static long bytes(int count, List<Kind> kinds) {
    return count * (5L + kinds.stream().mapToInt(Kind::bytes).sum());
  }

  private void reserve(int wanted, int size) {
    count = wanted;
    positions.reserve(4L * wanted, 4L * size);
    flags.reserve(wanted, size);
    for (int c = 0; c < kinds.size(); c++) {
      long bytes = kinds.get(c).bytes();
      values.get(c).reserve(bytes * wanted, bytes * size);
    }
  }

  /**
   * Queues the copy of an outbox to the host.
   *
   * @param updates how many it has
   * @param size length of its list
   */
  void download(DeviceStream stream, DeviceOutbox from, int updates, int size) {
    reserve(updates, size);
    positions.download(stream, from.positions(), 4L * updates);
    flags.download(stream, from.flags(), updates);
    for (int c = 0; c < kinds.size(); c++) {
      values.get(c).download(stream, from.values().get(c), (long) kinds.get(c).bytes() * updates);
    }
  }

  /** Queues the copy to an outbox that kernels read. */
  void upload(DeviceStream stream, DeviceOutbox to) {
    positions.upload(stream, to.positions(), 4L * count);
    flags.upload(stream, to.flags(), count);
    for (int c = 0; c < kinds.size(); c++) {
      values.get(c).upload(stream, to.values().get(c), (long) kinds.get(c).bytes() * count);
    }
  }

  // ---- as refined updates -----------------------------------------------------------------------

  /**
   * Adds the updates to empty ones, ascending by position; the copy must be done.
   *
   * @param size length of the list
   */
  void addTo(RefinedUpdates updates, int size) {
    int[] order = order(size);
    int[] valued = new int[count];
    int rows = 0;
    for (int slot : order) {
      boolean isValued = (flag(slot) & DeviceOutbox.VALUED) != 0;
      updates.add(position(slot), isValued, isActive(slot));
      if (isValued) {
        valued[rows++] = slot;
      }
    }
    Columns into = updates.values();
    for (int c = 0; c < kinds.size(); c++) {
      for (int row = 0; row < rows; row++) {
        get(c, valued[row], into, row);
      }
    }
  }

  private int flag(int slot) {
    return flags.buffer(slot).get(slot % PinnedArray.PIECE);
  }

  /** Whether the vertex of an update is active. */
  boolean isActive(int slot) {
    return (flag(slot) & DeviceOutbox.ACTIVE) != 0;
  }

  /** Position that an update is about. */
  int position(int slot) {
    long at = 4L * slot;
    return positions.buffer(at).getInt((int) (at % PinnedArray.PIECE));
  }

  /**
   * The slots by ascending position: sorted when they are few, else by a look at every position.
   */
  private int[] order(int size) {
    int[] order = new int[count];
    if (count < size / 8) {
      long[] keys = new long[count];
      for (int slot = 0; slot < count; slot++) {
        keys[slot] = (long) position(slot) << 32 | slot;
      }
      Arrays.sort(keys);
      for (int i = 0; i < count; i++) {
        order[i] = (int) keys[i];
      }
      return order;
    }
    int[] slotOf = new int[size];
    for (int slot = 0; slot < count; slot++) {
      slotOf[position(slot)] = slot + 1;
    }
    int i = 0;
    for (int slot : slotOf) {
      if (slot != 0) {
        order[i++] = slot - 1;
      }
    }
    return order;
  }

  private void get(int column, int slot, Columns to, int row) {
    Kind kind = kinds.get(column);
    long at = (long) kind.bytes() * slot;
    ByteBuffer from = values.get(column).buffer(at);
    int index = (int) (at % PinnedArray.PIECE);
    switch (kind) {
      case BOOLEAN -> to.booleans(column)[row] = from.get(index) != 0;
      case INT -> to.ints(column)[row] = from.getInt(index);
      case LONG -> to.longs(column)[row] = from.getLong(index);
      case FLOAT -> to.floats(column)[row] = from.getFloat(index);
      case DOUBLE -> to.doubles(column)[row] = from.getDouble(index);
    }
  }

  /**
   * Takes updates that have come from elsewhere.
   *
   * @param places position that each is about; negative: it is left out
   */
  void set(RefinedUpdates updates, int[] places) {
    reserve(updates.count(), updates.count());
    count = 0;
    int row = 0;
    for (int i = 0; i < places.length; i++) {
      int valued = updates.isValued(i) ? DeviceOutbox.VALUED : 0;
      int active = updates.isActive(i) ? DeviceOutbox.ACTIVE : 0;
      if (places[i] >= 0) {
        long at = 4L * count;
        positions.buffer(at).putInt((int) (at % PinnedArray.PIECE), places[i]);
        flags.buffer(count).put(count % PinnedArray.PIECE, (byte) (valued | active));
        for (int c = 0; c < kinds.size() && valued != 0; c++) {
          put(c, count, updates.values(), row);
        }
        count++;
      }
      row += valued;
    }
  }

  private void put(int column, int slot, Columns from, int row) {
    Kind kind = kinds.get(column);
    long at = (long) kind.bytes() * slot;
    ByteBuffer to = values.get(column).buffer(at);
    int index = (int) (at % PinnedArray.PIECE);
    switch (kind) {
      case BOOLEAN -> to.put(index, (byte) (from.booleans(column)[row] ? 1 : 0));
      case INT -> to.putInt(index, from.ints(column)[row]);
      case LONG -> to.putLong(index, from.longs(column)[row]);
      case FLOAT -> to.putFloat(index, from.floats(column)[row]);
      case DOUBLE -> to.putDouble(index, from.doubles(column)[row]);
    }
  }

  @Override
  public void close() {
    Closing.all(all);
  }
}
