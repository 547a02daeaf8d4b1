package io.sparkgpugraph.exchange;

import io.sparkgpugraph.graph.BoundaryList;
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
public final class BoundaryUpdates {
  private final BoundaryIndex index;
  private final int[] shipped;
  private final List<Kind> kinds;
  private final int rowBytes;
  private int count;
  private int valuedCount;
  private int[] positions = new int[16];
  private long[] valued = new long[1];
  private long[] active = new long[1];
  private Columns values;

  /**
   * @param index the boundary list
   * @param shipped state columns that travel
   * @param stateKinds kinds of all state columns
   */
  public BoundaryUpdates(BoundaryIndex index, int[] shipped, List<Kind> stateKinds) {
    this.index = index;
    this.shipped = shipped.clone();
    kinds = Arrays.stream(shipped).mapToObj(stateKinds::get).toList();
    rowBytes = kinds.stream().mapToInt(Kind::bytes).sum();
    values = Columns.allocate(kinds, 16);
  }

  /** The list that the positions refer to. */
  public BoundaryList list() {
    return index.list();
  }

  /** Number of updates. */
  public int count() {
    return count;
  }

  /** Number of updates with a value. */
  public int valuedCount() {
    return valuedCount;
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

  /** The values of the valued updates, in order; the columns that are shipped. */
  public Columns values() {
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

  /**
   * Collects the updates of a superstep; what was in here before is dropped.
   *
   * @param changed vertices whose shipped columns' bits changed; null: all of the list (a first or
   *     restored state)
   * @param activity vertices that are active next; null: activity does not travel
   * @param state state columns at home, with the new values
   */
  public void collect(VertexBitmap changed, VertexBitmap activity, Object[] state) {
    count = 0;
    valuedCount = 0;
    if (changed == null) {
      int words = (int) ((lastVertex() + 64L) >>> 6);
      for (int w = 0; w < words; w++) {
        word(w, -1L, activity == null ? 0 : activity.words[w]);
      }
    } else {
      int summaries = VertexBitmap.summaryWords(lastVertex() + 1);
      for (int s = 0; s < summaries; s++) {
        long bits = changed.summary[s] | (activity == null ? 0 : activity.summary[s]);
        while (bits != 0) {
          int w = (s << 6) + Long.numberOfTrailingZeros(bits);
          bits &= bits - 1;
          // Bits behind the held vertices are ghosts of the home: not in any of its lists.
          if (w << 6 <= lastVertex()) {
            word(w, changed.words[w], activity == null ? 0 : activity.words[w]);
          }
        }
      }
    }
    values = grown(values, valuedCount);
    int[] vertices = list().homeVertices();
    for (int c = 0; c < shipped.length; c++) {
      pack(kinds.get(c), state[shipped[c]], values.array(c), vertices);
    }
  }

  private int lastVertex() {
    int[] vertices = list().homeVertices();
    return vertices.length == 0 ? -1 : vertices[vertices.length - 1];
  }

  private void word(int w, long changed, long activity) {
    long members = index.members(w);
    long said = (changed | activity) & members;
    while (said != 0) {
      long bit = Long.lowestOneBit(said);
      said ^= bit;
      add(
          index.rank(w) + Long.bitCount(members & (bit - 1)),
          (changed & bit) != 0,
          (activity & bit) != 0);
    }
  }

  private void add(int position, boolean isValued, boolean isActive) {
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

  private static Columns grown(Columns columns, int rows) {
    return rows <= columns.length()
        ? columns
        : Columns.allocate(columns.kinds(), Math.max(rows, 2 * columns.length()));
  }

  private void pack(Kind kind, Object from, Object to, int[] vertices) {
    int row = 0;
    for (int i = 0; i < count; i++) {
      if (isValued(i)) {
        copy(kind, from, vertices[positions[i]], to, row++);
      }
    }
  }

  /**
   * Applies the updates at the reader.
   *
   * @param state state columns at the reader
   * @param activity takes the active ghosts; null when activity does not travel
   */
  public void apply(Object[] state, VertexBitmap activity) {
    int first = list().firstGhost();
    for (int c = 0; c < shipped.length; c++) {
      int row = 0;
      for (int i = 0; i < count; i++) {
        if (isValued(i)) {
          copy(kinds.get(c), values.array(c), row++, state[shipped[c]], first + positions[i]);
        }
      }
    }
    if (activity != null) {
      for (int i = 0; i < count; i++) {
        if (isActive(i)) {
          activity.add(first + positions[i]);
        }
      }
    }
  }

  private static void copy(Kind kind, Object from, int source, Object to, int target) {
    switch (kind) {
      case BOOLEAN -> ((boolean[]) to)[target] = ((boolean[]) from)[source];
      case INT -> ((int[]) to)[target] = ((int[]) from)[source];
      case LONG -> ((long[]) to)[target] = ((long[]) from)[source];
      case FLOAT -> ((float[]) to)[target] = ((float[]) from)[source];
      case DOUBLE -> ((double[]) to)[target] = ((double[]) from)[source];
    }
  }
}
