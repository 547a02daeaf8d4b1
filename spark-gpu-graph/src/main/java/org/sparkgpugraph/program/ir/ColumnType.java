package org.sparkgpugraph.program.ir;

import java.io.Serializable;

/**
 * What a column has in each row: a number ({@link Kind}), or an array of numbers ({@link
 * ArrayType}), whose rows stand one behind the other.
 */
public sealed interface ColumnType extends Serializable permits Kind, ArrayType {

  /** The kind of the number, or of the elements. */
  Kind kind();

  /** Numbers in a row: 1, or the length of the array. */
  int width();

  /** Bytes that one row takes, on the host and on a device. */
  int bytes();

  /** Whether rows are arrays; one of length 1 is an array, too. */
  default boolean isArray() {
    return this instanceof ArrayType;
  }
}
