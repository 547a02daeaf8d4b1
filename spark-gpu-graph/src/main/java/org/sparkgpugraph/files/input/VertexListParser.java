package org.sparkgpugraph.files.input;

/**
 * Vertices, one id at the beginning of each line; further columns are ignored; a line that begins
 * with # or % is a comment.
 */
final class VertexListParser extends EdgeLineParser {
  private static final String VERTEX = "vertex";

  @Override
  boolean parse(byte[] bytes, int from, int to) throws LineException {
    int at = skipBlanks(bytes, from, to);
    if (at == to || bytes[at] == '#' || bytes[at] == '%') {
      return false;
    }
    source = NumberParser.parseId(bytes, at, fieldEnd(bytes, at, to), VERTEX);
    destination = source;
    return true;
  }
}
