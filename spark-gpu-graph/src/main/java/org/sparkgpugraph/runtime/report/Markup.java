package org.sparkgpugraph.runtime.report;

import java.util.Locale;

/**
 * Text of HTML and SVG, which any reader of XML reads, too: each element is closed, names and
 * values from elsewhere are escaped.
 */
final class Markup {
  private final StringBuilder text = new StringBuilder();

  /**
   * Begins an element.
   *
   * @param attributes names and values, in turn
   */
  Markup open(String element, Object... attributes) {
    text.append('<').append(element);
    attributes(attributes);
    text.append('>');
    return this;
  }

  Markup close(String element) {
    text.append("</").append(element).append('>');
    return this;
  }

  /** An element without anything in it. */
  Markup empty(String element, Object... attributes) {
    text.append('<').append(element);
    attributes(attributes);
    text.append("/>");
    return this;
  }

  /** An element with text alone. */
  Markup element(String element, String content, Object... attributes) {
    return open(element, attributes).text(content).close(element);
  }

  /** Text, escaped. */
  Markup text(String content) {
    text.append(escaped(content));
    return this;
  }

  /** What is markup already. */
  Markup add(String markup) {
    text.append(markup);
    return this;
  }

  private void attributes(Object... attributes) {
    for (int i = 0; i < attributes.length; i += 2) {
      Object value = attributes[i + 1];
      text.append(' ')
          .append(attributes[i])
          .append("=\"")
          .append(value instanceof Double number ? number(number) : escaped(String.valueOf(value)))
          .append('"');
    }
  }

  /** A coordinate, to a tenth of a pixel. */
  static String number(double number) {
    String digits = String.format(Locale.ROOT, "%.1f", number);
    return digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits;
  }

  /** Characters that XML cannot have are shown as a replacement character. */
  static String escaped(String content) {
    StringBuilder escaped = new StringBuilder(content.length() + 16);
    content
        .codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isAllowed(c) ? c : 0xFFFD);
              }
            });
    return escaped.toString();
  }

  private static boolean isAllowed(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || c >= 0x20 && !isSurrogate(c) && c < 0xFFFE
        || c >= 0x10000;
  }

  private static boolean isSurrogate(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
