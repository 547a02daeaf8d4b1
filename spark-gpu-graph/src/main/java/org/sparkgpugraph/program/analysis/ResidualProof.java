package org.sparkgpugraph.program.analysis;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.expression.Comparison;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * Decides whether a program spreads {@link Residuals}. Everything that is not understood is a
 * reason against.
 *
 * <p>A way through the vertex program that is only taken by a delta of plus or minus infinity is
 * left out: by that a program tells superstep 0 (GraphX's personalised PageRank), which runs as
 * ever; later deltas are differences of finite values.
 */
public final class ResidualProof {
  private static final Set<Role> CONSTANT = Set.of(Role.CAPTURE, Role.VERTEX_COUNT);

  private static final Set<Role> OF_EDGE =
      Set.of(Role.CAPTURE, Role.VERTEX_COUNT, Role.EDGE, Role.SOURCE_ID, Role.DESTINATION_ID);

  /** What was found, or why not. */
  private record Finding(Residuals residuals, String obstacle) {}

  /** Ends the proof. */
  private static final class Refuted extends Exception {
    private static final long serialVersionUID = 1L;

    Refuted(String why) {
      super(why, null, false, false);
    }
  }

  private final LiftedProgram program;
  private final boolean[] stable;
  private final ExpressionPool pool = ExpressionPool.commuting();
  private Kind kind;
  private Role sender;
  private int delta;
  private int value = -1;
  private boolean rounded;
  private boolean absolute;
  private Expression tolerance;

  private ResidualProof(LiftedProgram program) {
    this.program = program;
    stable = StableColumns.of(program.vertexProgram(), program.state().columns().size());
  }

  /** What is proved of a program; empty where something is in the way. */
  public static Optional<Residuals> of(LiftedProgram program) {
    return Optional.ofNullable(find(program).residuals());
  }

  /** Why a program is not known to spread residuals; empty where it is. */
  public static Optional<String> obstacle(LiftedProgram program) {
    return Optional.ofNullable(find(program).obstacle());
  }

  private static Finding find(LiftedProgram program) {
    try {
      return new Finding(new ResidualProof(program).prove(), null);
    } catch (Refuted e) {
      return new Finding(null, e.getMessage());
    }
  }

  private Residuals prove() throws Refuted {
    List<ColumnType> message = program.message().columns();
    if (!program.traits().merge().equals(List.of(MergeAlgebra.SUM))
        || message.get(0).isArray()
        || message.get(0).kind().isIntegral()) {
      throw new Refuted("messages are not sums of one floating-point number");
    }
    if (program.activeWhen() != null || !program.aggregates().isEmpty()) {
      throw new Refuted("activeWhen or aggregates look at single supersteps");
    }
    if (program.traits().sendsToSource() == program.traits().sendsToDestination()) {
      throw new Refuted("messages do not go to one end of the edges");
    }
    kind = message.get(0).kind();
    Side receivers = program.traits().sendsToDestination() ? Side.DESTINATION : Side.SOURCE;
    sender = receivers == Side.DESTINATION ? Role.SOURCE : Role.DESTINATION;
    findColumns();
    List<Path> sends = paths(program.send().code().size(), Path.of(program.send(), pool));
    for (Path path : sends) {
      send(path);
    }
    if (tolerance == null) {
      throw new Refuted("nothing is sent");
    }
    vertexProgram();
    Operation.Input captured = tolerance.input(Role.CAPTURE);
    return new Residuals(
        value,
        delta,
        kind,
        rounded,
        absolute,
        receivers,
        captured == null ? -1 : captured.index(),
        tolerance.constant());
  }

  /** The columns that change: one is sent, the other one is the value. */
  private void findColumns() throws Refuted {
    TreeSet<Integer> sent = new TreeSet<>();
    for (Param p : program.send().parameters()) {
      if ((p.role() == Role.SOURCE || p.role() == Role.DESTINATION) && !stable[p.index()]) {
        if (p.role() != sender) {
          throw new Refuted("a message reads what changes of its receiver");
        }
        sent.add(p.index());
      }
    }
    if (sent.size() != 1) {
      throw new Refuted("a message does not read one number of its sender that changes");
    }
    delta = sent.first();
    for (int c = 0; c < stable.length; c++) {
      if (program.state().columns().get(c).isArray()) {
        throw new Refuted("values have arrays");
      }
      if (!stable[c] && c != delta) {
        if (value >= 0) {
          throw new Refuted("more of a vertex changes than a value and what it grew by");
        }
        value = c;
      }
    }
    if (value < 0) {
      throw new Refuted("no value grows by what is sent");
    }
    if (program.state().columns().get(value) != kind
        || program.state().columns().get(delta) != kind) {
      throw new Refuted("value, what it grew by and message are not of one kind");
    }
  }

  private static List<Path> paths(int size, List<Path> paths) throws Refuted {
    if (paths == null) {
      throw new Refuted(
          "a function has a loop or too many ways through its " + size + " instructions");
    }
    if (paths.stream().anyMatch(path -> path.results() == null)) {
      throw new Refuted("a function may stop the program");
    }
    return paths;
  }

  private void send(Path path) throws Refuted {
    if (path.sent().isEmpty()) {
      return;
    }
    if (path.sent().size() > 1) {
      throw new Refuted("an edge sends several messages");
    }
    Expression input = pool.input(sender, delta, kind);
    Path.Sent sent = path.sent().get(0);
    if (!isMultiple(sent.message().get(0), input, this::isOfEdge)) {
      throw new Refuted("a message is not what its sender grew by, times what stays");
    }
    Expression bound = null;
    boolean size = false;
    for (Comparison condition : path.conditions().subList(0, sent.conditions())) {
      if (isOfEdge(condition.left()) && isOfEdge(condition.right())) {
        continue;
      }
      boolean left = isConstant(condition.right());
      Expression tested = left ? condition.left() : condition.right();
      Expression limit = left ? condition.right() : condition.left();
      Condition is = condition.between(tested, limit);
      Expression held = widened(tested);
      boolean abs = held.is(Intrinsic.ABS);
      Expression number = abs ? widened(held.operand(0)) : held;
      if (bound != null
          || is != Condition.GT
          || number != input
          || limit.constant() == null && limit.input(Role.CAPTURE) == null) {
        throw new Refuted(
            "what is sent is not just held against a tolerance (delta > tolerance, or its size)");
      }
      bound = limit;
      size = abs;
    }
    if (bound == null) {
      throw new Refuted("messages are sent however small they are");
    }
    if (tolerance != null && (tolerance != bound || absolute != size)) {
      throw new Refuted("what is sent is held against several tolerances");
    }
    tolerance = bound;
    absolute = size;
  }

  /** What a number is made of that is only widened. */
  private Expression widened(Expression number) {
    boolean wider =
        number.operation() instanceof Operation.Unary unary
            && unary.op() == UnaryOp.CONVERT
            && number.kind() == Kind.DOUBLE;
    return wider ? number.operand(0) : number;
  }

  private void vertexProgram() throws Refuted {
    Expression old = pool.input(Role.VALUE, value, kind);
    List<Expression> results = null;
    for (Path path :
        paths(program.vertexProgram().code().size(), Path.of(program.vertexProgram(), pool))) {
      if (path.conditions().stream().anyMatch(this::isOfTheStart)) {
        continue;
      }
      if (results != null && !Objects.equals(results, path.results())) {
        throw new Refuted("what a vertex makes of a sum depends on more than that");
      }
      results = path.results();
    }
    if (results == null) {
      throw new Refuted("the vertex program has no way through");
    }
    Expression grown = results.get(value);
    Expression increment =
        !grown.is(BinaryOp.ADD)
            ? null
            : grown.operand(0) == old
                ? grown.operand(1)
                : grown.operand(1) == old ? grown.operand(0) : null;
    Expression message = pool.input(Role.MESSAGE, 0, kind);
    if (increment == null || !isMultiple(increment, message, ResidualProof::isConstant)) {
      throw new Refuted("a value does not grow by a constant multiple of the sum");
    }
    Expression change = results.get(delta);
    rounded =
        change.is(BinaryOp.SUBTRACT) && change.operand(0) == grown && change.operand(1) == old;
    if (!rounded && change != increment) {
      throw new Refuted("what is sent is not what the value grew by");
    }
  }

  /** Whether only an infinite delta, which is one that no vertex program made, goes this way. */
  private boolean isOfTheStart(Comparison condition) {
    Expression last = pool.input(Role.VALUE, delta, kind);
    Expression other = condition.left() == last ? condition.right() : condition.left();
    return condition.between(last, other) == Condition.EQ
        && other.constant() instanceof Number number
        && Double.isInfinite(number.doubleValue());
  }

  private static boolean isConstant(Expression expression) {
    return expression.readsOnly(CONSTANT);
  }

  /** Whether it is the same whenever the edge is evaluated. */
  private boolean isOfEdge(Expression expression) {
    return expression.inputs().stream()
        .allMatch(
            input ->
                OF_EDGE.contains(input.role())
                    || (input.role() == Role.SOURCE || input.role() == Role.DESTINATION)
                        && stable[input.index()]);
  }

  /** A predicate of an expression. */
  private interface Stays {
    boolean test(Expression expression);
  }

  /** Whether an expression is an input, times and through what stays, all of one kind. */
  private boolean isMultiple(Expression expression, Expression input, Stays stays) {
    Expression rest = expression;
    while (rest != input) {
      if (rest.kind() != kind) {
        return false;
      }
      boolean product = rest.is(BinaryOp.MULTIPLY);
      if ((product || rest.is(BinaryOp.DIVIDE)) && stays.test(rest.operand(1))) {
        rest = rest.operand(0);
      } else if (product && stays.test(rest.operand(0))) {
        rest = rest.operand(1);
      } else {
        return false;
      }
    }
    return true;
  }
}
