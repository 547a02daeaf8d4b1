package org.sparkgpugraph.program.lanes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.ConstantFolding;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.LiveVariables;

/**
 * Runs through code with the whole numbers that are known of it, such as indexes and what loops
 * count to, and all ways where a branch asks for something else. Notes for loops whether a round
 * touches an element that another one writes, and what of the code is reached at all: a test of an
 * index that is always within its array is not.
 */
final class RoundTrial {
  /** Steps that are tried at most. */
  private static final int MOST_STEPS = 4_000_000;

  /** Labels with different numbers that are remembered at most. */
  private static final int MOST_STATES = 100_000;

  private static final int ELEMENT_BITS = 20;
  private static final int PLACE_BITS = 12;

  private final List<Kind> kinds;
  private final List<Insn> code;
  private final ArrayPlaces places;
  private final List<TeamLoop> loops;
  private final LiveVariables live;
  private final Map<Integer, Integer> labels;

  /** The loops around each instruction. */
  private final int[][] around;

  private final BitSet reached = new BitSet();
  private final BitSet jumps = new BitSet();
  private final BitSet goesOn = new BitSet();
  private final boolean[] dependent;
  private final int[] rounds;
  private final List<Map<Long, Touch>> touched = new ArrayList<>();
  private final Map<Integer, int[]> numbers = new HashMap<>();
  private final Set<List<Object>> seen = new HashSet<>();
  private final Deque<State> left = new ArrayDeque<>();
  private int instances;
  private int steps;

  /** What rounds of a loop did to an element: one round as long as {@code several} is false. */
  private static final class Touch {
    private final int round;
    private boolean several;
    private boolean written;

    Touch(int round) {
      this.round = round;
    }
  }

  /** A way through the code. */
  private static final class State {
    private int at;
    private final Object[] known;
    private final int[] instance;
    private final int[] round;

    State(int at, Object[] known, int[] instance, int[] round) {
      this.at = at;
      this.known = known;
      this.instance = instance;
      this.round = round;
    }

    State forked(int to) {
      return new State(to, known.clone(), instance.clone(), round.clone());
    }
  }

  RoundTrial(List<Kind> kinds, List<Insn> code, ArrayPlaces places, List<TeamLoop> loops) {
    this.kinds = kinds;
    this.code = code;
    this.places = places;
    this.loops = loops;
    live = new LiveVariables(code);
    labels = Insn.Label.positions(code);
    dependent = new boolean[loops.size()];
    rounds = new int[loops.size()];
    loops.forEach(loop -> touched.add(new HashMap<>()));
    around = new int[code.size()][];
    for (int i = 0; i < code.size(); i++) {
      int at = i;
      around[i] = loops.stream().filter(l -> l.has(at)).mapToInt(loops::indexOf).toArray();
    }
  }

  /** Tries all ways; false: there are too many steps. */
  boolean run() {
    left.push(new State(0, new Object[kinds.size()], new int[loops.size()], new int[loops.size()]));
    while (!left.isEmpty()) {
      State state = left.pop();
      while (state.at >= 0 && state.at < code.size()) {
        if (++steps > MOST_STEPS || seen.size() > MOST_STATES) {
          return false;
        }
        step(state);
      }
    }
    return true;
  }

  boolean isReached(int instruction) {
    return reached.get(instruction);
  }

  boolean mayJump(int branch) {
    return jumps.get(branch);
  }

  boolean mayGoOn(int branch) {
    return goesOn.get(branch);
  }

  /** Whether no round of a loop touches what another one writes. */
  boolean isIndependent(int loop) {
    return !dependent[loop];
  }

  /** Most rounds of a loop in a row. */
  int rounds(int loop) {
    return rounds[loop];
  }

  private void step(State state) {
    int at = state.at;
    Insn insn = code.get(at);
    reached.set(at);
    state.at = at + 1;
    if (insn instanceof Insn.Label label) {
      enter(state, at);
      if (!isNew(state, at)) {
        state.at = -1;
      }
      return;
    }
    touch(state, at, insn);
    if (insn instanceof Insn.Branch branch) {
      Object a = state.known[branch.left()];
      Object b = state.known[branch.right()];
      int to = labels.get(branch.label());
      Boolean jump = a == null || b == null ? null : ConstantFolding.test(branch.condition(), a, b);
      if (jump == null || jump) {
        jumps.set(at);
      }
      if (jump == null || !jump) {
        goesOn.set(at);
      }
      if (jump == null) {
        left.push(state.forked(to));
      } else if (jump) {
        state.at = to;
      }
    } else if (insn instanceof Insn.Switch) {
      List<Integer> all = insn.jumps();
      all.stream().skip(1).forEach(label -> left.push(state.forked(labels.get(label))));
      state.at = labels.get(all.get(0));
    } else if (insn instanceof Insn.Jump jump) {
      for (int l : around[at]) {
        if (loops.get(l).jump() == at) {
          state.round[l]++;
          // Its label is come to from behind.
          state.instance[l] = -state.instance[l];
        }
      }
      state.at = labels.get(jump.label());
    } else if (insn.leaves()) {
      state.at = -1;
    } else if (insn.target() >= 0 && !places.isArray(insn.target())) {
      state.known[insn.target()] = value(insn, state.known);
    }
  }

  /** Begins a loop, or its next round. */
  private void enter(State state, int at) {
    for (int l : around[at]) {
      if (loops.get(l).label() == at) {
        if (state.instance[l] < 0) {
          state.instance[l] = -state.instance[l];
        } else {
          state.instance[l] = ++instances;
          state.round[l] = 0;
        }
        rounds[l] = Math.max(rounds[l], state.round[l]);
      }
    }
  }

  /** Whether nobody came to a label with the same numbers. */
  private boolean isNew(State state, int at) {
    List<Object> key = new ArrayList<>();
    key.add(at);
    for (int v : numbers.computeIfAbsent(at, this::numbersAt)) {
      key.add(state.known[v]);
    }
    for (int l : around[at]) {
      // Of a loop around, a round of its own; but not every time that it is begun.
      key.add(state.round[l]);
    }
    return seen.add(key);
  }

  private int[] numbersAt(int label) {
    return live.before(label).stream()
        .filter(v -> kinds.get(v) == Kind.INT || kinds.get(v) == Kind.BOOLEAN)
        .filter(v -> !places.isArray(v))
        .toArray();
  }

  private Object value(Insn insn, Object[] known) {
    int target = insn.target();
    Kind kind = kinds.get(target);
    if (kind != Kind.INT && kind != Kind.BOOLEAN) {
      return null;
    } else if (insn instanceof Insn.Constant constant) {
      return constant.value();
    } else if (insn instanceof Insn.Copy copy) {
      return kinds.get(copy.source()) == kind ? known[copy.source()] : null;
    } else if (insn instanceof Insn.Binary binary
        && known[binary.left()] instanceof Integer a
        && known[binary.right()] instanceof Integer b
        && kind == Kind.INT) {
      return ConstantFolding.binary(binary.op(), a, b);
    } else if (insn instanceof Insn.Unary unary && known[unary.operand()] instanceof Integer a) {
      return ConstantFolding.unary(unary.op(), kind, a);
    }
    return null;
  }

  // ---- elements -------------------------------------------------------------------------------

  private void touch(State state, int at, Insn insn) {
    if (around[at].length == 0) {
      return;
    } else if (insn instanceof Insn.Element element) {
      touch(state, at, places.of(element.array()), state.known[element.index()], false);
    } else if (insn instanceof Insn.With with) {
      copied(state, at, with.array(), with.target());
      touch(state, at, places.of(with.target()), state.known[with.index()], true);
    } else if (insn instanceof Insn.Filled filled) {
      touch(state, at, places.of(filled.target()), null, true);
    } else if (insn instanceof Insn.Copy copy && places.isArray(copy.target())) {
      copied(state, at, copy.source(), copy.target());
    }
  }

  private void copied(State state, int at, int from, int to) {
    if (places.of(from) != places.of(to)) {
      touch(state, at, places.of(from), null, false);
      touch(state, at, places.of(to), null, true);
    }
  }

  /**
   * @param index null: any element, or all of them
   */
  private void touch(State state, int at, int place, Object index, boolean writes) {
    int length = places.places().get(place).type().length();
    if (index instanceof Integer i) {
      if (i >= 0 && i < length) {
        touchElement(state, at, place, i, writes);
      }
    } else {
      for (int i = 0; i < length; i++) {
        touchElement(state, at, place, i, writes);
      }
    }
  }

  private void touchElement(State state, int at, int place, int element, boolean writes) {
    for (int l : around[at]) {
      if (dependent[l]) {
        continue;
      }
      long key = ((long) state.instance[l] << PLACE_BITS | place) << ELEMENT_BITS | element;
      Touch touch = touched.get(l).computeIfAbsent(key, k -> new Touch(state.round[l]));
      touch.several |= touch.round != state.round[l];
      touch.written |= writes;
      if (touch.several && touch.written) {
        dependent[l] = true;
        touched.get(l).clear();
      }
    }
  }
}
