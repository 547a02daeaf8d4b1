package org.sparkgpugraph.program.ir;

/** Unary operations, with Java's semantics (saturating float→int casts, NaN→0). */
public enum UnaryOp {
  /** Arithmetic negation; the kind is the operand's. */
  NEGATE,
  /** Conversion from the operand's kind to the target's kind (INT, LONG, FLOAT, DOUBLE). */
  CONVERT,
  /** INT → INT, sign- or zero-extended from the low bits (Java's i2b, i2s, i2c). */
  TO_BYTE,
  TO_SHORT,
  TO_CHAR
}
