package org.sparkgpugraph.program.analysis;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.expression.Comparison;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * A proof that a message is sent only when it improves its receiver's only column, and that it
 * depends on the sender's value and on one edge value at most, in which it is monotone. A vertex
 * whose messages would not improve the worst value of all, over its least edge value and over the
 * largest of all, then sends nothing, whoever its neighbours are and whatever its edges: most
 * vertices of a search before its first superstep.
 *
 * <p>Nothing needs to be monotone in the sender, whose value is known exactly: additions of
 * integers may overflow. In the edge value they may not; {@link Wraps} says how that is noticed.
 *
 * @param edgeColumn the edge value that messages depend on; −1: on none
 * @param wraps whether messages may overflow on the way from the least edge value to the largest
 */
public record ImprovingSends(int edgeColumn, Wraps wraps) {
  /** Where the sum of an integer and an edge value may overflow. */
  public enum Wraps {
    /** It does not. */
    NEVER,
    /** It did if the message of the largest edge value is less than that of the least. */
    UPWARDS,
    /** It did if the message of the largest edge value is larger than that of the least. */
    DOWNWARDS
  }

  private static final Set<Role> IDS = Set.of(Role.SOURCE_ID, Role.DESTINATION_ID);
  private static final ImprovingSends OF_SENDERS = new ImprovingSends(-1, Wraps.NEVER);

  /** Whether messages depend on an edge value. */
  public boolean readsEdge() {
    return edgeColumn >= 0;
  }

  /** The proof, if there is one. */
  public static Optional<ImprovingSends> of(LiftedProgram program) {
    List<MergeAlgebra> merge = program.traits().merge();
    List<ColumnType> state = program.state().columns();
    boolean ordered =
        merge.size() == 1
            && (merge.get(0) == MergeAlgebra.MIN || merge.get(0) == MergeAlgebra.MAX)
            && state.equals(program.message().columns())
            && !state.get(0).isArray();
    if (!ordered || IDS.stream().anyMatch(program.send()::reads)) {
      return Optional.empty();
    }
    List<Path> paths = Path.of(program.send(), ExpressionPool.commuting());
    if (paths == null || paths.stream().anyMatch(path -> path.results() == null)) {
      return Optional.empty();
    }
    List<SendRule> rules = SendRule.of(paths);
    return rules == null
        ? Optional.empty()
        : of(rules, new Guard(merge)).filter(proof -> proof.reads(program));
  }

  /** The proof for messages that depend on their sender's value alone, if there is one. */
  public static Optional<ImprovingSends> ofSendersAlone(LiftedProgram program) {
    return of(program).filter(sends -> !sends.readsEdge());
  }

  /** Whether the send function gets no other edge value, not even one that it does not use. */
  private boolean reads(LiftedProgram program) {
    return IntStream.range(0, program.edge().columns().size())
        .allMatch(c -> program.send().reads(Role.EDGE, c) == (c == edgeColumn));
  }

  private static Optional<ImprovingSends> of(List<SendRule> rules, Guard guard) {
    ImprovingSends all = OF_SENDERS;
    for (SendRule rule : rules) {
      ImprovingSends one = of(rule, guard);
      if (one == null
          || one.edgeColumn >= 0 && all.edgeColumn >= 0 && !one.equals(all)
          || one.wraps != Wraps.NEVER && !alone(rule.side(), rules)) {
        return Optional.empty();
      }
      all = one.edgeColumn >= 0 ? one : all;
    }
    return Optional.of(all);
  }

  /** Of several messages that are merged none shows that it has overflown. */
  private static boolean alone(Side side, List<SendRule> rules) {
    return rules.stream().filter(rule -> rule.side() == side).count() == 1;
  }

  private static ImprovingSends of(SendRule rule, Guard guard) {
    Expression message = rule.message().get(0);
    if (message.reads(rule.receiver()) || !guard.has(rule)) {
      return null;
    }
    for (Comparison condition : rule.conditions()) {
      boolean varies = reads(condition, rule.receiver()) || reads(condition, Role.EDGE);
      if (varies && !guard.implies(condition, rule)) {
        return null;
      }
    }
    Set<Integer> columns =
        message.inputs().stream()
            .filter(input -> input.role() == Role.EDGE)
            .map(Operation.Input::index)
            .collect(Collectors.toSet());
    if (columns.isEmpty()) {
      return OF_SENDERS;
    }
    Wraps wraps = columns.size() > 1 ? null : wraps(message);
    return wraps == null ? null : new ImprovingSends(columns.iterator().next(), wraps);
  }

  private static boolean reads(Comparison condition, Role role) {
    return condition.left().reads(role) || condition.right().reads(role);
  }

  /**
   * How an expression that reads the edge value is monotone in it: by operations each of which is,
   * one upon the other.
   *
   * @return null when that is not known
   */
  private static Wraps wraps(Expression of) {
    if (of.operation() instanceof Operation.Input) {
      return of.kind() == Kind.BOOLEAN ? null : Wraps.NEVER;
    }
    List<Expression> varying = of.operands().stream().filter(o -> o.reads(Role.EDGE)).toList();
    Wraps before = varying.size() == 1 ? wraps(varying.get(0)) : null;
    if (before == null) {
      return null;
    }
    boolean first = of.operand(0) == varying.get(0);
    if (of.kind().isIntegral()) {
      return integral(of, before, first);
    }
    boolean monotone =
        of.is(Intrinsic.MIN)
            || of.is(Intrinsic.MAX)
            || of.is(BinaryOp.ADD)
            || of.is(BinaryOp.SUBTRACT)
            || of.is(BinaryOp.MULTIPLY) && !overflowsBothWays(varying.get(0))
            || of.operation() instanceof Operation.Unary unary
                && (unary.op() == UnaryOp.CONVERT || unary.op() == UnaryOp.NEGATE);
    // What has overflown as an integer does not show any more behind other operations.
    return monotone && before == Wraps.NEVER ? before : null;
  }

  /**
   * Whether a number may be infinite over both the least and the largest edge value though it is
   * not over values between them: a product with zero is then none at both ends.
   */
  private static boolean overflowsBothWays(Expression of) {
    boolean narrows =
        of.operation() instanceof Operation.Unary unary
            && unary.op() == UnaryOp.CONVERT
            && of.operand(0).kind() == Kind.DOUBLE;
    return of.is(BinaryOp.MULTIPLY)
        || narrows
        || of.operands().stream()
            .anyMatch(operand -> operand.reads(Role.EDGE) && overflowsBothWays(operand));
  }

  private static Wraps integral(Expression of, Wraps before, boolean first) {
    if (of.is(BinaryOp.ADD) || of.is(BinaryOp.SUBTRACT)) {
      boolean falls = of.is(BinaryOp.SUBTRACT) && !first;
      return falls == (before == Wraps.DOWNWARDS) ? Wraps.UPWARDS : Wraps.DOWNWARDS;
    }
    boolean widens =
        of.operation() instanceof Operation.Unary unary
            && unary.op() == UnaryOp.CONVERT
            && of.operand(0).kind().isIntegral()
            && of.operand(0).kind().ordinal() < of.kind().ordinal();
    boolean kept = of.is(Intrinsic.MIN) || of.is(Intrinsic.MAX) || widens;
    return kept && before == Wraps.NEVER ? before : null;
  }
}
