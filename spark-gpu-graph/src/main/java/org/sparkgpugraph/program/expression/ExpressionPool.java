package org.sparkgpugraph.program.expression;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.SourcePosition;

/** Makes expressions, one object for all that are equal. */
public final class ExpressionPool {
  private static final Set<Operation> COMMUTATIVE =
      Set.of(
          new Operation.Binary(BinaryOp.ADD),
          new Operation.Binary(BinaryOp.MULTIPLY),
          new Operation.Binary(BinaryOp.AND),
          new Operation.Binary(BinaryOp.OR),
          new Operation.Binary(BinaryOp.XOR),
          new Operation.Call(Intrinsic.MIN),
          new Operation.Call(Intrinsic.MAX),
          new Operation.Call(Intrinsic.LEAST));

  private record Key(Operation operation, Kind kind, List<Integer> operands) {}

  private final boolean commutes;
  private final Map<Key, Expression> known = new HashMap<>();

  private ExpressionPool(boolean commutes) {
    this.commutes = commutes;
  }

  /** For expressions that are compared: {@code a + b} and {@code b + a} are one. */
  public static ExpressionPool commuting() {
    return new ExpressionPool(true);
  }

  /**
   * For expressions of which code is made again: operands stay in the order of the code, so that
   * even the bits of a NaN come out as they would have.
   */
  public static ExpressionPool ordered() {
    return new ExpressionPool(false);
  }

  /**
   * The expression of an operation.
   *
   * @param where in the user's source; of equal expressions the first one's counts
   */
  public Expression make(
      Operation operation, Kind kind, SourcePosition where, List<Expression> operands) {
    List<Expression> ordered =
        commutes && COMMUTATIVE.contains(operation)
            ? operands.stream().sorted(Comparator.comparingInt(Expression::id)).toList()
            : List.copyOf(operands);
    Key key = new Key(operation, kind, ordered.stream().map(Expression::id).toList());
    return known.computeIfAbsent(
        key, k -> new Expression(known.size(), operation, kind, ordered, where));
  }

  /** The same of an operation that stands nowhere in the user's source. */
  public Expression make(Operation operation, Kind kind, Expression... operands) {
    return make(operation, kind, SourcePosition.NONE, List.of(operands));
  }

  /** Column {@code index} of a role. */
  public Expression input(Role role, int index, Kind kind) {
    return make(new Operation.Input(role, index), kind);
  }

  /** A constant, as a box. */
  public Expression constant(Object value) {
    return make(new Operation.Constant(value), Kind.of(value.getClass()));
  }
}
