package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;
import java.util.Map;
import java.util.Optional;

/**
 * How values are relaxed by blocks that own the vertices ({@code sgg/tiles.cuh}).
 *
 * @param form whether they are
 * @param width of what is walked at a time, in mean edge values by mean degree
 * @param threads of a block that walk
 * @param near vertices that wait for the next round, of which a block has room for two rounds
 * @param far entries of vertices that are not walked yet, of which a block has room twice
 * @param posts vertices of others that a block tells behind a round; twice
 * @param owners blocks at most; 0: one of each multiprocessor, less the manager's
 * @param vertices of a tile, a multiple of 32
 * @param inside which part of the edges has to be inside of tiles, where it is a matter of choice
 */
public record TileSettings(
    Form form,
    double width,
    int threads,
    int near,
    int far,
    int posts,
    int owners,
    int vertices,
    double inside)
    implements Serializable {
  /** Whether blocks own the vertices. */
  public enum Form {
    /** Where most edges are inside of tiles. */
    AUTO,

    /** Always. */
    TILES,

    /** Never: items go through the buckets of a manager. */
    BUCKETS
  }

  /** By the edges; what was quickest for shortest paths on a lattice of 4096 x 4096 (H100). */
  public static final TileSettings DEFAULT =
      new TileSettings(Form.AUTO, 32, TileLayout.MOST_THREADS, 1536, 2560, 1024, 0, 1024, 0.6);

  /** Fewest places that are worth a launch. */
  private static final int LEAST = 32;

  public TileSettings {
    if (!(width > 0)
        || threads < 32
        || threads > TileLayout.MOST_THREADS
        || threads % 32 != 0
        || near < LEAST
        || far < LEAST
        || posts < 1
        || owners < 0
        || vertices < TileLayout.WORD
        || vertices % TileLayout.WORD != 0
        || !(inside >= 0)) {
      throw new IllegalArgumentException(
          "width "
              + width
              + " must be positive, threads "
              + threads
              + " a multiple of 32 up to "
              + TileLayout.MOST_THREADS
              + ", near "
              + near
              + " and far "
              + far
              + " at least "
              + LEAST
              + ", posts "
              + posts
              + " positive, owners "
              + owners
              + " not negative, vertices "
              + vertices
              + " a multiple of 32, inside "
              + inside
              + " not negative");
    }
  }

  /**
   * The same with as much room as a block can be given; empty where that is too little.
   *
   * @param words of a block's vertices, 32 each
   * @param both whether edges of both sides are walked
   * @param sharedBytes most shared memory of a block, with what the kernel declares
   */
  public Optional<TileSettings> fitting(int words, boolean both, int sharedBytes) {
    TileSettings settings = this;
    int room = sharedBytes - TileLayout.DECLARED_BYTES;
    while (TileLayout.sharedBytes(settings, words, both) > room) {
      if (settings.near / 2 < LEAST || settings.far / 2 < LEAST) {
        return Optional.empty();
      }
      settings = settings.withRoom(settings.near / 2, settings.far / 2, (settings.posts + 1) / 2);
    }
    return words > TileLayout.MOST_WORDS ? Optional.empty() : Optional.of(settings);
  }

  /**
   * Owners of a launch at most: a block each on a multiprocessor of its own, beside the manager.
   */
  public static int mostOwners(int multiprocessors) {
    return Math.min(multiprocessors - 1, TileLayout.MOST_OWNERS);
  }

  /**
   * Owners of a launch at most.
   *
   * @param chosen by {@link #mostOwners}; more may find no room on the device
   */
  public int owners(int chosen) {
    return owners == 0 ? chosen : Math.min(owners, TileLayout.MOST_OWNERS);
  }

  /** The same in another form. */
  public TileSettings withForm(Form other) {
    return RecordCopy.with(this, Map.of("form", other));
  }

  /** The same with another width. */
  public TileSettings withWidth(double edgeValues) {
    return RecordCopy.with(this, Map.of("width", edgeValues));
  }

  /** The same with other blocks. */
  public TileSettings withBlocks(int most, int threadsEach) {
    return RecordCopy.with(this, Map.of("threads", threadsEach, "owners", most));
  }

  /** The same with other room. */
  public TileSettings withRoom(int nearPlaces, int farPlaces, int postPlaces) {
    return RecordCopy.with(this, Map.of("near", nearPlaces, "far", farPlaces, "posts", postPlaces));
  }

  /** The same with other tiles. */
  public TileSettings withTiles(int verticesEach) {
    return RecordCopy.with(this, Map.of("vertices", verticesEach));
  }
}
