package org.sparkgpugraph.program.hoist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.program.TableShape;
import org.sparkgpugraph.program.cuda.RandomIr;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.hoist.EndValues.OfEnd;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.IrOracle;
import org.sparkgpugraph.program.ir.IrPrinter;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.jvm.FunctionCompiler;
import org.sparkgpugraph.program.lift.RandomFunctions;
import org.sparkgpugraph.program.lift.RandomValues;

/**
 * Any set of values that could have hidden columns, whether it pays or not: the send function that
 * reads the columns sends and faults as the original does, to the bit, and what computes the
 * columns never fails.
 */
@Tag("any-spark")
class RewrittenSendTest {
  private static final int CASES = 25;

  /** Of random code; the captured value 0 is their length. */
  private static final List<TableShape> TABLES =
      Stream.of(Kind.values()).map(kind -> new TableShape(kind, 0)).toList();

  @TempDir Path directory;

  /** How much was tried, so that the test cannot pass because nothing was found. */
  private int columnsTried;

  private int chosenTried;

  private int loadsTried;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomCodeSendsTheSame(long seed) {
    Random random = new Random(seed);
    for (int f = 0; f < 300; f++) {
      IrFunction send = RandomIr.sending(random, "send" + f);
      check(send, RandomIr.COLUMNS, TABLES, List.of(RandomIr.TABLE_LENGTH), random);
    }
    assertThat(columnsTried).isGreaterThan(300);
    assertThat(loadsTried).isGreaterThan(30);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void randomJavaSendsTheSame(long seed) throws Exception {
    Random random = new Random(seed);
    for (RandomFunctions.Lifted lifted : RandomFunctions.of(directory, 120, seed)) {
      check(
          sending(lifted.function()),
          RandomFunctions.COLUMNS,
          List.of(),
          lifted.captures(),
          random);
    }
    assertThat(columnsTried).isGreaterThan(200);
    assertThat(chosenTried).isGreaterThan(20);
  }

  /** The function of two values as one that sends what it returned. */
  private static IrFunction sending(IrFunction function) {
    List<Param> parameters = new ArrayList<>();
    for (Param p : function.parameters()) {
      Role role =
          switch (p.role()) {
            case ID -> Role.SOURCE_ID;
            case LEFT -> Role.SOURCE;
            case RIGHT -> Role.DESTINATION;
            default -> p.role();
          };
      parameters.add(new Param(role, p.index(), p.variable()));
    }
    List<Insn> code = new ArrayList<>();
    for (Insn insn : function.code()) {
      if (insn instanceof Insn.Return leave) {
        code.add(new Insn.Emit(Side.DESTINATION, leave.values(), leave.where()));
        code.add(new Insn.Return(List.of(), leave.where()));
      } else {
        code.add(insn);
      }
    }
    return new IrFunction(
        "send", parameters, List.of(), function.variables(), function.labels(), code);
  }

  private void check(
      IrFunction send,
      List<Kind> state,
      List<TableShape> tables,
      List<Object> captures,
      Random random) {
    EndValues values = new EndValues(send, ExpressionPool.ordered());
    Set<Expression> all = new LinkedHashSet<>();
    for (Insn insn : send.code()) {
      add(insn.target() < 0 ? null : values.of(insn.target()), all);
      add(insn instanceof Insn.Branch branch ? values.of(branch) : null, all);
    }
    List<Expression> hidden = all.stream().filter(v -> random.nextInt(3) > 0).toList();
    columnsTried += hidden.size();
    chosenTried +=
        (int) hidden.stream().filter(v -> v.operation() instanceof Operation.Choose).count();
    loadsTried +=
        (int) hidden.stream().filter(v -> v.operation() instanceof Operation.Load).count();
    Map<Expression, Integer> columns = new HashMap<>();
    List<Kind> kinds = new ArrayList<>(state);
    for (Expression value : hidden) {
      columns.put(value, kinds.size());
      kinds.add(value.columnKind());
    }
    IrFunction rewritten = SendRewriter.rewrite(send, values, columns);
    IrFunction vertex =
        VertexRewriter.ofAttribute(tables, List.copyOf(state), hidden, List.copyOf(kinds));
    String text = IrPrinter.print(send) + IrPrinter.print(rewritten) + IrPrinter.print(vertex);
    // Malformed code would not compile.
    FunctionCompiler.compile(rewritten);
    FunctionCompiler.compile(vertex);
    for (int i = 0; i < CASES; i++) {
      List<Object> source = RandomValues.random(state, random);
      List<Object> destination = RandomValues.random(state, random);
      List<Object> edge = RandomValues.random(state, random);
      List<Object> sourceColumns = columns(vertex, source, 7L, captures, text);
      List<Object> destinationColumns = columns(vertex, destination, 8L, captures, text);
      String context = text + source + " to " + destination;
      assertThat(run(rewritten, sourceColumns, destinationColumns, edge, captures))
          .as(context)
          .isEqualTo(run(send, source, destination, edge, captures));
    }
  }

  private static void add(OfEnd value, Set<Expression> to) {
    if (value != null && value.end() != null && !value.value().isLeaf()) {
      to.add(value.value());
    }
  }

  private static List<Object> columns(
      IrFunction vertex, List<Object> value, long id, List<Object> captures, String text) {
    IrOracle.Outcome outcome =
        IrOracle.run(
            vertex,
            (role, index) ->
                switch (role) {
                  case ATTRIBUTE -> value.get(index);
                  case ID -> id;
                  case CAPTURE -> captures.get(index);
                  default -> throw new AssertionError(role);
                },
            RandomIr.TABLES);
    assertThat(outcome.fault()).as(text).isNull();
    return outcome.values();
  }

  private static String run(
      IrFunction send,
      List<Object> source,
      List<Object> destination,
      List<Object> edge,
      List<Object> captures) {
    IrOracle.Outcome outcome =
        IrOracle.run(
            send,
            (role, index) ->
                switch (role) {
                  case SOURCE -> source.get(index);
                  case DESTINATION -> destination.get(index);
                  case EDGE -> edge.get(index);
                  case SOURCE_ID -> 7L;
                  case DESTINATION_ID -> 8L;
                  case CAPTURE -> captures.get(index);
                  default -> throw new AssertionError(role);
                },
            RandomIr.TABLES);
    return outcome.sent().stream()
            .map(s -> s.side() + " " + s.message().stream().map(RewrittenSendTest::bits).toList())
            .collect(Collectors.joining("; "))
        + (outcome.fault() == null ? "" : " " + outcome.fault());
  }

  private static Object bits(Object value) {
    if (value instanceof Float f) {
      return "float " + Float.floatToIntBits(f);
    }
    if (value instanceof Double d) {
      return "double " + Double.doubleToLongBits(d);
    }
    return value;
  }

  @Test
  void aDivisionByZeroGivesZeroWhereItIsNotUsed() {
    ExpressionPool pool = ExpressionPool.ordered();
    SourcePosition where = SourcePosition.NONE;
    Expression a = pool.make(new Operation.Input(Role.VALUE, 0), Kind.INT, where, List.of());
    Expression b = pool.make(new Operation.Input(Role.VALUE, 1), Kind.INT, where, List.of());
    for (var op : List.of(BinaryOp.DIVIDE, BinaryOp.REMAINDER)) {
      Expression quotient = pool.make(new Operation.Binary(op), Kind.INT, where, List.of(a, b));
      List<ColumnType> state = List.of(Kind.INT, Kind.INT);
      IrFunction vertex =
          VertexRewriter.ofAttribute(
              List.of(), state, List.of(quotient), List.of(Kind.INT, Kind.INT, Kind.INT));
      assertThat(FunctionCompiler.compile(vertex).call(arguments(vertex, 17, 0))[2]).isEqualTo(0);
      int expected = op == BinaryOp.DIVIDE ? 17 / 5 : 17 % 5;
      assertThat(FunctionCompiler.compile(vertex).call(arguments(vertex, 17, 5))[2])
          .isEqualTo(expected);
    }
  }

  private static Object[] arguments(IrFunction function, int... attribute) {
    return function.parameters().stream().map(p -> (Object) attribute[p.index()]).toArray();
  }
}
