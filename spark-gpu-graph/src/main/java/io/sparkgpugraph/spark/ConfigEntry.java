package io.sparkgpugraph.spark;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  private ConfigEntry(
      Builder builder,
      String type,
      T defaultValue,
      String validValues,
      Function<String, T> parser) {
    this.key = builder.key;
    this.type = type;
    this.defaultValue = defaultValue;
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

  private static String text(Object value) {
    return value instanceof Enum<?> constant ? lower(constant) : String.valueOf(value);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
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

    /** One of the constants of an enum, in any case. */
    <E extends Enum<E>> ConfigEntry<E> oneOf(Class<E> type, E defaultValue) {
      String valid =
          Stream.of(type.getEnumConstants())
              .map(constant -> "`" + lower(constant) + "`")
              .collect(Collectors.joining(", "));
      return new ConfigEntry<>(
          this,
          "enum",
          defaultValue,
          "one of " + valid,
          value -> Enum.valueOf(type, value.toUpperCase(Locale.ROOT)));
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
          });
    }
  }
}
