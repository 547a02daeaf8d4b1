package org.sparkgpugraph.program.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** Which columns a vertex program hands back as they were. */
class StableColumnsTest {
  /** Hands two columns around a loop that counts to the message. */
  private static IrFunction around(boolean swaps) {
    IrBuilder to = new IrBuilder("vertexProgram", StableColumnsTest.class);
    int first = to.parameter(Role.VALUE, 0, Kind.INT);
    int second = to.parameter(Role.VALUE, 1, Kind.INT);
    int limit = to.parameter(Role.MESSAGE, 0, Kind.INT);
    int a = to.variable(Kind.INT);
    int b = to.variable(Kind.INT);
    int c = to.variable(Kind.INT);
    int loop = to.label();
    int end = to.label();
    to.assign(a, first);
    to.assign(b, second);
    to.place(loop);
    to.branch(Condition.GT, limit, to.constant(3), end);
    to.assign(c, a);
    to.assign(a, swaps ? b : c);
    to.assign(b, swaps ? c : b);
    to.jump(loop);
    to.place(end);
    to.leave(List.of(a, b));
    return to.build(List.of(Kind.INT, Kind.INT));
  }

  @Test
  void whatALoopHandsOnStaysWhatItIs() {
    assertThat(StableColumns.of(around(false), 2)).containsExactly(true, true);
    assertThat(StableColumns.of(around(true), 2)).containsExactly(false, false);
  }

  @Test
  void constantsAndOtherColumnsAreOthers() {
    IrBuilder to = new IrBuilder("vertexProgram", StableColumnsTest.class);
    int first = to.parameter(Role.VALUE, 0, Kind.INT);
    int second = to.parameter(Role.VALUE, 1, Kind.INT);
    int third = to.parameter(Role.VALUE, 2, Kind.INT);
    int either = to.variable(Kind.INT);
    int end = to.label();
    to.assign(either, third);
    to.branch(Condition.GT, first, second, end);
    to.assign(either, to.constant(0));
    to.place(end);
    to.leave(List.of(first, first, either));
    IrFunction function = to.build(List.of(Kind.INT, Kind.INT, Kind.INT));
    assertThat(StableColumns.of(function, 3)).containsExactly(true, false, false);
  }
}
