package org.sparkgpugraph.frame.sql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a parameter takes.
 *
 * @param text in messages and descriptions: "an integer"
 * @param convert of a constant; empty if it is none of these
 * @param <T> what it becomes
 */
public record ArgumentKind<T>(String text, Function<Object, Optional<T>> convert) {
  /** An integer of 32 bits. */
  public static final ArgumentKind<Integer> INT =
      new ArgumentKind<>(
          "an integer",
          value -> integer(value).filter(n -> n.bitLength() < 32).map(BigInteger::intValue));

  /** An integer of 64 bits. */
  public static final ArgumentKind<Long> LONG =
      new ArgumentKind<>(
          "an integer",
          value -> integer(value).filter(n -> n.bitLength() < 64).map(BigInteger::longValue));

  /** A number. */
  public static final ArgumentKind<Double> DOUBLE =
      new ArgumentKind<>(
          "a number",
          value ->
              value instanceof Number number
                  ? Optional.of(number.doubleValue())
                  : Optional.empty());

  /** True or false. */
  public static final ArgumentKind<Boolean> BOOLEAN =
      new ArgumentKind<>(
          "true or false",
          value -> value instanceof Boolean is ? Optional.of(is) : Optional.empty());

  /** A column by its name. */
  public static final ArgumentKind<String> COLUMN =
      new ArgumentKind<>(
          "the name of a column",
          value -> value instanceof String name ? Optional.of(name) : Optional.empty());

  /** A vertex by its id, of any type but an array. */
  public static final ArgumentKind<Object> ID =
      new ArgumentKind<>(
          "the id of a vertex",
          value -> value instanceof List ? Optional.empty() : Optional.of(value));

  /** Vertices by their ids. */
  public static final ArgumentKind<List<?>> IDS =
      new ArgumentKind<>(
          "an array of ids of vertices",
          value -> value instanceof List<?> ids ? Optional.of(ids) : Optional.empty());

  /** Decimals without a fraction are integers, too: SQL writes 10000000000000000000 so. */
  private static Optional<BigInteger> integer(Object value) {
    if (value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long) {
      return Optional.of(BigInteger.valueOf(((Number) value).longValue()));
    }
    return value instanceof BigDecimal decimal && decimal.scale() <= 0
        ? Optional.of(decimal.toBigInteger())
        : Optional.empty();
  }
}
