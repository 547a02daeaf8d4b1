package org.sparkgpugraph.engine.device.exchange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.device.ArrayBytes;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.kernels.ElementWords;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.memory.PinnedArray;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * An outbox on its way over the host: page-locked copies of exactly the entries that it has, laid
 * out as on a device. Not thread-safe; between the thread that writes it and the one that reads it
 * lies a barrier.
 */
public final class StagedUpdates implements AutoCloseable {
  /**
   * Updates that a thread takes at a time; their positions, flags and values each lie in one piece
   * of page-locked memory.
   */
  private static final int PIECE = 1 << 16;

  private final List<ColumnType> kinds;
  private final PinnedArray positions;
  private final PinnedArray flags;
  private final List<PinnedArray> values = new ArrayList<>();
  private final List<PinnedArray> all = new ArrayList<>();

  /** Which elements of arrays come with the updates that were set, see {@link ElementWords}. */
  private final PinnedArray elements;

  private final ElementWords elementWords;
  private boolean hasWholeRows = true;
  private int count;

  /**
   * @param device whose driver locks the pages; other devices copy from them too
   * @param kinds kinds of the columns that travel
   */
  public StagedUpdates(Device device, List<ColumnType> kinds) {
    this.kinds = kinds;
    positions = array(device);
    flags = array(device);
    elements = array(device);
    elementWords = new ElementWords(kinds);
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
  public int count() {
    return count;
  }

  /** Bytes of the updates: what a copy to or from the device moves. */
  public long bytes() {
    return bytes(count, kinds);
  }

  /** Bytes of a number of updates: position, flag and value each. */
  public static long bytes(int count, List<ColumnType> kinds) {
    return count * (5L + kinds.stream().mapToInt(ColumnType::bytes).sum());
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
  public void download(DeviceStream stream, DeviceOutbox from, int updates, int size) {
    reserve(updates, size);
    positions.download(stream, from.positions(), 4L * updates);
    flags.download(stream, from.flags(), updates);
    for (int c = 0; c < kinds.size(); c++) {
      values.get(c).download(stream, from.values().get(c), (long) kinds.get(c).bytes() * updates);
    }
  }

  /** Queues the copy to an outbox that kernels read. */
  public void upload(DeviceStream stream, DeviceOutbox to) {
    positions.upload(stream, to.positions(), 4L * count);
    flags.upload(stream, to.flags(), count);
    for (int c = 0; c < kinds.size(); c++) {
      values.get(c).upload(stream, to.values().get(c), (long) kinds.get(c).bytes() * count);
    }
  }

  /**
   * Queues the copy of which elements of arrays come with the updates, where not all do.
   *
   * @param to room for them
   * @return {@code to}; null: all elements come
   */
  public DeviceMemory uploadElements(DeviceStream stream, DeviceMemory to) {
    if (hasWholeRows) {
      return null;
    }
    elements.upload(stream, to, 4L * elementWords.count() * count);
    return to;
  }

  // ---- as refined updates -----------------------------------------------------------------------

  /**
   * Makes these the updates, which are in order; the copy must be done.
   *
   * @param workers take a piece each
   */
  public void moveTo(RefinedUpdates updates, Workers workers) {
    int pieces = pieces(count);
    int[] rows = new int[pieces + 1];
    updates.begin(count);
    workers.run(
        pieces,
        p -> {
          int from = p * PIECE;
          int to = end(p, count);
          rows[p + 1] =
              updates.put(
                  from, bytes(positions, 4, from, to).asIntBuffer(), bytes(flags, 1, from, to));
        });
    for (int p = 0; p < pieces; p++) {
      rows[p + 1] += rows[p];
    }
    updates.written(rows[pieces]);
    Columns into = updates.values();
    workers.run(pieces, p -> take(updates, p * PIECE, end(p, count), into, rows[p]));
  }

  private static int pieces(int updates) {
    return (int) ((updates + PIECE - 1L) / PIECE);
  }

  private static int end(int piece, int updates) {
    return (int) Math.min(updates, (piece + 1L) * PIECE);
  }

  /** Takes the values of the updates {@code [from, to)}, of which the first goes to a row. */
  private void take(RefinedUpdates updates, int from, int to, Columns into, int row) {
    int[] slots = updates.valuedCount() == count ? null : valued(updates, from, to);
    for (int c = 0; c < kinds.size(); c++) {
      if (kinds.get(c) instanceof ArrayType type) {
        takeArrays(type, values.get(c), from, to, slots, into.array(c), row);
      } else {
        Kind kind = kinds.get(c).kind();
        take(kind, bytes(values.get(c), kind.bytes(), from, to), slots, into.array(c), row);
      }
    }
  }

  /** Which of the updates {@code [from, to)} carry a value, counted from {@code from}. */
  private static int[] valued(RefinedUpdates updates, int from, int to) {
    int[] slots = new int[to - from];
    int rows = 0;
    for (int i = from; i < to; i++) {
      if (updates.isValued(i)) {
        slots[rows++] = i - from;
      }
    }
    return Arrays.copyOf(slots, rows);
  }

  /** The part of an array for the updates {@code [from, to)}, which lie in one piece. */
  private static ByteBuffer bytes(PinnedArray array, int size, int from, int to) {
    long first = (long) size * from;
    int at = (int) (first % PinnedArray.PIECE);
    return array.buffer(first).slice(at, size * (to - from)).order(ByteOrder.nativeOrder());
  }

  /**
   * Takes values over.
   *
   * @param slots which; null: all
   * @param row where the first goes
   */
  private static void take(Kind kind, ByteBuffer from, int[] slots, Object to, int row) {
    if (slots == null) {
      ArrayBytes.get(from, to, row, from.remaining() / kind.bytes());
      return;
    }
    int rows = slots.length;
    switch (kind) {
      case BOOLEAN -> {
        for (int i = 0; i < rows; i++) {
          ((boolean[]) to)[row + i] = from.get(slots[i]) != 0;
        }
      }
      case INT -> {
        for (int i = 0; i < rows; i++) {
          ((int[]) to)[row + i] = from.getInt(Integer.BYTES * slots[i]);
        }
      }
      case LONG -> {
        for (int i = 0; i < rows; i++) {
          ((long[]) to)[row + i] = from.getLong(Long.BYTES * slots[i]);
        }
      }
      case FLOAT -> {
        for (int i = 0; i < rows; i++) {
          ((float[]) to)[row + i] = from.getFloat(Float.BYTES * slots[i]);
        }
      }
      case DOUBLE -> {
        for (int i = 0; i < rows; i++) {
          ((double[]) to)[row + i] = from.getDouble(Double.BYTES * slots[i]);
        }
      }
    }
  }

  /**
   * Parts that are set together, so that a long list of arrays needs no more memory than that.
   *
   * @param kinds kinds of the columns that travel
   * @param most bytes of a group that has more than one part
   * @return the parts in their order
   */
  public static List<List<RefinedUpdates>> groups(
      List<RefinedUpdates> parts, List<ColumnType> kinds, long most) {
    List<List<RefinedUpdates>> groups = new ArrayList<>();
    long bytes = Long.MAX_VALUE;
    for (RefinedUpdates part : parts) {
      long more = bytes(part.count(), kinds);
      if (bytes > most - more) {
        groups.add(new ArrayList<>());
        bytes = 0;
      }
      groups.get(groups.size() - 1).add(part);
      bytes += more;
    }
    return groups;
  }

  /**
   * Some of the updates that have come.
   *
   * @param from the first, in its part
   * @param to behind the last
   * @param at where the first is put
   */
  private record Slice(RefinedUpdates part, int from, int to, int at) {
    int end() {
      return at + to - from;
    }
  }

  /**
   * Takes updates that have come from elsewhere, one part behind the other.
   *
   * @param parts at most 2³¹ updates together
   * @param workers take a piece each
   */
  public void set(List<RefinedUpdates> parts, Workers workers) {
    List<Slice> slices = new ArrayList<>();
    int size = 0;
    for (RefinedUpdates part : parts) {
      int first = size;
      size = Math.addExact(size, part.count());
      for (int at = first, end; at < size; at = end) {
        // None reaches over the end of a piece.
        end = end(at / PIECE, size);
        slices.add(new Slice(part, at - first, end - first, at));
      }
    }
    reserve(size, size);
    workers.run(slices.size(), s -> put(slices.get(s)));
    hasWholeRows = parts.stream().allMatch(RefinedUpdates::hasWholeRows);
    if (!hasWholeRows) {
      setElements(parts);
    }
  }

  private void put(Slice slice) {
    RefinedUpdates part = slice.part();
    int at = slice.at();
    int end = slice.end();
    part.positions(slice.from(), bytes(positions, 4, at, end).asIntBuffer());
    part.flags(slice.from(), bytes(flags, 1, at, end));
    int row = part.valuedCount(0, slice.from());
    int[] slots =
        part.valuedCount() == part.count() ? null : valued(part, slice.from(), slice.to());
    Columns of = part.values();
    for (int c = 0; c < kinds.size(); c++) {
      Object rows = of.array(c);
      if (kinds.get(c) instanceof ArrayType type) {
        putArrays(type, rows, row, values.get(c), at, end, slots);
      } else {
        Kind kind = kinds.get(c).kind();
        put(kind, rows, row, bytes(values.get(c), kind.bytes(), at, end), slots);
      }
    }
  }

  private void setElements(List<RefinedUpdates> parts) {
    int all = elementWords.count();
    int[] bits = new int[all * count];
    int first = 0;
    for (RefinedUpdates part : parts) {
      int row = 0;
      for (int i = 0; i < part.count(); i++) {
        if (part.isValued(i)) {
          setElements(part, row++, bits, first + i * all);
        }
      }
      first += part.count() * all;
    }
    elements.reserve(4L * bits.length, 4L * bits.length);
    elements.put(bits, 0, bits.length, 0);
  }

  private void setElements(RefinedUpdates part, int row, int[] bits, int first) {
    for (int c = 0; c < kinds.size(); c++) {
      for (int w = 0; w < elementWords.words(c); w++) {
        bits[first + elementWords.first(c) + w] = part.elements(c, row, w);
      }
    }
  }

  private static void put(Kind kind, Object from, int row, ByteBuffer to, int[] slots) {
    if (slots == null) {
      ArrayBytes.put(from, row, to.remaining() / kind.bytes(), to);
      return;
    }
    int rows = slots.length;
    switch (kind) {
      case BOOLEAN -> {
        for (int i = 0; i < rows; i++) {
          to.put(slots[i], (byte) (((boolean[]) from)[row + i] ? 1 : 0));
        }
      }
      case INT -> {
        for (int i = 0; i < rows; i++) {
          to.putInt(Integer.BYTES * slots[i], ((int[]) from)[row + i]);
        }
      }
      case LONG -> {
        for (int i = 0; i < rows; i++) {
          to.putLong(Long.BYTES * slots[i], ((long[]) from)[row + i]);
        }
      }
      case FLOAT -> {
        for (int i = 0; i < rows; i++) {
          to.putFloat(Float.BYTES * slots[i], ((float[]) from)[row + i]);
        }
      }
      case DOUBLE -> {
        for (int i = 0; i < rows; i++) {
          to.putDouble(Double.BYTES * slots[i], ((double[]) from)[row + i]);
        }
      }
    }
  }

  // ---- arrays -----------------------------------------------------------------------------------

  private static void takeArrays(
      ArrayType type, PinnedArray from, int first, int end, int[] slots, Object to, int row) {
    int width = type.length();
    if (slots == null) {
      from.get((long) type.bytes() * first, to, row * width, (end - first) * width);
      return;
    }
    for (int i = 0; i < slots.length; i++) {
      from.get((long) type.bytes() * (first + slots[i]), to, (row + i) * width, width);
    }
  }

  private static void putArrays(
      ArrayType type, Object from, int row, PinnedArray to, int first, int end, int[] slots) {
    int width = type.length();
    if (slots == null) {
      to.put(from, row * width, (end - first) * width, (long) type.bytes() * first);
      return;
    }
    for (int i = 0; i < slots.length; i++) {
      to.put(from, (row + i) * width, width, (long) type.bytes() * (first + slots[i]));
    }
  }

  @Override
  public void close() {
    Closing.all(all);
  }
}
