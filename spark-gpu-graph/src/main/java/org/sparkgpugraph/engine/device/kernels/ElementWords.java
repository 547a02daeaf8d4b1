package org.sparkgpugraph.engine.device.kernels;

import java.util.List;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * Bits by which a device is told which elements of the arrays of an update come with it: for each
 * column of arrays that travels whole words of 32, one column behind the other.
 */
public final class ElementWords {
  private final int[] first;
  private final int[] words;

  /**
   * @param kinds kinds of the columns that travel
   */
  public ElementWords(List<ColumnType> kinds) {
    first = new int[kinds.size() + 1];
    words = new int[kinds.size()];
    for (int c = 0; c < words.length; c++) {
      int width = kinds.get(c).width();
      words[c] = width > 1 ? (width + Integer.SIZE - 1) / Integer.SIZE : 0;
      first[c + 1] = first[c] + words[c];
    }
  }

  /** Words of an update; 0: no column has several numbers in a row. */
  public int count() {
    return first[words.length];
  }

  /** Where the words of a column begin. */
  public int first(int column) {
    return first[column];
  }

  /** Words of a column; 0: it travels whole. */
  public int words(int column) {
    return words[column];
  }
}
