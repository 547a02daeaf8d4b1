package org.sparkgpugraph.files.input;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.sparkgpugraph.files.input.MatrixMarketHeader.Symmetry;

/**
 * Entries of sparse matrices as edges from row to column. The banner says what entries are, the
 * first line that is no comment how many rows, columns and entries there are; every line is held to
 * that.
 */
final class MatrixMarketParser extends EdgeLineParser {
  /** Begins every file; capitals count for nothing, as in the rest of the line. */
  private static final String BANNER = "%%matrixmarket";

  /** More vertices than the largest R-MAT graph has are a damaged size line. */
  private static final long MAX_ORDER = 1L << 36;

  private static final String ROW = "row";
  private static final String COLUMN = "column";

  private final boolean weighted;
  private boolean seenBanner;
  private boolean hasValues;
  private Symmetry symmetry;
  private MatrixMarketHeader header;
  private long entries;

  MatrixMarketParser(boolean weighted) {
    this.weighted = weighted;
  }

  /** Whether a file begins as these do. */
  static boolean begins(TextLines lines) throws IOException {
    return lines.peek(BANNER.length()).toLowerCase(Locale.ROOT).equals(BANNER);
  }

  /** What the file's head says; null before it has been read. */
  MatrixMarketHeader header() {
    return header;
  }

  @Override
  boolean wantsHeader() {
    return true;
  }

  @Override
  boolean isMirrored() {
    return symmetry != Symmetry.GENERAL;
  }

  @Override
  double mirroredWeight() {
    return symmetry == Symmetry.SKEW_SYMMETRIC ? -weight : weight;
  }

  @Override
  Header header(byte[] bytes, int from, int to) throws LineException {
    String line = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    if (!seenBanner) {
      banner(line);
      seenBanner = true;
      return Header.MORE;
    }
    if (isCommentOrBlank(bytes, from, to)) {
      return Header.MORE;
    }
    size(line);
    return Header.DONE;
  }

  @Override
  void noHeader() throws LineException {
    throw new LineException(
        seenBanner
            ? "the file ends before its size line 'ROWS COLUMNS ENTRIES'"
            : "the file is empty, without the banner '%%MatrixMarket matrix coordinate ...'");
  }

  private void banner(String line) throws LineException {
    String[] words = line.strip().toLowerCase(Locale.ROOT).split("\\s+");
    if (!words[0].equals(BANNER) || words.length < 2) {
      throw new LineException(
          "a Matrix Market file begins with '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    }
    if (words.length != 5 || !words[1].equals("matrix")) {
      throw new LineException(
          "the banner is not '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    }
    if (words[2].equals("array")) {
      throw new LineException(
          "'array' is a dense matrix, in which every pair of vertices would be an edge; write it in"
              + " coordinate format");
    }
    if (!words[2].equals("coordinate")) {
      throw new LineException("the format '" + words[2] + "' is not 'coordinate'");
    }
    hasValues =
        switch (words[3]) {
          case "pattern" -> false;
          case "real", "double", "integer", "unsigned-integer" -> true;
          case "complex" ->
              throw new LineException(
                  "complex values are no weights; write their magnitudes as real ones");
          default ->
              throw new LineException(
                  "the field '" + words[3] + "' is none of pattern, real and integer");
        };
    symmetry =
        switch (words[4]) {
          case "general" -> Symmetry.GENERAL;
          case "symmetric" -> Symmetry.SYMMETRIC;
          case "skew-symmetric" -> Symmetry.SKEW_SYMMETRIC;
          case "hermitian" ->
              throw new LineException(
                  "hermitian matrices have complex values, which are no weights");
          default ->
              throw new LineException(
                  "the symmetry '"
                      + words[4]
                      + "' is none of general, symmetric and skew-symmetric");
        };
    if (symmetry == Symmetry.SKEW_SYMMETRIC && !hasValues) {
      throw new LineException("a skew-symmetric matrix has values, so it is no pattern");
    }
    if (weighted && !hasValues) {
      throw new LineException("a pattern has no values to read as weights; leave --weighted out");
    }
  }

  private void size(String line) throws LineException {
    String[] words = line.strip().split("\\s+");
    if (words.length != 3) {
      throw new LineException("the size line is not 'ROWS COLUMNS ENTRIES'");
    }
    long[] numbers = new long[3];
    for (int i = 0; i < 3; i++) {
      if (!words[i].matches("[0-9]{1,18}")) {
        throw new LineException(
            "'" + words[i] + "' in the size line is no number of rows, columns or entries");
      }
      numbers[i] = Long.parseLong(words[i]);
    }
    header = new MatrixMarketHeader(symmetry, hasValues, numbers[0], numbers[1], numbers[2]);
    if (symmetry != Symmetry.GENERAL && header.rows() != header.columns()) {
      throw new LineException("a symmetric matrix has as many rows as columns");
    }
    if (header.order() > MAX_ORDER) {
      throw new LineException("more than " + MAX_ORDER + " rows or columns are no graph's");
    }
  }

  @Override
  boolean parse(byte[] bytes, int from, int to) throws LineException {
    if (isCommentOrBlank(bytes, from, to)) {
      return false;
    }
    int at = skipBlanks(bytes, from, to);
    int end = fieldEnd(bytes, at, to);
    source = NumberParser.parseId(bytes, at, end, ROW);
    at = skipBlanks(bytes, end, to);
    end = fieldEnd(bytes, at, to);
    destination = NumberParser.parseId(bytes, at, end, COLUMN);
    if (source < 1 || source > header.rows()) {
      throw outside(ROW, source, header.rows());
    }
    if (destination < 1 || destination > header.columns()) {
      throw outside(COLUMN, destination, header.columns());
    }
    if (hasValues) {
      at = skipBlanks(bytes, end, to);
      // Asked for where nobody reads it, too: a line that was cut off shows by it.
      if (at == to) {
        throw new LineException("it has no value, though the matrix is no pattern");
      }
      if (weighted) {
        weight = NumberParser.parseWeight(bytes, at, fieldEnd(bytes, at, to));
      }
    }
    entries++;
    return true;
  }

  /** Whether a line behind the banner is no entry and no size line. */
  static boolean isCommentOrBlank(byte[] bytes, int from, int to) {
    int at = skipBlanks(bytes, from, to);
    return at == to || bytes[at] == '%';
  }

  private static LineException outside(String what, long index, long count) {
    return new LineException(
        what + " " + index + " is not in the matrix: " + what + "s are 1 to " + count);
  }

  @Override
  boolean countsLines() {
    return true;
  }

  @Override
  void end() throws LineException {
    if (entries != header.entries()) {
      throw new LineException(miscounted(header, entries));
    }
  }

  /** Says that the file has more or fewer entries than it should. */
  static String miscounted(MatrixMarketHeader header, long entries) {
    return "the size line says %s entries, but there are %s%s"
        .formatted(
            header.entries(),
            entries,
            entries < header.entries()
                ? "; the file may be cut off: copy it again"
                : "; correct the size line");
  }
}
