package org.sparkgpugraph.files.input;

/**
 * Text from outside (lines and names of files, columns, arguments) as a message can show it: on one
 * line, and so that it does nothing to the terminal or log that shows it.
 */
public final class Printable {
  private Printable() {}

  /**
   * The text with escapes as Java writes them ({@code \n}, {@code \t}, {@code \}{@code u001b}) for
   * control characters, line and paragraph separators, characters that change the direction of text
   * or are not seen, and halves of surrogate pairs. All else stays, backslashes too, so what is
   * printable already is not changed.
   *
   * @param text null stays null
   */
  public static String of(String text) {
    if (text == null || text.codePoints().allMatch(Printable::isPlain)) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isPlain(c)) {
                shown.appendCodePoint(c);
              } else {
                escape(c, shown);
              }
            });
    return shown.toString();
  }

  private static boolean isPlain(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  private static void escape(int character, StringBuilder to) {
    switch (character) {
      case '\n' -> to.append("\\n");
      case '\r' -> to.append("\\r");
      case '\t' -> to.append("\\t");
      case '\b' -> to.append("\\b");
      case '\f' -> to.append("\\f");
      default -> {
        for (char unit : Character.toChars(character)) {
          to.append(String.format("\\u%04x", (int) unit));
        }
      }
    }
  }
}
