package org.sparkgpugraph.program.hoist;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.ConstantFolding;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Renumbering;
import org.sparkgpugraph.program.ir.Role;

/**
 * The branches of a function that go the same way at every vertex and edge of a superstep: they
 * compare what is made of constants, captured values and the superstep's number only. A program
 * that does something else in every second superstep consists of several smaller ones, each of
 * which reads less.
 */
public final class UniformBranches {
  private final IrFunction function;

  /**
   * By variable, the only instruction that writes it, where that reads only such variables: in an
   * order in which what is read comes first.
   */
  private final Map<Integer, Insn> values = new LinkedHashMap<>();

  private final Map<Integer, Param> parameters = new HashMap<>();

  /** Indexes of the branches, ascending. */
  private final List<Integer> branches = new ArrayList<>();

  /** Finds the branches of a function. */
  public UniformBranches(IrFunction function) {
    this.function = function;
    Map<Integer, Integer> writes = new HashMap<>();
    function.parameters().forEach(p -> writes.merge(p.variable(), 1, Integer::sum));
    function.code().forEach(insn -> writes.merge(insn.target(), 1, Integer::sum));
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
        boolean once = insn.target() >= 0 && writes.get(insn.target()) == 1;
        if (once && isSimple(insn) && insn.read().stream().allMatch(this::isKnown)) {
          values.put(insn.target(), insn);
        }
      }
    } while (values.size() > before);
    for (int i = 0; i < function.code().size(); i++) {
      if (function.code().get(i) instanceof Insn.Branch b
          && b.read().stream().allMatch(this::isKnown)) {
        branches.add(i);
      }
    }
    keepNeeded();
  }

  /** Forgets the values that no branch needs. */
  private void keepNeeded() {
    Set<Integer> needed = new HashSet<>();
    branches.forEach(at -> needed.addAll(function.code().get(at).read()));
    List<Insn> order = new ArrayList<>(values.values());
    for (int i = order.size() - 1; i >= 0; i--) {
      if (needed.contains(order.get(i).target())) {
        needed.addAll(order.get(i).read());
      }
    }
    values.keySet().retainAll(needed);
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
   * @return for each whether it is taken; null where it is known at run time only
   */
  public List<Boolean> decide(int superstep, Object[] captures) {
    List<Boolean> decisions = new ArrayList<>();
    Map<Integer, Object> found = new HashMap<>();
    parameters.forEach(
        (variable, p) ->
            found.put(
                variable, p.role() == Role.SUPERSTEP ? (Object) superstep : captures[p.index()]));
    values.forEach(
        (variable, insn) -> {
          Kind kind = function.variables().get(variable);
          found.put(variable, ConstantFolding.value(insn, kind, found));
        });
    for (int at : branches) {
      Insn.Branch branch = (Insn.Branch) function.code().get(at);
      Object left = found.get(branch.left());
      Object right = found.get(branch.right());
      decisions.add(
          left == null || right == null
              ? null
              : (Boolean) ConstantFolding.test(branch.condition(), left, right));
    }
    return decisions;
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
