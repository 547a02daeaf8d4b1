package io.sparkgpugraph.program.analysis;

import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.MergeAlgebra;
import io.sparkgpugraph.program.ir.Role;
import java.util.List;
import java.util.Optional;

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
    List<Kind> kinds = program.message().columns();
    if (kinds.size() != 1
        || merge.size() != 1
        || kinds.get(0) == Kind.BOOLEAN
        || !kinds.equals(program.state().columns())
        || !merge.equals(ColumnAlgebra.of(program.vertexProgram(), Role.VALUE, Role.MESSAGE))) {
      return Optional.empty();
    }
    return switch (merge.get(0)) {
      case MIN, MAX, OR, AND -> Optional.of(merge.get(0));
      case SUM, FIRST, GENERAL -> Optional.empty();
    };
  }
}
