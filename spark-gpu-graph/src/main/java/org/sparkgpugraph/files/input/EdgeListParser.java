package org.sparkgpugraph.files.input;

/**
 * Edge lists as SNAP and GraphX write them: {@code source destination [weight]}, separated by
 * spaces or tabs, or with so many weights as an array has, further columns ignored; a line that
 * begins with # or % is a comment.
 */
final class EdgeListParser extends EdgeLineParser {
  private final boolean weighted;

  EdgeListParser(boolean weighted, int length) {
    super(length);
    this.weighted = weighted;
  }

  @Override
  boolean parse(byte[] bytes, int from, int to) throws LineException {
    int at = skipBlanks(bytes, from, to);
    if (at == to || bytes[at] == '#' || bytes[at] == '%') {
      return false;
    }
    int end = fieldEnd(bytes, at, to);
    source = NumberParser.parseId(bytes, at, end, SOURCE);
    at = skipBlanks(bytes, end, to);
    if (at == to) {
      throw new LineException("it has one column; write 'source destination'");
    }
    end = fieldEnd(bytes, at, to);
    destination = NumberParser.parseId(bytes, at, end, DESTINATION);
    if (weights != null) {
      parseWeights(bytes, end, to);
    } else if (weighted) {
      at = skipBlanks(bytes, end, to);
      if (at == to) {
        throw new LineException("it has no third column, the weight");
      }
      weight = NumberParser.parseWeight(bytes, at, fieldEnd(bytes, at, to));
    }
    return true;
  }
}
