package org.sparkgpugraph.program.fold;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.sparkgpugraph.program.LiftedSteps.EdgeMap;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.TraitRecognizer;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.OneMessage;
import org.sparkgpugraph.program.ir.Side;

/**
 * The columns of the messages of a run: each edge map has some of them. Sums of the same type share
 * a column where no phase has both. What an edge map does not send is filled with what changes
 * nothing when it is merged. Where that is not known, or where it has to be known whether anything
 * came at all, a column of its own says that an edge map's columns hold a message.
 */
final class MessageLayout {
  /**
   * A column of the messages.
   *
   * @param empty its value where no message came
   * @param filler its value in a message of others; null: it is not looked at
   */
  record Slot(ColumnType type, Object empty, Object filler, boolean sums) {}

  /**
   * Where an edge map's message is.
   *
   * @param slots one per column
   * @param flag the column that says whether there is one; −1: there always is
   * @param guarded whether messages may be merged only where there are two
   */
  record Place(EdgeMap map, List<Integer> slots, int flag, boolean guarded) {}

  private final List<Slot> slots = new ArrayList<>();
  private final Map<Integer, Place> places = new LinkedHashMap<>();
  private final List<Phase> phases;
  private final Set<Integer> maps = new HashSet<>();

  MessageLayout(List<Phase> phases) {
    this.phases = phases;
    phases.forEach(phase -> phase.gathers().forEach(map -> maps.add(map.number())));
    for (Phase phase : phases) {
      for (EdgeMap map : phase.gathers()) {
        if (!places.containsKey(map.number())) {
          places.put(map.number(), place(map));
        }
      }
    }
    if (slots.isEmpty()) {
      // No engine knows messages without columns.
      slots.add(new Slot(Kind.INT, 0, 0, true));
    }
  }

  /** The columns. */
  List<Slot> slots() {
    return slots;
  }

  /** Their types. */
  List<ColumnType> types() {
    return slots.stream().map(Slot::type).toList();
  }

  /** Where an edge map's message is. */
  Place place(int map) {
    return places.get(map);
  }

  /** All edge maps, each once. */
  Iterable<Place> places() {
    return places.values();
  }

  /**
   * The ends to which the edge maps of a phase send one message together: all send one to each of
   * them along every edge, and no other.
   */
  static Set<Side> together(Phase phase) {
    Set<Side> first = OneMessage.sides(phase.gathers().get(0).send());
    return phase.gathers().stream().allMatch(map -> OneMessage.sides(map.send()).equals(first))
        ? first
        : Set.of();
  }

  private Place place(EdgeMap map) {
    List<MergeAlgebra> algebra = TraitRecognizer.algebra(map.merge());
    List<ColumnType> types = map.message().columns();
    Set<Integer> taken = new HashSet<>();
    for (Phase phase : phases) {
      if (phase.gathers(map)) {
        for (EdgeMap other : phase.gathers()) {
          Place placed = places.get(other.number());
          if (placed != null) {
            taken.addAll(placed.slots());
            taken.add(placed.flag());
          }
        }
      }
    }
    boolean guarded = false;
    List<Object> fillers = new ArrayList<>();
    for (int c = 0; c < types.size(); c++) {
      Object filler =
          algebra.size() == types.size() ? algebra.get(c).identity(types.get(c).kind()) : null;
      guarded |= filler == null;
      fillers.add(filler);
    }
    // One that is alone in all of a run needs neither fillers nor a flag.
    guarded &= maps.size() > 1;
    List<Integer> own = new ArrayList<>();
    for (int c = 0; c < types.size(); c++) {
      boolean sums =
          !guarded && algebra.size() == types.size() && algebra.get(c) == MergeAlgebra.SUM;
      Slot slot = new Slot(types.get(c), map.empty()[c], guarded ? null : fillers.get(c), sums);
      own.add(slot(slot, sums, taken));
    }
    boolean mixed =
        phases.stream()
            .anyMatch(
                phase ->
                    phase.gathers().size() > 1 && phase.gathers(map) && together(phase).isEmpty());
    int flag =
        guarded || mixed ? slot(new Slot(Kind.BOOLEAN, false, false, false), true, taken) : -1;
    return new Place(map, own, flag, guarded);
  }

  /**
   * The place of a column.
   *
   * @param shared whether other edge maps may have it, too
   * @param taken those that this one may not have; this one is added
   */
  private int slot(Slot wanted, boolean shared, Set<Integer> taken) {
    for (int s = 0; shared && s < slots.size(); s++) {
      Slot slot = slots.get(s);
      if (!taken.contains(s)
          && slot.type().equals(wanted.type())
          && slot.sums() == wanted.sums()
          && isFlag(slot) == isFlag(wanted)
          && Objects.deepEquals(slot.empty(), wanted.empty())) {
        taken.add(s);
        return s;
      }
    }
    slots.add(wanted);
    taken.add(slots.size() - 1);
    return slots.size() - 1;
  }

  private static boolean isFlag(Slot slot) {
    return slot.type() == Kind.BOOLEAN && Boolean.FALSE.equals(slot.filler()) && !slot.sums();
  }
}
