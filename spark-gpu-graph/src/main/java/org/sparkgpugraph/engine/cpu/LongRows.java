package org.sparkgpugraph.engine.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.cpu.frame.RowBlocks;
import org.sparkgpugraph.exchange.VertexBitmap;

/**
 * Rows that are so long that several threads push along them: a search that begins at a hub has all
 * edges of its first superstep in one row.
 */
final class LongRows {
  /** Rows of more edges are long; the blocks that they are in are longer than others. */
  private static final int LONG = 2 * RowBlocks.TARGET;

  /** Edges of a part. */
  private static final int PART = RowBlocks.TARGET / 4;

  private final int[] offsets;
  private final int[] rows;

  /**
   * Edges {@code [from, to)} of a row.
   *
   * @param row the vertex that pushes
   */
  record Part(int row, int from, int to) {}

  /**
   * @param offsets of the rows over which vertices push
   * @param blocks of these rows
   */
  LongRows(int[] offsets, RowBlocks blocks) {
    this.offsets = offsets;
    rows =
        IntStream.range(0, blocks.count())
            .mapToObj(blocks::block)
            .filter(block -> block.work() > LONG)
            .flatMapToInt(block -> IntStream.range(block.from(), block.to()))
            .filter(row -> offsets[row + 1] - offsets[row] > LONG)
            .toArray();
  }

  /** Takes long rows out of the active ones; their parts. */
  List<Part> takeFrom(VertexBitmap active) {
    List<Part> parts = new ArrayList<>();
    for (int row : rows) {
      if (active.contains(row)) {
        active.remove(row);
        for (int from = offsets[row]; from < offsets[row + 1]; from += PART) {
          parts.add(new Part(row, from, Math.min(from + PART, offsets[row + 1])));
        }
      }
    }
    return parts;
  }
}
