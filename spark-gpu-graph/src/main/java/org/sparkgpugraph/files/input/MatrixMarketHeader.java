package org.sparkgpugraph.files.input;

/**
 * What the head of a Matrix Market file says (Boisvert, Pozo, Remington: <a
 * href="https://math.nist.gov/MatrixMarket/formats.html">The Matrix Market Exchange Formats</a>).
 *
 * @param symmetry how entries below the diagonal stand for those above it
 * @param hasValues whether entries have values: false for patterns
 * @param rows number of rows; indexes are 1 … rows
 * @param columns number of columns
 * @param entries number of entries in the file
 */
record MatrixMarketHeader(
    Symmetry symmetry, boolean hasValues, long rows, long columns, long entries) {
  enum Symmetry {
    GENERAL,
    SYMMETRIC,
    /** The entry above the diagonal is the negative of that below it. */
    SKEW_SYMMETRIC
  }

  /** Number of vertices: row i and column i are vertex i. */
  long order() {
    return Math.max(rows, columns);
  }

  @Override
  public String toString() {
    return "%s x %s, %s entries, %s, %s"
        .formatted(
            rows,
            columns,
            entries,
            hasValues ? "with values" : "pattern",
            symmetry.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
  }
}
