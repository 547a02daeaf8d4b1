package org.sparkgpugraph.program.delta;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.analysis.StableColumns;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Renumbering;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnreadCode;

/**
 * The state of a change-driven program: the user's columns; the sum of all messages so far, a
 * column for each of the message; copies of the columns that senders read and that change, as they
 * were last told and as they were told before that; and the superstep for whose messages they were
 * last told (0: never).
 */
final class DeltaColumns {
  private final LiftedProgram program;
  private final List<ColumnType> visible;
  private final boolean[] stable;
  private final List<Integer> told;

  DeltaColumns(LiftedProgram program) {
    this.program = program;
    visible = program.state().columns();
    stable = StableColumns.of(program.vertexProgram(), visible.size());
    TreeSet<Integer> read = new TreeSet<>();
    for (Param p : program.send().parameters()) {
      if ((p.role() == Role.SOURCE || p.role() == Role.DESTINATION) && !stable[p.index()]) {
        read.add(p.index());
      }
    }
    told = List.copyOf(read);
  }

  /** Whether no vertex program changes a column of the user's. */
  boolean isStable(int column) {
    return stable[column];
  }

  /** The user's columns. */
  List<ColumnType> visible() {
    return visible;
  }

  /** The columns of a message. */
  List<ColumnType> message() {
    return program.message().columns();
  }

  /** The user's columns that are told, ascending. */
  List<Integer> told() {
    return told;
  }

  /** Place of the sum of a message's column. */
  int sum(int column) {
    return visible.size() + column;
  }

  /** Place of what was last told of {@code told().get(i)}. */
  int last(int i) {
    return sum(message().size()) + i;
  }

  /** Place of what was told before that. */
  int before(int i) {
    return last(told.size()) + i;
  }

  /** Place of the superstep's number. */
  int turn() {
    return before(told.size());
  }

  /** Index of ε among the captured values: it is the last. */
  int epsilon() {
    return program.captureKinds().size();
  }

  /** All columns. */
  List<ColumnType> all() {
    List<ColumnType> all = new ArrayList<>(visible);
    all.addAll(message());
    told.forEach(column -> all.add(visible.get(column)));
    told.forEach(column -> all.add(visible.get(column)));
    all.add(Kind.INT);
    return all;
  }

  /** The state's type; the user's value first. */
  ValueType state() {
    List<ValueType.Field> fields = new ArrayList<>();
    if (program.state() instanceof ValueType.Struct struct) {
      fields.addAll(struct.fields());
    } else {
      fields.add(new ValueType.Field("value", program.state()));
    }
    List<ColumnType> all = all();
    for (ColumnType column : all.subList(visible.size(), all.size())) {
      fields.add(new ValueType.Field("hidden " + fields.size(), ValueType.of(column)));
    }
    return new ValueType.Struct(program.state().className(), fields);
  }

  /** What of the user's send function sends to one side; null: nothing does. */
  IrFunction sendsTo(Side side) {
    IrFunction send = program.send();
    if (send.code().stream().noneMatch(i -> i instanceof Insn.Emit e && e.side() == side)) {
      return null;
    }
    List<Insn> code =
        send.code().stream().filter(i -> !(i instanceof Insn.Emit e) || e.side() == side).toList();
    return tidy(send.name(), send.parameters(), send.results(), send.variables(), code);
  }

  /** Whether messages go both ways. */
  boolean sendsBothWays() {
    return sendsTo(Side.SOURCE) != null && sendsTo(Side.DESTINATION) != null;
  }

  /** A function without what nobody reads. */
  static IrFunction tidy(IrFunction function) {
    return tidy(
        function.name(),
        function.parameters(),
        function.results(),
        function.variables(),
        function.code());
  }

  private static IrFunction tidy(
      String name,
      List<Param> parameters,
      List<ColumnType> results,
      List<Kind> kinds,
      List<Insn> code) {
    return Renumbering.of(
        name,
        parameters,
        results,
        kinds,
        CodeCleaner.clean(UnreadCode.removed(CodeCleaner.clean(code))));
  }
}
