package io.sparkgpugraph.benchmarks;

/**
 * What a device engine walks all rows with.
 *
 * @param lanes of the virtual warp that takes a row: 1, 2, 4, 8, 16 or 32; 0: warp segmentation
 */
record DenseKernel(int lanes) {
  private static final String SEGMENTATION = "segmentation";
  private static final String LANES = "lanes";

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException when there is no such kernel
   */
  static DenseKernel of(String name) {
    if (name.equals(SEGMENTATION)) {
      return new DenseKernel(0);
    }
    if (name.matches(LANES + "(1|2|4|8|16|32)")) {
      return new DenseKernel(Integer.parseInt(name.substring(LANES.length())));
    }
    throw new IllegalArgumentException(
        "'"
            + name
            + "' is not a dense kernel; valid: segmentation, lanes1, lanes2, lanes4, lanes8,"
            + " lanes16, lanes32");
  }

  @Override
  public String toString() {
    return lanes == 0 ? SEGMENTATION : LANES + lanes;
  }
}
