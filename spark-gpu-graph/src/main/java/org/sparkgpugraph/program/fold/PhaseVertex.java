package org.sparkgpugraph.program.fold;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.LiftedSteps.EdgeMap;
import org.sparkgpugraph.program.LiftedSteps.VertexMap;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.analysis.StableColumns;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** Writes what runs at the vertices. */
final class PhaseVertex {
  private final StepColumns columns;
  private final MessageLayout layout;
  private final IrBuilder to;

  private PhaseVertex(String name, StepColumns columns, MessageLayout layout) {
    this.columns = columns;
    this.layout = layout;
    to = new IrBuilder(name, Folding.class);
  }

  /** The vertex program: in each phase its vertex maps, one behind the other. */
  static IrFunction vertexProgram(List<Turn> turns, StepColumns columns, MessageLayout layout) {
    PhaseVertex vertex = new PhaseVertex("vertexProgram", columns, layout);
    Schedule.write(vertex.to, turns, vertex::phase);
    return CodeCleaner.tidied(vertex.to.build(columns.all()));
  }

  private void phase(Phase phase) {
    List<ColumnType> all = columns.all();
    List<Integer> values = new ArrayList<>();
    for (int c = 0; c < all.size(); c++) {
      values.add(to.parameter(Role.VALUE, c, all.get(c)));
    }
    for (EdgeMap map : phase.kept()) {
      List<Integer> message = message(map);
      for (int c = 0; c < message.size(); c++) {
        values.set(columns.kept(map).get(c), message.get(c));
      }
    }
    for (Phase.Apply apply : phase.applies()) {
      List<List<Integer>> messages = new ArrayList<>();
      for (EdgeMap map : apply.sources()) {
        messages.add(
            phase.gathers(map)
                ? message(map)
                : columns.kept(map).stream().map(values::get).toList());
      }
      apply(apply.map(), values, messages);
    }
    to.leave(values);
  }

  /** What came of an edge map, or its empty message; a variable per column. */
  private List<Integer> message(EdgeMap map) {
    MessageLayout.Place place = layout.place(map.number());
    List<Integer> message = new ArrayList<>();
    for (int slot : place.slots()) {
      message.add(to.parameter(Role.MESSAGE, slot, layout.slots().get(slot).type()));
    }
    if (place.flag() < 0) {
      return message;
    }
    int came = to.label();
    List<Integer> known = new ArrayList<>();
    for (int variable = 0; variable < message.size(); variable++) {
      known.add(to.variable(map.message().columns().get(variable).kind()));
      to.assign(known.get(variable), message.get(variable));
    }
    int flag = to.parameter(Role.MESSAGE, place.flag(), Kind.BOOLEAN);
    to.branch(Condition.NE, flag, to.constant(false), came);
    for (int c = 0; c < known.size(); c++) {
      ColumnType type = map.message().columns().get(c);
      to.assign(known.get(c), Constants.of(to, type, map.empty()[c]));
    }
    to.place(came);
    return known;
  }

  /** Runs a vertex map; columns that it does not change keep their variables. */
  private void apply(VertexMap map, List<Integer> values, List<List<Integer>> messages) {
    boolean[] stable = StableColumns.of(map.function(), columns.visible());
    List<Integer> before = List.copyOf(values);
    for (int c = 0; c < stable.length; c++) {
      if (!stable[c]) {
        values.set(c, to.variable(columns.all().get(c).kind()));
      }
    }
    int end = to.label();
    to.inline(
        map.function(),
        p ->
            switch (p.role()) {
              case VALUE -> before.get(p.index());
              case MESSAGE -> messages.get(0).get(p.index());
              case RIGHT -> messages.get(1).get(p.index());
              default -> IrBuilder.OWN;
            },
        results -> {
          for (int c = 0; c < stable.length; c++) {
            if (!stable[c]) {
              to.assign(values.get(c), results.get(c));
            }
          }
          to.jump(end);
        });
    to.place(end);
  }

  /**
   * The state at the start: the user's, what vertex maps make of it, and zeros.
   *
   * @param function that makes the user's; null: it is the attribute
   * @param maps that run on it
   * @return null where the attribute is the state
   */
  static IrFunction initialState(
      IrFunction function, List<VertexMap> maps, ValueType state, StepColumns columns) {
    if (maps.isEmpty() && columns.hidden().isEmpty()) {
      return function;
    }
    PhaseVertex vertex = new PhaseVertex("state", columns, null);
    IrBuilder to = vertex.to;
    List<Integer> values = new ArrayList<>();
    List<ColumnType> visible = state.columns();
    if (function == null) {
      for (int c = 0; c < visible.size(); c++) {
        values.add(to.parameter(Role.ATTRIBUTE, c, visible.get(c)));
      }
    } else {
      visible.forEach(type -> values.add(to.variable(type.kind())));
      int end = to.label();
      to.inline(
          function,
          p -> IrBuilder.OWN,
          results -> {
            for (int c = 0; c < results.size(); c++) {
              to.assign(values.get(c), results.get(c));
            }
            to.jump(end);
          });
      to.place(end);
    }
    maps.forEach(map -> vertex.apply(map, values, List.of()));
    for (ColumnType type : columns.hidden()) {
      values.add(Constants.of(to, type, Constants.zero(type.kind())));
    }
    to.leave(values);
    return CodeCleaner.tidied(to.build(columns.all()));
  }
}
