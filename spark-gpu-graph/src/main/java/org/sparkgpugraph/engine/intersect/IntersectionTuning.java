package org.sparkgpugraph.engine.intersect;

import java.io.Serializable;

/**
 * Constants of the kernels ({@code sgg/intersect.cuh}).
 *
 * @param longRow sources with more entries are worth a block; a warp takes up to 32 pair by pair
 * @param mapWords words of a block's map, of 16 ranks each; 12000 is what shared memory has room
 *     for
 * @param blocks blocks of the map's kernel that a multiprocessor should hold
 * @param depth entries of a row that a lane has under way together; at most 1024, so that no step
 *     of a warp leads beyond an int ({@link OrientedRows#MOST_ENTRIES})
 */
public record IntersectionTuning(int longRow, int mapWords, int blocks, int depth)
    implements Serializable {
  /** What is used unless a benchmark tries something else. */
  public static final IntersectionTuning DEFAULT = new IntersectionTuning(32, 10240, 5, 2);

  /** A word of a map has 1 << MAP_SHIFT ranks, of two bits each. */
  private static final int MAP_SHIFT = 4;

  private static final int MOST_WORDS = 12_000;
  private static final int MOST_DEPTH = 1024;

  public IntersectionTuning {
    if (longRow < 1
        || mapWords < 1
        || mapWords > MOST_WORDS
        || blocks < 1
        || depth < 1
        || depth > MOST_DEPTH) {
      throw new IllegalArgumentException(
          longRow
              + "/"
              + mapWords
              + "/"
              + blocks
              + "/"
              + depth
              + ": all must be at least 1, the words of a map at most "
              + MOST_WORDS
              + ", the depth at most "
              + MOST_DEPTH);
    }
  }

  /** The macros that set them. */
  String macros() {
    return """
        #define SGG_MAP_WORDS %d
        #define SGG_MAP_SHIFT %d
        #define SGG_MAP_BLOCKS %d
        #define SGG_ROW_DEPTH %d
        #define SGG_ONE %dull
        """
        .formatted(mapWords, MAP_SHIFT, blocks, depth, TriangleCounter.ONE);
  }

  /** Ranks that a map has room for. */
  int mapped() {
    return mapWords << MAP_SHIFT;
  }
}
