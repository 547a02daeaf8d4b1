package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.IrPrinter;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Tuples and case classes cost in a superstep what records cost, and components that no function
 * reads cost nothing: engines are given the same operations and the same columns.
 */
class SameNumbersTest {
  record Ranks(double rank, int count) {}

  private static List<Object> lifted(
      ValueType value, ValueType message, Object vertexProgram, Object send, Object merge) {
    LiftedProgram program =
        ProgramLifter.lift(
                new SourceBuilder()
                    .attribute(value)
                    .edge(new ValueType.Scalar(Kind.INT))
                    .message(message)
                    .vertexProgram(vertexProgram)
                    .send(send)
                    .merge(merge)
                    .build())
            .program();
    return List.of(
        program.state().columns(),
        program.message().columns(),
        operations(program.vertexProgram()),
        operations(program.send()),
        operations(program.merge()));
  }

  /** What a function computes, whatever order its variables and constants have. */
  private static List<String> operations(IrFunction function) {
    return IrPrinter.print(function)
        .lines()
        .map(line -> line.replaceAll("//.*", "").replaceAll("v[0-9]+", "v").strip())
        .filter(line -> !line.equals("return ()"))
        .sorted()
        .toList();
  }

  private static List<Object> lifted(SameNumbers.Written written) {
    return lifted(
        ValueType.like(written.value()),
        ValueType.like(written.message()),
        written.vprog(),
        written.send(),
        written.merge());
  }

  @Test
  void theClassOfTheNumbersMakesNoDifference() {
    ValueType type = ValueType.of(Ranks.class);
    VertexProgram<Ranks, Ranks> vertexProgram =
        (id, v, m) -> new Ranks(v.rank() * 0.85 + m.rank(), v.count() + m.count());
    SendMessage<Ranks, Integer, Ranks> send =
        edge -> {
          if (edge.srcAttr().count() > edge.attr()) {
            edge.sendToDst(new Ranks(edge.srcAttr().rank() / edge.attr(), 1));
          }
        };
    MergeMessage<Ranks> merge = (a, b) -> new Ranks(a.rank() + b.rank(), a.count() + b.count());
    List<Object> records = lifted(type, type, vertexProgram, send, merge);
    assertThat(lifted(SameNumbers.tuples())).isEqualTo(records);
    assertThat(lifted(SameNumbers.caseClasses())).isEqualTo(records);
    assertThat(lifted(SameNumbers.named())).as("with a name and a map").isEqualTo(records);
  }
}
