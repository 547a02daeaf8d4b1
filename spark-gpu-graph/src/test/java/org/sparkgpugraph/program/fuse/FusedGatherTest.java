package org.sparkgpugraph.program.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Vectors;

/** Which arrays of messages are made, and which are not. */
class FusedGatherTest {
  private static FusedGather fused(
      int length, SendMessage<float[], Float, float[]> send, MergeMessage<float[]> merge) {
    ValueType vector = new ValueType.Vector(Kind.FLOAT, length);
    VertexProgram<float[], float[]> vertex = (id, value, message) -> message;
    LiftedProgram program =
        ProgramLifter.lift(
                new ProgramSource(
                    vector,
                    new ValueType.Scalar(Kind.FLOAT),
                    vector,
                    null,
                    vertex,
                    send,
                    merge,
                    null,
                    List.of(),
                    List.of(),
                    null))
            .program();
    return FusedGather.of(program);
  }

  /** Arrays that the messages to destinations make. */
  private static long made(int length, SendMessage<float[], Float, float[]> send) {
    IrFunction function = fused(length, send, Vectors::add).sends().get(Side.DESTINATION);
    return new ArrayPlaces(function).places().stream().filter(place -> !place.isGiven()).count();
  }

  private static long delivered(FusedGather fused, Side side) {
    return fused.sends().get(side).code().stream()
        .filter(Insn.EmitElement.class::isInstance)
        .count();
  }

  @Test
  void anArrayThatIsFilledForAMessageIsNotMade() {
    for (int length : new int[] {1, 16, 17, 128}) {
      assertThat(made(length, e -> e.sendToDst(e.srcAttr()))).isZero();
      assertThat(made(length, e -> e.sendToDst(Vectors.scale(e.attr(), e.srcAttr())))).isZero();
      assertThat(
              made(
                  length,
                  e -> {
                    if (e.attr() > 1) {
                      float dot = Reductions.dot(e.srcAttr(), e.dstAttr());
                      e.sendToDst(Vectors.scale(dot, e.srcAttr()));
                    } else if (e.attr() < 0) {
                      e.sendToDst(Vectors.add(e.srcAttr(), e.dstAttr()));
                    }
                  }))
          .isZero();
    }
  }

  @Test
  void anArrayThatIsMoreThanAMessageIsMade() {
    // Whether it is sent is known when it is filled.
    assertThat(
            made(
                32,
                e -> {
                  float[] sent = new float[e.srcAttr().length];
                  float total = 0;
                  for (int i = 0; i < sent.length; i++) {
                    sent[i] = e.srcAttr()[i] * 2;
                    total += sent[i];
                  }
                  if (total > 0) {
                    e.sendToDst(sent);
                  }
                }))
        .isOne();
    // It is sent twice.
    assertThat(
            made(
                32,
                e -> {
                  float[] sent = Vectors.scale(2, e.srcAttr());
                  e.sendToDst(sent);
                  e.sendToDst(sent);
                }))
        .isOne();
    // Its message comes after another one, whose elements are merged first.
    assertThat(
            made(
                32,
                e -> {
                  float[] last = Vectors.scale(2, e.srcAttr());
                  e.sendToDst(e.srcAttr());
                  e.sendToDst(last);
                }))
        .isOne();
    // Some of its elements are not set.
    assertThat(
            made(
                32,
                e -> {
                  float[] sent = new float[e.srcAttr().length];
                  for (int i = 0; i < sent.length; i++) {
                    if (e.srcAttr()[i] > 0) {
                      sent[i] = e.srcAttr()[i];
                    }
                  }
                  e.sendToDst(sent);
                }))
        .isOne();
  }

  @Test
  void theOtherEndsMessageIsLeftOut() {
    FusedGather fused =
        fused(
            32,
            e -> {
              e.sendToDst(e.srcAttr());
              e.sendToSrc(Vectors.scale(e.attr(), e.dstAttr()));
            },
            Vectors::add);
    assertThat(delivered(fused, Side.DESTINATION)).isOne();
    assertThat(fused.sends().get(Side.DESTINATION).code())
        .noneMatch(insn -> insn instanceof Insn.Binary b && b.op().name().equals("MULTIPLY"));
  }

  @Test
  void elementsOfShortArraysAreLocalVariables() {
    SendMessage<float[], Float, float[]> send =
        e -> e.sendToDst(Vectors.scale(e.attr(), e.srcAttr()));
    FusedGather sixteen = fused(16, send, Vectors::add);
    assertThat(sixteen.inLocals()).isTrue();
    assertThat(delivered(sixteen, Side.DESTINATION)).isEqualTo(16);
    FusedGather more = fused(17, send, Vectors::add);
    assertThat(more.inLocals()).isFalse();
    assertThat(delivered(more, Side.DESTINATION)).isOne();
  }

  @Test
  void aMergeWithoutANeutralElementIsLeftAlone() {
    SendMessage<float[], Float, float[]> send = e -> e.sendToDst(e.srcAttr());
    assertThat(fused(8, send, (x, y) -> x)).isNull();
    assertThat(fused(8, send, (x, y) -> x[0] < y[0] ? x : y)).isNull();
    assertThat(
            fused(
                8,
                send,
                (x, y) -> {
                  float[] z = new float[x.length];
                  for (int i = 0; i < z.length; i++) {
                    z[i] = x[i] < y[i] ? x[i] : y[i];
                  }
                  return z;
                }))
        .isNull();
  }

  @Test
  void longArraysOfEdgesThatAllSendAreCopied() {
    SendMessage<float[], Float, float[]> all =
        e -> e.sendToDst(Vectors.scale(e.attr(), e.srcAttr()));
    SendMessage<float[], Float, float[]> some =
        e -> {
          if (e.attr() > 0) {
            e.sendToDst(e.srcAttr());
          }
        };
    assertThat(fused(64, all, Vectors::add).copied(Side.DESTINATION)).hasSize(1);
    assertThat(fused(64, some, Vectors::add).copied(Side.DESTINATION)).isEmpty();
    assertThat(fused(8, all, Vectors::add).copied(Side.DESTINATION)).isEmpty();
  }
}
