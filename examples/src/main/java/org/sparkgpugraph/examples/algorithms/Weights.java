package org.sparkgpugraph.examples.algorithms;

import java.util.Arrays;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;

/** The weights that shortest paths need. */
public final class Weights {
  /** One array for all blocks that it is long enough for. */
  private static final double[] ONES = new double[1 << 14];

  static {
    Arrays.fill(ONES, 1.0);
  }

  private Weights() {}

  /**
   * The block, if no weight is negative or NaN.
   *
   * @param algorithm who needs that
   */
  public static EdgeBlock checked(EdgeBlock block, String algorithm) {
    double[] weights = (double[]) block.values();
    for (int i = 0; i < block.size(); i++) {
      if (!(weights[i] >= 0)) {
        throw new BadInputException(
            block.describe(i)
                + " has weight "
                + weights[i]
                + ", but "
                + algorithm
                + " needs weights of 0 or more: correct it or leave --weighted out");
      }
    }
    return block;
  }

  /** The block with weight 1 on every edge. */
  public static EdgeBlock ones(EdgeBlock block) {
    double[] ones = ONES;
    if (block.size() > ones.length) {
      ones = new double[block.size()];
      Arrays.fill(ones, 1.0);
    }
    if (block instanceof IntEdgeBlock ints) {
      return new IntEdgeBlock(ints.size(), ints.sources(), ints.destinations(), ones);
    }
    GlobalEdgeBlock longs = (GlobalEdgeBlock) block;
    return new GlobalEdgeBlock(longs.size(), longs.sources(), longs.destinations(), ones);
  }
}
