package org.sparkgpugraph.program.ir;

/**
 * Binary operations, with Java's semantics: int and long wrap, shift counts (always INT) are
 * masked, MIN_VALUE / −1 wraps. DIVIDE and REMAINDER of integers are never reached with a zero
 * divisor: the lifter puts a {@link Insn.Branch} and a {@link Insn.Fail} before them.
 */
public enum BinaryOp {
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  REMAINDER,
  AND,
  OR,
  XOR,
  SHIFT_LEFT,
  SHIFT_RIGHT,
  SHIFT_RIGHT_UNSIGNED,
  /** −1, 0 or 1 as an INT. COMPARE_L gives −1 for NaN (lcmp, fcmpl, dcmpl), COMPARE_G gives 1. */
  COMPARE_L,
  COMPARE_G
}
