package org.sparkgpugraph.program.fuse;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.lanes.ElementFunction;

/**
 * A merge function that can be done piece by piece, in any order of the pieces: each array for
 * itself and element by element, the numbers together. Without branches, so that a neutral element
 * is one whatever comes.
 *
 * @param elements for each column that is an array, what becomes of an element; null for numbers
 * @param numbers the columns that are numbers, ascending
 * @param ofNumbers what becomes of these; null where there are none
 */
public record ElementMerge(List<IrFunction> elements, List<Integer> numbers, IrFunction ofNumbers) {

  /** The pieces of a merge function; empty where it has none, or no array. */
  public static Optional<ElementMerge> of(IrFunction merge) {
    List<IrFunction> elements = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int c = 0; c < merge.results().size(); c++) {
      if (!merge.results().get(c).isArray()) {
        numbers.add(c);
        elements.add(null);
        continue;
      }
      int column = c;
      Optional<IrFunction> element =
          ElementFunction.of(CodeCleaner.returning(merge, List.of(c)))
              .filter(ElementMerge::isStraight)
              .filter(f -> f.parameters().stream().allMatch(p -> isOf(p, column)));
      if (element.isEmpty()) {
        return Optional.empty();
      }
      elements.add(element.get());
    }
    if (numbers.size() == elements.size()) {
      return Optional.empty();
    }
    IrFunction ofNumbers = numbers.isEmpty() ? null : CodeCleaner.returning(merge, numbers);
    boolean readsArrays =
        ofNumbers != null && ofNumbers.parameters().stream().anyMatch(p -> p.length() > 0);
    return readsArrays || ofNumbers != null && !isStraight(ofNumbers)
        ? Optional.empty()
        : Optional.of(new ElementMerge(elements, numbers, ofNumbers));
  }

  private static boolean isStraight(IrFunction function) {
    return function.code().stream()
        .allMatch(insn -> insn.jumps().isEmpty() && !(insn instanceof Insn.Fail));
  }

  /** Whether a parameter is no other column of the messages. */
  private static boolean isOf(Param p, int column) {
    return p.role() != Role.LEFT && p.role() != Role.RIGHT || p.index() == column;
  }
}
