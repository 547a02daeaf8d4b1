package org.sparkgpugraph.program.delta;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.OneMessage;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * Writes the send function of a change-driven program: the user's, of what the sender last told,
 * minus the user's of what it told before that. In superstep 1 nothing was told before. Where the
 * user's function sends in any case, one message carries the difference; else there are two, of
 * which either may be missing.
 */
final class DeltaSend {
  private final DeltaColumns columns;
  private final IrBuilder to = new IrBuilder("send", Deltas.class);
  private final Elementwise elementwise = new Elementwise(to);
  private final int superstep = to.parameter(Role.SUPERSTEP, Kind.INT);

  private DeltaSend(DeltaColumns columns) {
    this.columns = columns;
  }

  static IrFunction of(DeltaColumns columns) {
    DeltaSend send = new DeltaSend(columns);
    for (Side side : Side.values()) {
      IrFunction function = columns.sendsTo(side);
      if (function != null) {
        send.write(function, side);
      }
    }
    send.to.leave(List.of());
    return DeltaColumns.tidy(send.to.build(List.of()));
  }

  private static Role sender(Side receiver) {
    return receiver == Side.SOURCE ? Role.DESTINATION : Role.SOURCE;
  }

  private void write(IrFunction function, Side side) {
    int end = to.label();
    if (columns.sendsBothWays()) {
      // The edge is here because of either end.
      int turn = to.parameter(sender(side), columns.turn(), Kind.INT);
      to.branch(Condition.NE, turn, superstep, end);
    }
    if (!OneMessage.sides(function).isEmpty()) {
      difference(function, side, end);
    } else {
      inline(function, side, true, message -> to.emit(side, message));
      to.branch(Condition.EQ, superstep, to.constant(1), end);
      inline(function, side, false, message -> to.emit(side, negated(message)));
    }
    to.place(end);
  }

  private void difference(IrFunction function, Side side, int end) {
    List<Integer> last = new ArrayList<>();
    inline(function, side, true, last::addAll);
    int first = to.label();
    to.branch(Condition.EQ, superstep, to.constant(1), first);
    List<Integer> before = new ArrayList<>();
    inline(function, side, false, before::addAll);
    List<Integer> difference = new ArrayList<>();
    List<ColumnType> message = columns.message();
    for (int c = 0; c < message.size(); c++) {
      difference.add(
          elementwise.binary(BinaryOp.SUBTRACT, message.get(c), last.get(c), before.get(c)));
    }
    to.emit(side, difference);
    to.jump(end);
    to.place(first);
    to.emit(side, last);
  }

  private List<Integer> negated(List<Integer> message) {
    List<Integer> negated = new ArrayList<>();
    for (int c = 0; c < message.size(); c++) {
      negated.add(elementwise.negated(columns.message().get(c), message.get(c)));
    }
    return negated;
  }

  /** Takes a message, a variable per column. */
  private interface Emits {
    void emit(List<Integer> message);
  }

  private void inline(IrFunction function, Side side, boolean last, Emits emits) {
    int end = to.label();
    to.inline(
        function,
        p -> p.role() == sender(side) ? told(p, last) : IrBuilder.OWN,
        new IrBuilder.Ends() {
          @Override
          public void emit(Side to, List<Integer> message) {
            emits.emit(message);
          }

          @Override
          public void leave(List<Integer> results) {
            to.jump(end);
          }
        });
    to.place(end);
  }

  private int told(Param p, boolean last) {
    int i = columns.told().indexOf(p.index());
    if (i < 0) {
      return IrBuilder.OWN;
    }
    ColumnType type = columns.visible().get(p.index());
    return to.parameter(p.role(), last ? columns.last(i) : columns.before(i), type);
  }
}
