package org.sparkgpugraph.program.ir;

import java.io.Serializable;

/**
 * A parameter of a function. A function lists only the parameters that it reads.
 *
 * @param role what it stands for
 * @param index column, aggregate or capture index within the role; 0 for roles without one
 * @param variable the variable that holds it on entry
 * @param length number of elements of an array; 0: it is a number
 */
public record Param(Role role, int index, int variable, int length) implements Serializable {
  /** A number. */
  public Param(Role role, int index, int variable) {
    this(role, index, variable, 0);
  }

  /** The same in another variable. */
  public Param in(int other) {
    return new Param(role, index, other, length);
  }

  /**
   * What it holds.
   *
   * @param kind of its variable
   */
  public ColumnType type(Kind kind) {
    return length == 0 ? kind : new ArrayType(kind, length);
  }

  /** The length of a parameter of a type; 0: a number. */
  public static int length(ColumnType type) {
    return type.isArray() ? type.width() : 0;
  }
}
