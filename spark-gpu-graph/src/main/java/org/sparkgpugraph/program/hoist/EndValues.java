package org.sparkgpugraph.program.hoist;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * The variables of a send function that are functions of one end of the edge (and of what is the
 * same in all supersteps), as {@linkplain Expression expressions} of that vertex: columns and id of
 * the end are inputs VALUE and ID.
 *
 * <p>A variable that is assigned once is what its instruction computes, wherever that stands. One
 * that is assigned on several ways to the same place (a conditional expression) is chosen by the
 * conditions on the way there from the last place that all ways go through; ways that never arrive
 * do not matter.
 */
final class EndValues {
  /**
   * A value of one end.
   *
   * @param end which; null when it is the same at both (a constant, say)
   */
  record OfEnd(Side end, Expression value) {}

  /** Stands for a way that never arrives. */
  private static final OfEnd NEVER = new OfEnd(null, null);

  private final IrFunction function;
  private final ExpressionPool pool;
  private final FlowGraph flow;
  private final boolean isAcyclic;
  private final Map<Integer, Param> parameters = new HashMap<>();
  private final Map<Integer, List<Integer>> writes = new HashMap<>();
  private final Map<Integer, List<Integer>> reads = new HashMap<>();
  private final Map<Integer, OfEnd> known = new HashMap<>();
  private final Set<Integer> pending = new HashSet<>();

  EndValues(IrFunction function, ExpressionPool pool) {
    this.function = function;
    this.pool = pool;
    flow = new FlowGraph(function);
    isAcyclic = flow.isAcyclic();
    function.parameters().forEach(p -> parameters.put(p.variable(), p));
    for (int i = 0; i < function.code().size(); i++) {
      Insn insn = function.code().get(i);
      if (insn.target() >= 0) {
        writes.computeIfAbsent(insn.target(), v -> new ArrayList<>()).add(i);
      }
      for (int variable : insn.read()) {
        reads.computeIfAbsent(variable, v -> new ArrayList<>()).add(i);
      }
    }
    // In the order of the code, so that long chains of operations are not followed by recursion.
    function.code().stream().mapToInt(Insn::target).filter(v -> v >= 0).forEach(this::of);
  }

  /** The value of a variable wherever it is read; null when it is none of one end. */
  OfEnd of(int variable) {
    if (known.containsKey(variable)) {
      return known.get(variable);
    }
    if (!pending.add(variable)) {
      return null;
    }
    OfEnd found = find(variable);
    pending.remove(variable);
    known.put(variable, found);
    return found;
  }

  /** Whether a branch jumps, as a value; null when that is none of one end. */
  OfEnd of(Insn.Branch branch) {
    return make(
        new Operation.Compare(branch.condition()),
        Kind.BOOLEAN,
        branch.where(),
        of(branch.left()),
        of(branch.right()));
  }

  private OfEnd find(int variable) {
    List<Integer> at = writes.getOrDefault(variable, List.of());
    Param parameter = parameters.get(variable);
    if (parameter != null) {
      return at.isEmpty() ? input(parameter) : null;
    }
    if (at.size() != 1) {
      return isAcyclic ? chosen(variable, at) : null;
    }
    Insn insn = function.code().get(at.get(0));
    Kind kind = function.variables().get(variable);
    if (insn instanceof Insn.Copy copy) {
      return function.variables().get(copy.source()) == kind ? of(copy.source()) : null;
    }
    if (insn instanceof Insn.Filled || insn instanceof Insn.Element || insn instanceof Insn.With) {
      // A column holds no array, and would hold its element only where the index is in it.
      return null;
    }
    OfEnd[] operands = insn.read().stream().map(this::of).toArray(OfEnd[]::new);
    return make(Operation.of(insn), kind, insn.where(), operands);
  }

  private OfEnd input(Param parameter) {
    Side end = end(parameter.role());
    Role role =
        switch (parameter.role()) {
          case SOURCE, DESTINATION -> Role.VALUE;
          case SOURCE_ID, DESTINATION_ID -> Role.ID;
          case CAPTURE, VERTEX_COUNT -> parameter.role();
          // Of the edge, or different in each superstep.
          default -> null;
        };
    return role == null
        ? null
        : new OfEnd(
            end,
            pool.input(role, parameter.index(), function.variables().get(parameter.variable())));
  }

  /** The end of the edge that a parameter is of; null when of none. */
  static Side end(Role role) {
    return switch (role) {
      case SOURCE, SOURCE_ID -> Side.SOURCE;
      case DESTINATION, DESTINATION_ID -> Side.DESTINATION;
      default -> null;
    };
  }

  private OfEnd make(Operation operation, Kind kind, SourcePosition where, OfEnd... operands) {
    EnumSet<Side> ends = EnumSet.noneOf(Side.class);
    List<Expression> values = new ArrayList<>();
    for (OfEnd operand : operands) {
      if (operand == null) {
        return null;
      }
      if (operand.end != null) {
        ends.add(operand.end);
      }
      values.add(operand.value);
    }
    return ends.size() > 1
        ? null
        : new OfEnd(
            ends.isEmpty() ? null : ends.iterator().next(),
            pool.make(operation, kind, where, values));
  }

  // ---- variables that are assigned on several ways ----------------------------------------------

  private OfEnd chosen(int variable, List<Integer> at) {
    int join = -1;
    Map<Integer, Integer> sources = new HashMap<>();
    for (int i : at) {
      int block = flow.blockOf(i);
      if (!(function.code().get(i) instanceof Insn.Copy copy)
          || function.variables().get(copy.source()) != function.variables().get(variable)
          || flow.successors(block).size() != 1
          || join >= 0 && flow.successors(block).get(0) != join
          || sources.put(block, copy.source()) != null) {
        return null;
      }
      join = flow.successors(block).get(0);
    }
    if (join < 0 || !sources.keySet().equals(Set.copyOf(flow.predecessors(join)))) {
      return null;
    }
    for (int i : reads.getOrDefault(variable, List.of())) {
      if (!flow.dominates(join, flow.blockOf(i))) {
        return null;
      }
    }
    return choice(flow.immediateDominator(join), sources, flow.leadingTo(join));
  }

  /** The value that a variable gets on the ways from a block; control only goes forward. */
  private OfEnd choice(int from, Map<Integer, Integer> sources, BitSet leading) {
    BitSet reached = new BitSet();
    reached.set(from);
    int last = from;
    for (int block = from; block >= 0; block = reached.nextSetBit(block + 1)) {
      last = block;
      if (!sources.containsKey(block) && leading.get(block)) {
        flow.successors(block).forEach(reached::set);
      }
    }
    Map<Integer, OfEnd> found = new HashMap<>();
    for (int block = last; block >= 0; block = reached.previousSetBit(block - 1)) {
      found.put(block, choice(block, sources, leading, found));
    }
    return found.get(from);
  }

  /**
   * The value that a variable gets on the ways from a block.
   *
   * @param found the same of the blocks behind it
   */
  private OfEnd choice(
      int block, Map<Integer, Integer> sources, BitSet leading, Map<Integer, OfEnd> found) {
    List<Integer> next = flow.successors(block);
    if (sources.containsKey(block)) {
      return of(sources.get(block));
    } else if (!leading.get(block) || next.isEmpty()) {
      return NEVER;
    } else if (next.size() == 1) {
      return found.get(next.get(0));
    }
    List<Insn> body = flow.body(block);
    return body.get(body.size() - 1) instanceof Insn.Branch branch
        ? choice(branch, found.get(next.get(0)), found.get(next.get(1)))
        : null;
  }

  private OfEnd choice(Insn.Branch branch, OfEnd then, OfEnd otherwise) {
    if (then == NEVER) {
      return otherwise;
    }
    if (otherwise == NEVER) {
      return then;
    }
    if (then == null || otherwise == null) {
      return null;
    }
    return then.equals(otherwise)
        ? then
        : make(
            new Operation.Choose(), then.value.kind(), branch.where(), of(branch), then, otherwise);
  }
}
