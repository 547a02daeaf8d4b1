package org.sparkgpugraph.runtime.conf;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.network.util.JavaUtils;

/**
 * One configuration key: its type, default, documentation and valid values. Immutable; made by the
 * registry alone ({@link GpuGraphConf}).
 *
 * @param <T> type of the value
 */
public final class ConfigEntry<T> {
  private final String key;
  private final String type;
  private final T defaultValue;
  private final String doc;
  private final String since;
  private final String validValues;
  private final Function<String, T> parser;
  private final Function<T, String> writer;

  private ConfigEntry(
      Builder builder,
      String type,
      T defaultValue,
      String validValues,
      Function<String, T> parser,
      Function<T, String> writer) {
    this.key = builder.key;
    this.type = type;
    this.defaultValue = defaultValue;
    this.writer = writer;
    this.doc = Objects.requireNonNull(builder.doc, () -> builder.key + " has no documentation");
    this.since = Objects.requireNonNull(builder.since, () -> builder.key + " has no version");
    this.validValues = validValues;
    this.parser = parser;
  }

  static Builder key(String key) {
    return new Builder(key);
  }

  /** The full key, {@code spark.gpugraph.…}. */
  public String key() {
    return key;
  }

  /** Name of the type, for the documentation: {@code int}, {@code enum}. */
  public String type() {
    return type;
  }

  /** The value when nobody sets one. */
  public T defaultValue() {
    return defaultValue;
  }

  /** {@link #defaultValue()} as a user writes it. */
  public String defaultText() {
    return text(defaultValue);
  }

  /** A value as a user writes it. */
  public String text(T value) {
    return writer.apply(value);
  }

  /** What the key does. */
  public String doc() {
    return doc;
  }

  /** First version that has the key. */
  public String since() {
    return since;
  }

  /** The valid values, in words. */
  public String validValues() {
    return validValues;
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

  /** Collects what every entry has; the last call fixes the type. */
  static final class Builder {
    private final String key;
    private String doc;
    private String since;

    private Builder(String key) {
      this.key = GpuGraphConf.PREFIX + key;
    }

    Builder doc(String text) {
      this.doc = text;
      return this;
    }

    Builder since(String version) {
      this.since = version;
      return this;
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
      return new ConfigEntry<>(
          this,
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

    /** An integer of {@code [min, max]}. */
    ConfigEntry<Integer> intBetween(int min, int max, int defaultValue) {
      return new ConfigEntry<>(
          this,
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
      return new ConfigEntry<>(
          this,
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

    /** Any integer of 64 bits. */
    ConfigEntry<Long> anyLong(long defaultValue) {
      return new ConfigEntry<>(
          this, "long", defaultValue, "any integer of 64 bits", Long::parseLong, String::valueOf);
    }

    /** A number of bytes, as Spark writes them: {@code 512m}, {@code 2g}; a bare number: bytes. */
    ConfigEntry<Long> bytes(long min, String defaultValue) {
      return new ConfigEntry<>(
          this,
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
      return new ConfigEntry<>(
          this,
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
