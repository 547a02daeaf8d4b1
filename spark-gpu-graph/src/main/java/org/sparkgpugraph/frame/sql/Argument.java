package org.sparkgpugraph.frame.sql;

/**
 * A constant that a call gives a parameter.
 *
 * @param value as Spark gives it in rows, arrays as a {@link java.util.List}; never null
 * @param type of SQL, as in {@code bigint}
 */
public record Argument(Object value, String type) {

  /** As a message shows it: {@code 'ten' of type string}. */
  @Override
  public String toString() {
    return (value instanceof String ? "'" + value + "'" : value) + " of type " + type;
  }
}
