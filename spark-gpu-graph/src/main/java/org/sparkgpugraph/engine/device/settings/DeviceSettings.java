package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import org.sparkgpugraph.engine.device.DeviceProperties;

/**
 * How the device engine walks a graph and what it may take.
 *
 * @param virtualWarp dense supersteps: 0 for warp segmentation (Khorasani 2016, section 2.2), or
 *     the width of a virtual warp that gathers one row: 1 (a thread per vertex), 2, 4, 8, 16 or 32
 *     (the baselines, section 2.1)
 * @param grouping vertices per bit of the candidate mask and per row of the transposes (vertex
 *     grouping, section 3.4): 1, 2, 4, 32 or 64; 0: the smallest with which the run fits in memory
 * @param hubDegree rows with more in-edges or more out-edges than this are cut into chunks, each
 *     gathered by a warp
 * @param chunkEdges most edges of one chunk; 0: as a partition's edges say, see {@link
 *     #chunkEdges(int, long)}
 * @param tuning how warps gather rows in dense supersteps, where virtualWarp is 0
 * @param push when and how supersteps push
 * @param reserveBytes memory that stays free: for the driver's own use while kernels run, and for
 *     others
 * @param edgeBytes most memory of the device that arrays with an entry per edge may take:
 *     neighbours and edge values. What is more stays in the host's memory, where kernels read it
 * @param exchange how devices of one run tell each other what changed
 * @param partitioning who computes which vertices
 * @param outline when supersteps that walk rows are outlined
 * @param tunes whether runs try the ways that they may take, and remember the quickest ones
 */
public record DeviceSettings(
    int virtualWarp,
    int grouping,
    int hubDegree,
    int chunkEdges,
    DenseTuning tuning,
    PushSettings push,
    long reserveBytes,
    long edgeBytes,
    DeviceExchange exchange,
    DevicePartitioning partitioning,
    OutlineSettings outline,
    boolean tunes)
    implements Serializable {
  /** Most rounds of a warp in a chunk whose edges lanes share. */
  private static final int SHARED_ROUNDS = 128;

  /** Edges of a chunk, where that is not set: of a small graph … */
  private static final int LEAST_CHUNK = 2048;

  /** … and of a large one, */
  private static final int MOST_CHUNK = 16_384;

  /** and how many times as many a partition has at least. */
  private static final int CHUNKS = 8192;

  /**
   * Warps that stream their rows, chunks as long as edges say, the smallest grouping that fits, 256
   * MiB left free, the faster exchange, fixed borders, outlined where launches bound supersteps.
   */
  public static final DeviceSettings DEFAULT =
      new DeviceSettings(
          0,
          0,
          1024,
          0,
          DenseTuning.DEFAULT,
          PushSettings.DEFAULT,
          256L << 20,
          1L << 50,
          DeviceExchange.AUTO,
          DevicePartitioning.FIXED,
          OutlineSettings.DEFAULT,
          false);

  public DeviceSettings {
    check(
        virtualWarp == 0 || Integer.bitCount(virtualWarp) == 1 && virtualWarp > 0,
        "a virtual warp has 1, 2, 4, 8, 16 or 32 lanes (0: warp segmentation)",
        virtualWarp);
    check(virtualWarp <= DeviceProperties.WARP, "a virtual warp has at most 32 lanes", virtualWarp);
    check(
        grouping == 0 || VertexGrouping.RATIOS.contains(grouping),
        "vertices are grouped by 1, 2, 4, 32 or 64 (0: the smallest that fits)",
        grouping);
    check(hubDegree >= 0, "the degree of a hub must not be negative", hubDegree);
    check(chunkEdges >= 0, "the edges of a chunk must not be negative", chunkEdges);
    check(reserveBytes >= 0, "the reserve must not be negative", reserveBytes);
    check(edgeBytes >= 0, "the memory of edges must not be negative", edgeBytes);
    Objects.requireNonNull(exchange, "exchange");
    Objects.requireNonNull(partitioning, "partitioning");
    Objects.requireNonNull(outline, "outline");
  }

  /**
   * The degree of a hub of a program.
   *
   * @param sharedEdges edges that a warp has under way together where lanes share them, else 0:
   *     half of it then, since a warp has less to do at a long row than beside it
   */
  public int hubDegree(int sharedEdges) {
    return sharedEdges > 0 ? hubDegree / 2 : hubDegree;
  }

  /**
   * Most edges of one chunk of a program.
   *
   * @param sharedEdges edges that a warp has under way together where lanes share them, else 0.
   *     Messages are long then, and each chunk leaves one, so that chunks are twice as long where
   *     that keeps no warp at work when all others are done
   */
  public int chunkEdges(int sharedEdges) {
    int edges = chunkEdges == 0 ? LEAST_CHUNK : chunkEdges;
    return sharedEdges > 0 ? Math.min(2 * edges, SHARED_ROUNDS * sharedEdges) : edges;
  }

  /**
   * The same of a partition. A chunk leaves a message, and other warps wait for the last one of a
   * hub: where there are so many edges that all warps have several chunks anyway, they are longer
   * (docs/performance.md).
   *
   * @param edges that are gathered there
   */
  public int chunkEdges(int sharedEdges, long edges) {
    if (chunkEdges > 0 || sharedEdges > 0) {
      return chunkEdges(sharedEdges);
    }
    long each = Long.highestOneBit(edges / CHUNKS);
    return (int) Math.max(LEAST_CHUNK, Math.min(MOST_CHUNK, each));
  }

  private static void check(boolean holds, String rule, long value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", but got " + value);
    }
  }

  /** The same with another width of virtual warps. */
  public DeviceSettings withVirtualWarp(int lanes) {
    return RecordCopy.with(this, Map.of("virtualWarp", lanes));
  }

  /** The same with another grouping. */
  public DeviceSettings withGrouping(int ratio) {
    return RecordCopy.with(this, Map.of("grouping", ratio));
  }

  /** The same with other hubs. */
  public DeviceSettings withHubs(int degree, int edges) {
    return RecordCopy.with(this, Map.of("hubDegree", degree, "chunkEdges", edges));
  }

  /** The same with other ways to gather. */
  public DeviceSettings withTuning(DenseTuning other) {
    return RecordCopy.with(this, Map.of("tuning", other));
  }

  /** The same with another reserve. */
  public DeviceSettings withReserve(long bytes) {
    return RecordCopy.with(this, Map.of("reserveBytes", bytes));
  }

  /** The same with another bound of what edges may take. */
  public DeviceSettings withEdgeBytes(long bytes) {
    return RecordCopy.with(this, Map.of("edgeBytes", bytes));
  }

  /** The same with another exchange between devices. */
  public DeviceSettings withExchange(DeviceExchange other) {
    return RecordCopy.with(this, Map.of("exchange", other));
  }

  /** The same with other borders between devices. */
  public DeviceSettings withPartitioning(DevicePartitioning other) {
    return RecordCopy.with(this, Map.of("partitioning", other));
  }

  /** The same with another way to push. */
  public DeviceSettings withPush(PushSettings other) {
    return RecordCopy.with(this, Map.of("push", other));
  }

  /** The same with other supersteps that are outlined. */
  public DeviceSettings withOutline(OutlineSettings other) {
    return RecordCopy.with(this, Map.of("outline", other));
  }

  /** The same with or without trials. */
  public DeviceSettings withTrials(boolean on) {
    return RecordCopy.with(this, Map.of("tunes", on));
  }
}
