package org.sparkgpugraph.program.ir;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Code whose arrays may be spread over lanes that each have some elements of all of them and run
 * all of the code: arrays are of one length, their elements are looked at only in loops over all of
 * them, at the index that counts, and no round of such a loop hands a number on to another. Outside
 * of these loops all lanes compute the same numbers.
 */
public final class LaneForm {
  private final int length;
  private final List<CountedLoops.Loop> loops;

  private LaneForm(int length, List<CountedLoops.Loop> loops) {
    this.length = length;
    this.loops = loops;
  }

  /** Length of the arrays; 0: there are none. */
  public int length() {
    return length;
  }

  /** The loops over the elements, of which lanes take some rounds each. */
  public List<CountedLoops.Loop> loops() {
    return loops;
  }

  /** The form of a function's code; empty where it has none. */
  public static Optional<LaneForm> of(IrFunction function) {
    return of(function.parameters(), function.variables(), function.code());
  }

  /**
   * The form of code; empty where it has none.
   *
   * @param parameters of the function
   * @param kinds of the variables
   */
  public static Optional<LaneForm> of(List<Param> parameters, List<Kind> kinds, List<Insn> code) {
    ArrayPlaces places = new ArrayPlaces(parameters, kinds, code);
    Set<Integer> lengths = new TreeSet<>();
    places.places().forEach(place -> lengths.add(place.type().length()));
    if (lengths.size() > 1) {
      return Optional.empty();
    }
    int length = lengths.isEmpty() ? 0 : lengths.iterator().next();
    List<CountedLoops.Loop> found = new ArrayList<>();
    List<CountedLoops.Loop> all = new CountedLoops(code).loops();
    for (int i = 0; i < code.size(); i++) {
      int index = index(code.get(i));
      if (index >= 0) {
        CountedLoops.Loop loop = around(all, i);
        if (loop == null
            || loop.variable() != index
            || loop.from() != 0
            || loop.limit() != length) {
          return Optional.empty();
        }
        if (!found.contains(loop)) {
          found.add(loop);
        }
      }
    }
    LiveVariables live = new LiveVariables(code);
    boolean independent = found.stream().allMatch(loop -> isIndependent(loop, code, places, live));
    return independent ? Optional.of(new LaneForm(length, found)) : Optional.empty();
  }

  /** The index at which an element is read or written; −1: neither. */
  private static int index(Insn insn) {
    return insn instanceof Insn.Element element
        ? element.index()
        : insn instanceof Insn.With with ? with.index() : -1;
  }

  /** The innermost loop with an instruction in its body. */
  private static CountedLoops.Loop around(List<CountedLoops.Loop> loops, int instruction) {
    return loops.stream().filter(loop -> loop.hasInBody(instruction)).findFirst().orElse(null);
  }

  /** Whether the rounds of a loop may be run in any order, each by another lane. */
  private static boolean isIndependent(
      CountedLoops.Loop loop, List<Insn> code, ArrayPlaces places, LiveVariables live) {
    Map<Integer, Integer> labels = Insn.Label.positions(code);
    BitSet exit = live.before(labels.get(code.get(loop.guard()).jumps().get(0)));
    if (exit.get(loop.variable())) {
      return false;
    }
    BitSet handedOn = live.before(loop.label());
    for (int i = loop.guard() + 1; i < loop.jump(); i++) {
      Insn insn = code.get(i);
      boolean leaves =
          insn instanceof Insn.Fail
              || insn instanceof Insn.Return
              || insn instanceof Insn.Emit
              || insn instanceof Insn.Filled
              || insn instanceof Insn.Switch;
      int here = i;
      boolean jumpsAway =
          insn.jumps().stream().map(labels::get).anyMatch(at -> at < here || at > loop.jump());
      int target = insn.target();
      boolean isArray = target >= 0 && places.isArray(target);
      boolean moves =
          insn instanceof Insn.Copy copy
              && isArray
              && places.of(copy.source()) != places.of(copy.target());
      boolean carries =
          target >= 0
              && !isArray
              && target != loop.variable()
              && (handedOn.get(target) || exit.get(target));
      if (leaves || jumpsAway || moves || carries) {
        return false;
      }
    }
    return true;
  }
}
