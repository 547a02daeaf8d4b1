package org.sparkgpugraph.engine.device.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.model.Csr;

/** How a graph is cut into tiles, and who gets them. */
@Tag("any-spark")
class TilesTest {
  private static final int WORD = 32;

  /** A tile of 32 x 32. */
  private static final int SQUARE = 32;

  /** As many as a GPU has multiprocessors, less one. */
  private static final int OWNERS = 131;

  /** Rows of edges, of which {@code edges} has the two ends of each. */
  private static Csr rows(int vertices, int[] sources, int[] destinations) {
    int[] offsets = new int[vertices + 1];
    for (int source : sources) {
      offsets[source + 1]++;
    }
    Arrays.parallelPrefix(offsets, Integer::sum);
    int[] next = offsets.clone();
    int[] neighbours = new int[sources.length];
    for (int e = 0; e < sources.length; e++) {
      neighbours[next[sources[e]]++] = destinations[e];
    }
    return new Csr(offsets, neighbours);
  }

  /** Edges to the right and down, and back. */
  private static Csr lattice(int side) {
    int[] vertices = IntStream.range(0, side * side).toArray();
    int[] right = Arrays.stream(vertices).filter(v -> v % side + 1 < side).toArray();
    int[] down = Arrays.stream(vertices).filter(v -> v + side < side * side).toArray();
    int edges = 2 * (right.length + down.length);
    int[] sources = new int[edges];
    int[] destinations = new int[edges];
    int e = 0;
    for (int v : right) {
      sources[e] = destinations[e + 1] = v;
      destinations[e] = sources[e + 1] = v + 1;
      e += 2;
    }
    for (int v : down) {
      sources[e] = destinations[e + 1] = v;
      destinations[e] = sources[e + 1] = v + side;
      e += 2;
    }
    return rows(side * side, sources, destinations);
  }

  private static Csr random(Random random, int vertices, int edges) {
    return rows(
        vertices,
        random.ints(edges, 0, vertices).toArray(),
        random.ints(edges, 0, vertices).toArray());
  }

  /** Every word is one owner's, at one place, and {@link Tiles#rows} finds it there. */
  private static void check(Tiles tiles, int vertices, int most, int tileWords) {
    int words = (vertices + WORD - 1) / WORD;
    assertThat(tiles.places()).hasSize(words);
    assertThat(tiles.owners()).isBetween(1, most);
    assertThat(tiles.rows()).hasSize(tiles.owners() * tiles.words());
    int[] counts = new int[tiles.owners()];
    BitSet taken = new BitSet();
    for (int word = 0; word < words; word++) {
      int owner = tiles.places()[word] >>> 16;
      int local = tiles.places()[word] & 0xffff;
      assertThat(owner).as("owner of word %s", word).isLessThan(tiles.owners());
      assertThat(local).as("place of word %s", word).isLessThan(tiles.words());
      int at = owner * tiles.words() + local;
      assertThat(taken.get(at)).as("another word is where word %s is", word).isFalse();
      taken.set(at);
      assertThat(tiles.rows()[at]).as("what is where word %s is", word).isEqualTo(word);
      counts[owner]++;
    }
    for (int at = 0; at < tiles.rows().length; at++) {
      if (!taken.get(at)) {
        assertThat(tiles.rows()[at]).as("nothing is at %s", at).isEqualTo(-1);
      }
    }
    if (words > 0) {
      int fewest = Arrays.stream(counts).min().orElseThrow();
      int largest = Arrays.stream(counts).max().orElseThrow();
      assertThat(largest - fewest).as("owners have the same").isLessThanOrEqualTo(2 * tileWords);
    }
  }

  /** The planner and the tiles themselves have to say the same. */
  private static Tiles tiles(Csr rows, int vertices, int most, int tileWords) {
    Tiles tiles = Tiles.of(rows, vertices, most, tileWords);
    check(tiles, vertices, most, tileWords);
    assertThat(tiles.owners()).isEqualTo(Tiles.owners(vertices, most, tileWords));
    assertThat(tiles.words()).isEqualTo(Tiles.ownWords(vertices, tiles.owners(), tileWords));
    return tiles;
  }

  @Test
  void everyWordHasOnePlaceWhateverTheSizes() {
    Random random = new Random(1);
    for (int vertices : new int[] {0, 1, 31, 32, 33, 1024, 1025, 40_000}) {
      Csr rows = random(random, Math.max(1, vertices), vertices == 0 ? 0 : 3 * vertices);
      for (int most : new int[] {1, 2, 3, OWNERS, 5000}) {
        for (int tileWords : new int[] {1, 3, SQUARE}) {
          tiles(rows, vertices, most, tileWords);
        }
      }
    }
  }

  @Test
  void thereAreNoMoreOwnersThanTiles() {
    Tiles tiles = tiles(lattice(64), 64 * 64, OWNERS, SQUARE);
    assertThat(tiles.owners()).isEqualTo(4);
    assertThat(tiles.words()).isEqualTo(SQUARE);
    // Of a tile that is hardly begun, too.
    assertThat(tiles(random(new Random(2), 1025, 9), 1025, OWNERS, SQUARE).owners()).isEqualTo(2);
  }

  /** 32 x 32: each side has 31 of 32 edges inside. */
  @Test
  void aLatticeWhoseIdsGoRowByRowHasSquareTiles() {
    Tiles tiles = tiles(lattice(128), 128 * 128, OWNERS, SQUARE);
    assertThat(tiles.inside()).isBetween(0.9, 0.98);
    assertThat(tiles.owners()).isEqualTo(16);
    // Every owner has one tile: its words are those of 32 rows, in one column.
    for (int owner = 0; owner < 16; owner++) {
      int[] own = Arrays.copyOfRange(tiles.rows(), owner * SQUARE, (owner + 1) * SQUARE);
      assertThat(Arrays.stream(own).map(word -> word % 4).distinct().count())
          .as("columns of the tile of owner %s: %s", owner, Arrays.toString(own))
          .isLessThanOrEqualTo(2);
    }
  }

  /** What is counted of the edges is what there is. */
  @Test
  void insideIsThePartOfTheEdgesThatStayInATile() {
    int side = 96;
    Csr rows = lattice(side);
    for (int tileWords : new int[] {1, 5, SQUARE}) {
      Tiles tiles = tiles(rows, side * side, 1 << 15, tileWords);
      long inside = 0;
      for (int v = 0; v < side * side; v++) {
        for (int e = rows.offsets()[v]; e < rows.offsets()[v + 1]; e++) {
          int other = rows.neighbours()[e];
          // With an owner for each tile those of an owner are those of a tile.
          boolean same = tiles.places()[v / WORD] >>> 16 == tiles.places()[other / WORD] >>> 16;
          inside += same ? 1 : 0;
        }
      }
      assertThat(tiles.inside()).isCloseTo((double) inside / rows.edges(), within(1e-12));
    }
  }

  @Test
  void randomIdsHaveFewEdgesInside() {
    Random random = new Random(4);
    int n = 128 * 128;
    assertThat(tiles(random(random, n, 4 * n), n, OWNERS, SQUARE).inside()).isLessThan(0.2);
  }

  /** Neighbouring tiles have different owners: a front finds many. */
  @Test
  void tilesAreDealtOutInTurn() {
    int side = 256;
    Tiles tiles = tiles(lattice(side), side * side, 7, SQUARE);
    // The first row crosses eight tiles.
    long owners =
        IntStream.range(0, side / WORD).map(word -> tiles.places()[word] >>> 16).distinct().count();
    assertThat(owners).isGreaterThanOrEqualTo(4);
  }

  @Test
  void hubsBelongNowhereAndEmptyRowsSomewhere() {
    int n = 5000;
    int hub = 100_000;
    Random random = new Random(5);
    int[] sources = new int[hub + 31];
    Arrays.fill(sources, 0, hub, 1234);
    Arrays.fill(sources, hub, hub + 31, 4000);
    Csr rows = rows(n, sources, random.ints(hub + 31, 0, n).toArray());
    long start = System.nanoTime();
    Tiles tiles = tiles(rows, n, OWNERS, SQUARE);
    assertThat(tiles.inside()).isBetween(0.0, 1.0);
    assertThat(tiles.longest()).isEqualTo(hub);
    assertThat(System.nanoTime() - start).as("a hub costs nothing").isLessThan(5_000_000_000L);
    assertThat(tiles(rows(n, new int[0], new int[0]), n, OWNERS, SQUARE).inside()).isZero();
  }

  /** Those that are told may be ghosts, which nobody owns. */
  @Test
  void endsThatAreNotStoredAreNotCounted() {
    Csr rows = rows(2, new int[] {0, 0, 1}, new int[] {1, 7, 9});
    assertThat(tiles(rows, 2, 3, 1).inside()).isEqualTo(1);
  }

  /** Segments are grown by several threads, which see nothing of each other. */
  @Test
  void tilesAreTheSameWhoeverGrowsThem() {
    int side = 1024;
    Csr rows = lattice(side);
    Tiles first = tiles(rows, side * side, OWNERS, SQUARE);
    assertThat(Tiles.words(side * side)).as("several segments").isGreaterThan(1 << 14);
    for (int again = 0; again < 3; again++) {
      Tiles tiles = Tiles.of(rows, side * side, OWNERS, SQUARE);
      assertThat(tiles.places()).isEqualTo(first.places());
      assertThat(tiles.rows()).isEqualTo(first.rows());
      assertThat(tiles.inside()).isEqualTo(first.inside());
    }
    assertThat(first.inside()).isGreaterThan(0.9);
  }
}
