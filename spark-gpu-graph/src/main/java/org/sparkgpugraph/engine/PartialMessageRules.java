package org.sparkgpugraph.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * Which programs may send hubs partial messages: those whose messages are merged to the same where
 * they come from as where they go.
 */
public final class PartialMessageRules {
  private PartialMessageRules() {}

  /**
   * Why a program may not; empty when it may.
   *
   * @param grouped whether results may depend on how messages are grouped
   */
  public static List<String> whyNot(LiftedProgram program, RunSettings settings, boolean grouped) {
    List<String> reasons = new ArrayList<>();
    if (!program.traits().sendsToDestination()) {
      reasons.add("no messages go to destinations");
    } else if (program.traits().sendsToSource()) {
      reasons.add("messages go to sources");
    }
    if (!KernelShape.inPlace(program, settings) && readsWhatChanges(program)) {
      reasons.add("the send function reads the destination's value");
    }
    if (program.send().reads(Role.SUPERSTEP) || program.send().reads(Role.AGGREGATE)) {
      reasons.add("the send function reads the superstep's number or aggregates");
    }
    merges(program, grouped, reasons);
    if (program.message().columns().stream().anyMatch(ColumnType::isArray)
        || FunctionTraits.shippedKinds(program).stream().anyMatch(ColumnType::isArray)) {
      reasons.add("messages or what is sent of values are arrays");
    }
    KernelShape shape = KernelShape.of(program, settings, true, true);
    if (shape.inFilter().readsRow()) {
      reasons.add("edges are evaluated because of their destinations' activity");
    } else if (shape.gatherAll() && shape.filters()) {
      reasons.add("vertices evaluate all their edges where one is selected");
    }
    if (settings.exchange() != ExchangeMode.REFINED) {
      reasons.add("the exchange is not refined");
    }
    return reasons;
  }

  /**
   * Why devices do not take the partial messages of a program that may send hubs some; empty: they
   * do.
   */
  public static List<String> whyNotOnDevices(LiftedProgram program, RunSettings settings) {
    List<String> reasons = new ArrayList<>();
    if (KernelShape.inPlace(program, settings)) {
      // Most of these push what active vertices say, which pays more than a few bytes less.
      reasons.add("values are updated in place");
    }
    if (program.phased()) {
      reasons.add("supersteps have kernels of their own");
    }
    if (program.state().columns().stream().anyMatch(ColumnType::isArray)) {
      reasons.add("values have arrays");
    }
    return reasons;
  }

  /**
   * Whether the send function reads of the destination what supersteps change: sources do not hear
   * of that where only hubs are sent messages. In place it may be as old as they have it.
   */
  private static boolean readsWhatChanges(LiftedProgram program) {
    boolean[] stable = FunctionTraits.stableColumns(program);
    return IntStream.range(0, stable.length)
        .anyMatch(c -> !stable[c] && program.send().reads(Role.DESTINATION, c));
  }

  private static void merges(LiftedProgram program, boolean grouped, List<String> reasons) {
    List<MergeAlgebra> algebra = program.traits().merge();
    List<ColumnType> kinds = program.message().columns();
    if (program.mergesByMode()) {
      reasons.add("the most frequent message is wanted");
    } else if (algebra.size() != kinds.size()) {
      general(grouped, reasons);
    } else if (algebra.contains(MergeAlgebra.FIRST)) {
      reasons.add("the merge function keeps the first message");
    } else if (algebra.contains(MergeAlgebra.GENERAL)) {
      general(grouped, reasons);
    } else if (!grouped && hasFloatingSum(algebra, kinds)) {
      reasons.add("last bits of sums of floating-point numbers depend on how they are grouped");
    }
  }

  private static void general(boolean grouped, List<String> reasons) {
    if (!grouped) {
      reasons.add("the merge function is not known to give the same in any grouping");
    }
  }

  private static boolean hasFloatingSum(List<MergeAlgebra> algebra, List<ColumnType> kinds) {
    for (int c = 0; c < kinds.size(); c++) {
      Kind kind = kinds.get(c).kind();
      if (algebra.get(c) == MergeAlgebra.SUM && (kind == Kind.FLOAT || kind == Kind.DOUBLE)) {
        return true;
      }
    }
    return false;
  }
}
