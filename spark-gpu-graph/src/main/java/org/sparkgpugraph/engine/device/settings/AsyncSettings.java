package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;
import java.util.Map;

/**
 * How values are relaxed asynchronously, in order of priority ({@code sgg/async.cuh}).
 *
 * @param after supersteps that pushed behind which a run goes on asynchronously, when nothing is
 *     forced: so many mean a graph of high diameter; 0: never
 * @param width of a bucket at first, in mean edge values by mean degree (the constant C of Δ = C·W
 *     ÷ D)
 * @param dynamic whether the width, and from how many buckets items are taken, are changed during
 *     the run
 * @param taken from how many buckets items are taken at first: 1 to 4
 * @param keep items that a warp walks itself, of what it finds; beyond that it gives most to
 *     others; 0: twice as many as fill its lanes, at least 8
 * @param blocks thread blocks of a launch at most, the manager's included; 0: all that the device
 *     holds
 * @param shift logarithm of the places in one block of the pool: 5 to 16
 * @param poolBytes of all blocks of the pool; 0: as many as the graph's vertices suggest. If they
 *     are not enough, vertices wait for another launch
 * @param patience rounds of the manager in which nothing happens, after which a launch counts as
 *     stuck
 * @param tiles whether and how blocks own the vertices instead
 */
public record AsyncSettings(
    int after,
    double width,
    boolean dynamic,
    int taken,
    int keep,
    int blocks,
    int shift,
    long poolBytes,
    int patience,
    TileSettings tiles)
    implements Serializable {
  /**
   * Behind 128 supersteps, of which searches on graphs of small diameter have a few dozen; 32 edge
   * values, changed as it goes; 2 buckets; all blocks; 4096 places; 4 million rounds, some seconds.
   */
  public static final AsyncSettings DEFAULT =
      new AsyncSettings(128, 32, true, 2, 0, 0, 12, 0, 1 << 22, TileSettings.DEFAULT);

  /** Most blocks of a multiprocessor: what the kernel is compiled for. */
  public static final int BLOCKS_PER_MULTIPROCESSOR = 2;

  /** Fewest and most places of the pool beside those that are kept free, where it is chosen. */
  private static final long LEAST_PLACES = 1L << 18;

  private static final long MOST_PLACES = 1L << 23;

  private static final int ITEM_BYTES = 16;
  private static final int MOST_KEPT = 64;

  /** A bucket's map has no more. */
  private static final long MOST_BLOCKS = 1L << 16;

  public AsyncSettings {
    if (after < 0
        || !(width > 0)
        || Double.isInfinite(width)
        || taken < 1
        || taken > 4
        || keep < 0
        || keep > MOST_KEPT
        || blocks < 0
        || blocks == 1
        || shift < 5
        || shift > 16
        || poolBytes < 0
        || patience < 1) {
      throw new IllegalArgumentException(
          "after "
              + after
              + " and poolBytes "
              + poolBytes
              + " must not be negative, width "
              + width
              + " positive, taken "
              + taken
              + " 1 to 4, keep "
              + keep
              + " 0 to 64, blocks "
              + blocks
              + " 0 or at least 2, shift "
              + shift
              + " 5 to 16, patience "
              + patience
              + " at least 1");
    }
  }

  /**
   * Blocks of a launch.
   *
   * @param resident those that the device may hold
   */
  public int blocks(int resident) {
    return blocks == 0 ? resident : Math.min(blocks, resident);
  }

  /**
   * Blocks of the pool.
   *
   * @param least those that it cannot do without
   * @param vertices of the graph
   * @throws IllegalArgumentException when a bucket's map cannot hold so many
   */
  public long poolBlocks(long least, long vertices) {
    if (least > MOST_BLOCKS) {
      throw new IllegalArgumentException(
          "a pool of "
              + least
              + " blocks is too large for its map of "
              + MOST_BLOCKS
              + ": a block needs more than 2^"
              + shift
              + " places, or there must be fewer thread blocks");
    }
    long wanted =
        poolBytes > 0
            ? poolBytes / ITEM_BYTES >> shift
            : least + (Math.max(LEAST_PLACES, Math.min(MOST_PLACES, vertices)) >> shift);
    return Math.min(MOST_BLOCKS, Math.max(least, wanted));
  }

  /** The same with another width at first. */
  public AsyncSettings withWidth(double edgeValues, boolean changes) {
    return RecordCopy.with(this, Map.of("width", edgeValues, "dynamic", changes));
  }

  /** The same with other memory. */
  public AsyncSettings withPool(int logarithm, long bytes) {
    return RecordCopy.with(this, Map.of("shift", logarithm, "poolBytes", bytes));
  }

  /** The same with at most so many blocks. */
  public AsyncSettings withBlocks(int most) {
    return RecordCopy.with(this, Map.of("blocks", most));
  }

  /** The same with so many items kept. */
  public AsyncSettings withKeep(int items) {
    return RecordCopy.with(this, Map.of("keep", items));
  }

  /** The same with items from another number of buckets at first. */
  public AsyncSettings withTaken(int buckets) {
    return RecordCopy.with(this, Map.of("taken", buckets));
  }

  /** The same where nothing is forced, behind so many supersteps. */
  public AsyncSettings withAfter(int supersteps) {
    return RecordCopy.with(this, Map.of("after", supersteps));
  }

  /** The same with another patience. */
  public AsyncSettings withPatience(int rounds) {
    return RecordCopy.with(this, Map.of("patience", rounds));
  }

  /** The same with other tiles, or none. */
  public AsyncSettings withTiles(TileSettings other) {
    return RecordCopy.with(this, Map.of("tiles", other));
  }
}
