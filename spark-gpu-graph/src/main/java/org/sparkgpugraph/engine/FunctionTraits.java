package org.sparkgpugraph.engine;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.StableColumns;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;

/** Small facts about a program's functions that decide how its loops are written. */
public final class FunctionTraits {
  private FunctionTraits() {}

  /** State columns that the vertex program returns as it got them, on every path. */
  public static boolean[] stableColumns(LiftedProgram program) {
    return StableColumns.of(program.vertexProgram(), program.state().columns().size());
  }

  /** State columns that the send function reads of either end, ascending. */
  public static int[] shippedColumns(LiftedProgram program) {
    return program.send().parameters().stream()
        .filter(p -> p.role() == Role.SOURCE || p.role() == Role.DESTINATION)
        .mapToInt(Param::index)
        .distinct()
        .sorted()
        .toArray();
  }

  /** Their kinds. */
  public static List<ColumnType> shippedKinds(LiftedProgram program) {
    return Arrays.stream(shippedColumns(program)).mapToObj(program.state().columns()::get).toList();
  }

  /** Bytes of these columns of one vertex: what partitions tell each other of it. */
  public static int shippedBytes(LiftedProgram program) {
    return Arrays.stream(shippedColumns(program))
        .map(column -> program.state().columns().get(column).bytes())
        .sum();
  }

  /** Whether a function that runs in a superstep reads ids. */
  public static boolean readsIds(LiftedProgram program) {
    return program.send().reads(Role.SOURCE_ID)
        || program.send().reads(Role.DESTINATION_ID)
        || program.vertexProgram().reads(Role.ID)
        || (program.activeWhen() != null && program.activeWhen().reads(Role.ID))
        || program.aggregates().stream().anyMatch(a -> a.function().reads(Role.ID));
  }

  /**
   * The values from which an accumulator can start so that the first message needs no test, or null
   * when there are none. A merge with branches is left alone: {@code a < b ? a : b} and a NaN.
   */
  public static Object[] identities(LiftedProgram program) {
    List<MergeAlgebra> algebra = program.traits().merge();
    int width = program.message().columns().size();
    if (program.mergesByMode()
        || algebra.size() != width
        || program.merge().code().stream()
            .anyMatch(i -> i instanceof Insn.Branch || i instanceof Insn.Switch)) {
      return null;
    }
    Object[] identities = new Object[width];
    for (int c = 0; c < width; c++) {
      ColumnType type = program.message().columns().get(c);
      identities[c] = type.isArray() ? null : algebra.get(c).identity(type.kind());
    }
    return Arrays.stream(identities).anyMatch(i -> i == null) ? null : identities;
  }
}
