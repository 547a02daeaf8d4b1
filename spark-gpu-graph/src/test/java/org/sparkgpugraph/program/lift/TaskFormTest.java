package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.lanes.Obstacle;
import org.sparkgpugraph.program.lanes.Reduction;
import org.sparkgpugraph.program.lanes.TaskForm;

/** Which send functions are cut for lanes that share their loops, and how. */
class TaskFormTest {
  private static IrFunction send(SendMessage<Integer, Integer, Double> send) {
    return ProgramLifter.lift(
            new SourceBuilder()
                .attribute(ValueType.of(Integer.class))
                .edge(ValueType.of(Integer.class))
                .message(ValueType.of(Double.class))
                .vertexProgram((VertexProgram<Integer, Double>) (id, v, m) -> v + (int) (double) m)
                .send(send)
                .merge((MergeMessage<Double>) Double::sum)
                .build())
        .program()
        .send();
  }

  private static String obstacle(SendMessage<Integer, Integer, Double> send) {
    return CudaPrinter.tasksObstacle(send(send), Side.DESTINATION)
        .map(Obstacle::toString)
        .orElse("none");
  }

  @Test
  void aSumIsCutIntoThreeParts() {
    IrFunction send =
        send(
            edge -> {
              double sum = 0;
              for (int i = edge.attr(); i < edge.srcAttr(); i++) {
                sum += 1.0 / (i + edge.dstAttr());
              }
              edge.sendToDst(sum);
            });
    TaskForm form = CudaPrinter.tasks(send, Side.DESTINATION).orElseThrow();
    assertThat(form.folds())
        .containsExactly(new TaskForm.Fold(Kind.DOUBLE, Reduction.Operator.SUM, -1));
    assertThat(form.round().results()).containsExactly(Kind.DOUBLE);
    // A round reads its number and the receiver's value.
    assertThat(form.round().parameters())
        .extracting(p -> p.role())
        .containsExactlyInAnyOrder(Role.MESSAGE, Role.VALUE);
    assertThat(form.before().reads(Role.EDGE)).isTrue();
    assertThat(form.after().reads(Role.MESSAGE, 0)).isTrue();
    // Of messages to the other end there are none, and no loop is needed for them.
    assertThat(CudaPrinter.tasks(send, Side.SOURCE)).isEmpty();
  }

  @Test
  void aMinimumBeginsWithWhatTheLaneHas() {
    IrFunction send =
        send(
            edge -> {
              double least = edge.dstAttr();
              for (int i = 0; i < edge.srcAttr(); i++) {
                least = Math.min(least, Math.sqrt(i + edge.attr()));
              }
              edge.sendToDst(least);
            });
    TaskForm form = CudaPrinter.tasks(send, Side.DESTINATION).orElseThrow();
    assertThat(form.folds()).singleElement().satisfies(f -> assertThat(f.held()).isPositive());
  }

  @Test
  void whatIsNotSharedIsToldWithItsReason() {
    assertThat(obstacle(edge -> edge.sendToDst(edge.srcAttr() * 0.5)))
        .contains("has no loop of as many rounds as data say");
    assertThat(
            obstacle(
                edge -> {
                  double sum = 0;
                  for (int i = 0; i < 50; i++) {
                    sum += edge.srcAttr() * i % 7;
                  }
                  edge.sendToDst(sum);
                }))
        .contains("has no loop of as many rounds as data say");
    assertThat(
            obstacle(
                edge -> {
                  double x = edge.dstAttr();
                  for (int i = 0; i < edge.srcAttr(); i++) {
                    x = x * x + edge.attr();
                  }
                  edge.sendToDst(x);
                }))
        .contains("hands a number from element to element");
    assertThat(
            obstacle(
                edge -> {
                  for (int i = 0; i < edge.srcAttr(); i++) {
                    edge.sendToDst(i * 0.5);
                  }
                }))
        .contains("sends a message in each round of a loop");
    assertThat(
            obstacle(
                edge -> {
                  double sum = 0;
                  for (int i = 0; i < edge.srcAttr(); i++) {
                    if (i * edge.dstAttr() > 1000) {
                      break;
                    }
                    sum += i;
                  }
                  edge.sendToDst(sum);
                }))
        .contains("may end a loop before its last round");
    assertThat(
            obstacle(
                edge -> {
                  double sum = 0;
                  for (int i = 0; i < edge.srcAttr(); i++) {
                    for (int j = 0; j < i; j++) {
                      sum += i * j;
                    }
                  }
                  edge.sendToDst(sum);
                }))
        .contains("has a loop in a loop");
    assertThat(
            obstacle(
                edge -> {
                  edge.sendToDst(1.0);
                  double sum = 0;
                  for (int i = 0; i < edge.srcAttr(); i++) {
                    sum += i * edge.dstAttr();
                  }
                  edge.sendToDst(sum);
                }))
        .contains("sends a message before a loop");
  }
}
