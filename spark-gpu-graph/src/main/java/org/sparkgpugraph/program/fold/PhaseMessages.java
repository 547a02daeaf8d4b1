package org.sparkgpugraph.program.fold;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.LiftedSteps.EdgeMap;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/** Writes how messages are sent and merged. */
final class PhaseMessages {
  private final MessageLayout layout;
  private final IrBuilder to;

  private PhaseMessages(String name, MessageLayout layout) {
    this.layout = layout;
    to = new IrBuilder(name, Folding.class);
  }

  /** The send function: in each phase those of its edge maps. */
  static IrFunction send(List<Turn> turns, MessageLayout layout) {
    PhaseMessages messages = new PhaseMessages("send", layout);
    Schedule.write(messages.to, turns, messages::send);
    return CodeCleaner.tidied(messages.to.build(List.of()));
  }

  private void send(Phase phase) {
    List<EdgeMap> maps = phase.gathers();
    Set<Side> together = maps.size() > 1 ? MessageLayout.together(phase) : Set.of();
    if (!together.isEmpty()) {
      Map<Side, List<Integer>> messages = new EnumMap<>(Side.class);
      together.forEach(side -> messages.put(side, fillers()));
      for (EdgeMap map : maps) {
        inline(map.send(), (side, sent) -> put(map, sent, messages.get(side)));
      }
      messages.forEach(to::emit);
    } else {
      for (EdgeMap map : maps) {
        inline(
            map.send(),
            (side, sent) -> {
              List<Integer> message = fillers();
              put(map, sent, message);
              to.emit(side, message);
            });
      }
    }
    to.leave(List.of());
  }

  private void put(EdgeMap map, List<Integer> sent, List<Integer> message) {
    MessageLayout.Place place = layout.place(map.number());
    for (int c = 0; c < sent.size(); c++) {
      message.set(place.slots().get(c), sent.get(c));
    }
    if (place.flag() >= 0) {
      message.set(place.flag(), to.constant(true));
    }
  }

  /** A message that changes nothing. */
  private List<Integer> fillers() {
    List<Integer> message = new ArrayList<>();
    for (MessageLayout.Slot slot : layout.slots()) {
      Object filler = slot.filler() == null ? Constants.zero(slot.type().kind()) : slot.filler();
      message.add(Constants.of(to, slot.type(), filler));
    }
    return message;
  }

  /** Takes a message, a variable per column. */
  private interface Emits {
    void emit(Side side, List<Integer> message);
  }

  private void inline(IrFunction function, Emits emits) {
    int end = to.label();
    to.inline(
        function,
        p -> IrBuilder.OWN,
        new IrBuilder.Ends() {
          @Override
          public void emit(Side side, List<Integer> message) {
            emits.emit(side, message);
          }

          @Override
          public void leave(List<Integer> results) {
            to.jump(end);
          }
        });
    to.place(end);
  }

  /** The merge function: of each column the one of an edge map that has it. */
  static IrFunction merge(MessageLayout layout) {
    PhaseMessages messages = new PhaseMessages("merge", layout);
    messages.merge();
    return CodeCleaner.tidied(messages.to.build(layout.types()));
  }

  private void merge() {
    Integer[] merged = new Integer[layout.slots().size()];
    for (MessageLayout.Place place : layout.places()) {
      if (place.flag() >= 0 && merged[place.flag()] == null) {
        merged[place.flag()] =
            to.binary(BinaryOp.OR, side(Role.LEFT, place.flag()), side(Role.RIGHT, place.flag()));
      }
      if (place.slots().stream().anyMatch(slot -> merged[slot] == null)) {
        List<Integer> results = place.guarded() ? guarded(place) : merge(place);
        for (int c = 0; c < results.size(); c++) {
          int slot = place.slots().get(c);
          merged[slot] = merged[slot] == null ? results.get(c) : merged[slot];
        }
      }
    }
    for (int s = 0; s < merged.length; s++) {
      if (merged[s] == null) {
        // Nobody sends it.
        merged[s] = to.add(side(Role.LEFT, s), side(Role.RIGHT, s));
      }
    }
    to.leave(List.of(merged));
  }

  private int side(Role role, int slot) {
    return to.parameter(role, slot, layout.slots().get(slot).type());
  }

  private List<Integer> merge(MessageLayout.Place place) {
    List<Integer> results = variables(place);
    merge(place, results);
    return results;
  }

  private List<Integer> variables(MessageLayout.Place place) {
    List<Integer> results = new ArrayList<>();
    for (int slot : place.slots()) {
      results.add(to.variable(layout.slots().get(slot).type().kind()));
    }
    return results;
  }

  private void merge(MessageLayout.Place place, List<Integer> results) {
    int end = to.label();
    to.inline(
        place.map().merge(),
        p ->
            p.role() == Role.LEFT || p.role() == Role.RIGHT
                ? side(p.role(), place.slots().get(p.index()))
                : IrBuilder.OWN,
        leaving -> {
          for (int c = 0; c < results.size(); c++) {
            to.assign(results.get(c), leaving.get(c));
          }
          to.jump(end);
        });
    to.place(end);
  }

  /** The merge of two, or the one that there is. */
  private List<Integer> guarded(MessageLayout.Place place) {
    List<Integer> results = variables(place);
    int zero = to.constant(false);
    int none = to.label();
    int right = to.label();
    int end = to.label();
    to.branch(Condition.EQ, side(Role.RIGHT, place.flag()), zero, none);
    to.branch(Condition.EQ, side(Role.LEFT, place.flag()), zero, right);
    merge(place, results);
    to.jump(end);
    for (Role role : List.of(Role.LEFT, Role.RIGHT)) {
      to.place(role == Role.LEFT ? none : right);
      for (int c = 0; c < results.size(); c++) {
        to.assign(results.get(c), side(role, place.slots().get(c)));
      }
      to.jump(end);
    }
    to.place(end);
    return results;
  }

  /** Where no message came, a box per column. */
  static Object[] empty(MessageLayout layout) {
    return layout.slots().stream().map(MessageLayout.Slot::empty).toArray();
  }
}
