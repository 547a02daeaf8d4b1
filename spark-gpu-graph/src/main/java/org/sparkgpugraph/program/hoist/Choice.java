package org.sparkgpugraph.program.hoist;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.Interruption;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.hoist.EndValues.OfEnd;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.InsnCost;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * What is worth a hidden column. All sets of candidates are tried: the send function is written
 * anew for each, and its cost per edge counted. What is gathered counts first, since it is gathered
 * from a random place for every edge; then divisions, mathematical functions and reads of tables.
 *
 * <p>A set is worth its columns when an edge gathers fewer columns with it, or at least four bytes
 * less, or computes fewer expensive operations, and neither gathers nor ships more bytes.
 */
final class Choice {
  /** Sets to try times instructions to write: some milliseconds. */
  private static final int EFFORT = 100_000;

  /** Instructions that a vertex program may grow by. */
  private static final int MOST_WRITTEN = 10_000;

  private static final int SAVED_BYTES = 4;

  /**
   * A send function with hidden columns.
   *
   * @param send the function
   * @param hidden the columns' values, in their order
   * @param gathered bytes that an edge reads of its other end
   * @param columns how many columns these are; an id counts as one
   * @param expensive divisions, mathematical functions and reads of tables in the function
   * @param shipped bytes of a vertex that other partitions know
   */
  record Option(
      IrFunction send,
      List<Expression> hidden,
      int gathered,
      int columns,
      int expensive,
      int shipped) {}

  private static final Comparator<Option> CHEAPEST =
      Comparator.comparingInt(Option::gathered)
          .thenComparingInt(Option::expensive)
          .thenComparingInt(Option::columns)
          .thenComparingInt(option -> option.hidden().size())
          .thenComparingInt(option -> option.send().code().size());

  private final LiftedProgram program;
  private final boolean inPlace;
  private final EndValues values;
  private final List<ColumnType> state;

  /** The ends from which messages come. */
  private final Set<Side> senders = EnumSet.noneOf(Side.class);

  Choice(LiftedProgram program, boolean inPlace) {
    this.program = program;
    this.inPlace = inPlace;
    values = new EndValues(program.send(), ExpressionPool.ordered());
    state = program.state().columns();
    for (Insn insn : program.send().code()) {
      if (insn instanceof Insn.Emit emit) {
        senders.add(emit.side() == Side.SOURCE ? Side.DESTINATION : Side.SOURCE);
      }
    }
  }

  /** The program as it is. */
  Option none() {
    return option(program.send(), List.of());
  }

  /** The cheapest set of hidden columns; null when none pays. */
  Option best() {
    List<Expression> candidates = candidates();
    Option none = none();
    Option best = null;
    for (int set = 1; set < 1 << candidates.size(); set++) {
      List<Expression> hidden = new ArrayList<>();
      Map<Expression, Integer> columns = new HashMap<>();
      for (int i = 0; i < candidates.size(); i++) {
        if ((set >>> i & 1) != 0) {
          columns.put(candidates.get(i), state.size() + hidden.size());
          hidden.add(candidates.get(i));
        }
      }
      Interruption.check("hidden columns are chosen");
      if (written(hidden) > MOST_WRITTEN) {
        continue;
      }
      Option option = option(SendRewriter.rewrite(program.send(), values, columns), hidden);
      if (isWorth(option, none) && (best == null || CHEAPEST.compare(option, best) < 0)) {
        best = option;
      }
    }
    return best;
  }

  /** Instructions that the vertex program would get: each way out of it computes the columns. */
  private long written(List<Expression> hidden) {
    Set<Expression> parts = new HashSet<>();
    hidden.forEach(value -> parts.addAll(value.parts()));
    return parts.size() * Math.max(ways(program.vertexProgram()), ways(program.initialState()));
  }

  private static long ways(IrFunction function) {
    return function == null
        ? 1
        : function.code().stream().filter(i -> i instanceof Insn.Return).count();
  }

  private boolean isWorth(Option option, Option none) {
    boolean saves =
        option.columns < none.columns
            || option.expensive < none.expensive
            || option.gathered <= none.gathered - SAVED_BYTES;
    boolean costs = option.gathered > none.gathered || option.shipped > none.shipped;
    return saves && !costs && readsAllColumns(option) && (!inPlace || readsOneColumn(option.send));
  }

  /** A column that is computed in others only would be kept in vain. */
  private boolean readsAllColumns(Option option) {
    for (int i = 0; i < option.hidden.size(); i++) {
      int column = state.size() + i;
      if (!option.send.reads(Role.SOURCE, column) && !option.send.reads(Role.DESTINATION, column)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Values that are updated in place may be read while they change: one column is always that of
   * some moment, several may be of different ones.
   */
  private static boolean readsOneColumn(IrFunction send) {
    for (Role role : List.of(Role.SOURCE, Role.DESTINATION)) {
      if (send.parameters().stream().filter(p -> p.role() == role).count() > 1) {
        return false;
      }
    }
    return true;
  }

  private Option option(IrFunction send, List<Expression> hidden) {
    int gathered = 0;
    int columns = 0;
    int shipped = 0;
    Set<Integer> known = new HashSet<>();
    for (Param p : send.parameters()) {
      Side end = EndValues.end(p.role());
      boolean isColumn = p.role() == Role.SOURCE || p.role() == Role.DESTINATION;
      int bytes = isColumn ? kind(p.index(), hidden).bytes() : Kind.LONG.bytes();
      if (end != null && senders.contains(end)) {
        gathered += bytes;
        columns++;
      }
      if (isColumn && known.add(p.index())) {
        shipped += bytes;
      }
    }
    InsnCost cost = new InsnCost(send.parameters(), send.variables(), send.code());
    int expensive = (int) send.code().stream().filter(cost::isExpensive).count();
    return new Option(send, hidden, gathered, columns, expensive, shipped);
  }

  private Kind kind(int column, List<Expression> hidden) {
    return column < state.size()
        ? state.get(column).kind()
        : hidden.get(column - state.size()).columnKind();
  }

  /** What could have a column: at most so many that all sets can be tried. */
  private List<Expression> candidates() {
    Set<Expression> all = new LinkedHashSet<>();
    Set<Expression> roots = new LinkedHashSet<>();
    for (Insn insn : program.send().code()) {
      if (insn.target() >= 0) {
        add(values.of(insn.target()), all);
      }
      if (insn instanceof Insn.Branch branch && values.of(branch) != null) {
        add(values.of(branch), all);
        add(values.of(branch), roots);
      } else if (insn.target() < 0 || values.of(insn.target()) == null) {
        insn.read().forEach(v -> add(values.of(v), roots));
      }
    }
    int most = 1;
    while (most < 10 && (program.send().code().size() << most + 1) <= EFFORT) {
      most++;
    }
    return (all.size() <= most ? all : roots).stream().limit(most).toList();
  }

  private void add(OfEnd value, Set<Expression> to) {
    if (value != null && senders.contains(value.end()) && !value.value().isLeaf()) {
      to.add(value.value());
    }
  }
}
