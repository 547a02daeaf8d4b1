package org.sparkgpugraph.engine.device.memory;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.device.settings.TileLayout;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * Tiles of a graph, groups of vertices that have most of their edges among each other, dealt out to
 * owners in turn. A tile is grown from words of 32 rows (neighbours in the order of ids): the word
 * with most edges to what it has comes next. So a lattice whose ids go row by row has tiles of 32 x
 * 32, and neighbouring tiles have different owners.
 *
 * @param places for each word its owner (high 16 bits) and which of the owner's words it is
 * @param rows for each owner {@link #words} words, as places among all; -1: none
 * @param owners number of owners
 * @param words of each owner, at most
 * @param inside which part of the edges has both ends in one tile, about
 * @param longest edges of a vertex at most
 */
public record Tiles(int[] places, int[] rows, int owners, int words, double inside, int longest) {
  /** Words of which one thread grows tiles. */
  private static final int SEGMENT = 1 << 14;

  /** Edges of a row that are looked at: a hub belongs nowhere. */
  private static final int MOST_EDGES = 64;

  /** Words that a tile may go on with. */
  private static final int MOST_CANDIDATES = 256;

  /** Rows that are looked at for {@link #inside}, about. */
  private static final int SAMPLED = 1 << 18;

  /**
   * Cuts and deals out. In parallel.
   *
   * @param rows edges of each vertex, in one direction
   * @param vertices number of vertices
   * @param most owners at most, up to 65535
   * @param tileWords words of a tile
   */
  public static Tiles of(Csr rows, int vertices, int most, int tileWords) {
    int count = words(vertices);
    // Segments hold whole tiles, so that the number of a tile tells where its words are.
    int segment = Math.max(1, SEGMENT / tileWords) * tileWords;
    int[] order = new int[count];
    IntStream.range(0, (count + segment - 1) / segment)
        .parallel()
        .forEach(
            s -> {
              int from = s * segment;
              int to = (int) Math.min(count, (long) from + segment);
              new Growth(rows, vertices, from, to, tileWords, order).run();
            });
    int owners = owners(vertices, most, tileWords);
    int words = ownWords(vertices, owners, tileWords);
    int[] places = new int[count];
    int[] back = new int[owners * words];
    Arrays.fill(back, -1);
    for (int i = 0; i < count; i++) {
      int tile = i / tileWords;
      int owner = tile % owners;
      int local = tile / owners * tileWords + i % tileWords;
      places[order[i]] = owner << 16 | local;
      back[owner * words + local] = order[i];
    }
    return new Tiles(
        places,
        back,
        owners,
        words,
        inside(rows, vertices, places, tileWords),
        longest(rows, vertices));
  }

  /** Words of so many vertices. */
  public static int words(int vertices) {
    return (vertices + TileLayout.WORD - 1) / TileLayout.WORD;
  }

  private static int tiles(int vertices, int tileWords) {
    return Math.max(1, (words(vertices) + tileWords - 1) / tileWords);
  }

  /** How many owners there are, of so many at most. */
  public static int owners(int vertices, int most, int tileWords) {
    return Math.max(1, Math.min(most, tiles(vertices, tileWords)));
  }

  /** How many words each has at most. */
  public static int ownWords(int vertices, int owners, int tileWords) {
    return (tiles(vertices, tileWords) + owners - 1) / owners * tileWords;
  }

  /** Which of all tiles a word is in: the owner's and its place there tell. */
  private static long tile(int place, int tileWords) {
    return (long) (place >>> 16) << 32 | (place & 0xffff) / tileWords;
  }

  private static int longest(Csr rows, int vertices) {
    int[] offsets = rows.offsets();
    return IntStream.range(0, vertices)
        .parallel()
        .map(v -> offsets[v + 1] - offsets[v])
        .max()
        .orElse(0);
  }

  private static double inside(Csr rows, int vertices, int[] places, int tileWords) {
    int[] offsets = rows.offsets();
    int[] others = rows.neighbours();
    int step = Math.max(1, vertices / SAMPLED);
    long edges = 0;
    long inside = 0;
    for (int v = 0; v < vertices; v += step) {
      long own = tile(places[v / TileLayout.WORD], tileWords);
      int end = Math.min(offsets[v + 1], offsets[v] + MOST_EDGES);
      for (int e = offsets[v]; e < end; e++) {
        if (others[e] < vertices) {
          edges++;
          inside += tile(places[others[e] / TileLayout.WORD], tileWords) == own ? 1 : 0;
        }
      }
    }
    return edges == 0 ? 0 : (double) inside / edges;
  }

  /** Grows the tiles of some words, one after the other. */
  private static final class Growth {
    private final int[] offsets;
    private final int[] others;
    private final int vertices;
    private final int from;
    private final int to;
    private final int tileWords;
    private final int[] order;

    // Of each word: whether it is in a tile, the tile that counts its edges, and how many these
    // are.
    private final boolean[] taken;
    private final int[] counting;
    private final int[] gain;
    private final int[] candidates = new int[MOST_CANDIDATES];
    private int open;

    Growth(Csr rows, int vertices, int from, int to, int tileWords, int[] order) {
      offsets = rows.offsets();
      others = rows.neighbours();
      this.vertices = vertices;
      this.from = from;
      this.to = to;
      this.tileWords = tileWords;
      this.order = order;
      taken = new boolean[to - from];
      counting = new int[to - from];
      gain = new int[to - from];
    }

    void run() {
      int next = from;
      for (int i = from; i < to; i++) {
        int tile = (i - from) / tileWords + 1;
        if ((i - from) % tileWords == 0) {
          open = 0;
        }
        int word = best();
        if (word < 0) {
          while (taken[next - from]) {
            next++;
          }
          word = next;
        }
        taken[word - from] = true;
        order[i] = word;
        count(word, tile);
      }
    }

    /** The candidate with most edges to the tile, which is none any more; -1: there is none. */
    private int best() {
      int at = -1;
      int most = 0;
      int kept = 0;
      for (int c = 0; c < open; c++) {
        int word = candidates[c];
        if (taken[word - from]) {
          continue;
        }
        candidates[kept] = word;
        if (gain[word - from] > most) {
          most = gain[word - from];
          at = kept;
        }
        kept++;
      }
      open = kept;
      return at < 0 ? -1 : candidates[at];
    }

    /** Counts the edges of a word that has come to a tile for the words that they end in. */
    private void count(int word, int tile) {
      int last = (int) Math.min(vertices, (word + 1L) * TileLayout.WORD);
      for (int v = word * TileLayout.WORD; v < last; v++) {
        int end = Math.min(offsets[v + 1], offsets[v] + MOST_EDGES);
        for (int e = offsets[v]; e < end; e++) {
          int other = others[e] / TileLayout.WORD;
          if (other < from || other >= to || taken[other - from]) {
            continue;
          }
          if (counting[other - from] != tile) {
            if (open == MOST_CANDIDATES) {
              continue;
            }
            counting[other - from] = tile;
            gain[other - from] = 0;
            candidates[open++] = other;
          }
          gain[other - from]++;
        }
      }
    }
  }
}
