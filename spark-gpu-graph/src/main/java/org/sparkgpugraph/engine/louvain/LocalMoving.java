package org.sparkgpugraph.engine.louvain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.sparkgpugraph.engine.WorkerTeam;

/**
 * Moves the vertices of a level into communities of their neighbours, a class of vertices at a
 * time. Classes are drawn by a hash of the vertices' numbers. All vertices of a class decide at the
 * same time, on what the communities were before, so it does not matter who is faster and who holds
 * which; few of them are neighbours, so that they decide nearly as well as one after the other.
 *
 * <p>A vertex decides again only when a neighbour has moved into another community than its own
 * since it last did.
 */
final class LocalMoving {
  /** Number of classes. */
  static final int CLASSES = 8;

  /** Words of the bitmap that a thread takes at a time: nobody else clears their bits. */
  private static final int CHUNK = 16;

  /** Communities that a vertex is expected to see at most; there may be more. */
  private static final int FEW = 64;

  /** Moves that a thread takes at a time. */
  private static final int MOVES = 256;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final LevelRows rows;
  private final LevelState state;
  private final WorkerTeam team;
  private final Tools[] tools;
  private final int salt;

  /** What vertices must stay inside of; null: nothing. */
  private final CommunityBounds bounds;

  /** Who is to decide, by vertex; of vertices that others hold those that they are to be told. */
  private final long[] active;

  /** What a thread works with. */
  static final class Tools {
    final NeighbourRow row = new NeighbourRow();
    final WeightTable table = new WeightTable();
    private long[] moves = new long[256];
    private int size;
    private long entries;

    private void move(int vertex, int to) {
      if (size == moves.length) {
        moves = Arrays.copyOf(moves, 2 * size);
      }
      moves[size++] = (long) vertex << 32 | to;
    }

    /** Entries of rows that were looked at since the last call. */
    static long entries(Tools[] tools) {
      long sum = 0;
      for (Tools one : tools) {
        sum += one.entries;
        one.entries = 0;
      }
      return sum;
    }

    static Tools[] of(int threads) {
      Tools[] all = new Tools[threads];
      Arrays.setAll(all, i -> new Tools());
      return all;
    }
  }

  /**
   * @param level its number, so that classes differ from level to level
   * @param tools of each member of the team
   * @param bounds communities inside of which vertices that are alone come together, in one sweep;
   *     null: vertices go where they like
   */
  LocalMoving(
      LevelRows rows,
      LevelState state,
      int level,
      WorkerTeam team,
      Tools[] tools,
      CommunityBounds bounds) {
    this.bounds = bounds;
    this.rows = rows;
    this.state = state;
    this.team = team;
    this.tools = tools;
    salt = salt(level);
    active = new long[(int) ((state.size + 63L) >>> 6)];
    markAll();
  }

  /** What makes the classes of a level differ from those of another one. */
  static int salt(int level) {
    return level * 0x632BE5AB;
  }

  /** Has all vertices decide again that are held here. */
  void markAll() {
    for (int v = rows.first(); v < rows.end(); v++) {
      if (state.strengths[v] > 0) {
        active[v >>> 6] |= 1L << v;
      }
    }
  }

  private int classOf(int vertex) {
    int h = (vertex + 1) * 0x9E3779B1 + salt;
    h = (h ^ h >>> 15) * 0x85EBCA77;
    return h >>> 29;
  }

  // ---- deciding -------------------------------------------------------------------------------

  /**
   * The vertices held here of a class that move, {@code vertex << 32 | community}, in no order;
   * nothing is moved yet.
   */
  long[] decide(int ofClass) {
    int begin = rows.first() >>> 6;
    int end = (int) ((rows.end() + 63L) >>> 6);
    int chunks = (end - begin + CHUNK - 1) / CHUNK;
    team.each(
        chunks > 1,
        chunks,
        (member, i) -> {
          int from = begin + i * CHUNK;
          for (int word = from; word < Math.min(end, from + CHUNK); word++) {
            decide(word, ofClass, tools[member]);
          }
        });
    int count = 0;
    for (Tools one : tools) {
      count += one.size;
    }
    long[] moves = new long[count];
    for (Tools one : tools) {
      count -= one.size;
      System.arraycopy(one.moves, 0, moves, count, one.size);
      one.size = 0;
    }
    return moves;
  }

  private void decide(int word, int ofClass, Tools tool) {
    long left = active[word];
    for (long bits = left; bits != 0; bits &= bits - 1) {
      int v = (word << 6) + Long.numberOfTrailingZeros(bits);
      if (classOf(v) == ofClass && v >= rows.first() && v < rows.end()) {
        left &= ~(1L << v);
        int best = best(v, tool);
        if (best != state.community[v] && !swaps(v, best)) {
          tool.move(v, best);
        }
      }
    }
    active[word] = left;
  }

  /**
   * The community that a vertex had best be in; of equal ones its own, then the smallest. Its row,
   * and its weights to communities, are in the tools then, unless it stays.
   */
  private int best(int v, Tools tool) {
    NeighbourRow row = tool.row;
    WeightTable table = tool.table;
    if (bounds != null && state.totals[state.community[v]] != state.strengths[v]) {
      return state.community[v];
    }
    rows.load(v, row);
    tool.entries += row.size;
    if (bounds != null && !bounds.isWellConnected(v, bounds.keepInside(v, row), state)) {
      return state.community[v];
    }
    table.reset(Math.min(row.size, FEW));
    table.add(row, state.community);
    int own = state.community[v];
    long strength = state.strengths[v];
    double share = state.share(v);
    double stay = table.sum(own) - share * (state.totals[own] - strength);
    int best = own;
    double most = stay;
    for (int i = 0; i < table.size(); i++) {
      int c = table.key(i);
      if (c != own) {
        double score = table.sumAt(i) - share * state.totals[c];
        if (score > most || score == most && best != own && c < best) {
          most = score;
          best = c;
        }
      }
    }
    if (most < 0 && own != v && state.totals[v] == 0) {
      return v; // Nobody is where it started: alone it is better off.
    }
    return best;
  }

  /**
   * Whether two vertices that are alone might change places: of these the larger one moves. When it
   * does not, the smaller one goes on waiting for it: what both gain is the same, so the larger one
   * has somewhere to go, unless it waits too, for a larger one.
   */
  private boolean swaps(int v, int best) {
    return best > v
        && state.community[best] == best
        && state.totals[best] == state.strengths[best]
        && state.totals[state.community[v]] == state.strengths[v]
        && classOf(best) == classOf(v);
  }

  /**
   * All vertices that are to decide do so, and move, one after the other: of a level that is held
   * here as a whole.
   *
   * @return whether any has moved
   */
  boolean sweep(int[] order) {
    Tools tool = tools[0];
    NeighbourRow row = tool.row;
    boolean moved = false;
    for (int v : order) {
      long bit = 1L << v;
      if ((active[v >>> 6] & bit) == 0) {
        continue;
      }
      active[v >>> 6] &= ~bit;
      int own = state.community[v];
      int best = best(v, tool);
      if (best == own) {
        continue;
      }
      moved = true;
      state.inside += 2 * (tool.table.sum(best) - tool.table.sum(own));
      state.move(v, best);
      for (int i = 0; i < row.size; i++) {
        if (state.community[row.neighbours[i]] != best) {
          mark(row.neighbours[i]);
        }
      }
    }
    return moved;
  }

  // ---- moving ---------------------------------------------------------------------------------

  private interface Visitor {
    void visit(int vertex, int to, Tools tool);
  }

  private void forEach(long[] moves, Visitor visitor) {
    int chunks = (moves.length + MOVES - 1) / MOVES;
    team.each(
        chunks > 1,
        chunks,
        (member, i) -> {
          int end = Math.min(moves.length, (i + 1) * MOVES);
          for (int m = i * MOVES; m < end; m++) {
            visitor.visit((int) (moves[m] >>> 32), (int) moves[m], tools[member]);
          }
        });
  }

  /**
   * Marks the neighbours of vertices held here that will move, but for those that are in the new
   * community already.
   */
  void activate(long[] moves) {
    forEach(
        moves,
        (v, to, tool) -> {
          rows.load(v, tool.row);
          for (int i = 0; i < tool.row.size; i++) {
            int u = tool.row.neighbours[i];
            if (state.community[u] != to) {
              mark(u);
            }
          }
        });
  }

  /** Marks a vertex to decide again. */
  void mark(int vertex) {
    long bit = 1L << vertex;
    if ((active[vertex >>> 6] & bit) == 0) {
      LONGS.getAndBitwiseOr(active, vertex >>> 6, bit);
    }
  }

  /**
   * Takes the marks of vertices that another executor holds.
   *
   * @return those that were marked in {@code [from, to)}, ascending
   */
  int[] takeMarked(int from, int to) {
    int[] marked = new int[64];
    int count = 0;
    for (int word = from >>> 6; word < (to + 63L) >>> 6; word++) {
      for (long bits = active[word]; bits != 0; bits &= bits - 1) {
        int v = (word << 6) + Long.numberOfTrailingZeros(bits);
        if (v >= from && v < to) {
          marked = count == marked.length ? Arrays.copyOf(marked, 2 * count) : marked;
          marked[count++] = v;
          active[word] &= ~(1L << v);
        }
      }
    }
    return Arrays.copyOf(marked, count);
  }

  /** Moves vertices, whoever holds them. */
  void move(long[] moves) {
    forEach(moves, (v, to, tool) -> state.move(v, to));
  }

  /**
   * By how much the moves of one class changed {@link LevelState#inside}, as far as the rows of the
   * vertices tell that are held here.
   *
   * @param moves of vertices held here, moved
   * @param marks whether to do what {@link #activate} does, behind the moves
   */
  long change(long[] moves, boolean marks) {
    AtomicLong sum = new AtomicLong();
    forEach(
        moves,
        (v, to, tool) -> {
          rows.load(v, tool.row);
          tool.entries += tool.row.size;
          int from = state.before[v];
          long change = 0;
          for (int i = 0; i < tool.row.size; i++) {
            int u = tool.row.neighbours[i];
            int then = state.before[u];
            int now = state.community[u];
            // Who has not moved does not count itself what changed between them.
            long weight = then == now ? 2 * tool.row.weight(i) : tool.row.weight(i);
            change += now == to ? weight : 0;
            change -= then == from ? weight : 0;
            if (marks && then != to) {
              mark(u);
            }
          }
          sum.addAndGet(change);
        });
    return sum.get();
  }

  /** The moves of a class are over, whoever has made them. */
  void settle(long[] moves) {
    forEach(moves, (v, to, tool) -> state.before[v] = to);
  }
}
