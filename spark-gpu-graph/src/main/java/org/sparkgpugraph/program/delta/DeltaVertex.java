package org.sparkgpugraph.program.delta;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** Writes what runs at the vertices of a change-driven program. */
final class DeltaVertex {
  private static final String NOT_FINITE =
      "deltas(…): a value that is infinite or NaN, of which no difference can be sent";

  private final DeltaColumns columns;
  private final IrBuilder to;
  private final Elementwise elementwise;

  private DeltaVertex(String name, DeltaColumns columns) {
    this.columns = columns;
    to = new IrBuilder(name, Deltas.class);
    elementwise = new Elementwise(to);
  }

  /**
   * The state at the start: the user's, and zeros.
   *
   * @param function that makes the user's; null: it is the attribute
   */
  static IrFunction starting(LiftedProgram program, IrFunction function, DeltaColumns columns) {
    DeltaVertex vertex = new DeltaVertex("state", columns);
    List<ColumnType> all = columns.all();
    List<Integer> zeros = new ArrayList<>();
    for (ColumnType type : all.subList(columns.visible().size(), all.size())) {
      zeros.add(vertex.elementwise.zeros(type));
    }
    if (function == null) {
      List<Integer> values = new ArrayList<>();
      for (int c = 0; c < columns.visible().size(); c++) {
        values.add(vertex.to.parameter(Role.ATTRIBUTE, c, columns.visible().get(c)));
      }
      values.addAll(zeros);
      vertex.to.leave(values);
    } else {
      vertex.to.inline(
          function,
          p -> IrBuilder.OWN,
          new IrBuilder.Ends() {
            @Override
            public void leave(List<Integer> visible) {
              List<Integer> values = new ArrayList<>(visible);
              values.addAll(zeros);
              vertex.to.leave(values);
            }
          });
    }
    return DeltaColumns.tidy(vertex.to.build(all));
  }

  /** A vertex is active when it told something. */
  static IrFunction activeWhen(DeltaColumns columns) {
    IrBuilder to = new IrBuilder("activeWhen", Deltas.class);
    int before = to.parameter(Role.BEFORE, columns.turn(), Kind.INT);
    int after = to.parameter(Role.AFTER, columns.turn(), Kind.INT);
    int told = to.variable(Kind.BOOLEAN);
    int end = to.label();
    to.assign(told, to.constant(true));
    to.branch(Condition.NE, before, after, end);
    to.assign(told, to.constant(false));
    to.place(end);
    to.leave(List.of(told));
    return to.build(List.of(Kind.BOOLEAN));
  }

  /**
   * Adds what came to the sum, runs the user's program on that, and tells the value where it
   * differs from what was told.
   */
  static IrFunction vertexProgram(LiftedProgram program, DeltaColumns columns) {
    return new DeltaVertex(program.vertexProgram().name(), columns).write(program.vertexProgram());
  }

  private IrFunction write(IrFunction vertexProgram) {
    int superstep = to.parameter(Role.SUPERSTEP, Kind.INT);
    int zero = to.constant(0);
    List<Integer> given = new ArrayList<>();
    List<Integer> sums = new ArrayList<>();
    sum(superstep, zero, given, sums);

    List<Integer> values = new ArrayList<>();
    columns.visible().forEach(type -> values.add(to.variable(type.kind())));
    int ran = to.label();
    to.inline(
        vertexProgram,
        p -> p.role() == Role.MESSAGE ? given.get(p.index()) : IrBuilder.OWN,
        new IrBuilder.Ends() {
          @Override
          public void leave(List<Integer> results) {
            for (int c = 0; c < results.size(); c++) {
              to.assign(values.get(c), results.get(c));
            }
            to.jump(ran);
          }
        });
    to.place(ran);
    return told(superstep, zero, values, sums);
  }

  /** Superstep 0's message is the initial one, which nobody sent. */
  private void sum(int superstep, int zero, List<Integer> given, List<Integer> sums) {
    int start = to.label();
    int go = to.label();
    List<ColumnType> message = columns.message();
    for (ColumnType type : message) {
      given.add(to.variable(type.kind()));
      sums.add(to.variable(type.kind()));
    }
    to.branch(Condition.EQ, superstep, zero, start);
    for (int c = 0; c < message.size(); c++) {
      int sum = elementwise.binary(BinaryOp.ADD, message.get(c), sumBefore(c), came(c));
      to.assign(given.get(c), sum);
      to.assign(sums.get(c), sum);
    }
    to.jump(go);
    to.place(start);
    for (int c = 0; c < message.size(); c++) {
      to.assign(given.get(c), came(c));
      to.assign(sums.get(c), sumBefore(c));
    }
    to.place(go);
  }

  private int came(int column) {
    return to.parameter(Role.MESSAGE, column, columns.message().get(column));
  }

  private int sumBefore(int column) {
    return to.parameter(Role.VALUE, columns.sum(column), columns.message().get(column));
  }

  private IrFunction told(int superstep, int zero, List<Integer> values, List<Integer> sums) {
    List<Integer> told = columns.told();
    int epsilon = to.parameter(Role.CAPTURE, columns.epsilon(), Kind.DOUBLE);
    int tell = to.label();
    to.branch(Condition.EQ, superstep, zero, tell);
    for (int i = 0; i < told.size(); i++) {
      elementwise.unlessWithin(type(i), values.get(told.get(i)), last(i), epsilon, tell);
    }
    List<Integer> quiet = new ArrayList<>(values);
    quiet.addAll(sums);
    for (int i = 0; i < told.size(); i++) {
      quiet.add(last(i));
    }
    for (int i = 0; i < told.size(); i++) {
      quiet.add(to.parameter(Role.VALUE, columns.before(i), type(i)));
    }
    quiet.add(to.parameter(Role.VALUE, columns.turn(), Kind.INT));
    to.leave(quiet);

    to.place(tell);
    int fault = to.label();
    for (int i = 0; i < told.size(); i++) {
      elementwise.unlessFinite(type(i), values.get(told.get(i)), fault);
    }
    List<Integer> telling = new ArrayList<>(values);
    telling.addAll(sums);
    told.forEach(column -> telling.add(values.get(column)));
    for (int i = 0; i < told.size(); i++) {
      telling.add(last(i));
    }
    // Its messages are those of the next superstep.
    telling.add(to.add(superstep, to.constant(1)));
    to.leave(telling);
    to.place(fault);
    to.fail(FaultCode.THROWN, NOT_FINITE);
    return DeltaColumns.tidy(to.build(columns.all()));
  }

  private ColumnType type(int i) {
    return columns.visible().get(columns.told().get(i));
  }

  private int last(int i) {
    return to.parameter(Role.VALUE, columns.last(i), type(i));
  }
}
