package org.sparkgpugraph.runtime.rapids;

import java.io.Serializable;

/**
 * A column of numbers in this process' memory, which a query asks for by positions: of one row at a
 * time on the CPU, of a batch on the GPU. Serializable; thread-safe.
 */
public interface ColumnFunction extends Serializable {
  /** The number at a position, boxed. */
  Object at(int position);

  /**
   * The numbers of some positions that follow each other.
   *
   * @return a {@code boolean[count]}, {@code int[count]}, {@code long[count]}, {@code float[count]}
   *     or {@code double[count]}; nobody changes it
   */
  Object range(int first, int count);

  /**
   * The numbers of any positions.
   *
   * @return as {@link #range}
   */
  Object gather(int[] positions);
}
