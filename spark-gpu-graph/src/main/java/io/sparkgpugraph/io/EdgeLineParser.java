package io.sparkgpugraph.io;

/**
 * Reads one line of text, given as bytes, as an edge. Parsers hold the edge in fields so that a
 * line costs no object.
 */
abstract class EdgeLineParser {
  static final String SOURCE = "source";
  static final String DESTINATION = "destination";

  long source;
  long destination;
  double weight;

  /**
   * Parses the line {@code bytes[from, to)}, its end excluded.
   *
   * @return false for a line without an edge: a blank one or a comment
   */
  abstract boolean parse(byte[] bytes, int from, int to) throws LineException;

  /**
   * Offers the first line of the file before any line is parsed.
   *
   * @return whether it was a header, which then is no edge
   */
  boolean header(byte[] bytes, int from, int to) throws LineException {
    return false;
  }

  /** Whether {@link #header} wants to see the first line. */
  boolean wantsHeader() {
    return false;
  }

  static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  static int skipBlanks(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isBlank(bytes[at])) {
      at++;
    }
    return at;
  }

  static int fieldEnd(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && !isBlank(bytes[at])) {
      at++;
    }
    return at;
  }
}
