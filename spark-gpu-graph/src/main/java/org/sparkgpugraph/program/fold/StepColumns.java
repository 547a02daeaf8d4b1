package org.sparkgpugraph.program.fold;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.LiftedSteps.EdgeMap;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * The state of a run: the user's columns, and behind them hidden ones for messages that wait for
 * the superstep that reads them. Messages that do not wait at the same time share columns.
 */
final class StepColumns {
  private final ValueType visible;
  private final List<ColumnType> hidden = new ArrayList<>();
  private final Map<Integer, List<Integer>> kept = new HashMap<>();

  StepColumns(ValueType visible, List<Phase> phases) {
    this.visible = visible;
    Set<Integer> keeps = new HashSet<>();
    phases.forEach(phase -> phase.kept().forEach(map -> keeps.add(map.number())));
    for (Phase phase : phases) {
      for (Phase.Apply apply : phase.applies()) {
        Set<Integer> taken = new HashSet<>();
        for (EdgeMap map : apply.sources()) {
          if (keeps.contains(map.number()) && !phase.gathers(map)) {
            kept.put(map.number(), places(map, taken));
          }
        }
      }
    }
  }

  private List<Integer> places(EdgeMap map, Set<Integer> taken) {
    List<Integer> places = new ArrayList<>();
    for (ColumnType type : map.message().columns()) {
      int place = 0;
      while (place < hidden.size() && (taken.contains(place) || !hidden.get(place).equals(type))) {
        place++;
      }
      if (place == hidden.size()) {
        hidden.add(type);
      }
      taken.add(place);
      places.add(visible.columns().size() + place);
    }
    return places;
  }

  /** Number of the user's columns. */
  int visible() {
    return visible.columns().size();
  }

  /** The hidden columns. */
  List<ColumnType> hidden() {
    return hidden;
  }

  /** All columns. */
  List<ColumnType> all() {
    List<ColumnType> all = new ArrayList<>(visible.columns());
    all.addAll(hidden);
    return all;
  }

  /** Where the message of an edge map waits, a place per column. */
  List<Integer> kept(EdgeMap map) {
    return kept.get(map.number());
  }

  /** The state's type; the user's value first. */
  ValueType state() {
    if (hidden.isEmpty()) {
      return visible;
    }
    List<ValueType.Field> fields = new ArrayList<>();
    if (visible instanceof ValueType.Struct struct) {
      fields.addAll(struct.fields());
    } else {
      fields.add(new ValueType.Field("value", visible));
    }
    for (ColumnType column : hidden) {
      fields.add(new ValueType.Field("hidden " + fields.size(), ValueType.of(column)));
    }
    return new ValueType.Struct(visible.className(), fields);
  }
}
