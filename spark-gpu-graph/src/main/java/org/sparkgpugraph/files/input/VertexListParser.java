package org.sparkgpugraph.files.input;

/**
 * Vertices, one id at the beginning of each line, and behind it the numbers of an array where one
 * is read; further columns are ignored; a line that begins with # or % is a comment.
 */
final class VertexListParser extends EdgeLineParser {
  private static final String VERTEX = "vertex";

  VertexListParser(int length) {
    super(length);
  }

  @Override
  boolean parse(byte[] bytes, int from, int to) throws LineException {
    int at = skipBlanks(bytes, from, to);
    if (at == to || bytes[at] == '#' || bytes[at] == '%') {
      return false;
    }
    int end = fieldEnd(bytes, at, to);
    source = NumberParser.parseId(bytes, at, end, VERTEX);
    destination = source;
    if (weights != null) {
      parseWeights(bytes, end, to);
    }
    return true;
  }
}
