package org.sparkgpugraph.program.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.IrBuilder;

/** Messages of an edge are counted along paths; loops matter only where they send. */
@Tag("any-spark")
class ModeSendsTest {
  private final IrBuilder send = new IrBuilder("send");
  private final int source = send.parameter(Role.SOURCE, 0, Kind.LONG);
  private final int destination = send.parameter(Role.DESTINATION, 0, Kind.LONG);

  private int most() {
    return ModeSends.most(send.returns().build());
  }

  @Test
  void whatSendsNothingCountsAsOne() {
    assertThat(most()).isEqualTo(1);
  }

  @Test
  void theLongestPathCounts() {
    // One of two to the source; two to the destination behind them.
    int other = send.newLabel();
    int behind = send.newLabel();
    send.branch(Condition.LT, source, destination, other);
    send.emit(Side.SOURCE, source).jump(behind);
    send.label(other).emit(Side.SOURCE, source);
    send.label(behind).emit(Side.DESTINATION, source).emit(Side.DESTINATION, source);
    assertThat(most()).isEqualTo(2);
  }

  @Test
  void pathsThatEndEarlyCount() {
    int other = send.newLabel();
    send.branch(Condition.LT, source, destination, other);
    send.emit(Side.SOURCE, source).emit(Side.SOURCE, source).emit(Side.SOURCE, source).returns();
    send.label(other).emit(Side.SOURCE, source);
    assertThat(most()).isEqualTo(3);
  }

  @Test
  void loopsThatOnlyComputeAreBounded() {
    // One message ahead of a loop with a way out in its middle, two behind it on one side.
    int again = send.newLabel();
    int out = send.newLabel();
    send.emit(Side.DESTINATION, source);
    send.label(again);
    send.branch(Condition.LT, source, destination, out);
    send.copy(destination, send.binary(BinaryOp.ADD, destination, source));
    send.jump(again);
    send.label(out).emit(Side.DESTINATION, source).emit(Side.DESTINATION, destination);
    assertThat(most()).isEqualTo(3);
  }

  @Test
  void aLoopThatIsEnteredFromBehindIsBounded() {
    // The jump back leads to code that sends, but nothing goes round.
    int body = send.newLabel();
    int test = send.newLabel();
    int end = send.newLabel();
    send.jump(test);
    send.label(body).emit(Side.SOURCE, source).jump(end);
    send.label(test).emit(Side.SOURCE, source);
    send.branch(Condition.LT, source, destination, body);
    send.label(end).emit(Side.SOURCE, source);
    assertThat(most()).isEqualTo(3);
  }

  @Test
  void loopsThatSendAreUnbounded() {
    // Inside a loop that only computes, behind a branch; the other side gets one message.
    int outer = send.newLabel();
    int inner = send.newLabel();
    int skip = send.newLabel();
    send.label(outer).label(inner);
    send.branch(Condition.LT, source, destination, skip);
    send.emit(Side.SOURCE, source);
    send.label(skip);
    send.branch(Condition.LT, destination, source, inner);
    send.branch(Condition.LT, source, source, outer);
    send.emit(Side.DESTINATION, source);
    assertThat(most()).isEqualTo(ModeSends.UNBOUNDED);
  }

  @Test
  void aLoopWithoutAnEndThatSendsIsUnbounded() {
    int again = send.newLabel();
    send.label(again).emit(Side.DESTINATION, source).jump(again);
    assertThat(most()).isEqualTo(ModeSends.UNBOUNDED);
  }
}
