package org.sparkgpugraph.runtime.conf;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.network.util.JavaUtils;

/**
 * One configuration key: its type, default, documentation and valid values. Immutable; made by the
 * registry alone ({@link GpuGraphConf}).
 *
 * @param key the full key, {@code spark.gpugraph.…}
 * @param type name of the type, for the documentation: {@code int}, {@code enum}
 * @param defaultValue the value when nobody sets one
 * @param doc what the key does
 * @param since first version that has the key
 * @param validValues the valid values, in words
 * @param parser reads a value; throws an {@link IllegalArgumentException} when it is not valid
 * @param writer writes a value as a user does
 * @param <T> type of the value
 */
public record ConfigEntry<T>(
    String key,
    String type,
    T defaultValue,
    String doc,
    String since,
    String validValues,
    Function<String, T> parser,
    Function<T, String> writer) {
  /** A key of the first version, whose type is to be said. */
  static Builder key(String key, String doc) {
    return new Builder(GpuGraphConf.PREFIX + key, doc, "0.1.0");
  }

  /** {@link #defaultValue()} as a user writes it. */
  public String defaultText() {
    return text(defaultValue);
  }

  /** A value as a user writes it. */
  public String text(T value) {
    return writer.apply(value);
  }

  /**
   * Parses a value.
   *
   * @throws IllegalArgumentException when it is not valid; the message has key, value and the valid
   *     values
   */
  public T parse(String value) {
    try {
      return parser.apply(value.trim());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          key + " = '" + value + "' is not valid; use " + validValues, e);
    }
  }

  /** The value of this key in {@code options} if it is there, else the default. */
  T in(Map<String, String> options) {
    String value = options.get(key);
    return value == null ? defaultValue : parse(value);
  }

  @Override
  public String toString() {
    return key;
  }

  /** What every entry has; the call that says the type makes the entry. */
  record Builder(String key, String doc, String since) {
    private <T> ConfigEntry<T> of(
        String type,
        T defaultValue,
        String validValues,
        Function<String, T> parser,
        Function<T, String> writer) {
      return new ConfigEntry<>(key, type, defaultValue, doc, since, validValues, parser, writer);
    }

    /** One of the constants of an enum, in any case, with hyphens for underscores. */
    <E extends Enum<E>> ConfigEntry<E> oneOf(Class<E> type, E defaultValue) {
      Map<String, E> values = new LinkedHashMap<>();
      for (E constant : type.getEnumConstants()) {
        values.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
      }
      return oneOf(values, defaultValue);
    }

    /**
     * One of some values, each with a name, in any case.
     *
     * @param values by name in lower case, in the order of the documentation
     */
    <T> ConfigEntry<T> oneOf(Map<String, T> values, T defaultValue) {
      Map<String, T> named = new LinkedHashMap<>(values);
      return of(
          "enum",
          defaultValue,
          "one of "
              + named.keySet().stream()
                  .map(name -> "`" + name + "`")
                  .collect(Collectors.joining(", ")),
          text -> {
            T value = named.get(text.toLowerCase(Locale.ROOT));
            if (value == null) {
              throw new IllegalArgumentException(text + " is none of " + named.keySet());
            }
            return value;
          },
          value ->
              named.entrySet().stream()
                  .filter(entry -> entry.getValue().equals(value))
                  .map(Map.Entry::getKey)
                  .findFirst()
                  .orElseThrow());
    }

    /** {@code true} or {@code false}. */
    ConfigEntry<Boolean> trueOrFalse(boolean defaultValue) {
      return of(
          "boolean",
          defaultValue,
          "`true` or `false`",
          text ->
              switch (text.toLowerCase(Locale.ROOT)) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new IllegalArgumentException(text + " is neither");
              },
          String::valueOf);
    }

    /** An integer of {@code [min, max]}. */
    ConfigEntry<Integer> intBetween(int min, int max, int defaultValue) {
      return of(
          "int",
          defaultValue,
          max == Integer.MAX_VALUE
              ? "an integer from " + min
              : "an integer from " + min + " to " + max,
          value -> {
            int number = Integer.parseInt(value);
            if (number < min || number > max) {
              throw new IllegalArgumentException(value + " is outside " + min + ".." + max);
            }
            return number;
          },
          String::valueOf);
    }

    /** A number above 0 and up to 1. */
    ConfigEntry<Double> fraction(double defaultValue) {
      return of(
          "fraction",
          defaultValue,
          "a number above 0, up to 1",
          value -> {
            double number = Double.parseDouble(value);
            if (!(number > 0 && number <= 1)) {
              throw new IllegalArgumentException(value + " is outside of (0, 1]");
            }
            return number;
          },
          String::valueOf);
    }

    /** A number of {@code [min, max]}. */
    ConfigEntry<Double> numberBetween(double min, double max, double defaultValue) {
      return of(
          "number",
          defaultValue,
          "a number from " + min + " to " + max,
          value -> {
            double number = Double.parseDouble(value);
            if (!(number >= min && number <= max)) {
              throw new IllegalArgumentException(value + " is outside " + min + ".." + max);
            }
            return number;
          },
          String::valueOf);
    }

    /** Any integer of 64 bits. */
    ConfigEntry<Long> anyLong(long defaultValue) {
      return of("long", defaultValue, "any integer of 64 bits", Long::parseLong, String::valueOf);
    }

    /** A number of bytes, as Spark writes them: {@code 512m}, {@code 2g}; a bare number: bytes. */
    ConfigEntry<Long> bytes(long min, String defaultValue) {
      return of(
          "bytes",
          JavaUtils.byteStringAsBytes(defaultValue),
          "a size such as `512m` or `2g`" + (min > 0 ? ", at least " + min + " bytes" : ""),
          value -> {
            long number = JavaUtils.byteStringAsBytes(value);
            if (number < min) {
              throw new IllegalArgumentException(value + " is less than " + min + " bytes");
            }
            return number;
          },
          Builder::size);
    }

    /** An absolute path on the executors; empty: none. */
    ConfigEntry<String> absolutePath() {
      return of(
          "path",
          "",
          "an absolute path of the executors' file system, or nothing",
          value -> {
            if (!value.isEmpty() && !Path.of(value).isAbsolute()) {
              throw new IllegalArgumentException(value + " is not absolute");
            }
            return value;
          },
          value -> value);
    }

    private static String size(long bytes) {
      String units = "kmgt";
      long number = bytes;
      int unit = -1;
      while (number > 0 && number % 1024 == 0 && unit < units.length() - 1) {
        number /= 1024;
        unit++;
      }
      return unit < 0 ? number + "b" : number + "" + units.charAt(unit);
    }
  }
}
