package org.sparkgpugraph.files.input;

import java.nio.charset.StandardCharsets;

/** Numbers from bytes, without a String for the usual ones. */
public final class NumberParser {
  /** Powers of ten that a double holds exactly. */
  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final long MAX_EXACT_MANTISSA = 1L << 53;

  /** Bytes of a field that a message shows. */
  private static final int MAX_TEXT = 120;

  private NumberParser() {}

  /** A vertex id: an optional sign and decimal digits, 64 bits. */
  static long parseId(byte[] bytes, int from, int to, String role) throws LineException {
    int at = from;
    boolean negative = false;
    if (at < to && (bytes[at] == '-' || bytes[at] == '+')) {
      negative = bytes[at] == '-';
      at++;
    }
    int digits = to - at;
    if (digits == 0) {
      throw notAnId(bytes, from, to, role);
    }
    // Accumulated negatively: the range below zero is the larger one.
    long value = 0;
    if (digits <= 18) {
      for (; at < to; at++) {
        int digit = bytes[at] - '0';
        if (digit < 0 || digit > 9) {
          throw notAnId(bytes, from, to, role);
        }
        value = value * 10 - digit;
      }
      return negative ? value : -value;
    }
    for (; at < to; at++) {
      int digit = bytes[at] - '0';
      if (digit < 0 || digit > 9) {
        throw notAnId(bytes, from, to, role);
      }
      if (value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit) {
        throw tooLarge(bytes, from, to, role);
      }
      value = value * 10 - digit;
    }
    if (!negative && value == Long.MIN_VALUE) {
      throw tooLarge(bytes, from, to, role);
    }
    return negative ? value : -value;
  }

  /** A weight: a decimal number as Java writes it, {@code Infinity} and {@code NaN} too. */
  public static double parseWeight(byte[] bytes, int from, int to) throws LineException {
    int at = from;
    boolean negative = false;
    if (at < to && (bytes[at] == '-' || bytes[at] == '+')) {
      negative = bytes[at] == '-';
      at++;
    }
    long mantissa = 0;
    int digits = 0;
    int fraction = 0;
    boolean point = false;
    for (; at < to; at++) {
      byte b = bytes[at];
      if (b >= '0' && b <= '9') {
        mantissa = mantissa * 10 + (b - '0');
        digits++;
        if (point) {
          fraction++;
        }
      } else if (b == '.' && !point) {
        point = true;
      } else {
        break;
      }
    }
    // Both operands exact, so the one division rounds correctly (Clinger 1990).
    if (at == to
        && digits > 0
        && digits <= 18
        && mantissa <= MAX_EXACT_MANTISSA
        && fraction < POWERS_OF_TEN.length) {
      double value = mantissa / POWERS_OF_TEN[fraction];
      return negative ? -value : value;
    }
    return parseWeightSlowly(bytes, from, to);
  }

  private static double parseWeightSlowly(byte[] bytes, int from, int to) throws LineException {
    String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    char last = text.isEmpty() ? 'x' : text.charAt(text.length() - 1);
    // Double.parseDouble takes Java literals such as 1d and 0x1p3, which no graph file means.
    boolean decimal = last != 'd' && last != 'D' && last != 'f' && last != 'F';
    if (decimal && text.indexOf('x') < 0 && text.indexOf('X') < 0) {
      try {
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value) && !text.endsWith("Infinity")) {
          throw new LineException(
              ("the weight '%s' is too large for a double (at most %s); write Infinity if"
                      + " that is meant")
                  .formatted(text(bytes, from, to), Double.MAX_VALUE));
        }
        return value;
      } catch (NumberFormatException e) {
        throw notAWeight(text(bytes, from, to));
      }
    }
    throw notAWeight(text(bytes, from, to));
  }

  private static LineException notAWeight(String text) {
    return new LineException("the weight '" + text + "' is not a number");
  }

  private static LineException notAnId(byte[] bytes, int from, int to, String role) {
    return new LineException(
        "the " + role + " id '" + text(bytes, from, to) + "' is not an integer");
  }

  private static LineException tooLarge(byte[] bytes, int from, int to, String role) {
    return new LineException(
        "the %s id '%s' does not fit into 64 bits (%s to %s)"
            .formatted(role, text(bytes, from, to), Long.MIN_VALUE, Long.MAX_VALUE));
  }

  private static String text(byte[] bytes, int from, int to) {
    String text = new String(bytes, from, Math.min(to - from, MAX_TEXT), StandardCharsets.UTF_8);
    return to - from > MAX_TEXT ? text + "..." : text;
  }
}
