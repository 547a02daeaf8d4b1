package org.sparkgpugraph.engine.operator;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * The edges of some rows as arrays: those of the graph where it has them on the heap, else copies
 * that are as long as the longest rows. Edge {@code e} of the graph is element {@code e − first()}.
 * Of one thread.
 */
public final class RowWindow {
  private int[] neighbours;
  private double[] weights;
  private int first;
  private int[] copiedNeighbours = new int[0];
  private double[] copiedWeights = new double[0];

  /**
   * Goes to some edges.
   *
   * @param values of which the first column is the weights; null: there are none, or nobody reads
   *     them
   * @param from the first edge
   * @param to behind the last
   */
  public void open(Csr csr, Columns values, int from, int to) {
    if (csr.onHeap() && (values == null || values.onHeap())) {
      neighbours = csr.neighbours();
      weights = values == null ? null : values.doubles(0);
      first = 0;
      return;
    }
    int count = to - from;
    if (copiedNeighbours.length < count) {
      copiedNeighbours = new int[room(count)];
    }
    csr.neighbours(from, count, copiedNeighbours, 0);
    neighbours = copiedNeighbours;
    weights = null;
    if (values != null) {
      if (copiedWeights.length < count) {
        copiedWeights = new double[room(count)];
      }
      values.copy(0, from, count, copiedWeights, 0);
      weights = copiedWeights;
    }
    first = from;
  }

  private static int room(int count) {
    return (int) Math.min(Integer.MAX_VALUE - 8, count + (long) count / 4);
  }

  /** Their neighbours; not to be changed. */
  public int[] neighbours() {
    return neighbours;
  }

  /** Their weights; not to be changed; null where there are none. */
  public double[] weights() {
    return weights;
  }

  /** The edge that is the first element. */
  public int first() {
    return first;
  }
}
