package org.sparkgpugraph.engine.intersect;

import java.io.Serializable;

/**
 * Constants of the kernels ({@code sgg/intersect.cuh}).
 *
 * @param listed vertices of so many neighbours have a list of the rows that name them, which blocks
 *     take; of others entries are searched
 * @param mapWords words of a block's map, of 32 ranks each
 * @param cells entries of a row that a block counts at a time; with the map at most {@link
 *     #MOST_BYTES}
 * @param blocks blocks of the map's kernel that a multiprocessor should hold
 * @param depth entries of a row that a lane has under way together
 * @param part most rows of a list that a block takes at a time
 * @param room edges of a row that a block has room for while it sorts them; longer ones are sorted
 *     where they are
 */
public record IntersectionTuning(
    int listed, int mapWords, int cells, int blocks, int depth, int part, int room)
    implements Serializable {
  /** What is used unless a benchmark tries something else. */
  public static final IntersectionTuning DEFAULT =
      new IntersectionTuning(96, 2560, 1280, 7, 2, 2048, 4096);

  /** Of what a block may have in shared memory. */
  private static final int MOST_BYTES = 48_000;

  private static final int BYTES_PER_WORD = 6;
  private static final int BYTES_PER_CELL = 4;
  private static final int MOST_DEPTH = 16;

  /** So many reciprocal entries are counted in 15 bits. */
  private static final int MOST_PART = (1 << 15) - 1;

  private static final int MOST_ROOM = 11_000;

  public IntersectionTuning {
    if (listed < 1
        || mapWords < 1
        || cells < 1
        || BYTES_PER_WORD * mapWords + BYTES_PER_CELL * cells > MOST_BYTES
        || blocks < 1
        || depth < 1
        || depth > MOST_DEPTH
        || part < 1
        || part > MOST_PART
        || room < 1
        || room > MOST_ROOM) {
      throw new IllegalArgumentException(
          ("%d/%d/%d/%d/%d/%d/%d: all must be at least 1, %d bytes a word of the map and %d a cell"
                  + " at most %d, the depth at most %d, a part at most %d, the room at most %d")
              .formatted(
                  listed,
                  mapWords,
                  cells,
                  blocks,
                  depth,
                  part,
                  room,
                  BYTES_PER_WORD,
                  BYTES_PER_CELL,
                  MOST_BYTES,
                  MOST_DEPTH,
                  MOST_PART,
                  MOST_ROOM));
    }
  }

  /** The macros that set them. */
  String macros() {
    return """
        #define SGG_MAP_WORDS %d
        #define SGG_MAP_CELLS %d
        #define SGG_MAP_BLOCKS %d
        #define SGG_MAP_DEPTH %d
        #define SGG_MAP_LIST %d
        #define SGG_ORIENT_BLOCK_ROW %d
        #define SGG_ONE %dull
        """
        .formatted(mapWords, cells, blocks, depth, part, room, TriangleCounter.ONE);
  }
}
