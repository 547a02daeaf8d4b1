package org.sparkgpugraph.files.input;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Edges in the columns of delimited text (RFC 4180, but a quoted field may not contain a line end:
 * files are split at line ends). Columns are found by name in the header or by position.
 */
final class CsvParser extends EdgeLineParser {
  private final EdgeTextFormat format;
  private final byte delimiter;

  /** Field indexes from 0; weight −1 when it is not read, the first of an array of them. */
  private int sourceField;

  private int destinationField;
  private int weightField;

  /** Bounds of the field that {@link #nextField} found, quotes and outer blanks left out. */
  private int fieldFrom;

  private int fieldTo;

  CsvParser(EdgeTextFormat format) throws LineException {
    super(format.length());
    this.format = format;
    this.delimiter = (byte) format.delimiter();
    if (format.header() == EdgeTextFormat.Header.NO) {
      usePositions();
    }
  }

  @Override
  boolean wantsHeader() {
    return format.header() != EdgeTextFormat.Header.NO;
  }

  @Override
  Header header(byte[] bytes, int from, int to) throws LineException {
    List<String> fields = new ArrayList<>();
    int at = from;
    while (at <= to) {
      at = nextField(bytes, at, to);
      fields.add(new String(bytes, fieldFrom, fieldTo - fieldFrom, StandardCharsets.UTF_8));
    }
    if (format.header() == EdgeTextFormat.Header.AUTO && fields.stream().anyMatch(f -> number(f))) {
      usePositions();
      return Header.NO_HEADER;
    }
    sourceField = find(fields, format.sourceColumn(), EdgeTextFormat.DEFAULT_SOURCE, 0);
    destinationField =
        find(fields, format.destinationColumn(), EdgeTextFormat.DEFAULT_DESTINATION, 1);
    weightField =
        format.weighted()
            ? find(fields, format.weightColumn(), EdgeTextFormat.DEFAULT_WEIGHT, 2)
            : -1;
    requireDistinct(fields);
    return Header.DONE;
  }

  private static boolean number(String field) {
    return field.matches("[-+]?[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)?");
  }

  private void usePositions() throws LineException {
    sourceField = position(format.sourceColumn(), 0);
    destinationField = position(format.destinationColumn(), 1);
    weightField = format.weighted() ? position(format.weightColumn(), 2) : -1;
    requireDistinct(null);
  }

  /** Columns that nobody names may fall on one that somebody does. */
  private void requireDistinct(List<String> header) throws LineException {
    String twice = null;
    int field = sourceField;
    if (sourceField == destinationField) {
      twice = "source and destination";
    } else if (weightAt(sourceField) >= 0) {
      twice = "source and weight";
    } else if (weightAt(destinationField) >= 0) {
      twice = "destination and weight";
      field = destinationField;
    }
    if (twice != null) {
      String name =
          header == null || field >= header.size() ? "" : " ('" + header.get(field) + "')";
      throw new LineException(
          twice + " are both column " + (field + 1) + name + "; name each column (--columns)");
    }
  }

  /** Which weight a field is; −1: none. */
  private int weightAt(int field) {
    int at = field - weightField;
    return weightField >= 0 && at >= 0 && at < Math.max(1, format.length()) ? at : -1;
  }

  private static int find(List<String> header, String wanted, String usual, int usualField)
      throws LineException {
    String name = wanted == null ? usual : wanted;
    int found = -1;
    for (int field = 0; field < header.size(); field++) {
      if (header.get(field).equalsIgnoreCase(name)) {
        if (found >= 0) {
          throw new LineException(
              ("the header names '%s' twice, as columns %s and %s; give columns by position"
                      + " (--columns)")
                  .formatted(name, found + 1, field + 1));
        }
        found = field;
      }
    }
    if (found >= 0) {
      return found;
    }
    if (wanted == null) {
      return usualField;
    }
    if (wanted.matches("[1-9][0-9]{0,6}")) {
      return Integer.parseInt(wanted) - 1;
    }
    throw new LineException("the header has no column '" + wanted + "', only " + header);
  }

  private static int position(String column, int usualField) throws LineException {
    if (column == null) {
      return usualField;
    }
    if (column.matches("[1-9][0-9]{0,6}")) {
      return Integer.parseInt(column) - 1;
    }
    throw new LineException(
        "column '" + column + "' is asked for by name, but the file has no header");
  }

  @Override
  boolean parse(byte[] bytes, int from, int to) throws LineException {
    int first = from;
    while (first < to && isBlank(bytes[first])) {
      first++;
    }
    if (first == to) {
      return false;
    }
    int lastWeight = weightField + Math.max(0, format.length() - 1);
    int last = Math.max(Math.max(sourceField, destinationField), lastWeight);
    int at = from;
    for (int field = 0; field <= last; field++) {
      if (at > to) {
        throw new LineException(
            "it has " + field + (field == 1 ? " column" : " columns") + ", not " + (last + 1));
      }
      at = nextField(bytes, at, to);
      if (field == sourceField) {
        source = NumberParser.parseId(bytes, fieldFrom, fieldTo, SOURCE);
      } else if (field == destinationField) {
        destination = NumberParser.parseId(bytes, fieldFrom, fieldTo, DESTINATION);
      } else if (weightAt(field) >= 0) {
        weight = NumberParser.parseWeight(bytes, fieldFrom, fieldTo);
        if (weights != null) {
          weights[weightAt(field)] = weight;
        }
      }
    }
    return true;
  }

  /**
   * Finds the field that begins at {@code at}; returns where the next begins, beyond the end after
   * the last.
   */
  private int nextField(byte[] bytes, int at, int to) throws LineException {
    int from = at;
    while (from < to && bytes[from] != delimiter && isBlank(bytes[from])) {
      from++;
    }
    int end;
    if (from < to && bytes[from] == '"') {
      int close = from + 1;
      while (close < to && (bytes[close] != '"' || (close + 1 < to && bytes[close + 1] == '"'))) {
        close += bytes[close] == '"' ? 2 : 1;
      }
      if (close >= to) {
        throw new LineException("a quoted field does not end on the line");
      }
      fieldFrom = from + 1;
      fieldTo = close;
      end = close + 1;
      while (end < to && bytes[end] != delimiter) {
        end++;
      }
      return end + 1;
    }
    end = from;
    while (end < to && bytes[end] != delimiter) {
      end++;
    }
    int trimmed = end;
    while (trimmed > from && isBlank(bytes[trimmed - 1])) {
      trimmed--;
    }
    fieldFrom = from;
    fieldTo = trimmed;
    return end + 1;
  }
}
