package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Renumbering;

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
    if (form == null || !isSameForAll(form) || readsIndexes(form)) {
      return Optional.empty();
    }
    List<Insn> code = new ArrayList<>();
    for (int i = 0; i < form.code().size(); i++) {
      code.add(ofElement(form.code().get(i), i, form));
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
    for (LaneLoop shared : form.loops()) {
      CountedLoops.Loop loop = shared.loop();
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

  /** Whether the same is done to all elements, and nothing depends on several of them. */
  private static boolean isSameForAll(LaneForm form) {
    for (int i = 0; i < form.code().size(); i++) {
      Insn insn = form.code().get(i);
      int at = i;
      if ((insn instanceof Insn.Element || insn instanceof Insn.With)
          && form.loops().stream().noneMatch(shared -> shared.loop().hasInBody(at))) {
        return false;
      }
    }
    return form.loops().stream()
        .allMatch(
            shared ->
                shared.loop().from() == 0
                    && shared.loop().limit() == form.length()
                    && shared.reductions().isEmpty()
                    && shared.exits().isEmpty()
                    && !shared.countsOn());
  }

  /** Whether a number is computed of the index of an element, but for the next index. */
  private static boolean readsIndexes(LaneForm form) {
    List<Insn> code = form.code();
    for (LaneLoop shared : form.loops()) {
      CountedLoops.Loop loop = shared.loop();
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
