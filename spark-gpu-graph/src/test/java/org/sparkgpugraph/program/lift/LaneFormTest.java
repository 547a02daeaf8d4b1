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
import org.sparkgpugraph.program.lanes.Reduction;
import org.sparkgpugraph.vector.Norms;
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
    MergeMessage<int[]> powers =
        (a, b) -> {
          int number = 0;
          for (int i = 0; i < a.length; i++) {
            number = number * 10 + a[i];
          }
          return Vectors.scale(number, b);
        };
    assertThat(isShared(powers)).isFalse();
  }

  @Test
  void otherIndexesAreNot() {
    MergeMessage<int[]> before =
        (a, b) -> {
          for (int i = 1; i < a.length; i++) {
            a[i] = a[i - 1] + b[i];
          }
          return a;
        };
    MergeMessage<int[]> other =
        (a, b) -> {
          for (int i = 0; i < a.length; i++) {
            a[(i + 1) % a.length] = b[i];
          }
          return a;
        };
    assertThat(obstacle(before))
        .contains("reads an element at another index than the one that its loop counts")
        .contains("LaneFormTest.lambda$otherIndexesAreNot")
        .containsPattern(":\\d+\\)$");
    assertThat(obstacle(other)).contains("writes an element at another index");
  }

  @Test
  void elementsThatAllReadAreShared() {
    MergeMessage<int[]> first =
        (a, b) -> {
          for (int i = 0; i < a.length; i++) {
            a[i] += b[0];
          }
          return a;
        };
    MergeMessage<int[]> most =
        (a, b) -> {
          for (int i = 1; i < a.length - 1; i++) {
            a[i] += b[i];
          }
          a[b[3] & 7] = b[a.length - 1];
          return a;
        };
    assertThat(isShared(first)).isTrue();
    assertThat(isShared(most)).isTrue();
    assertThat(ElementFunction.of(merge(first))).isEmpty();
    assertThat(ElementFunction.of(merge(most))).isEmpty();
    assertThat(lifted(first).traits().merge()).containsExactly(MergeAlgebra.GENERAL);
  }

  @Test
  void whatEndsEarlyIsSharedUnlessItReadsThere() {
    assertThat(
            isShared(
                (a, b) -> {
                  for (int i = 0; i < a.length; i++) {
                    if (a[i] != b[i]) {
                      return b;
                    }
                  }
                  return a;
                }))
        .isTrue();
    assertThat(
            obstacle(
                (a, b) -> {
                  for (int i = 0; i < a.length; i++) {
                    if (a[i] != b[i]) {
                      return a[i] < b[i] ? a : b;
                    }
                  }
                  return a;
                }))
        .contains("ends a loop over the elements with what it has found there");
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
        .isTrue();
  }

  private static List<Reduction> reductions(MergeMessage<int[]> merge) {
    return LaneForm.of(merge(merge)).orElseThrow().loops().get(0).reductions();
  }

  private static String obstacle(MergeMessage<int[]> merge) {
    IrFunction function = merge(merge);
    return LaneForm.obstacle(function.parameters(), function.variables(), function.code())
        .orElseThrow()
        .toString();
  }

  /** Loops up to a captured number that is the length of the arrays need no test of indexes. */
  @Test
  void aCapturedLengthIsAConstant() {
    int length = lifted(Vectors::add).message().columns().get(0).width();
    MergeMessage<int[]> upTo =
        (a, b) -> {
          int[] sums = new int[length];
          for (int i = 0; i < length; i++) {
            sums[i] = a[i] + b[i];
          }
          return sums;
        };
    assertThat(lifted(upTo).traits().merge()).containsExactly(MergeAlgebra.SUM);
    assertThat(merge(upTo).code()).noneMatch(insn -> insn instanceof Insn.Fail);
    int more = length + 1;
    MergeMessage<int[]> behind =
        (a, b) -> {
          for (int i = 0; i < more; i++) {
            a[i] += b[i];
          }
          return a;
        };
    assertThat(obstacle(behind)).contains("does not count by one from a constant to another");
  }

  /** All that the library makes of one or two vectors. */
  @Test
  void numbersOfVectorsAreShared() {
    List<MergeMessage<int[]>> all =
        List.of(
            (a, b) -> Vectors.scale(Reductions.dot(a, b), a),
            (a, b) -> Vectors.scale(Reductions.sum(a), b),
            (a, b) -> Vectors.scale(Reductions.product(a), b),
            (a, b) -> Vectors.scale(Reductions.min(a), b),
            (a, b) -> Vectors.scale(Reductions.max(a), b),
            (a, b) -> Vectors.scale(Reductions.argMin(a), b),
            (a, b) -> Vectors.scale(Reductions.argMax(a), b));
    for (int i = 0; i < all.size(); i++) {
      assertThat(reductions(all.get(i))).as("method %d", i).hasSize(1);
      assertThat(ElementFunction.of(merge(all.get(i)))).as("method %d", i).isEmpty();
    }
    List<VertexProgram<double[], double[]>> reals =
        List.of(
            (id, a, b) -> Vectors.scale(Reductions.dot(a, b), a),
            (id, a, b) -> Vectors.scale(Reductions.argMin(a), b),
            (id, a, b) -> Vectors.scale(Reductions.argMax(a), b),
            (id, a, b) -> Vectors.scale(Norms.l1(a), b),
            (id, a, b) -> Vectors.scale(Norms.l2(a), b),
            (id, a, b) -> Vectors.scale(Norms.maximum(a), b),
            (id, a, b) -> Vectors.scale(Norms.distanceSquared(a, b), b),
            (id, a, b) -> Norms.unitSum(a),
            (id, a, b) -> Norms.unitLength(a));
    for (int i = 0; i < reals.size(); i++) {
      LaneForm form =
          LaneForm.of(RandomLoops.lifted(reals.get(i), Kind.DOUBLE, LENGTH)).orElseThrow();
      assertThat(form.loops().get(0).reductions()).as("method %d of reals", i).hasSize(1);
    }
  }

  @Test
  void whatRoundsHandOnIsKnown() {
    assertThat(
            reductions(
                (a, b) -> {
                  int most = a[0];
                  int at = 0;
                  for (int i = 1; i < a.length; i++) {
                    if (a[i] >= most) {
                      most = a[i];
                      at = i;
                    }
                  }
                  return Vectors.scale(most + at, b);
                }))
        .singleElement()
        .satisfies(
            reduction -> {
              Reduction.Selection selection = (Reduction.Selection) reduction;
              assertThat(selection.variables()).hasSize(2);
              assertThat(selection.replaces())
                  .isEqualTo(Reduction.Order.GREATER.bit() | Reduction.Order.EQUAL.bit());
            });
    assertThat(
            reductions(
                (a, b) -> {
                  boolean same = true;
                  for (int i = 0; i < a.length; i++) {
                    same = same && a[i] == b[i];
                  }
                  return same ? a : b;
                }))
        .singleElement()
        .isInstanceOf(Reduction.Flag.class);
    assertThat(
            reductions(
                (a, b) -> {
                  int some = 0;
                  for (int i = 0; i < a.length; i++) {
                    if (a[i] > b[i]) {
                      some -= b[i];
                    }
                  }
                  return Vectors.scale(some, b);
                }))
        .singleElement()
        .satisfies(
            reduction ->
                assertThat(((Reduction.Fold) reduction).operator())
                    .isEqualTo(Reduction.Operator.SUM));
  }

  /** What looks like a reduction, but depends on the order of the elements. */
  @Test
  void whatDependsOnTheOrderIsNotShared() {
    List<VertexProgram<double[], double[]>> all =
        List.of(
            (id, a, b) -> {
              double last = a[0];
              for (int i = 0; i < a.length; i++) {
                // NaN takes any place, and any number takes NaN's.
                if (!(a[i] <= last)) {
                  last = a[i];
                }
              }
              return Vectors.scale(last, b);
            },
            (id, a, b) -> {
              double most = 0;
              double sum = 0;
              for (int i = 0; i < a.length; i++) {
                if (a[i] > most) {
                  most = a[i];
                  sum += b[i];
                }
              }
              return Vectors.scale(sum, b);
            },
            (id, a, b) -> {
              double most = 0;
              for (int i = 0; i < a.length; i++) {
                if (a[i] > most) {
                  most = b[i];
                }
              }
              return Vectors.scale(most, b);
            },
            (id, a, b) -> {
              int sum = 0;
              for (int i = 0; i < a.length; i++) {
                sum += a[i];
              }
              return Vectors.scale(sum, b);
            },
            (id, a, b) -> {
              double sum = 0;
              for (int i = 0; i < a.length; i++) {
                if (sum < 10) {
                  sum += a[i];
                }
              }
              return Vectors.scale(sum, b);
            },
            (id, a, b) -> {
              double[] c = b.clone();
              boolean seen = false;
              for (int i = 0; i < a.length; i++) {
                seen |= a[i] > 3;
                c[i] = seen ? 1 : 0;
              }
              return c;
            });
    for (int i = 0; i < all.size(); i++) {
      assertThat(LaneForm.of(RandomLoops.lifted(all.get(i), Kind.DOUBLE, LENGTH)))
          .as("function %d", i)
          .isEmpty();
    }
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
