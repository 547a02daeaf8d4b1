package io.sparkgpugraph.exchange;

import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.program.Kind;
import java.util.Arrays;
import java.util.List;

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
 * </table>
 *
 * <p>The buffers grow and are used again in the next superstep. Filled by one thread.
 */
public final class RefinedUpdates {
  private final List<Kind> kinds;
  private final int rowBytes;
  private int count;
  private int valuedCount;
  private int[] positions = new int[16];
  private long[] valued = new long[1];
  private long[] active = new long[1];
  private Columns values;

  /**
   * No updates yet.
   *
   * @param kinds kinds of the columns that travel
   */
  public RefinedUpdates(List<Kind> kinds) {
    this.kinds = List.copyOf(kinds);
    rowBytes = kinds.stream().mapToInt(Kind::bytes).sum();
    values = Columns.allocate(kinds, 16);
  }

  /**
   * Updates that were read; whoever reads them writes the values afterwards.
   *
   * @param positions ascending; kept
   * @param valued a bit for each; kept
   * @param active a bit for each; kept
   */
  RefinedUpdates(List<Kind> kinds, int[] positions, long[] valued, long[] active) {
    this.kinds = List.copyOf(kinds);
    rowBytes = kinds.stream().mapToInt(Kind::bytes).sum();
    this.positions = positions;
    this.valued = valued;
    this.active = active;
    count = positions.length;
    for (int w = 0; w < valued.length; w++) {
      long behind = ((w + 1L) << 6) - count;
      valuedCount += Long.bitCount(behind > 0 ? valued[w] << behind : valued[w]);
    }
    values = Columns.allocate(kinds, valuedCount);
  }

  /** Bytes of one value. */
  int rowBytes() {
    return rowBytes;
  }

  /** Kinds of the columns that travel. */
  public List<Kind> kinds() {
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
    int words = count >>> 6;
    int sum = 0;
    for (int w = 0; w < words; w++) {
      sum += Long.bitCount(active[w]);
    }
    int rest = count & 63;
    return rest == 0 ? sum : sum + Long.bitCount(active[words] << -rest);
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

  /** Bytes of the updates as they are laid out. */
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
      System.arraycopy(state[shipped[c]], 0, into.array(c), 0, stored);
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
    Columns into = values();
    for (int c = 0; c < shipped.length; c++) {
      int row = 0;
      for (int i = 0; i < count; i++) {
        if (isValued(i)) {
          copy(kinds.get(c), state[shipped[c]], vertices[positions[i]], into.array(c), row++);
        }
      }
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
    for (int c = 0; c < shipped.length; c++) {
      int row = 0;
      for (int i = 0; i < count; i++) {
        if (isValued(i)) {
          copy(kinds.get(c), values.array(c), row++, state[shipped[c]], firstGhost + positions[i]);
        }
      }
    }
    if (activity != null) {
      for (int i = 0; i < count; i++) {
        if (isActive(i)) {
          activity.add(firstGhost + positions[i]);
        }
      }
    }
  }

  static void copy(Kind kind, Object from, int source, Object to, int target) {
    switch (kind) {
      case BOOLEAN -> ((boolean[]) to)[target] = ((boolean[]) from)[source];
      case INT -> ((int[]) to)[target] = ((int[]) from)[source];
      case LONG -> ((long[]) to)[target] = ((long[]) from)[source];
      case FLOAT -> ((float[]) to)[target] = ((float[]) from)[source];
      case DOUBLE -> ((double[]) to)[target] = ((double[]) from)[source];
    }
  }
}
