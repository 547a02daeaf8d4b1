package org.sparkgpugraph.program.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a function with a {@link LaneForm} does to one element of its arrays, whichever it is. */
public final class ElementFunction {
  private ElementFunction() {}

  /**
   * The function with a number in the place of each array: an element, all at one index. Loops over
   * the elements are run once.
   *
   * @return empty where the function has no such form, or elements depend on where they stand
   */
  public static Optional<IrFunction> of(IrFunction function) {
    LaneForm form = LaneForm.of(function).orElse(null);
    if (form == null || readsIndexes(function.code(), form)) {
      return Optional.empty();
    }
    List<Insn> code = new ArrayList<>();
    for (int i = 0; i < function.code().size(); i++) {
      code.add(ofElement(function.code().get(i), i, form));
    }
    code.removeIf(insn -> insn == null);
    List<Param> parameters = new ArrayList<>();
    for (Param p : function.parameters()) {
      parameters.add(new Param(p.role(), p.index(), p.variable()));
    }
    List<ColumnType> results = new ArrayList<>();
    function.results().forEach(type -> results.add(type.kind()));
    return Optional.of(
        Renumbering.of(
            function.name(), parameters, results, function.variables(), CodeCleaner.clean(code)));
  }

  /** Null: nothing of it is left. */
  private static Insn ofElement(Insn insn, int at, LaneForm form) {
    for (CountedLoops.Loop loop : form.loops()) {
      if (at == loop.guard()) {
        return null;
      } else if (at == loop.jump()) {
        return new Insn.Jump(loop.exit(), insn.where());
      }
    }
    if (insn instanceof Insn.Filled filled) {
      return new Insn.Copy(filled.target(), filled.value(), filled.where());
    } else if (insn instanceof Insn.Element element) {
      return new Insn.Copy(element.target(), element.array(), element.where());
    } else if (insn instanceof Insn.With with) {
      return new Insn.Copy(with.target(), with.value(), with.where());
    }
    return insn;
  }

  /** Whether a number is computed of the index of an element, but for the next index. */
  private static boolean readsIndexes(List<Insn> code, LaneForm form) {
    for (CountedLoops.Loop loop : form.loops()) {
      int next = ((Insn.Copy) code.get(loop.step())).source();
      for (int i = loop.guard() + 1; i < loop.jump(); i++) {
        Insn insn = code.get(i);
        boolean isAccess = insn instanceof Insn.Element || insn instanceof Insn.With;
        boolean reads = insn.read().contains(loop.variable());
        boolean readsNext = insn.read().contains(next) && i != loop.step();
        if (readsNext || reads && !isAccess && insn.target() != next) {
          return true;
        }
      }
    }
    return false;
  }
}
