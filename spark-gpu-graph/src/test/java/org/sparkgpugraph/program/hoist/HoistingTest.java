package org.sparkgpugraph.program.hoist;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;
import org.sparkgpugraph.testing.RandomPrograms;

/** What gets hidden columns and what does not. */
@Tag("any-spark")
class HoistingTest {
  record Page(double rank, double weight) {}

  record IntPage(double rank, int degree) {}

  record Fraction(int numerator, int denominator) {}

  record Floats(float a, float b) {}

  private static <S> LiftedProgram lift(
      StateFunction<Double, S> state,
      VertexProgram<S, Double> vertexProgram,
      SendMessage<S, Double, Double> send) {
    return ProgramLifter.lift(
            new SourceBuilder()
                .attribute(ValueType.of(Double.class))
                .edge(ValueType.of(Double.class))
                .message(ValueType.of(Double.class))
                .initialState(state)
                .vertexProgram(vertexProgram)
                .send(send)
                .merge((MergeMessage<Double>) Double::sum)
                .build())
        .program();
  }

  private static LiftedProgram page(SendMessage<Page, Double, Double> send) {
    return lift(
        (id, attribute, in, out) -> new Page(attribute, 1.0 / out),
        (id, page, sum) -> new Page(0.15 + 0.85 * sum, page.weight()),
        send);
  }

  private static LiftedProgram intPage(SendMessage<IntPage, Double, Double> send) {
    return lift(
        (id, attribute, in, out) -> new IntPage(attribute, out),
        (id, page, sum) -> new IntPage(0.15 + 0.85 * sum, page.degree()),
        send);
  }

  private static LiftedProgram fraction(SendMessage<Fraction, Double, Double> send) {
    return lift(
        (id, attribute, in, out) -> new Fraction((int) id, out),
        (id, f, sum) -> new Fraction(sum.intValue(), f.denominator()),
        send);
  }

  private static LiftedProgram scalar(SendMessage<Double, Double, Double> send) {
    return lift((id, attribute, in, out) -> attribute, (id, value, sum) -> sum, send);
  }

  private static LiftedProgram hoisted(LiftedProgram program) {
    return Hoisting.apply(program, false);
  }

  private static long count(IrFunction function, BinaryOp op) {
    return function.code().stream().filter(i -> i instanceof Insn.Binary b && b.op() == op).count();
  }

  private static void assertUntouched(LiftedProgram program) {
    assertThat(hoisted(program)).isSameAs(program);
  }

  private static int shippedBytes(LiftedProgram program) {
    return Arrays.stream(FunctionTraits.shippedColumns(program))
        .map(c -> program.state().columns().get(c).bytes())
        .sum();
  }

  @Test
  void aLookupThatNeedsOneEndBecomesAColumn() {
    scala.collection.mutable.HashSet<Long> closed = new scala.collection.mutable.HashSet<>();
    for (long id = 0; id < 1000; id++) {
      closed.add(id * 3);
    }
    LiftedProgram before =
        scalar(edge -> edge.sendToDst(closed.contains(edge.srcId()) ? 0.5 : edge.srcAttr()));
    assertThat(before.send().tables()).hasSize(2);
    LiftedProgram after = hoisted(before);
    assertThat(after.send().tables()).isEmpty();
    assertThat(after.vertexProgram().tables()).hasSize(2);
    assertThat(after.missingState().tables()).hasSize(2);
    assertThat(after.tables()).isEqualTo(before.tables());
    // An index that is checked at the edge is still read there.
    double[] array = new double[100];
    assertUntouched(scalar(edge -> edge.sendToDst(array[(int) edge.srcId()])));
  }

  @Test
  void aProductOfTwoColumnsBecomesOneColumn() {
    LiftedProgram before =
        page(edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight()));
    LiftedProgram after = hoisted(before);

    assertThat(after.state().columns()).containsExactly(Kind.DOUBLE, Kind.DOUBLE, Kind.DOUBLE);
    assertThat(after.state().className()).isEqualTo(before.state().className());
    assertThat(after.result()).isEqualTo(before.state());
    assertThat(FunctionTraits.shippedColumns(after)).containsExactly(2);
    assertThat(count(after.send(), BinaryOp.MULTIPLY)).isZero();
    assertThat(FunctionTraits.stableColumns(after)).containsExactly(false, true, false);
    assertThat(after.traits().notes())
        .last()
        .asString()
        .contains("1 value of sendMessage computed once per vertex")
        .contains(HoistingTest.class.getName())
        .endsWith("an edge reads 8 bytes of its other end instead of 16");
    assertThat(before.traits().notes()).noneMatch(n -> n.contains("once per vertex"));
  }

  @Test
  void aQuotientIsDividedOncePerVertex() {
    LiftedProgram after =
        hoisted(intPage(edge -> edge.sendToDst(edge.srcAttr().rank() / edge.srcAttr().degree())));

    assertThat(shippedBytes(after)).isEqualTo(8);
    assertThat(count(after.send(), BinaryOp.DIVIDE)).isZero();
    assertThat(count(after.vertexProgram(), BinaryOp.DIVIDE)).isEqualTo(1);
    assertThat(count(after.initialState(), BinaryOp.DIVIDE)).isEqualTo(1);
  }

  @Test
  void whatDependsOnTheEdgeStays() {
    assertUntouched(page(edge -> edge.sendToDst(edge.srcAttr().rank() * edge.attr())));
    LiftedProgram partly =
        hoisted(
            page(
                edge ->
                    edge.sendToDst(edge.srcAttr().rank() / edge.srcAttr().weight() * edge.attr())));
    assertThat(count(partly.send(), BinaryOp.MULTIPLY)).isEqualTo(1);
    assertThat(count(partly.send(), BinaryOp.DIVIDE)).isZero();
    // Floating point is not reordered: (rank · attr) / weight has no part of the source alone.
    assertUntouched(
        page(
            edge -> edge.sendToDst(edge.srcAttr().rank() * edge.attr() / edge.srcAttr().weight())));
  }

  @Test
  void bothEndsAreOneColumnEach() {
    LiftedProgram after =
        hoisted(
            intPage(
                edge -> {
                  edge.sendToDst(edge.srcAttr().rank() / edge.srcAttr().degree());
                  edge.sendToSrc(edge.dstAttr().rank() / edge.dstAttr().degree());
                }));

    // The same value of either end is the same column.
    assertThat(after.state().columns()).hasSize(3);
    assertThat(FunctionTraits.shippedColumns(after)).containsExactly(2);
    assertThat(after.send().reads(Role.SOURCE, 2)).isTrue();
    assertThat(after.send().reads(Role.DESTINATION, 2)).isTrue();
  }

  @Test
  void theOtherEndIsTheOneThatMessagesComeFrom() {
    LiftedProgram toSource =
        hoisted(intPage(edge -> edge.sendToSrc(edge.dstAttr().rank() / edge.dstAttr().degree())));
    assertThat(toSource.send().reads(Role.DESTINATION, 2)).isTrue();
    // The receiver's values are read once per row, not gathered.
    assertUntouched(page(edge -> edge.sendToDst(edge.dstAttr().rank() / edge.dstAttr().weight())));
  }

  @Test
  void aConditionalExpressionGoesAsAWhole() {
    LiftedProgram after =
        hoisted(
            intPage(
                edge -> {
                  int degree = edge.srcAttr().degree();
                  edge.sendToDst(degree == 0 ? 0.0 : edge.srcAttr().rank() / degree);
                }));

    assertThat(FunctionTraits.shippedColumns(after)).containsExactly(2);
    assertThat(after.send().code()).noneMatch(i -> i instanceof Insn.Branch);
  }

  @Test
  void aConditionOfOneEndTakesAByte() {
    LiftedProgram after =
        hoisted(
            page(
                edge -> {
                  if (edge.srcAttr().rank() > 0.25) {
                    edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight());
                  }
                }));

    assertThat(after.state().columns().subList(2, 4))
        .containsExactlyInAnyOrder(Kind.DOUBLE, Kind.BOOLEAN);
    assertThat(shippedBytes(after)).isEqualTo(9);
  }

  @Test
  void cheapPartsThatSaveNoReadStay() {
    assertUntouched(scalar(edge -> edge.sendToDst(edge.srcAttr() + 1)));
    assertUntouched(
        scalar(
            edge -> {
              if (edge.srcAttr() + 1 < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + 1);
              }
            }));
    // What is still read beside it would be gathered twice over.
    assertUntouched(
        scalar(edge -> edge.sendToDst(Math.sqrt(edge.srcAttr()) + edge.srcAttr() * edge.attr())));
    assertThat(hoisted(scalar(edge -> edge.sendToDst(Math.sqrt(edge.srcAttr())))).state().columns())
        .hasSize(2);
  }

  @Test
  void aWiderColumnIsNotKept() {
    LiftedProgram floats =
        lift(
            (id, attribute, in, out) -> new Floats(in, out),
            (id, f, sum) -> new Floats(sum.floatValue(), f.b()),
            edge -> edge.sendToDst(Math.sqrt(edge.srcAttr().a())));
    // Four bytes are gathered; the root would be eight.
    assertUntouched(floats);
  }

  @Test
  void faultsStayWhereTheyWere() {
    LiftedProgram after =
        hoisted(
            fraction(
                edge ->
                    edge.sendToDst(
                        (double) (edge.srcAttr().numerator() / edge.srcAttr().denominator()))));

    assertThat(count(after.send(), BinaryOp.DIVIDE)).isZero();
    assertThat(after.send().code())
        .anyMatch(i -> i instanceof Insn.Fail f && f.code() == FaultCode.DIVISION_BY_ZERO);
    for (IrFunction function : List.of(after.vertexProgram(), after.initialState())) {
      assertThat(function.code()).noneMatch(i -> i instanceof Insn.Fail);
    }
  }

  @Test
  void whatDiffersBetweenSuperstepsStays() {
    LiftedProgram program =
        ProgramLifter.lift(
                new SourceBuilder()
                    .attribute(ValueType.of(Double.class))
                    .edge(ValueType.of(Double.class))
                    .message(ValueType.of(Double.class))
                    .vertexProgram((VertexProgram<Double, Double>) (id, value, sum) -> sum)
                    .send(
                        (SendMessage.WithContext<Double, Double, Double>)
                            (edge, context) -> edge.sendToDst(edge.srcAttr() / context.superstep()))
                    .merge((MergeMessage<Double>) Double::sum)
                    .build())
            .program();
    assertUntouched(program);
  }

  @Test
  void inPlaceANeighbourIsReadThroughOneColumn() {
    LiftedProgram twoColumns =
        page(
            edge -> {
              if (edge.srcAttr().rank() > 0.25) {
                edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight());
              }
            });
    assertThat(Hoisting.apply(twoColumns, true)).isSameAs(twoColumns);
    LiftedProgram oneColumn =
        page(edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight()));
    assertThat(Hoisting.apply(oneColumn, true).state().columns()).hasSize(3);
  }

  @Test
  void inPlaceAValueThatMessagesAreMergedIntoStaysOneColumn() {
    LiftedProgram program =
        ProgramLifter.lift(
                new SourceBuilder()
                    .attribute(ValueType.of(Double.class))
                    .edge(ValueType.of(Double.class))
                    .message(ValueType.of(Double.class))
                    .vertexProgram(
                        (VertexProgram<Double, Double>)
                            (id, value, least) -> Math.min(value, least))
                    .send(
                        (SendMessage<Double, Double, Double>)
                            edge -> edge.sendToDst(Math.sqrt(edge.srcAttr())))
                    .merge((MergeMessage<Double>) Math::min)
                    .build())
            .program();
    assertThat(Hoisting.apply(program, true)).isSameAs(program);
    assertThat(hoisted(program).state().columns()).hasSize(2);
  }

  @Test
  void aStateThatIsTheAttributeGetsAnInitialState() {
    LiftedProgram program =
        ProgramLifter.lift(
                new SourceBuilder()
                    .attribute(ValueType.of(Page.class))
                    .edge(ValueType.of(Double.class))
                    .message(ValueType.of(Double.class))
                    .vertexProgram(
                        (VertexProgram<Page, Double>)
                            (id, page, sum) -> new Page(sum, page.weight()))
                    .send(
                        (SendMessage<Page, Double, Double>)
                            edge -> edge.sendToDst(edge.srcAttr().rank() / edge.srcAttr().weight()))
                    .merge((MergeMessage<Double>) Double::sum)
                    .build())
            .program();
    LiftedProgram after = hoisted(program);

    assertThat(after.initialState().reads(Role.ATTRIBUTE, 0)).isTrue();
    assertThat(after.initialState().reads(Role.ATTRIBUTE, 1)).isTrue();
    assertThat(after.result()).isEqualTo(ValueType.of(Page.class));
  }

  @Test
  void noProgramGathersOrShipsMore() {
    int changed = 0;
    for (long seed = 0; seed < 400; seed++) {
      LiftedProgram before =
          ProgramLifter.lift(
                  (seed % 2 == 0 ? RandomPrograms.hoistable(seed) : RandomPrograms.any(seed))
                      .source())
              .program();
      LiftedProgram after = hoisted(before);
      assertThat(shippedBytes(after)).as("seed " + seed).isLessThanOrEqualTo(shippedBytes(before));
      changed += after == before ? 0 : 1;
    }
    assertThat(changed).isGreaterThan(150);
  }
}
