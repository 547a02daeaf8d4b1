package org.sparkgpugraph.exchange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * The refined boundary updates of one boundary list in one superstep (online vertex refinement,
 * Khorasani 2016, section 2.4): what a home partition has to say to one reader. It is all that ever
 * travels between partitions, in memory or serialised:
 *
 * <table>
 * <caption>Layout</caption>
 * <tr><th>field</th><th>size</th><th>meaning</th></tr>
 * <tr><td>positions</td><td>4 bytes each</td><td>positions in the boundary list, ascending</td></tr>
 * <tr><td>valued</td><td>1 bit each, in longs</td><td>the update carries a value: its bits differ
 * from what the reader was last sent</td></tr>
 * <tr><td>active</td><td>1 bit each, in longs</td><td>the vertex is active in the next superstep
 * </td></tr>
 * <tr><td>values</td><td>a row each</td><td>the columns that the send function reads, one row per
 * valued update, in order</td></tr>
 * <tr><td>elements</td><td>1 bit each, in longs; or none</td><td>of a column of arrays, where {@link
 * LastSent} has compared it: whose bits differ from what the reader was last sent. Where
 * updates were read, the others are 0 here: the ghost keeps what it has</td></tr>
 * </table>
 *
 * <p>The buffers grow and are used again in the next superstep. Filled by one thread.
 */
public final class RefinedUpdates {
  /** Bit of a flag of {@link #addAll} and {@link #flags}: the update carries a value. */
  public static final int VALUED = 1;

  /** The other bit: the vertex is active. */
  public static final int ACTIVE = 2;

  /** The lowest bit of each of 8 flags, and what brings them together in the highest byte. */
  private static final long LOWEST = 0x0101010101010101L;

  private static final long TOGETHER = 0x0102040810204080L;

  private final List<ColumnType> kinds;
  private final int rowBytes;
  private int count;
  private int valuedCount;
  private int[] positions = new int[16];
  private long[] valued = new long[1];
  private long[] active = new long[1];
  private Columns values;

  /** By column; null: all elements of all rows. */
  private final long[][] elements;

  /**
   * No updates yet.
   *
   * @param kinds kinds of the columns that travel
   */
  public RefinedUpdates(List<ColumnType> kinds) {
    this.kinds = List.copyOf(kinds);
    rowBytes = kinds.stream().mapToInt(ColumnType::bytes).sum();
    values = Columns.allocate(kinds, 16);
    elements = new long[kinds.size()][];
  }

  /**
   * Updates that were read; whoever reads them writes the values afterwards.
   *
   * @param positions ascending; kept
   * @param valued a bit for each; kept
   * @param active a bit for each; kept
   */
  RefinedUpdates(List<ColumnType> kinds, int[] positions, long[] valued, long[] active) {
    this.kinds = List.copyOf(kinds);
    rowBytes = kinds.stream().mapToInt(ColumnType::bytes).sum();
    this.positions = positions;
    this.valued = valued;
    this.active = active;
    count = positions.length;
    valuedCount = FlagBits.count(valued, 0, count);
    values = Columns.allocate(kinds, valuedCount);
    elements = new long[kinds.size()][];
  }

  /** Bytes of one value. */
  int rowBytes() {
    return rowBytes;
  }

  /** Kinds of the columns that travel. */
  public List<ColumnType> kinds() {
    return kinds;
  }

  /** Number of updates. */
  public int count() {
    return count;
  }

  /** Number of updates with a value. */
  public int valuedCount() {
    return valuedCount;
  }

  /** Number of updates whose vertex is active. */
  public int activeCount() {
    return FlagBits.count(active, 0, count);
  }

  /** Positions, of which the first {@link #count()} are in use. */
  int[] positions() {
    return positions;
  }

  /** A bit for each update: it carries a value. */
  long[] valuedWords() {
    return valued;
  }

  /** A bit for each update: the vertex is active. */
  long[] activeWords() {
    return active;
  }

  /** Position of update i in the boundary list. */
  public int position(int i) {
    return positions[i];
  }

  /** Whether update i carries a value. */
  public boolean isValued(int i) {
    return (valued[i >>> 6] >>> i & 1) != 0;
  }

  /** Whether the vertex of update i is active. */
  public boolean isActive(int i) {
    return (active[i >>> 6] >>> i & 1) != 0;
  }

  /**
   * The values of the valued updates, in order: the first {@link #valuedCount()} rows. Whoever adds
   * updates writes them here afterwards.
   */
  public Columns values() {
    if (valuedCount > values.length()) {
      Columns larger = Columns.allocate(kinds, Math.max(valuedCount, 2 * values.length()));
      larger.copyFrom(values, 0, 0, values.length());
      values = larger;
    }
    return values;
  }

  /**
   * Which numbers of a column of arrays travel: bit {@code row · k + i} for element i of a row of
   * {@link #values()}, in longs from the lowest bit on.
   *
   * @return null: all
   */
  public long[] elements(int column) {
    return elements[column];
  }

  /**
   * Says which numbers of a column of arrays travel; no update is added afterwards.
   *
   * @param bits see {@link #elements(int)}; kept
   */
  void elements(int column, long[] bits) {
    elements[column] = bits;
  }

  /**
   * A bit for each of 32 elements of a row, from element {@code 32 word} on: whether it travels.
   */
  public int elements(int column, int row, int word) {
    int width = kinds.get(column).width();
    int rest = width - Integer.SIZE * word;
    int wanted = rest < Integer.SIZE ? (1 << rest) - 1 : -1;
    long[] bits = elements[column];
    return bits == null
        ? wanted
        : (int) FlagBits.at(bits, row * width + Integer.SIZE * word) & wanted;
  }

  /** Whether all elements of all rows travel. */
  public boolean hasWholeRows() {
    return Arrays.stream(elements).allMatch(Objects::isNull);
  }

  /** Bytes of the updates as they are laid out, in whole rows. */
  public long bytes() {
    return bytes(count, valuedCount, rowBytes);
  }

  /**
   * Bytes of updates as they are laid out.
   *
   * @param count number of updates
   * @param valuedCount number of updates with a value
   * @param rowBytes bytes of one value
   */
  public static long bytes(int count, int valuedCount, int rowBytes) {
    return count == 0
        ? 0
        : 4L * count + 16L * ((count + 63L) >>> 6) + (long) rowBytes * valuedCount;
  }

  /** Drops all updates; the buffers stay. */
  public void clear() {
    count = 0;
    valuedCount = 0;
    Arrays.fill(elements, null);
  }

  /**
   * Adds an update.
   *
   * @param position in the boundary list, behind those of the updates before
   * @param isValued whether it has a row in {@link #values()}
   * @param isActive whether the vertex is active in the next superstep
   */
  public void add(int position, boolean isValued, boolean isActive) {
    int i = count++;
    if (i == positions.length) {
      positions = Arrays.copyOf(positions, 2 * i);
    }
    positions[i] = position;
    int word = i >>> 6;
    if (word == valued.length) {
      valued = Arrays.copyOf(valued, 2 * word);
      active = Arrays.copyOf(active, 2 * word);
    }
    long bit = 1L << i;
    valued[word] = isValued ? valued[word] | bit : valued[word] & ~bit;
    active[word] = isActive ? active[word] | bit : active[word] & ~bit;
    if (isValued) {
      valuedCount++;
    }
  }

  /**
   * Makes these so many updates, which {@link #put} then writes, each once; those that there were
   * are dropped. {@link #written} has to follow.
   */
  public void begin(int updates) {
    clear();
    if (positions.length < updates) {
      positions = new int[Math.max(updates, 2 * positions.length)];
    }
    int words = (int) ((updates + 63L) >>> 6);
    if (valued.length < words) {
      valued = new long[Math.max(words, 2 * valued.length)];
      active = new long[valued.length];
    }
    count = updates;
  }

  /**
   * Writes updates as a device has written them; several threads may write others meanwhile.
   *
   * @param from the first of them, a multiple of 64
   * @param updated positions, ascending
   * @param flags {@link #VALUED} and {@link #ACTIVE} of each, a byte
   * @return how many carry a value
   */
  public int put(int from, IntBuffer updated, ByteBuffer flags) {
    int size = updated.remaining();
    updated.get(positions, from, size);
    ByteBuffer bytes = flags.slice().order(ByteOrder.LITTLE_ENDIAN);
    int withValue = 0;
    for (int done = 0; done < size; done += 64) {
      int word = (from + done) >>> 6;
      long values = 0;
      long actives = 0;
      if (size - done >= 64) {
        for (int i = 0; i < 8; i++) {
          long eight = bytes.getLong(done + 8 * i);
          values |= ((eight & LOWEST) * TOGETHER >>> 56) << 8 * i;
          actives |= ((eight >>> 1 & LOWEST) * TOGETHER >>> 56) << 8 * i;
        }
      } else {
        for (int i = done; i < size; i++) {
          values |= (bytes.get(i) & VALUED) != 0 ? 1L << i : 0;
          actives |= (bytes.get(i) & ACTIVE) != 0 ? 1L << i : 0;
        }
      }
      valued[word] = values;
      active[word] = actives;
      withValue += Long.bitCount(values);
    }
    return withValue;
  }

  /**
   * All updates are there. Their values are written afterwards.
   *
   * @param withValue how many carry one
   */
  public void written(int withValue) {
    valuedCount = withValue;
  }

  /** Number of updates with a value among those of {@code [from, to)}. */
  public int valuedCount(int from, int to) {
    return FlagBits.count(valued, from, to);
  }

  /** Copies positions, as many as the buffer takes, from that of update {@code from} on. */
  public void positions(int from, IntBuffer to) {
    to.put(positions, from, to.remaining());
  }

  /** Likewise flags, a byte each. */
  public void flags(int from, ByteBuffer to) {
    ByteBuffer bytes = to.slice().order(ByteOrder.LITTLE_ENDIAN);
    int more = bytes.remaining();
    int done = 0;
    for (; more - done >= 8; done += 8) {
      long eight = spread(FlagBits.at(valued, from + done));
      bytes.putLong(done, eight | spread(FlagBits.at(active, from + done)) << 1);
    }
    for (; done < more; done++) {
      int i = from + done;
      bytes.put(done, (byte) ((isValued(i) ? VALUED : 0) | (isActive(i) ? ACTIVE : 0)));
    }
  }

  /** The lowest 8 bits, each as the lowest one of a byte. */
  private static long spread(long bits) {
    // Each byte gets all of them, keeps its own, and carries it to its highest bit.
    long kept = (bits & 0xff) * LOWEST & 0x8040201008040201L;
    return kept + 0x7f7f7f7f7f7f7f7fL >>> 7 & LOWEST;
  }

  /**
   * The updates of some vertices only; a position is the place among those then.
   *
   * @param members positions here, ascending
   * @throws IllegalStateException when these are not whole rows
   */
  public RefinedUpdates of(int[] members) {
    if (!hasWholeRows()) {
      throw new IllegalStateException("updates of some elements of arrays, of all of a home");
    }
    RefinedUpdates some = new RefinedUpdates(kinds);
    int[] rows = new int[Math.min(valuedCount, members.length)];
    int member = 0;
    int row = 0;
    for (int i = 0; i < count && member < members.length; i++) {
      boolean isValued = isValued(i);
      while (member < members.length && members[member] < positions[i]) {
        member++;
      }
      if (member < members.length && members[member] == positions[i]) {
        if (isValued) {
          rows[some.valuedCount] = row;
        }
        some.add(member, isValued, isActive(i));
      }
      row += isValued ? 1 : 0;
    }
    Columns into = some.values();
    int[] taken = Arrays.copyOf(rows, some.valuedCount);
    for (int c = 0; c < kinds.size(); c++) {
      int width = kinds.get(c).width();
      ColumnCopy.copy(values.array(c), width, taken, 0, taken.length, into.array(c), null);
    }
    return some;
  }

  /**
   * Makes these the updates of all vertices of a home ({@link ExchangeMode#ALL}); a position is a
   * local index.
   *
   * @param stored vertices that the home holds
   * @param activity vertices that are active next; null: activity does not travel
   * @param state state columns at home
   * @param shipped which of them travel
   */
  public void all(int stored, VertexBitmap activity, Object[] state, int[] shipped) {
    clear();
    for (int v = 0; v < stored; v++) {
      add(v, true, activity != null && activity.contains(v));
    }
    Columns into = values();
    for (int c = 0; c < shipped.length; c++) {
      System.arraycopy(state[shipped[c]], 0, into.array(c), 0, stored * kinds.get(c).width());
    }
  }

  /**
   * Takes the values out of a home's state: the rows of {@link #values()}.
   *
   * @param state state columns at home
   * @param shipped which of them travel
   * @param vertices the boundary list: local index at home of each position
   */
  public void pack(Object[] state, int[] shipped, int[] vertices) {
    pack(state, shipped, position -> vertices[position]);
  }

  /**
   * The same wherever they are.
   *
   * @param vertex row of the columns of each position
   */
  public void pack(Object[] state, int[] shipped, IntUnaryOperator vertex) {
    Columns into = values();
    int[] rows = valuedPlaces(vertex);
    for (int c = 0; c < shipped.length; c++) {
      int width = kinds.get(c).width();
      ColumnCopy.copy(state[shipped[c]], width, rows, 0, rows.length, into.array(c), null);
    }
  }

  /**
   * Applies the updates at the reader.
   *
   * @param state state columns at the reader
   * @param shipped which of them travel
   * @param firstGhost local index at the reader of position 0
   * @param activity takes the active ghosts; null when activity does not travel
   */
  public void apply(Object[] state, int[] shipped, int firstGhost, VertexBitmap activity) {
    applyValues(state, shipped, firstGhost);
    if (activity != null) {
      activate(firstGhost, activity);
    }
  }

  /** The values alone; several threads may apply others meanwhile. See {@link #apply}. */
  void applyValues(Object[] state, int[] shipped, int firstGhost) {
    applyValues(state, shipped, position -> firstGhost + position);
  }

  /**
   * The same wherever ghosts are.
   *
   * @param ghost local index at the reader of each position
   */
  public void applyValues(Object[] state, int[] shipped, IntUnaryOperator ghost) {
    int[] ghosts = shipped.length == 0 ? null : valuedPlaces(ghost);
    for (int c = 0; c < shipped.length; c++) {
      int width = kinds.get(c).width();
      Object column = state[shipped[c]];
      if (elements[c] == null) {
        ColumnCopy.scatter(values.array(c), width, 0, ghosts.length, column, ghosts);
      } else {
        ElementBits.copy(elements[c], values.array(c), width, column, ghosts);
      }
    }
  }

  /** Who is active alone. See {@link #apply}. */
  void activate(int firstGhost, VertexBitmap activity) {
    activate(position -> firstGhost + position, activity);
  }

  /** The same wherever ghosts are, see {@link #applyValues}. */
  void activate(IntUnaryOperator ghost, VertexBitmap activity) {
    for (int i = 0; i < count; i++) {
      if (isActive(i)) {
        activity.add(ghost.applyAsInt(positions[i]));
      }
    }
  }

  /** Where the vertices of the updates with a value are. */
  int[] valuedPlaces(IntUnaryOperator place) {
    int[] places = new int[valuedCount];
    int row = 0;
    for (int i = 0; i < count; i++) {
      if (isValued(i)) {
        places[row++] = place.applyAsInt(positions[i]);
      }
    }
    return places;
  }
}
