package io.sparkgpugraph.program.hoist;

import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.ir.Insn;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Param;
import io.sparkgpugraph.program.ir.Renumbering;
import io.sparkgpugraph.program.ir.Role;
import io.sparkgpugraph.program.lift.ConstantFolding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The branches of a function that go the same way at every vertex and edge of a superstep: they
 * compare what is made of constants, captured values and the superstep's number alone. A program
 * that does something else in every second superstep consists of several smaller ones, each of
 * which reads less.
 */
public final class UniformBranches {
  private final IrFunction function;

  /** By variable, the only instruction that writes it, where that reads such variables alone. */
  private final Map<Integer, Insn> values = new HashMap<>();

  private final Map<Integer, Param> parameters = new HashMap<>();

  /** Indexes of the branches, ascending. */
  private final List<Integer> branches = new ArrayList<>();

  /** Finds the branches of a function. */
  public UniformBranches(IrFunction function) {
    this.function = function;
    Map<Integer, Integer> writes = new HashMap<>();
    function.parameters().forEach(p -> writes.merge(p.variable(), 1, Integer::sum));
    function.code().forEach(insn -> writes.merge(insn.written(), 1, Integer::sum));
    for (Param p : function.parameters()) {
      boolean same = p.role() == Role.SUPERSTEP || p.role() == Role.CAPTURE;
      if (same && writes.get(p.variable()) == 1) {
        parameters.put(p.variable(), p);
      }
    }
    int before;
    do {
      before = values.size();
      for (Insn insn : function.code()) {
        boolean once = insn.written() >= 0 && writes.get(insn.written()) == 1;
        if (once && isSimple(insn) && insn.read().stream().allMatch(this::isKnown)) {
          values.put(insn.written(), insn);
        }
      }
    } while (values.size() > before);
    for (int i = 0; i < function.code().size(); i++) {
      if (function.code().get(i) instanceof Insn.Branch b
          && b.read().stream().allMatch(this::isKnown)) {
        branches.add(i);
      }
    }
  }

  private static boolean isSimple(Insn insn) {
    return insn instanceof Insn.Constant
        || insn instanceof Insn.Copy
        || insn instanceof Insn.Unary
        || insn instanceof Insn.Binary;
  }

  private boolean isKnown(int variable) {
    return values.containsKey(variable) || parameters.containsKey(variable);
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return branches.isEmpty();
  }

  /**
   * Which way they go.
   *
   * @param captures the boxes of the captured values
   * @return for each whether it is taken; null where only the run can tell
   */
  public List<Boolean> decide(int superstep, Object[] captures) {
    List<Boolean> decisions = new ArrayList<>();
    Map<Integer, Object> found = new HashMap<>();
    for (int at : branches) {
      Insn.Branch branch = (Insn.Branch) function.code().get(at);
      Object left = value(branch.left(), superstep, captures, found);
      Object right = value(branch.right(), superstep, captures, found);
      decisions.add(
          left == null || right == null
              ? null
              : (Boolean) ConstantFolding.test(branch.condition(), left, right));
    }
    return decisions;
  }

  /**
   * A variable's value; null when it cannot be told.
   *
   * @param found values of variables so far: what is computed step by step may read each of them
   *     twice
   */
  private Object value(int variable, int superstep, Object[] captures, Map<Integer, Object> found) {
    if (!found.containsKey(variable)) {
      found.put(variable, compute(variable, superstep, captures, found));
    }
    return found.get(variable);
  }

  private Object compute(
      int variable, int superstep, Object[] captures, Map<Integer, Object> found) {
    Param parameter = parameters.get(variable);
    if (parameter != null) {
      return parameter.role() == Role.SUPERSTEP ? (Object) superstep : captures[parameter.index()];
    }
    Insn insn = values.get(variable);
    Kind kind = function.variables().get(variable);
    if (insn instanceof Insn.Constant constant) {
      return constant.value();
    }
    if (insn instanceof Insn.Copy copy) {
      // A copy may make a BOOLEAN of an INT; both are compared as numbers.
      return value(copy.source(), superstep, captures, found);
    }
    if (insn instanceof Insn.Unary unary) {
      Object operand = value(unary.operand(), superstep, captures, found);
      return operand == null ? null : ConstantFolding.unary(unary.op(), kind, operand);
    }
    Insn.Binary binary = (Insn.Binary) insn;
    Object left = value(binary.left(), superstep, captures, found);
    Object right = value(binary.right(), superstep, captures, found);
    return left == null || right == null ? null : ConstantFolding.binary(binary.op(), left, right);
  }

  /**
   * The function as it is where the branches go that way, without what it never gets to.
   *
   * @param decisions of {@link #decide}
   */
  public IrFunction decided(List<Boolean> decisions) {
    List<Insn> code = new ArrayList<>(function.code());
    for (int i = 0; i < decisions.size(); i++) {
      Insn.Branch branch = (Insn.Branch) code.get(branches.get(i));
      if (decisions.get(i) != null) {
        Insn jump = new Insn.Jump(branch.label(), branch.where());
        code.set(branches.get(i), decisions.get(i) ? jump : null);
      }
    }
    code.removeIf(insn -> insn == null);
    return Renumbering.of(
        function.name(),
        function.parameters(),
        function.results(),
        function.variables(),
        CodeCleaner.clean(code));
  }
}
