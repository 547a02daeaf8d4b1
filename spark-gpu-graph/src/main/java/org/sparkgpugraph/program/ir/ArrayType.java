package org.sparkgpugraph.program.ir;

/**
 * A column of arrays of one length: element i of row v is the number at {@code v * length + i}.
 *
 * @param kind of the elements
 * @param length elements of each row, at least 1
 */
public record ArrayType(Kind kind, int length) implements ColumnType {
  public ArrayType {
    if (length < 1) {
      throw new IllegalArgumentException("an array of length " + length);
    }
  }

  @Override
  public int width() {
    return length;
  }

  @Override
  public int bytes() {
    return kind.bytes() * length;
  }

  @Override
  public String toString() {
    return kind + "[" + length + "]";
  }
}
