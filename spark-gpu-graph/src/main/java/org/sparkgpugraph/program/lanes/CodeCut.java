package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.LiveVariables;
import org.sparkgpugraph.program.ir.Param;

/**
 * The code of a send function, cut at one of its instructions: what leads to it, and where control
 * goes that does not come to it. New code is made of both, with labels and variables of its own.
 */
final class CodeCut {
  private final IrFunction function;
  private final List<Insn> code;
  private final int target;
  private final CodeFlow flow;
  private final LiveVariables live;
  private final List<Kind> kinds;
  private int newLabel;

  /** Instructions from which there is a way to the target, and none back. */
  private final BitSet leading;

  /** Where the code goes on without the target, by the index of the instruction there: 1, 2, … */
  private final Map<Integer, Integer> ways = new LinkedHashMap<>();

  private final Map<Integer, Insn.Constant> constants = new HashMap<>();

  /**
   * Cuts a function that sends nothing on the way to the target.
   *
   * @param code of the function
   * @param target index of the instruction
   * @param what stands there, for messages
   * @throws ObstacleException when it sends something
   */
  CodeCut(IrFunction function, List<Insn> code, int target, String what) throws ObstacleException {
    this.function = function;
    this.code = code;
    this.target = target;
    kinds = new ArrayList<>(function.variables());
    flow = new CodeFlow(code);
    live = new LiveVariables(code);
    newLabel = flow.labels();
    leading = flow.leadingTo(target);
    leading.andNot(flow.reached(target, -1));
    for (int variable : LoopPaths.constants(code).keySet()) {
      code.stream()
          .filter(insn -> insn.target() == variable && insn instanceof Insn.Constant)
          .forEach(insn -> constants.put(variable, (Insn.Constant) insn));
    }
    for (int i = leading.nextSetBit(0); i >= 0; i = leading.nextSetBit(i + 1)) {
      if (code.get(i) instanceof Insn.Emit) {
        throw new ObstacleException("sends a message before " + what, code.get(i).where());
      }
      for (int to : flow.next(i)) {
        if (!leads(to)) {
          ways.putIfAbsent(to, ways.size() + 1);
        }
      }
    }
  }

  /** Whether there is a way from an instruction to the target, or it is the target. */
  private boolean leads(int at) {
    return at == target || leading.get(at);
  }

  /** Where the code goes on without the target: numbers from 1 on by instruction. */
  Map<Integer, Integer> ways() {
    return ways;
  }

  /** Variables that are read from an instruction on; not to be changed. */
  BitSet live(int at) {
    return live.before(at);
  }

  /** By variable, the instruction that gives it the only value that it ever has, a constant. */
  Map<Integer, Insn.Constant> constants() {
    return constants;
  }

  boolean isWritten(int variable) {
    return code.stream().anyMatch(insn -> insn.target() == variable);
  }

  /** Parameters that are the same for all vertices, and that nothing writes. */
  List<Param> uniform() {
    return function.parameters().stream()
        .filter(p -> p.role().isOfAll() && !isWritten(p.variable()))
        .toList();
  }

  /** Variables, no parameters, that the code reads where it goes on without the target. */
  BitSet readOnOtherWays() {
    BitSet reads = new BitSet();
    ways.keySet().forEach(at -> reads.or(live.before(at)));
    return withoutGiven(reads);
  }

  /** The set without constants and without parameters as they were given. */
  BitSet withoutGiven(BitSet variables) {
    BitSet left = (BitSet) variables.clone();
    constants.keySet().forEach(left::clear);
    for (Param param : function.parameters()) {
      if (!isWritten(param.variable())) {
        left.clear(param.variable());
      }
    }
    return left;
  }

  // ---- new code
  // -----------------------------------------------------------------------------------

  /** Kinds of all variables, new ones included. */
  List<Kind> kinds() {
    return kinds;
  }

  /** Number of labels, new ones included. */
  int labels() {
    return newLabel;
  }

  int label() {
    return newLabel++;
  }

  int variable(Kind kind) {
    kinds.add(kind);
    return kinds.size() - 1;
  }

  /** New labels for all {@link #ways}, by their numbers. */
  Map<Integer, Integer> leaves() {
    Map<Integer, Integer> leaves = new LinkedHashMap<>();
    ways.values().forEach(way -> leaves.put(way, label()));
    return leaves;
  }

  /**
   * The code that leads to the target.
   *
   * @param enters label that stands for the target
   * @param leaves labels that stand for the other ways, by their numbers
   */
  List<Insn> before(int enters, Map<Integer, Integer> leaves) {
    List<Insn> out = new ArrayList<>();
    for (int i = leading.nextSetBit(0); i >= 0; i = leading.nextSetBit(i + 1)) {
      Insn insn = code.get(i);
      out.add(insn.jumping(label -> goingOn(flow.at(label), label, enters, leaves)));
      if (!insn.leaves() && !leading.get(i + 1)) {
        out.add(new Insn.Jump(goingOn(i + 1, -1, enters, leaves), insn.where()));
      }
    }
    return out;
  }

  private int goingOn(int at, int label, int enters, Map<Integer, Integer> leaves) {
    if (at == target) {
      return enters;
    }
    return leads(at) ? label : leaves.get(ways.get(at));
  }

  /**
   * Tests which way the code went.
   *
   * @param way the variable with its number; another one falls through
   * @param to where the labels go by which the ways are known in {@link #rest}
   */
  List<Insn> dispatch(int way, Map<Integer, Integer> to) {
    List<Insn> out = new ArrayList<>();
    ways.forEach(
        (at, number) -> {
          int asked = variable(Kind.INT);
          int label = label();
          to.put(at, label);
          out.add(new Insn.Constant(asked, number, code.get(at).where()));
          out.add(new Insn.Branch(Condition.EQ, way, asked, label, code.get(at).where()));
        });
    return out;
  }

  /**
   * The code that does not lead to the target.
   *
   * @param without what is left out of it
   * @param inserted further labels, by the index of the instruction before which they stand
   */
  List<Insn> rest(BitSet without, Map<Integer, Integer> inserted) {
    List<Insn> out = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      if (inserted.containsKey(i)) {
        out.add(new Insn.Label(inserted.get(i), code.get(i).where()));
      }
      if (!leading.get(i) && !without.get(i)) {
        out.add(code.get(i));
      }
    }
    return out;
  }
}
