package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lanes.ElementFunction;
import org.sparkgpugraph.program.lanes.LaneForm;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Vectors;

/** Which functions of arrays lanes can share, and what is known of their elements. */
class LaneFormTest {
  private static final int LENGTH = 12;

  private static LiftedProgram lifted(MergeMessage<int[]> merge) {
    return lifted(merge, LENGTH);
  }

  private static LiftedProgram lifted(MergeMessage<int[]> merge, int length) {
    ValueType vector = new ValueType.Vector(Kind.INT, length);
    VertexProgram<int[], int[]> vertexProgram = (id, value, message) -> message;
    SendMessage<int[], Integer, int[]> send = edge -> edge.sendToDst(edge.srcAttr());
    return ProgramLifter.lift(
            new ProgramSource(
                vector,
                new ValueType.Scalar(Kind.INT),
                vector,
                null,
                vertexProgram,
                send,
                merge,
                null,
                List.of(),
                List.of(),
                null))
        .program();
  }

  private static IrFunction merge(MergeMessage<int[]> merge) {
    return lifted(merge).merge();
  }

  private static boolean isShared(MergeMessage<int[]> merge) {
    return LaneForm.of(merge(merge)).isPresent();
  }

  @Test
  void elementByElementIsShared() {
    assertThat(isShared(Vectors::add)).isTrue();
    assertThat(isShared((a, b) -> a)).isTrue();
    assertThat(
            isShared(
                (a, b) -> {
                  for (int i = 0; i < a.length; i++) {
                    a[i] = a[i] > b[i] ? a[i] * 3 : b[i] - i;
                  }
                  return a;
                }))
        .isTrue();
    LaneForm form = LaneForm.of(merge(Vectors::add)).orElseThrow();
    assertThat(form.length()).isEqualTo(LENGTH);
    assertThat(form.loops()).hasSize(1);
  }

  @Test
  void whatHandsANumberOnIsNot() {
    MergeMessage<int[]> prefixes =
        (a, b) -> {
          int[] sums = new int[a.length];
          int sum = 0;
          for (int i = 0; i < a.length; i++) {
            sum += a[i];
            sums[i] = sum + b[i];
          }
          return sums;
        };
    assertThat(isShared(prefixes)).isFalse();
    assertThat(isShared((a, b) -> Reductions.dot(a, b) > 0 ? a : b)).isFalse();
  }

  @Test
  void otherIndexesAreNot() {
    MergeMessage<int[]> first =
        (a, b) -> {
          for (int i = 0; i < a.length; i++) {
            a[i] += b[0];
          }
          return a;
        };
    MergeMessage<int[]> most =
        (a, b) -> {
          for (int i = 1; i < a.length; i++) {
            a[i] += b[i];
          }
          return a;
        };
    MergeMessage<int[]> before =
        (a, b) -> {
          for (int i = 1; i < a.length; i++) {
            a[i] = a[i - 1] + b[i];
          }
          return a;
        };
    assertThat(isShared(first)).isFalse();
    assertThat(isShared(most)).isFalse();
    assertThat(isShared(before)).isFalse();
  }

  @Test
  void whatLeavesEarlyIsNot() {
    assertThat(
            isShared(
                (a, b) -> {
                  for (int i = 0; i < a.length; i++) {
                    if (a[i] != b[i]) {
                      return a[i] < b[i] ? a : b;
                    }
                  }
                  return a;
                }))
        .isFalse();
    assertThat(
            isShared(
                (a, b) -> {
                  int[] quotients = new int[a.length];
                  for (int i = 0; i < a.length; i++) {
                    quotients[i] = a[i] / b[i];
                  }
                  return quotients;
                }))
        .as("a division by zero ends the run")
        .isFalse();
  }

  /**
   * Short arrays that a function makes are variables of their own only where no loop fills them.
   */
  @Test
  void shortArraysHaveOneToo() {
    for (int length : new int[] {1, 2, 3, 5, 8, 9, 32, 33, 100}) {
      LiftedProgram program = lifted(Vectors::add, length);
      assertThat(program.traits().merge()).as("length " + length).containsExactly(MergeAlgebra.SUM);
      assertThat(LaneForm.of(program.merge())).as("length " + length).isPresent();
    }
  }

  @Test
  void elementsHaveAnAlgebra() {
    assertThat(lifted(Vectors::add).traits().merge()).containsExactly(MergeAlgebra.SUM);
    assertThat(lifted(Vectors::max).traits().merge()).containsExactly(MergeAlgebra.MAX);
    MergeMessage<int[]> byIndex =
        (a, b) -> {
          int[] sums = new int[a.length];
          for (int i = 0; i < a.length; i++) {
            sums[i] = a[i] + b[i] + i;
          }
          return sums;
        };
    assertThat(ElementFunction.of(merge(byIndex))).isEmpty();
    assertThat(lifted(byIndex).traits().merge()).containsExactly(MergeAlgebra.GENERAL);
  }

  /** The tests of indexes that a loop's own test has passed are gone, others are not. */
  @Test
  void passedTestsAreLeftOut() {
    assertThat(merge(Vectors::add).code()).noneMatch(insn -> insn instanceof Insn.Fail);
    MergeMessage<int[]> behind =
        (a, b) -> {
          for (int i = 0; i <= a.length; i++) {
            a[i] += 1;
          }
          return a;
        };
    assertThat(merge(behind).code()).anyMatch(insn -> insn instanceof Insn.Fail);
  }
}
