package org.sparkgpugraph.program.analysis;

import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** Finds programs whose messages a GPU can merge into the value itself by an atomic operation. */
public final class AtomicMerge {
  private AtomicMerge() {}

  /**
   * The algebra of a program with one message and one state column of the same kind, whose vertex
   * program is its merge function of value and message; empty when it is another program, or there
   * is no such operation: a merge that is not idempotent (a sum), or bytes.
   */
  public static Optional<MergeAlgebra> intoValue(LiftedProgram program) {
    List<MergeAlgebra> merge = program.traits().merge();
    List<ColumnType> kinds = program.message().columns();
    if (kinds.size() != 1
        || merge.size() != 1
        || kinds.get(0).isArray()
        || kinds.get(0) == Kind.BOOLEAN
        || !kinds.equals(program.state().columns())
        || !merge.equals(ColumnAlgebra.of(program.vertexProgram(), Role.VALUE, Role.MESSAGE))) {
      return Optional.empty();
    }
    return merge.get(0).isPushable() ? Optional.of(merge.get(0)) : Optional.empty();
  }

  /**
   * The algebra of each message column of a program whose merge function an atomic operation does
   * column by column, to the bit whatever the order; empty when there is none for a column. Sums of
   * floating point depend on their order.
   */
  public static List<MergeAlgebra> intoSlots(LiftedProgram program) {
    List<MergeAlgebra> merge = program.traits().merge();
    List<ColumnType> kinds = program.message().columns();
    if (merge.size() != kinds.size()) {
      return List.of();
    }
    for (int c = 0; c < kinds.size(); c++) {
      boolean sum = merge.get(c) == MergeAlgebra.SUM && kinds.get(c).kind().isIntegral();
      if (kinds.get(c).isArray()
          || !sum && !merge.get(c).isPushable()
          || merge.get(c).identity(kinds.get(c).kind()) == null) {
        return List.of();
      }
    }
    return merge;
  }
}
