package org.sparkgpugraph.files.input;

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

  /** The array of weights; null: they are single numbers. */
  final double[] weights;

  /** For edges with one weight, or none. */
  EdgeLineParser() {
    this(0);
  }

  /**
   * As above.
   *
   * @param length numbers of an array of weights; 0: there are none
   */
  EdgeLineParser(int length) {
    weights = length == 0 ? null : new double[length];
  }

  /**
   * Parses the line {@code bytes[from, to)}, its end excluded.
   *
   * @return false for a line without an edge: a blank one or a comment
   */
  abstract boolean parse(byte[] bytes, int from, int to) throws LineException;

  /** What a line that is offered as a header is. */
  enum Header {
    /** Part of the header; more of it follows. */
    MORE,
    /** The header's last line. */
    DONE,
    /** There is no header: the line is an edge. */
    NO_HEADER
  }

  /** Offers the first lines of the file, empty ones left out, before any line is parsed. */
  Header header(byte[] bytes, int from, int to) throws LineException {
    return Header.NO_HEADER;
  }

  /** Says that the file ended before {@link #header} had all that it wants. */
  void noHeader() throws LineException {}

  /** Whether {@link #header} wants to see the first lines, in every split of the file. */
  boolean wantsHeader() {
    return false;
  }

  /** Whether an edge that is no self-loop stands for the one in the other direction, too. */
  boolean isMirrored() {
    return false;
  }

  /** The weight of the edge in the other direction. */
  double mirroredWeight() {
    return weight;
  }

  /** Whether the number of lines is to be checked by {@link #end}. */
  boolean countsLines() {
    return false;
  }

  /** Says that all lines of the file have been parsed by this parser. */
  void end() throws LineException {}

  /**
   * Parses all of an array of weights, in columns between blanks.
   *
   * @param from behind the column before
   */
  final void parseWeights(byte[] bytes, int from, int to) throws LineException {
    int end = from;
    for (int i = 0; i < weights.length; i++) {
      int at = skipBlanks(bytes, end, to);
      if (at == to) {
        throw new LineException("it has " + i + " weights, not " + weights.length);
      }
      end = fieldEnd(bytes, at, to);
      weights[i] = NumberParser.parseWeight(bytes, at, end);
    }
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
