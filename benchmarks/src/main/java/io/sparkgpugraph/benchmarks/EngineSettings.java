package io.sparkgpugraph.benchmarks;

/**
 * How a device engine is set up for comparison.
 *
 * @param lanes lanes of the virtual warp that takes a row in dense supersteps, 1 … 32, a power of
 *     two; 0: warp segmentation
 * @param grouping vertices per bit of the activity bitmaps, a power of two; 0: chosen by the engine
 */
record EngineSettings(int lanes, int grouping) {
  EngineSettings {
    if (lanes != 0 && (lanes < 0 || lanes > 32 || Integer.bitCount(lanes) != 1)) {
      throw new IllegalArgumentException(
          "a virtual warp has 1, 2, 4, 8, 16 or 32 lanes, not " + lanes);
    }
    if (grouping != 0 && (grouping < 0 || grouping > 64 || Integer.bitCount(grouping) != 1)) {
      throw new IllegalArgumentException(
          "vertices are grouped by 1, 2, 4, 8, 16, 32 or 64, not " + grouping);
    }
  }

  /** Name of the dense kernel, as an option and in the report. */
  String denseKernel() {
    return lanes == 0 ? "segmentation" : "lanes" + lanes;
  }

  /**
   * Reads the name of a dense kernel.
   *
   * @return lanes, 0 for warp segmentation
   * @throws IllegalArgumentException when there is no such kernel
   */
  static int lanes(String denseKernel) {
    if (denseKernel.equals("segmentation")) {
      return 0;
    }
    if (denseKernel.matches("lanes(1|2|4|8|16|32)")) {
      return Integer.parseInt(denseKernel.substring("lanes".length()));
    }
    throw new IllegalArgumentException(
        "'"
            + denseKernel
            + "' is not a dense kernel; valid: segmentation, lanes1, lanes2, lanes4, lanes8,"
            + " lanes16, lanes32");
  }
}
