package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.LiveVariables;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.UnreadCode;

/**
 * Code that a team of lanes runs together with all arrays in memory that they share, whatever
 * lengths these have: every lane runs all of the code, but the rounds of loops that have nothing to
 * do with each other are divided among them. So each number is computed as one thread would, by one
 * lane or by all, and has the same bits. That no round of a loop touches an element that another
 * one writes is found by running through the code's whole numbers ({@link RoundTrial}).
 */
public final class TeamForm {
  private final List<Insn> code;
  private final List<TeamLoop> loops;
  private final int rounds;

  private TeamForm(List<Insn> code, List<TeamLoop> loops, int rounds) {
    this.code = code;
    this.loops = loops;
    this.rounds = rounds;
  }

  /** The code, to which the loops' instructions belong: without what is never reached. */
  public List<Insn> code() {
    return code;
  }

  /** The loops whose rounds are divided; none is in another. */
  public List<TeamLoop> loops() {
    return loops;
  }

  /** Most rounds of one of these loops: of those around or in others, if there are such. */
  public int rounds() {
    return rounds;
  }

  /**
   * The form of code; empty where it has no loops to divide, or so many steps that they are not
   * looked at.
   *
   * @param parameters of the function
   * @param kinds of the variables
   */
  public static Optional<TeamForm> of(List<Param> parameters, List<Kind> kinds, List<Insn> code) {
    RoundTrial reached =
        new RoundTrial(kinds, code, new ArrayPlaces(parameters, kinds, code), List.of());
    if (!reached.run()) {
      return Optional.empty();
    }
    List<Insn> needed = reachedOf(code, reached);
    ArrayPlaces places = new ArrayPlaces(parameters, kinds, needed);
    List<TeamLoop> candidates = new Search(needed, places).loops();
    RoundTrial trial = new RoundTrial(kinds, needed, places, candidates);
    if (candidates.isEmpty() || !trial.run()) {
      return Optional.empty();
    }
    List<TeamLoop> divided = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    // Those around others stand behind them.
    for (int i = candidates.size() - 1; i >= 0; i--) {
      TeamLoop loop = candidates.get(i);
      if (trial.rounds(i) > 1
          && trial.isIndependent(i)
          && divided.stream().noneMatch(around -> around.has(loop.label()))) {
        divided.add(loop);
        counts.add(trial.rounds(i));
      }
    }
    BitSet nested = nested(needed, divided);
    int rounds =
        IntStream.range(0, divided.size())
            .filter(i -> nested.isEmpty() || nested.get(i))
            .map(counts::get)
            .max()
            .orElse(0);
    return divided.isEmpty()
        ? Optional.empty()
        : Optional.of(new TeamForm(needed, List.copyOf(divided), rounds));
  }

  /** The loops that are around or in others: there most of the work is. */
  private static BitSet nested(List<Insn> code, List<TeamLoop> loops) {
    Map<Integer, Integer> labels = Insn.Label.positions(code);
    BitSet nested = new BitSet();
    for (int jump = 0; jump < code.size(); jump++) {
      for (int target : code.get(jump).jumps()) {
        int label = labels.get(target);
        for (int i = 0; label < jump && i < loops.size(); i++) {
          TeamLoop loop = loops.get(i);
          boolean isAround = label < loop.label() && jump > loop.jump();
          if (isAround || label > loop.label() && jump < loop.jump()) {
            nested.set(i);
          }
        }
      }
    }
    return nested;
  }

  /** Code without tests that have one outcome, and without what they lead to else. */
  private static List<Insn> reachedOf(List<Insn> code, RoundTrial trial) {
    List<Insn> needed = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      if (!trial.isReached(i)) {
        continue;
      } else if (!(code.get(i) instanceof Insn.Branch branch)
          || trial.mayJump(i) && trial.mayGoOn(i)) {
        needed.add(code.get(i));
      } else if (trial.mayJump(i)) {
        needed.add(new Insn.Jump(branch.label(), branch.where()));
      }
    }
    return CodeCleaner.clean(UnreadCode.removed(CodeCleaner.clean(needed)));
  }

  /** Looks for loops that count by a constant and hand on nothing else but arrays. */
  private static final class Search {
    private final List<Insn> code;
    private final ArrayPlaces places;
    private final LiveVariables live;
    private final Map<Integer, Integer> labels;

    Search(List<Insn> code, ArrayPlaces places) {
      this.code = code;
      this.places = places;
      live = new LiveVariables(code);
      labels = Insn.Label.positions(code);
    }

    /** In the order of their ends: inner ones before those around them. */
    List<TeamLoop> loops() {
      List<TeamLoop> loops = new ArrayList<>();
      for (int i = 0; i < code.size(); i++) {
        if (code.get(i) instanceof Insn.Jump jump && labels.get(jump.label()) < i) {
          TeamLoop loop = loop(labels.get(jump.label()), i);
          if (loop != null) {
            loops.add(loop);
          }
        }
      }
      return loops;
    }

    private TeamLoop loop(int label, int jump) {
      int guard = label + 1;
      while (code.get(guard) instanceof Insn.Constant || code.get(guard) instanceof Insn.Binary) {
        guard++;
      }
      if (!(code.get(guard) instanceof Insn.Branch branch)
          || isInside(labels.get(branch.label()), label, jump)
          || !isOnlyWay(label, jump)) {
        return null;
      }
      BitSet written = new BitSet();
      for (int i = label; i < jump; i++) {
        if (code.get(i).target() >= 0) {
          written.set(code.get(i).target());
        }
      }
      // Every lane comes to these before it knows whether it has a round.
      for (int i = label; i < guard; i++) {
        if (code.get(i) instanceof Insn.Constant constant && constant(constant.target()) != null) {
          written.clear(constant.target());
        }
      }
      BitSet handedOn = (BitSet) written.clone();
      handedOn.and(live.before(label));
      List<Integer> numbers = handedOn.stream().filter(v -> !places.isArray(v)).boxed().toList();
      if (numbers.size() != 1) {
        return null;
      }
      int variable = numbers.get(0);
      int step = stepOf(variable, guard, jump);
      if (step < 0) {
        return null;
      }
      int next = ((Insn.Copy) code.get(step)).source();
      int by = by(next, variable, label, step);
      if (by == 0
          || !isGuard(branch, variable, next, by, written)
          || leaves(labels.get(branch.label()), written)) {
        return null;
      }
      List<Integer> exits = exits(label, guard, jump, written);
      return exits == null ? null : new TeamLoop(label, guard, step, jump, variable, by, exits);
    }

    private static boolean isInside(int at, int label, int jump) {
      return at >= label && at <= jump;
    }

    /** Whether control comes into the loop by falling into its label, or by its jump back. */
    private boolean isOnlyWay(int label, int jump) {
      for (int i = 0; i < code.size(); i++) {
        for (int target : code.get(i).jumps()) {
          int at = labels.get(target);
          if (at == label && i != jump || at > label && at <= jump && !isInside(i, label, jump)) {
            return false;
          }
        }
      }
      return true;
    }

    /** Where a variable takes its next value, behind which no other is made; −1: nowhere. */
    private int stepOf(int variable, int guard, int jump) {
      int step = -1;
      for (int i = guard + 1; i < jump; i++) {
        if (code.get(i).target() == variable) {
          if (step >= 0 || !(code.get(i) instanceof Insn.Copy)) {
            return -1;
          }
          step = i;
        }
      }
      for (int i = step + 1; step >= 0 && i < jump; i++) {
        if (!(code.get(i) instanceof Insn.Copy) || code.get(i).read().contains(variable)) {
          return -1;
        }
      }
      return step;
    }

    /** What is added to a variable to make its next value, in every round; 0: something else. */
    private int by(int next, int variable, int label, int step) {
      int by = 0;
      for (int i = 0; i < code.size(); i++) {
        if (code.get(i).target() != next) {
          continue;
        } else if (by != 0 || i < label || i > step || !(code.get(i) instanceof Insn.Binary)) {
          return 0;
        }
        Insn.Binary sum = (Insn.Binary) code.get(i);
        if (sum.op() != BinaryOp.ADD) {
          return 0;
        }
        Object constant =
            sum.left() == variable
                ? constant(sum.right())
                : sum.right() == variable ? constant(sum.left()) : null;
        if (!(constant instanceof Integer number)) {
          return 0;
        }
        by = number;
      }
      return by;
    }

    /** The only value of a variable; null: it is not known. */
    private Object constant(int variable) {
      Object value = null;
      for (Insn insn : code) {
        if (insn.target() == variable) {
          if (!(insn instanceof Insn.Constant constant)
              || value != null && !value.equals(constant.value())) {
            return null;
          }
          value = constant.value();
        }
      }
      return value;
    }

    /** Whether a branch leaves the loop when what counts has come to a bound that stays. */
    private boolean isGuard(Insn.Branch branch, int variable, int next, int by, BitSet written) {
      boolean left = branch.left() == variable || branch.left() == next;
      int counter = left ? branch.left() : branch.right();
      int bound = left ? branch.right() : branch.left();
      if (counter != variable && counter != next || written.get(bound) && constant(bound) == null) {
        return false;
      }
      Condition condition = left ? branch.condition() : branch.condition().mirrored();
      condition = condition.ofIntegers();
      return by > 0
          ? condition == Condition.GE || condition == Condition.GT
          : condition == Condition.LE || condition == Condition.LT;
    }

    /** Whether what the rounds have written is read at a place, arrays left out. */
    private boolean leaves(int at, BitSet written) {
      return live.before(at).stream().anyMatch(v -> written.get(v) && !places.isArray(v));
    }

    /** Whether an instruction makes an array of one that stands in another place. */
    private boolean isOtherPlace(Insn insn) {
      int from =
          insn instanceof Insn.With with
              ? with.array()
              : insn instanceof Insn.Copy copy && places.isArray(copy.target())
                  ? copy.source()
                  : -1;
      return from >= 0 && places.of(from) != places.of(insn.target());
    }

    /** The instructions by which a round may end the loop; null: some cannot do that for all. */
    private List<Integer> exits(int label, int guard, int jump, BitSet written) {
      List<Integer> exits = new ArrayList<>();
      for (int i = label; i < jump; i++) {
        Insn insn = code.get(i);
        if (i == guard) {
          continue;
        } else if (insn instanceof Insn.Return
            || insn instanceof Insn.Emit
            || insn instanceof Insn.Switch
            || insn instanceof Insn.Filled
            || isOtherPlace(insn)) {
          return null;
        } else if (insn instanceof Insn.Fail) {
          exits.add(i);
        }
        for (int target : insn.jumps()) {
          int at = labels.get(target);
          if (!isInside(at, label, jump)) {
            if (live.before(at).intersects(written)) {
              return null;
            }
            exits.add(i);
          }
        }
      }
      return exits;
    }
  }
}
