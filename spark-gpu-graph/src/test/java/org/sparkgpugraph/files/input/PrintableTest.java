package org.sparkgpugraph.files.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What messages show of text from outside. */
class PrintableTest {
  @Test
  void whatIsPrintableStays() {
    for (String text : new String[] {"", "a b", "C:\\\\n", "äß 図 \uD83D\uDE00", "'\"$"}) {
      assertThat(Printable.of(text)).isSameAs(text);
    }
    assertThat(Printable.of(null)).isNull();
  }

  @Test
  void whatIsNotIsEscaped() {
    assertThat(Printable.of("a\nb\r\tc\b\f")).isEqualTo("a\\nb\\r\\tc\\b\\f");
    String clear = Character.toString(0x1b) + "[2J" + Character.toString(0);
    assertThat(Printable.of(clear)).isEqualTo("\\u001b[2J\\u0000");
    assertThat(Printable.of(Character.toString(0x7f) + Character.toString(0x9b)))
        .isEqualTo("\\u007f\\u009b");
    // Line separator, text from right to left, a byte order mark, half a character, a tag.
    assertThat(Printable.of(Character.toString(0x2028) + Character.toString(0x202e)))
        .isEqualTo("\\u2028\\u202e");
    assertThat(Printable.of(Character.toString(0xfeff) + Character.toString(0xd83d) + "x"))
        .isEqualTo("\\ufeff\\ud83dx");
    assertThat(Printable.of(Character.toString(0xe0041))).isEqualTo("\\udb40\\udc41");
  }

  @Test
  void whatIsEscapedIsNotEscapedAgain() {
    String once = Printable.of("a\tb");
    assertThat(Printable.of(once)).isSameAs(once);
  }
}
