package org.sparkgpugraph.frame.pregel;

import java.util.List;
import org.sparkgpugraph.program.ir.Kind;

/**
 * What a column expression is in the code of a program: variables, and whether there is a value.
 * SQL's null is a cell that is not valid; its variables hold anything then.
 */
sealed interface Cell {
  /** {@link #valid()} of a cell that is never null. */
  int ALWAYS = -1;

  /** {@link #valid()} of a cell that is always null. */
  int NEVER = -2;

  /** {@link #ALWAYS}, {@link #NEVER}, or a variable that is 1 where there is a value, else 0. */
  int valid();

  /** The same value, valid elsewhere. */
  Cell valid(int other);

  /** A number or truth value. Truth values are 0 or 1 in a variable of kind INT or BOOLEAN. */
  record Scalar(Kind kind, int variable, int valid) implements Cell {
    @Override
    public Scalar valid(int other) {
      return new Scalar(kind, variable, other);
    }
  }

  /** A column that no program computes with, in the place of its cell. */
  record Absent(String why) implements Cell {
    @Override
    public int valid() {
      return ALWAYS;
    }

    @Override
    public Absent valid(int other) {
      return this;
    }
  }

  /** A struct, field by field. */
  record Struct(List<Cell> fields, int valid) implements Cell {
    public Struct {
      fields = List.copyOf(fields);
    }

    @Override
    public Struct valid(int other) {
      return new Struct(fields, other);
    }
  }
}
