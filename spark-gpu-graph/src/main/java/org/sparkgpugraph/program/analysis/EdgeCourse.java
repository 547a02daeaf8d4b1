package org.sparkgpugraph.program.analysis;

import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * Which way messages go with the edge value that they depend on ({@link ImprovingSends}): of a
 * sender of whatever value, none is less (or none is larger) over a larger edge value. Messages are
 * floating point, which rounds monotonically; integers may overflow.
 */
public enum EdgeCourse {
  /** The larger the edge value, the larger the message, or it stays the same. */
  RISES,
  /** The larger the edge value, the smaller the message, or it stays the same. */
  FALLS;

  /** The course of a program's messages, where it is known and the same for all of them. */
  public static Optional<EdgeCourse> of(LiftedProgram program) {
    boolean reads =
        ImprovingSends.of(program)
            .filter(sends -> sends.readsEdge() && sends.wraps() == ImprovingSends.Wraps.NEVER)
            .isPresent();
    if (!reads || !isFloating(program.message().columns().get(0).kind())) {
      return Optional.empty();
    }
    List<SendRule> rules = SendRule.of(Path.of(program.send(), ExpressionPool.commuting()));
    EdgeCourse all = null;
    for (SendRule rule : rules) {
      Expression message = rule.message().get(0);
      if (message.reads(Role.EDGE)) {
        EdgeCourse one = of(message);
        if (one == null || all != null && all != one) {
          return Optional.empty();
        }
        all = one;
      }
    }
    return Optional.ofNullable(all);
  }

  private static boolean isFloating(Kind kind) {
    return kind == Kind.FLOAT || kind == Kind.DOUBLE;
  }

  /**
   * By operations each of which goes one way, one upon the other; null when one is not known to.
   */
  private static EdgeCourse of(Expression message) {
    if (message.operation() instanceof Operation.Input) {
      return RISES;
    }
    List<Expression> varying =
        message.operands().stream().filter(operand -> operand.reads(Role.EDGE)).toList();
    EdgeCourse before = varying.size() == 1 ? of(varying.get(0)) : null;
    if (before == null) {
      return null;
    }
    boolean converts =
        message.operation() instanceof Operation.Unary unary && unary.op() == UnaryOp.CONVERT;
    if (message.is(Intrinsic.MIN)
        || message.is(Intrinsic.MAX)
        || message.is(BinaryOp.ADD)
        || converts && isFloating(message.kind())) {
      return before;
    }
    if (message.is(BinaryOp.SUBTRACT)) {
      return message.operand(0) == varying.get(0) ? before : before.turned();
    }
    boolean negates =
        message.operation() instanceof Operation.Unary unary && unary.op() == UnaryOp.NEGATE;
    return negates && isFloating(message.kind()) ? before.turned() : null;
  }

  private EdgeCourse turned() {
    return this == RISES ? FALLS : RISES;
  }
}
