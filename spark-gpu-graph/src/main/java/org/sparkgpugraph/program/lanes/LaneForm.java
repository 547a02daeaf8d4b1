package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.LiveVariables;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * Code whose arrays may be spread over lanes that each have some elements of all of them and run
 * all of the code. Arrays are of one length. Loops over their elements, at the index that counts,
 * are divided among the lanes; what their rounds hand on is put together behind them ({@link
 * Reduction}), and a round that ends the loop ends it for all. Outside of these loops all lanes
 * compute the same numbers; an element that is read there is told by the lane that has it.
 */
public final class LaneForm {
  private final int length;
  private final List<Insn> code;
  private final List<LaneLoop> loops;

  private LaneForm(int length, List<Insn> code, List<LaneLoop> loops) {
    this.length = length;
    this.code = code;
    this.loops = loops;
  }

  /** Length of the arrays; 0: there are none. */
  public int length() {
    return length;
  }

  /** The code, to which the loops' instructions belong: here and there in another order. */
  public List<Insn> code() {
    return code;
  }

  /** The loops over the elements, of which lanes take some rounds each. */
  public List<LaneLoop> loops() {
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
    try {
      return Optional.of(new Search(parameters, kinds, code).form());
    } catch (ObstacleException e) {
      return Optional.empty();
    }
  }

  /**
   * Why code has no such form; empty where it has one.
   *
   * @param parameters of the function
   * @param kinds of the variables
   */
  public static Optional<Obstacle> obstacle(
      List<Param> parameters, List<Kind> kinds, List<Insn> code) {
    try {
      Objects.requireNonNull(new Search(parameters, kinds, code).form());
      return Optional.empty();
    } catch (ObstacleException e) {
      return Optional.of(e.obstacle());
    }
  }

  /** Looks for the form of some code. */
  private static final class Search {
    private final List<Param> parameters;
    private final List<Kind> kinds;
    private List<Insn> code;
    private ArrayPlaces places;
    private LiveVariables live;
    private Map<Integer, Integer> labels;
    private int length;

    Search(List<Param> parameters, List<Kind> kinds, List<Insn> code) {
      this.parameters = parameters;
      this.kinds = kinds;
      this.code = code;
    }

    LaneForm form() throws ObstacleException {
      places = new ArrayPlaces(parameters, kinds, code);
      Set<Integer> lengths = new TreeSet<>();
      places.places().forEach(place -> lengths.add(place.type().length()));
      if (lengths.size() > 1) {
        throw new ObstacleException(
            "has arrays of several lengths: " + lengths, SourcePosition.NONE);
      }
      length = lengths.isEmpty() ? 0 : lengths.iterator().next();
      // Moving code changes where loops stand: it is done for one after the other.
      for (int i = 0; i < loops().size(); i++) {
        code = LoopExits.moved(code, loops().get(i));
        code = InvariantReads.moved(code, loops().get(i));
      }
      places = new ArrayPlaces(parameters, kinds, code);
      live = new LiveVariables(code);
      labels = Insn.Label.positions(code);
      List<CountedLoops.Loop> loops = loops();
      checkOthers(loops);
      List<LaneLoop> shared = new ArrayList<>();
      for (CountedLoops.Loop loop : loops) {
        shared.add(shared(loop));
      }
      return new LaneForm(length, code, List.copyOf(shared));
    }

    /** The loops at whose index elements are read or written. */
    private List<CountedLoops.Loop> loops() {
      List<CountedLoops.Loop> all = new CountedLoops(code).loops();
      List<CountedLoops.Loop> found = new ArrayList<>();
      for (int i = 0; i < code.size(); i++) {
        CountedLoops.Loop loop = around(all, i);
        if (loop != null
            && index(code.get(i)) == loop.variable()
            && loop.limit() <= length
            && !found.contains(loop)) {
          found.add(loop);
        }
      }
      return found;
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

    /** Refuses elements in loops that are not at the index that counts. */
    private void checkOthers(List<CountedLoops.Loop> loops) throws ObstacleException {
      for (int i = 0; i < code.size(); i++) {
        int index = index(code.get(i));
        if (index < 0) {
          continue;
        }
        CountedLoops.Loop loop = around(loops, i);
        if (loop != null && loop.variable() != index) {
          throw new ObstacleException(
              (code.get(i) instanceof Insn.With ? "writes" : "reads")
                  + " an element at another index than the one that its loop counts",
              code.get(i).where());
        } else if (loop == null && isSetInLoopAround(index, i)) {
          throw new ObstacleException(
              "looks at elements in a loop that does not count by one from a constant to another, such"
                  + " as the length of the array",
              code.get(i).where());
        }
      }
    }

    /** Whether an instruction is in a loop in which a variable changes. */
    private boolean isSetInLoopAround(int variable, int instruction) {
      for (int end = instruction + 1; end < code.size(); end++) {
        for (int label : code.get(end).jumps()) {
          int begin = labels.get(label);
          if (begin <= instruction
              && code.subList(begin, end).stream().anyMatch(insn -> insn.target() == variable)) {
            return true;
          }
        }
      }
      return false;
    }

    private LaneLoop shared(CountedLoops.Loop loop) throws ObstacleException {
      BitSet exit = live.before(labels.get(code.get(loop.guard()).jumps().get(0)));
      BitSet before = live.before(loop.label());
      BitSet written = new BitSet();
      Set<Integer> exits = new TreeSet<>();
      for (int i = loop.guard() + 1; i < loop.jump(); i++) {
        check(code.get(i), i, loop, exits);
        if (code.get(i).target() >= 0) {
          written.set(code.get(i).target());
        }
      }
      for (int label : exits) {
        if (live.before(labels.get(label)).intersects(written)) {
          throw new ObstacleException(
              "ends a loop over the elements with what it has found there",
              code.get(labels.get(label)).where());
        }
      }
      boolean countsOn = exit.get(loop.variable());
      written.clear(loop.variable());
      BitSet handedOn = (BitSet) written.clone();
      handedOn.and(before);
      BitSet left = (BitSet) written.clone();
      left.and(exit);
      left.andNot(before);
      if (!left.isEmpty()) {
        throw new ObstacleException(
            "reads behind a loop what its last round has left", code.get(loop.guard()).where());
      }
      BitSet numbers = new BitSet();
      BitSet arrays = new BitSet();
      handedOn.stream().forEach(v -> (places.isArray(v) ? arrays : numbers).set(v));
      List<Reduction> reductions =
          numbers.isEmpty() ? List.of() : CarriedNumbers.of(loop, code, kinds, numbers, arrays);
      return new LaneLoop(loop, reductions, List.copyOf(exits), countsOn);
    }

    /** Refuses instructions that lanes cannot do each for itself; collects exits. */
    private void check(Insn insn, int at, CountedLoops.Loop loop, Set<Integer> exits)
        throws ObstacleException {
      if (insn instanceof Insn.Emit) {
        throw new ObstacleException("sends a message for each element", insn.where());
      } else if (insn instanceof Insn.Filled) {
        throw new ObstacleException("makes an array for each element", insn.where());
      } else if (insn instanceof Insn.Switch) {
        throw new ObstacleException("has a switch in a loop over the elements", insn.where());
      } else if (insn instanceof Insn.Return || insn instanceof Insn.Fail) {
        throw new ObstacleException("ends in a loop over the elements", insn.where());
      } else if (insn instanceof Insn.Copy copy
          && places.isArray(copy.target())
          && places.of(copy.source()) != places.of(copy.target())) {
        throw new ObstacleException("takes another array for each element", insn.where());
      }
      for (int label : insn.jumps()) {
        int to = labels.get(label);
        if (to > loop.guard() && to < at) {
          throw new ObstacleException("has a loop in a loop over the elements", insn.where());
        } else if (to <= loop.guard() || to > loop.jump()) {
          exits.add(label);
        }
      }
    }
  }
}
