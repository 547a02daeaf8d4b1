package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.graphx.EdgeTriplet;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.IrOracle;
import org.sparkgpugraph.program.ir.IrPrinter;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Side;
import scala.Function1;
import scala.Function2;
import scala.Function3;
import scala.Tuple2;
import scala.collection.Iterator;

/** Programs written for GraphX's Pregel in Scala. */
class ScalaClosuresTest {
  private static ProgramInstance lift(ScalaPrograms.Program program, Kind vertex, Kind edge) {
    ValueType type = new ValueType.Scalar(vertex);
    return ProgramLifter.lift(
        new SourceBuilder()
            .attribute(type)
            .edge(new ValueType.Scalar(edge))
            .message(type)
            .vertexProgram(program.vprog())
            .send(program.send())
            .merge(program.merge())
            .build());
  }

  @SuppressWarnings("unchecked")
  private static void compare(ScalaPrograms.Program program, Kind vertex, Kind edge) {
    ProgramInstance instance = lift(program, vertex, edge);
    Function3<Object, Object, Object, Object> vertexProgram =
        (Function3<Object, Object, Object, Object>) program.vprog();
    Function1<EdgeTriplet<Object, Object>, Iterator<Tuple2<Object, Object>>> send =
        (Function1<EdgeTriplet<Object, Object>, Iterator<Tuple2<Object, Object>>>) program.send();
    Function2<Object, Object, Object> merge = (Function2<Object, Object, Object>) program.merge();
    Random random = new Random(5);
    for (int i = 0; i < 1000; i++) {
      long source = random.nextInt(4) - 1;
      long destination = random.nextInt(4) - 1;
      Object a = RandomValues.random(vertex, random);
      Object b = RandomValues.random(vertex, random);
      Object attribute =
          random.nextBoolean() ? RandomValues.random(edge, random) : small(edge, random);
      IrOracle.Inputs inputs =
          (role, index) ->
              switch (role) {
                case ID, SOURCE_ID -> source;
                case DESTINATION_ID -> destination;
                case VALUE, LEFT, SOURCE -> a;
                case MESSAGE, RIGHT, DESTINATION -> b;
                case EDGE -> attribute;
                case CAPTURE -> instance.captures().get(index);
                default -> throw new AssertionError(role);
              };
      assertThat(IrOracle.run(instance.program().vertexProgram(), inputs).values())
          .as(IrPrinter.print(instance.program().vertexProgram()))
          .containsExactly(vertexProgram.apply(source, a, b));
      assertThat(IrOracle.run(instance.program().merge(), inputs).values())
          .containsExactly(merge.apply(a, b));
      EdgeTriplet<Object, Object> triplet = new EdgeTriplet<>();
      triplet.srcId_$eq(source);
      triplet.dstId_$eq(destination);
      triplet.attr_$eq(attribute);
      triplet.srcAttr_$eq(a);
      triplet.dstAttr_$eq(b);
      List<List<Object>> expected = new ArrayList<>();
      for (Iterator<Tuple2<Object, Object>> sent = send.apply(triplet); sent.hasNext(); ) {
        Tuple2<Object, Object> message = sent.next();
        expected.add(List.of(message._1(), message._2()));
      }
      List<List<Object>> actual = new ArrayList<>();
      for (IrOracle.Sent sent : IrOracle.run(instance.program().send(), inputs).sent()) {
        actual.add(
            List.of(sent.side() == Side.SOURCE ? source : destination, sent.message().get(0)));
      }
      assertThat(actual).as(IrPrinter.print(instance.program().send())).isEqualTo(expected);
    }
  }

  private static Object small(Kind kind, Random random) {
    int value = random.nextInt(9) - 4;
    return switch (kind) {
      case INT -> value;
      case DOUBLE -> (double) value;
      default -> throw new AssertionError(kind);
    };
  }

  @Test
  void shortestPaths() {
    compare(ScalaPrograms.shortestPaths(), Kind.DOUBLE, Kind.DOUBLE);
    ProgramInstance instance = lift(ScalaPrograms.shortestPaths(), Kind.DOUBLE, Kind.DOUBLE);
    assertThat(instance.program().traits().merge()).containsExactly(MergeAlgebra.MIN);
    assertThat(instance.program().traits().sendsToSource()).isFalse();
    assertThat(instance.program().traits().monotone())
        .as(instance.program().traits().notes().toString())
        .isTrue();
  }

  @Test
  void connectedComponents() {
    compare(ScalaPrograms.connectedComponents(), Kind.LONG, Kind.INT);
    ProgramInstance instance = lift(ScalaPrograms.connectedComponents(), Kind.LONG, Kind.INT);
    assertThat(instance.program().traits().sendsToSource()).isTrue();
    assertThat(instance.program().traits().monotone())
        .as(instance.program().traits().notes().toString())
        .isTrue();
  }

  @Test
  void mixture() {
    compare(ScalaPrograms.mixture(2, 1.5), Kind.INT, Kind.DOUBLE);
    compare(ScalaPrograms.mixture(-3, 0.5), Kind.INT, Kind.DOUBLE);
  }

  @Test
  void whatCannotBeLifted() {
    assertThatThrownBy(() -> lift(ScalaPrograms.unliftable(), Kind.DOUBLE, Kind.DOUBLE))
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("sendMsg at ScalaPrograms.scala:");
  }

  /** All reasons at once, and in Scala's words. */
  @Test
  void reasonsAreToldInScala() {
    ScalaPrograms.Program program = RefusedPrograms.several(new RefusedPrograms.Settings());
    ValueType rank = ValueType.of(RefusedPrograms.Rank.class);
    assertThatThrownBy(
            () ->
                ProgramLifter.lift(
                    new SourceBuilder()
                        .attribute(rank)
                        .edge(new ValueType.Scalar(Kind.DOUBLE))
                        .message(rank)
                        .vertexProgram(program.vprog())
                        .send(program.send())
                        .merge(program.merge())
                        .build()))
        .isInstanceOf(NotLiftableException.class)
        .message()
        .containsPattern(
            "vprog at RefusedPrograms.scala:8 in rate: .*Settings.rate .* is a var; make it a val")
        .containsPattern("vprog at RefusedPrograms.scala:20: .*getTime")
        .containsPattern("vprog at RefusedPrograms.scala:12 in toString: ")
        .containsPattern("sendMsg at RefusedPrograms.scala:23: .*util.Random.*nextInt")
        .containsPattern("mergeMsg at RefusedPrograms.scala:24: .*Map")
        .doesNotContain("$", "java.lang.", "scala.Predef", "record");
  }
}
