package org.sparkgpugraph.benchmarks;

import java.util.Locale;
import java.util.Map;

/** One measurement as a JSON object on one line: strings, numbers and null. */
public final class JsonLine {
  private JsonLine() {}

  /** Writes fields in the order of the map. */
  public static String of(Map<String, ?> fields) {
    StringBuilder line = new StringBuilder("{");
    fields.forEach(
        (name, value) -> {
          line.append(line.length() == 1 ? "" : ", ");
          string(line, name).append(": ");
          value(line, value);
        });
    return line.append('}').toString();
  }

  private static void value(StringBuilder line, Object value) {
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      if (Double.isFinite(number)) {
        line.append(String.format(Locale.ROOT, "%.6g", number));
      } else {
        line.append("null");
      }
    } else if (value instanceof Number || value instanceof Boolean || value == null) {
      line.append(value);
    } else {
      string(line, value.toString());
    }
  }

  private static StringBuilder string(StringBuilder line, String text) {
    line.append('"');
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else if (c < ' ') {
        line.append(String.format("\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return line.append('"');
  }
}
