package org.sparkgpugraph.program.ir;

/** The primitive kinds of which every value is made: a value is a row of primitive columns. */
public enum Kind implements ColumnType {
  BOOLEAN(1, boolean.class, Boolean.class),
  INT(4, int.class, Integer.class),
  LONG(8, long.class, Long.class),
  FLOAT(4, float.class, Float.class),
  DOUBLE(8, double.class, Double.class);

  private final int bytes;
  private final Class<?> primitive;
  private final Class<?> box;

  Kind(int bytes, Class<?> primitive, Class<?> box) {
    this.bytes = bytes;
    this.primitive = primitive;
    this.box = box;
  }

  @Override
  public Kind kind() {
    return this;
  }

  @Override
  public int width() {
    return 1;
  }

  /** Bytes that one value takes in a column, on the host and on a device. */
  @Override
  public int bytes() {
    return bytes;
  }

  /** The Java primitive class, for example {@code int.class}. */
  public Class<?> primitive() {
    return primitive;
  }

  /** The Java box class, for example {@code Integer.class}. */
  public Class<?> box() {
    return box;
  }

  /** The value 0 of this kind as constants have it: of a BOOLEAN an Integer. */
  public Object zero() {
    return switch (this) {
      case BOOLEAN, INT -> 0;
      case LONG -> 0L;
      case FLOAT -> 0f;
      case DOUBLE -> 0.0;
    };
  }

  /** Whether values are integers of two's complement arithmetic (BOOLEAN counts: it is 0 or 1). */
  public boolean isIntegral() {
    return this == BOOLEAN || this == INT || this == LONG;
  }

  /**
   * The kind of a box or primitive class.
   *
   * @return the kind, or null when {@code type} is neither
   */
  public static Kind of(Class<?> type) {
    for (Kind kind : values()) {
      if (kind.primitive == type || kind.box == type) {
        return kind;
      }
    }
    return null;
  }
}
