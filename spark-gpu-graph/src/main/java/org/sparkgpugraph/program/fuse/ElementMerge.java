package org.sparkgpugraph.program.fuse;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
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
    return ElementFunction.of(merge)
        .filter(ElementMerge::isStraight)
        .flatMap(element -> of(element, merge.results()));
  }

  /**
   * The pieces of a merge function.
   *
   * @param element what it does to numbers, and to the elements of all arrays at one index
   */
  private static Optional<ElementMerge> of(IrFunction element, List<ColumnType> columns) {
    List<IrFunction> elements = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      if (columns.get(c).isArray()) {
        IrFunction piece = CodeCleaner.returning(element, List.of(c));
        if (!readsOnly(piece, List.of(c))) {
          return Optional.empty();
        }
        elements.add(piece);
      } else {
        numbers.add(c);
        elements.add(null);
      }
    }
    if (numbers.size() == elements.size()) {
      return Optional.empty();
    }
    IrFunction ofNumbers = numbers.isEmpty() ? null : CodeCleaner.returning(element, numbers);
    return ofNumbers == null || readsOnly(ofNumbers, numbers)
        ? Optional.of(new ElementMerge(elements, numbers, ofNumbers))
        : Optional.empty();
  }

  private static boolean isStraight(IrFunction function) {
    return function.code().stream()
        .allMatch(insn -> insn.jumps().isEmpty() && !(insn instanceof Insn.Fail));
  }

  /** Whether a function reads no other columns of the messages. */
  private static boolean readsOnly(IrFunction function, List<Integer> columns) {
    return function.parameters().stream()
        .filter(p -> p.role() == Role.LEFT || p.role() == Role.RIGHT)
        .allMatch(p -> columns.contains(p.index()));
  }
}
