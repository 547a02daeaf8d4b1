package io.sparkgpugraph.engine.device;

import java.io.Serializable;

/**
 * How supersteps that evaluate every edge of their rows are gathered, and with what constants of
 * the generated code. 0 leaves a constant to the policy of the architecture that the code is
 * compiled for ({@code sgg/base.cuh}).
 *
 * @param walk how a warp takes the edges of its rows
 * @param hubs who gathers the hubs
 * @param depth edges per lane whose loads are under way together, a power of two
 * @param serialPart a row's part of the staged edges that is longer than this is walked by the
 *     whole warp
 * @param residentBlocks blocks that a multiprocessor should hold, which bounds the registers
 * @param ahead what a warp loads before it gets there
 * @param take words of 32 rows that a warp takes at a time, when it gets there; −1: each warp has
 *     its own
 */
public record DenseTuning(
    Walk walk, Hubs hubs, int depth, int serialPart, int residentBlocks, Ahead ahead, int take)
    implements Serializable {
  /** How a warp takes the edges of its rows. */
  public enum Walk {
    /** 32 edges at a time, merged by a reduction over the lanes (Khorasani 2016, section 2.2). */
    SEGMENTATION,
    /** Many at a time into shared memory, merged by the rows' lanes ({@code sgg/stream.cuh}). */
    STREAM
  }

  /** Who gathers the rows of many edges. */
  public enum Hubs {
    /** A warp for each chunk, by a launch behind the others. */
    WARPS,
    /** A warp for each chunk, by the launch that gathers the other rows, before those. */
    FUSED
  }

  /** What a warp loads before it gets there. */
  public enum Ahead {
    /** As the architecture's policy says. */
    POLICY,
    /** Nothing. */
    NOTHING,
    /** The offsets of its next rows, and the values of vertices that run in any case. */
    ROWS,
    /** Also the other ends of the next rows' edges, into L2. */
    EDGES
  }

  /** Streamed, hubs first. */
  public static final DenseTuning DEFAULT =
      new DenseTuning(Walk.STREAM, Hubs.FUSED, 0, 0, 0, Ahead.POLICY, 0);

  /** Warp segmentation, hubs by a launch of their own. */
  public static final DenseTuning SEGMENTATION =
      new DenseTuning(Walk.SEGMENTATION, Hubs.WARPS, 0, 0, 0, Ahead.POLICY, 0);

  public DenseTuning {
    if (depth < 0 || depth > 32 || Integer.bitCount(depth) > 1) {
      throw new IllegalArgumentException(
          "edges per lane under way together are a power of two up to 32 (0: the policy's), but got "
              + depth);
    }
    if (serialPart < 0) {
      throw new IllegalArgumentException(
          "a serial part must not be negative (0: the policy's), but got " + serialPart);
    }
    if (residentBlocks < 0 || residentBlocks > 8) {
      throw new IllegalArgumentException(
          "a multiprocessor holds 1 to 8 blocks (0: the policy's), but got " + residentBlocks);
    }
    if (take < -1) {
      throw new IllegalArgumentException(
          "a warp takes at least 1 word at a time (0: the policy's, -1: none), but got " + take);
    }
    if (hubs == Hubs.FUSED && walk != Walk.STREAM) {
      throw new IllegalArgumentException("only streamed rows can be gathered with the hubs");
    }
  }

  /** The constants that are not the policy's, as macros for the begin of a translation unit. */
  String macros() {
    StringBuilder out = new StringBuilder();
    define(out, "RESIDENT_BLOCKS", residentBlocks);
    define(out, "DEPTH", depth);
    define(out, "SERIAL_PART", serialPart);
    define(out, "TAKE", take);
    if (ahead != Ahead.POLICY) {
      out.append("#define SGG_AHEAD ").append(ahead.ordinal() - 1).append('\n');
    }
    return out.toString();
  }

  private static void define(StringBuilder out, String name, int value) {
    if (value != 0) {
      out.append("#define SGG_").append(name).append(' ').append(value).append('\n');
    }
  }

  /** The same with hubs gathered by others. */
  public DenseTuning withHubs(Hubs others) {
    return new DenseTuning(walk, others, depth, serialPart, residentBlocks, ahead, take);
  }

  /** The same with other constants. */
  public DenseTuning withConstants(int depth, int serialPart, int residentBlocks) {
    return new DenseTuning(walk, hubs, depth, serialPart, residentBlocks, ahead, take);
  }

  /** The same, but warps take another number of words at a time. */
  public DenseTuning withTake(int words) {
    return new DenseTuning(walk, hubs, depth, serialPart, residentBlocks, ahead, words);
  }

  /** The same, but other things are loaded ahead. */
  public DenseTuning withAhead(Ahead other) {
    return new DenseTuning(walk, hubs, depth, serialPart, residentBlocks, other, take);
  }
}
