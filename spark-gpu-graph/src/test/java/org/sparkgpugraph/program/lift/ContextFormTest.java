package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.lanes.ContextForm;
import org.sparkgpugraph.program.lanes.Obstacle;

/** Which send functions are cut at a costly branch, and where. */
class ContextFormTest {
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

  private static ContextForm form(SendMessage<Integer, Integer, Double> send) {
    return CudaPrinter.contexts(send(send), Side.DESTINATION, true).orElseThrow();
  }

  private static String obstacle(SendMessage<Integer, Integer, Double> send, boolean anyOrder) {
    return CudaPrinter.contextsObstacle(send(send), Side.DESTINATION, anyOrder)
        .map(Obstacle::toString)
        .orElse("none");
  }

  private static long values(IrFunction function) {
    return function.parameters().stream().filter(p -> p.role() == Role.VALUE).count();
  }

  @Test
  void aBranchWithALoopIsCutIntoThreeParts() {
    ContextForm form =
        form(
            edge -> {
              double x = edge.attr() * 0.5;
              if (edge.srcAttr() > edge.dstAttr()) {
                for (int i = 0; i < edge.srcAttr(); i++) {
                  x = x * x + edge.dstAttr();
                }
              }
              edge.sendToDst(x);
            });
    assertThat(form.branch().line()).isPositive();
    assertThat(form.branch().toString()).contains("ContextFormTest");
    // The row's own end has its value; the edge's other end and x are kept.
    assertThat(form.costly().reads(Role.DESTINATION)).isTrue();
    assertThat(values(form.costly())).isEqualTo(2);
    assertThat(form.bytes()).isEqualTo(12);
    // Otherwise there is the edge's own value, and the way.
    assertThat(form.otherwise().reads(Role.VALUE, ContextForm.WAY)).isTrue();
    assertThat(form.estimate().tests()).isEqualTo(1);
  }

  /**
   * The paper's example of a context: of e = c · a + d and f = 4 e, where a and b belong to the
   * thread, f is made of e again.
   */
  @Test
  void whatIsCheaplyMadeOfTheContextIsNotKept() {
    ContextForm form =
        form(
            edge -> {
              int a = Math.min(7, edge.srcAttr());
              int e = a * edge.attr() + 1;
              int f = 4 * e;
              double sum = 0;
              if (edge.attr() > 3) {
                sum = Math.exp(e) / Math.sin(f) + Math.cos(e - f) / edge.dstAttr();
              }
              edge.sendToDst(sum);
            });
    assertThat(values(form.costly())).isEqualTo(1);
    assertThat(form.bytes()).isEqualTo(4);
  }

  @Test
  void theInnerOfTwoCostlyBranchesSavesMore() {
    ContextForm form =
        form(
            edge -> {
              double x = edge.attr();
              if (edge.srcAttr() > 3) {
                x += 2;
                if (edge.srcAttr() < edge.dstAttr()) {
                  for (int i = 0; i < 100; i++) {
                    x = x * x + i;
                  }
                }
              }
              edge.sendToDst(x);
            });
    assertThat(form.estimate().tests()).isEqualTo(2);
    assertThat(form.estimate().instructions()).isGreaterThan(200);
    assertThat(form.estimate().saved())
        .isBetween(
            form.estimate().instructions() * 3 / 4, form.estimate().instructions() * 3 / 4 + 1);
    assertThat(form.estimate().pays()).isTrue();
  }

  @Test
  void twoTestsMayLeadToOneBranch() {
    ContextForm form =
        form(
            edge -> {
              double x = 1;
              if (edge.srcAttr() > edge.dstAttr() || edge.attr() == 2) {
                x = Math.exp(edge.srcAttr()) + Math.sin(edge.dstAttr()) / Math.cos(edge.attr());
              }
              edge.sendToDst(x);
            });
    assertThat(form.estimate().tests()).isEqualTo(1);
  }

  @Test
  void whatIsNotCutIsToldWithItsReason() {
    assertThat(obstacle(edge -> edge.sendToDst(edge.srcAttr() * 0.5), true))
        .contains("has no costly branch that depends on the edge");
    SendMessage<Integer, Integer, Double> beside =
        edge -> {
          if (edge.srcAttr() > 3) {
            edge.sendToDst(Math.exp(edge.srcAttr()) / Math.sin(edge.dstAttr()) + 1.0 / edge.attr());
          } else {
            edge.sendToDst(1.0);
          }
        };
    assertThat(obstacle(beside, true)).isEqualTo("none");
    assertThat(obstacle(beside, false)).contains("sends messages beside its costly branch");
    assertThat(
            obstacle(
                edge -> {
                  double x = edge.dstAttr();
                  for (int i = 0; i < edge.srcAttr(); i++) {
                    if (x > i) {
                      x = Math.exp(x) / Math.sin(x) + Math.cos(i);
                    }
                  }
                  edge.sendToDst(x);
                },
                true))
        .contains("has its costly branch in a loop");
    assertThat(
            obstacle(
                edge -> {
                  edge.sendToDst(1.0);
                  if (edge.srcAttr() > edge.dstAttr()) {
                    edge.sendToDst(Math.exp(edge.srcAttr()) / Math.sin(edge.attr() + 0.5));
                  }
                },
                true))
        .contains("sends a message before its costly branch");
  }
}
