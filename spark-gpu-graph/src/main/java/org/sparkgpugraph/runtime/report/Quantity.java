package org.sparkgpugraph.runtime.report;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers for people. */
public final class Quantity {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  private static final int BASE = 1000;
  private static final String[] COUNTS = {"", " k", " M", " G", " T", " P", " E"};
  private static final String[] BYTES = {" B", " kB", " MB", " GB", " TB", " PB", " EB"};

  private Quantity() {}

  /** All digits, in groups of three. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Three digits and k, M, G. */
  public static String about(double count) {
    return scaled(count, COUNTS);
  }

  /** A share as a percentage with one digit behind the point. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** Three digits and kB, MB, GB, powers of 1000. */
  public static String bytes(double bytes) {
    return scaled(bytes, BYTES);
  }

  private static String scaled(double number, String[] units) {
    int unit = 0;
    double rest = number;
    while (Math.abs(rest) >= BASE && unit < units.length - 1) {
      rest /= BASE;
      unit++;
    }
    return digits(rest) + units[unit];
  }

  /** Seconds, below a second milliseconds or microseconds, from two minutes on minutes. */
  public static String seconds(double seconds) {
    if (seconds >= 120) {
      long whole = Math.round(seconds);
      return whole < 7200
          ? String.format(Locale.ROOT, "%d min %02d s", whole / 60, whole % 60)
          : String.format(Locale.ROOT, "%d h %02d min", whole / 3600, whole / 60 % 60);
    }
    if (seconds >= 1 || seconds == 0) {
      return digits(seconds) + " s";
    }
    return seconds >= 1e-3 ? digits(seconds * 1e3) + " ms" : digits(seconds * 1e6) + " µs";
  }

  private static String digits(double number) {
    double size = Math.abs(number);
    if (size >= 99.95 || number == Math.rint(number)) {
      return String.format(Locale.ROOT, "%.0f", number);
    }
    return String.format(Locale.ROOT, size >= 9.995 ? "%.1f" : "%.2f", number);
  }

  /**
   * A point in time, in the time zone of this process.
   *
   * @param millis since 1970
   */
  public static String time(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis));
  }
}
