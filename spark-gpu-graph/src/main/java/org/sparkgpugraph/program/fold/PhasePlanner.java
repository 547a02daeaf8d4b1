package org.sparkgpugraph.program.fold;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.LiftedSteps.EdgeMap;
import org.sparkgpugraph.program.LiftedSteps.Repeat;
import org.sparkgpugraph.program.LiftedSteps.Step;
import org.sparkgpugraph.program.LiftedSteps.VertexMap;
import org.sparkgpugraph.program.ValueType;

/**
 * Cuts a sequence of maps into phases. What may be one phase:
 *
 * <ul>
 *   <li>vertex maps one behind the other: each reads its own vertex only;
 *   <li>an edge map and the vertex map that gets its messages: a vertex's messages are complete
 *       when its row is gathered;
 *   <li>edge maps, if no vertex map between them changes what the later one reads.
 * </ul>
 *
 * <p>An edge map that reads what a vertex map before it changed begins a phase: all vertices must
 * have their new value by then. So does the begin and the end of a loop; a loop whose body begins
 * with vertex maps is turned, so that these follow those at the end of the turn before.
 */
final class PhasePlanner {
  private final ValueType state;
  private final int width;
  private final boolean folds;

  /**
   * @param folds false: every map is a phase
   */
  PhasePlanner(ValueType state, boolean folds) {
    this.state = state;
    this.folds = folds;
    width = state.columns().size();
  }

  /**
   * Plans.
   *
   * @param whole whether the loop at the end has to stay as it is: something is measured behind
   *     each of its turns
   */
  List<Turn> plan(List<Step> steps, boolean whole) {
    return plan(steps, whole, "it is the first");
  }

  private List<Turn> plan(List<Step> given, boolean whole, String first) {
    List<Step> steps = folds ? turned(given, whole) : given;
    List<Turn> turns = new ArrayList<>();
    List<EdgeMap> pending = new ArrayList<>();
    Phase open = null;
    String begins = first;
    for (Step step : steps) {
      if (step instanceof Repeat repeat) {
        turns.add(
            new Turn.Loop(repeat.times(), plan(repeat.body(), false, "a turn of a loop begins")));
        open = null;
        begins = "a loop ends before it";
      } else if (step instanceof EdgeMap map) {
        pending.add(map);
        if (!folds) {
          open = begin(turns, "nothing is folded");
          open.gather(map);
        }
      } else {
        String obstacle = folds ? obstacle(open, pending, begins) : "nothing is folded";
        if (obstacle != null) {
          open = begin(turns, obstacle);
        }
        if (folds) {
          pending.forEach(open::gather);
        }
        open.apply(new Phase.Apply((VertexMap) step, List.copyOf(pending)));
        pending.clear();
      }
    }
    return turns;
  }

  private Phase begin(List<Turn> turns, String why) {
    Phase phase = new Phase(width, why);
    turns.add(phase);
    return phase;
  }

  /** Why maps cannot be a part of the phase before them; null: they can. */
  private String obstacle(Phase open, List<EdgeMap> edges, String begins) {
    if (open == null) {
      return begins;
    }
    for (EdgeMap map : edges) {
      int column = open.readsChanged(map);
      if (column >= 0) {
        return "edgeMap %d reads %s, which vertexMap %d changes at every vertex first"
            .formatted(map.number(), component(column), open.lastToChange(column).number());
      }
    }
    return null;
  }

  /** The component of the vertex value that a column is of. */
  private String component(int column) {
    if (state instanceof ValueType.Struct struct) {
      int end = 0;
      for (ValueType.Field field : struct.fields()) {
        end += field.type().columns().size();
        if (column < end) {
          return "'" + field.name() + "'";
        }
      }
    }
    return "the value";
  }

  /**
   * Steps with their loops turned: {@code n·(V E V')} is {@code V (n − 1)·(E V' V) E V'}, in which
   * V is a phase of its own no more.
   */
  private static List<Step> turned(List<Step> steps, boolean whole) {
    List<Step> turned = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      if (!(steps.get(i) instanceof Repeat repeat) || whole && i == steps.size() - 1) {
        turned.add(steps.get(i));
        continue;
      }
      List<Step> body = repeat.body();
      int lead = 0;
      while (lead < body.size() && body.get(lead) instanceof VertexMap map && map.messages() == 0) {
        lead++;
      }
      List<Step> first = body.subList(0, lead);
      List<Step> rest = body.subList(lead, body.size());
      boolean turns = lead > 0 && !rest.isEmpty() && !(body.get(body.size() - 1) instanceof Repeat);
      if (repeat.times() == 1) {
        turned.addAll(turned(body, false));
      } else if (turns) {
        List<Step> moved = new ArrayList<>(rest);
        moved.addAll(first);
        turned.addAll(first);
        turned.addAll(turned(List.of(new Repeat(repeat.times() - 1, moved)), false));
        turned.addAll(turned(rest, false));
      } else {
        turned.add(repeat);
      }
    }
    return turned;
  }
}
