package org.sparkgpugraph.engine.cpu.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnaryOp;
import org.sparkgpugraph.program.jvm.IrBuilder;

/** Which columns are copied. */
@Tag("any-spark")
class InterleavingTest {
  private static final Kind D = Kind.DOUBLE;
  private static final Kind F = Kind.FLOAT;

  /** A program that sends the sum of all columns of a state, which stays as it is. */
  private static LiftedProgram sums(Kind... kinds) {
    ValueType state = IrPrograms.record(kinds);
    IrBuilder send = new IrBuilder("send");
    IrBuilder program = new IrBuilder("vertexProgram");
    int sum = send.constant(D, 0.0);
    Integer[] same = new Integer[kinds.length];
    for (int c = 0; c < kinds.length; c++) {
      int value = send.parameter(Role.SOURCE, c, kinds[c]);
      sum =
          send.binary(
              BinaryOp.ADD, sum, kinds[c] == D ? value : send.unary(UnaryOp.CONVERT, D, value));
      same[c] = program.parameter(Role.VALUE, c, kinds[c]);
    }
    send.emit(Side.DESTINATION, sum).returns();
    program.returns(same);
    return LiftedProgram.builder()
        .attribute(state)
        .edge(IrPrograms.LONG)
        .state(state)
        .message(new ValueType.Scalar(D))
        .result(state)
        .vertexProgram(program.build(kinds))
        .send(send.build())
        .merge(IrPrograms.binaryMerge(BinaryOp.ADD, D))
        .traits(new ProgramTraits(List.of(MergeAlgebra.SUM), false, true, false, List.of()))
        .build();
  }

  private static int[] wide(Kind... kinds) {
    return Interleaving.WIDE.columns(sums(kinds), Side.DESTINATION);
  }

  @Test
  void fourOfAKindAreCopiedDoublesRatherThanFloats() {
    assertThat(wide(D, D, D, D)).containsExactly(0, 1, 2, 3);
    assertThat(wide(F, F, F, F)).containsExactly(0, 1, 2, 3);
    assertThat(wide(F, D, F, D, F, D, F)).containsExactly(0, 2, 4, 6);
    assertThat(wide(F, D, F, D, F, D, F, D)).containsExactly(1, 3, 5, 7);
    assertThat(wide(D, D, D, F, F, F)).isEmpty();
    Kind[] ints = Collections.nCopies(5, Kind.INT).toArray(Kind[]::new);
    assertThat(wide(ints)).isEmpty();
  }

  @Test
  void whereAllAreCopiedDoublesComeFirst() {
    LiftedProgram both = sums(F, D, F);
    assertThat(Interleaving.ALWAYS.columns(both, Side.DESTINATION)).containsExactly(1);
    assertThat(Interleaving.NONE.columns(both, Side.DESTINATION)).isEmpty();
    assertThat(Arrays.stream(Kind.values()).filter(Interleaving::copies)).containsExactly(F, D);
  }
}
