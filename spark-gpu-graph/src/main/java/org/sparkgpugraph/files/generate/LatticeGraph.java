package org.sparkgpugraph.files.generate;

import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.EdgeBlockBuilder;

/**
 * A two-dimensional lattice of {@code rows × columns} vertices, each joined with its up to four
 * neighbours: the opposite of {@link RmatGraph}, with small degrees and a large diameter. Vertex
 * (r, c) has id {@code r · columns + c}; vertex 0 is a corner. Every edge appears in both
 * directions with one weight.
 */
public final class LatticeGraph extends GeneratedGraph {
  private static final long serialVersionUID = 1L;

  private final long rows;
  private final long columns;
  private final long weights;

  /**
   * Describes a lattice.
   *
   * @param seed of the weights
   * @throws BadInputException when a side is not 1 … 2^20
   */
  public LatticeGraph(int rows, int columns, long seed) {
    if (rows < 1 || columns < 1 || rows > 1 << 20 || columns > 1 << 20) {
      throw new BadInputException(
          "the sides of a lattice must be 1 to 1048576, not " + rows + " x " + columns);
    }
    this.rows = rows;
    this.columns = columns;
    this.weights = SplitMix.weights(SplitMix.mix(seed));
  }

  @Override
  public long vertices() {
    return rows * columns;
  }

  /** Number of directed edges: each undirected one counts twice, as it appears. */
  @Override
  public long edges() {
    return 2 * ((rows - 1) * columns + rows * (columns - 1));
  }

  @Override
  long items() {
    return vertices();
  }

  @Override
  int edgesPerItem() {
    return 4;
  }

  @Override
  void generate(long first, long step, int count, EdgeBlockBuilder builder) {
    for (int i = 0; i < count; i++) {
      generate(first + i * step, builder);
    }
  }

  private void generate(long item, EdgeBlockBuilder builder) {
    long row = item / columns;
    long column = item % columns;
    if (row > 0) {
      builder.add(item, item - columns, weight(item - columns, 1));
    }
    if (column > 0) {
      builder.add(item, item - 1, weight(item - 1, 0));
    }
    if (column < columns - 1) {
      builder.add(item, item + 1, weight(item, 0));
    }
    if (row < rows - 1) {
      builder.add(item, item + columns, weight(item, 1));
    }
  }

  /** One weight for both directions: counted by the end that comes first, and the axis. */
  private double weight(long first, int axis) {
    return SplitMix.weight(weights, 2 * first + axis);
  }

  @Override
  public String toString() {
    return "lattice of " + rows + " x " + columns;
  }
}
