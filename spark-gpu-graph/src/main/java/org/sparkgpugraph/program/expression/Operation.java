package org.sparkgpugraph.program.expression;

import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.UnaryOp;

/** What makes the value of an {@link Expression} of those of its operands. */
public sealed interface Operation {
  /** A column of a parameter. */
  record Input(Role role, int index) implements Operation {}

  /** A constant, as a box. */
  record Constant(Object value) implements Operation {}

  /** A unary operation. */
  record Unary(UnaryOp op) implements Operation {}

  /** A binary operation. */
  record Binary(BinaryOp op) implements Operation {}

  /** A library function. */
  record Call(Intrinsic function) implements Operation {}

  /** The element of a table that the operand is the index of. */
  record Load(int table, Kind kind) implements Operation {}

  /** An array of so many elements, all of them the operand. */
  record Filled(int length) implements Operation {}

  /** The element of the first operand, an array, that the second is the index of. */
  record Element() implements Operation {}

  /** The first operand with the third at the index that the second is. */
  record With() implements Operation {}

  /** Whether a condition holds between the two operands; kind BOOLEAN. */
  record Compare(Condition condition) implements Operation {}

  /** The second operand when the first (a {@link Compare}) holds, else the third. */
  record Choose() implements Operation {}

  /**
   * The operation of an instruction that computes its target of what it reads.
   *
   * @throws IllegalArgumentException when it is no such instruction; copies are none
   */
  static Operation of(Insn insn) {
    if (insn instanceof Insn.Constant constant) {
      return new Constant(constant.value());
    } else if (insn instanceof Insn.Unary unary) {
      return new Unary(unary.op());
    } else if (insn instanceof Insn.Binary binary) {
      return new Binary(binary.op());
    } else if (insn instanceof Insn.Call call) {
      return new Call(call.function());
    } else if (insn instanceof Insn.Load load) {
      return new Load(load.table(), load.kind());
    } else if (insn instanceof Insn.Filled filled) {
      return new Filled(filled.length());
    } else if (insn instanceof Insn.Element) {
      return new Element();
    } else if (insn instanceof Insn.With) {
      return new With();
    }
    throw new IllegalArgumentException("computes nothing: " + insn);
  }
}
