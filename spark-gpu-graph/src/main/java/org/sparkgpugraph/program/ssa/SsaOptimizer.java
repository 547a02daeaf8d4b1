package org.sparkgpugraph.program.ssa;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.sparkgpugraph.program.Interruption;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.ConstantFolding;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ssa.Ssa.Block;
import org.sparkgpugraph.program.ssa.Ssa.Edge;
import org.sparkgpugraph.program.ssa.Ssa.End;

/**
 * Cleans up a lifted function: redundant block parameters, constant folding, common subexpressions,
 * jump threading, merging of blocks, dead code. Nothing that could change a result: no
 * reassociation, no floating-point identities.
 */
public final class SsaOptimizer {
  private static final int MAX_ROUNDS = 50;

  private final Ssa ssa;
  private final Map<Integer, Integer> renamed = new HashMap<>();
  private Set<Block> blocks;
  private Map<Block, List<Edge>> incoming;
  private Map<Integer, Object> constants;

  public SsaOptimizer(Ssa ssa) {
    this.ssa = ssa;
  }

  public void run() {
    boolean changed = true;
    for (int round = 0; changed && round < MAX_ROUNDS; round++) {
      Interruption.check("a function is lifted");
      scan();
      changed = simplifyParameters();
      scan();
      changed |= fold();
      scan();
      changed |= thread();
      scan();
      changed |= merge();
      scan();
      changed |= reuse();
      changed |= removeDead();
    }
  }

  private void scan() {
    blocks = ssa.reachable();
    incoming = new HashMap<>();
    constants = new HashMap<>();
    for (Block block : blocks) {
      for (Edge edge : block.end.edges()) {
        incoming.computeIfAbsent(edge.target, b -> new ArrayList<>()).add(edge);
      }
      for (Insn insn : block.body) {
        if (insn instanceof Insn.Constant constant) {
          constants.put(constant.target(), constant.value());
        }
      }
    }
  }

  private int resolve(int variable) {
    int last = variable;
    for (Integer next = renamed.get(last); next != null; next = renamed.get(last)) {
      last = next;
    }
    // So that long chains are followed once.
    for (int at = variable; at != last; ) {
      at = renamed.put(at, last);
    }
    return last;
  }

  private void applyRenames() {
    if (renamed.isEmpty()) {
      return;
    }
    for (Block block : blocks) {
      block.body.replaceAll(insn -> insn.reading(this::resolve));
      block.end = rewrite(block.end, this::resolve);
      for (Edge edge : block.end.edges()) {
        edge.arguments.replaceAll(this::resolve);
      }
    }
    renamed.clear();
  }

  private static List<Integer> names(List<Integer> variables, IntUnaryOperator name) {
    return variables.stream().map(name::applyAsInt).toList();
  }

  private static End rewrite(End end, IntUnaryOperator name) {
    if (end instanceof Ssa.If branch) {
      return new Ssa.If(
          branch.condition(),
          name.applyAsInt(branch.left()),
          name.applyAsInt(branch.right()),
          branch.then(),
          branch.otherwise(),
          branch.where());
    } else if (end instanceof Ssa.Switch choice) {
      return new Ssa.Switch(
          name.applyAsInt(choice.value()), choice.keys(), choice.edges(), choice.where());
    } else if (end instanceof Ssa.Leave leave) {
      return new Ssa.Leave(names(leave.values(), name), leave.where());
    }
    return end;
  }

  /** Removes parameters to which every edge passes the same value. */
  private boolean simplifyParameters() {
    boolean changed = false;
    for (Block block : blocks) {
      List<Edge> edges = incoming.getOrDefault(block, List.of());
      for (int i = block.parameters.size() - 1; i >= 0; i--) {
        int parameter = block.parameters.get(i);
        Set<Integer> values = new HashSet<>();
        for (Edge edge : edges) {
          values.add(resolve(edge.arguments.get(i)));
        }
        values.remove(parameter);
        if (values.size() == 1) {
          renamed.put(parameter, values.iterator().next());
        } else {
          Object constant = commonConstant(values);
          if (constant == null) {
            continue;
          }
          block.body.add(0, new Insn.Constant(parameter, constant, block.end.where()));
        }
        removeParameter(block, edges, i);
        changed = true;
      }
    }
    applyRenames();
    return changed;
  }

  private Object commonConstant(Set<Integer> values) {
    Set<Object> common = new HashSet<>();
    values.forEach(value -> common.add(constants.get(value)));
    return common.size() == 1 ? common.iterator().next() : null;
  }

  private static void removeParameter(Block block, List<Edge> edges, int index) {
    block.parameters.remove(index);
    for (Edge edge : edges) {
      edge.arguments.remove(index);
    }
  }

  private boolean fold() {
    boolean changed = false;
    for (Block block : blocks) {
      for (int i = 0; i < block.body.size(); i++) {
        Insn insn = block.body.get(i);
        int target = insn.target();
        boolean computes = target >= 0 && !(insn instanceof Insn.Constant);
        Object value =
            computes ? ConstantFolding.value(insn, ssa.kinds.get(target), constants) : null;
        if (value != null) {
          block.body.set(i, new Insn.Constant(target, value, insn.where()));
          constants.put(target, value);
          changed = true;
        }
      }
      List<Edge> edges = block.end.edges();
      if (!(block.end instanceof Ssa.Goto) && !edges.isEmpty()) {
        Edge taken = taken(block.end, constants::get);
        if (taken == null && edges.stream().allMatch(edge -> isSame(edge, edges.get(0)))) {
          taken = edges.get(0);
        }
        if (taken != null) {
          block.end = new Ssa.Goto(taken, block.end.where());
          changed = true;
        }
      }
    }
    return changed;
  }

  /** The edge that control takes at the end of a block; null where values decide, unknown ones. */
  private static Edge taken(End end, IntFunction<Object> known) {
    if (end instanceof Ssa.Goto jump) {
      return jump.edge();
    } else if (end instanceof Ssa.If branch) {
      Object left = known.apply(branch.left());
      Object right = known.apply(branch.right());
      if (left != null && right != null) {
        boolean holds = ConstantFolding.test(branch.condition(), left, right);
        return holds ? branch.then() : branch.otherwise();
      }
    } else if (end instanceof Ssa.Switch choice && known.apply(choice.value()) != null) {
      return choice.taken(known.apply(choice.value()));
    }
    return null;
  }

  private static boolean isSame(Edge a, Edge b) {
    return a.target == b.target && a.arguments.equals(b.arguments);
  }

  /**
   * Sends edges past blocks that do nothing but jump, or that branch on a value which the edge
   * already decides (a boolean that was materialised as 0 or 1).
   */
  private boolean thread() {
    boolean changed = false;
    Map<Integer, Set<Block>> uses = uses();
    for (Block block : blocks) {
      for (Edge edge : block.end.edges()) {
        Edge past = past(edge, uses);
        if (past != null) {
          edge.target = past.target;
          edge.arguments = past.arguments;
          changed = true;
          // This block uses them now. What the one that was skipped no longer uses, and variables
          // that it used through others, the next round sees.
          edge.arguments.forEach(v -> uses.computeIfAbsent(v, u -> new HashSet<>()).add(block));
        }
      }
    }
    return changed;
  }

  private Edge past(Edge edge, Map<Integer, Set<Block>> uses) {
    Block block = edge.target;
    Map<Integer, Integer> arguments = new HashMap<>();
    for (int i = 0; i < block.parameters.size(); i++) {
      int parameter = block.parameters.get(i);
      arguments.put(parameter, edge.arguments.get(i));
      if (usedElsewhere(parameter, block, uses)) {
        return null;
      }
    }
    Map<Integer, Object> own = new HashMap<>();
    for (Insn insn : block.body) {
      if (!(insn instanceof Insn.Constant constant)
          || usedElsewhere(constant.target(), block, uses)) {
        return null;
      }
      own.put(constant.target(), constant.value());
    }
    Edge out = taken(block.end, variable -> known(variable, own, arguments));
    if (out == null || out.target == block || out.arguments.stream().anyMatch(own::containsKey)) {
      return null;
    }
    List<Integer> mapped = new ArrayList<>();
    for (int argument : out.arguments) {
      mapped.add(arguments.getOrDefault(argument, argument));
    }
    return new Edge(out.target, mapped);
  }

  private Object known(int variable, Map<Integer, Object> own, Map<Integer, Integer> arguments) {
    return own.containsKey(variable)
        ? own.get(variable)
        : constants.get(arguments.getOrDefault(variable, variable));
  }

  private static boolean usedElsewhere(int variable, Block block, Map<Integer, Set<Block>> uses) {
    return uses.getOrDefault(variable, Set.of()).stream().anyMatch(user -> user != block);
  }

  private Map<Integer, Set<Block>> uses() {
    Map<Integer, Set<Block>> uses = new HashMap<>();
    for (Block block : ssa.reachable()) {
      IntUnaryOperator note =
          variable -> {
            uses.computeIfAbsent(variable, v -> new HashSet<>()).add(block);
            return variable;
          };
      block.body.forEach(insn -> insn.reading(note));
      rewrite(block.end, note);
      block.end.edges().forEach(edge -> edge.arguments.forEach(note::applyAsInt));
    }
    return uses;
  }

  /** Appends a block to its only predecessor. */
  private boolean merge() {
    boolean changed = false;
    Set<Block> gone = new HashSet<>();
    for (Block block : blocks) {
      while (!gone.contains(block)
          && block.end instanceof Ssa.Goto jump
          && jump.edge().target != block
          && jump.edge().target != ssa.entry
          && jump.edge().target.parameters.isEmpty()
          && incoming.get(jump.edge().target).size() == 1) {
        Block next = jump.edge().target;
        block.body.addAll(next.body);
        block.end = next.end;
        gone.add(next);
        changed = true;
      }
    }
    return changed;
  }

  private record Computation(Operation operation, List<Integer> operands, Kind kind) {}

  /** Common subexpressions along the branches of a tree of blocks with one predecessor each. */
  private boolean reuse() {
    scan();
    boolean changed = false;
    Reuse table = new Reuse();
    for (Block root : blocks) {
      if (root == ssa.entry || incoming.get(root).size() > 1) {
        table.enter(root);
      }
      while (!table.path.isEmpty()) {
        Reuse.Visit visit = table.path.peek();
        if (!visit.entered) {
          visit.entered = true;
          changed |= reuse(visit, table);
        }
        Block next = visit.edges.hasNext() ? visit.edges.next().target : null;
        if (next == null) {
          table.leave();
        } else if (next != ssa.entry && incoming.get(next).size() == 1) {
          table.enter(next);
        }
      }
    }
    applyRenames();
    return changed;
  }

  private boolean reuse(Reuse.Visit visit, Reuse table) {
    boolean changed = false;
    List<Insn> body = new ArrayList<>();
    for (Insn original : visit.block.body) {
      Insn insn = original.reading(this::resolve);
      if (insn.target() < 0) {
        body.add(insn);
        continue;
      }
      Computation computation =
          new Computation(Operation.of(insn), insn.read(), ssa.kinds.get(insn.target()));
      Integer same = table.known.putIfAbsent(computation, insn.target());
      if (same != null) {
        renamed.put(insn.target(), same);
        changed = true;
      } else {
        body.add(insn);
        visit.made.add(computation);
      }
    }
    visit.block.body = body;
    return changed;
  }

  /** The computations made on the way to a block: one table, from which leaving a block takes. */
  private static final class Reuse {
    final Map<Computation, Integer> known = new HashMap<>();
    final Deque<Visit> path = new ArrayDeque<>();

    static final class Visit {
      final Block block;
      final Iterator<Edge> edges;
      final List<Computation> made = new ArrayList<>();
      boolean entered;

      Visit(Block block) {
        this.block = block;
        this.edges = block.end.edges().iterator();
      }
    }

    void enter(Block block) {
      path.push(new Visit(block));
    }

    void leave() {
      path.pop().made.forEach(known::remove);
    }
  }

  private record Definition(Insn insn, Block block, int parameter) {}

  /** Removes computations and block parameters that nothing needs. */
  private boolean removeDead() {
    scan();
    Map<Integer, Definition> definitions = new HashMap<>();
    Set<Integer> live = new HashSet<>();
    Deque<Integer> pending = new ArrayDeque<>();
    IntUnaryOperator need =
        variable -> {
          if (live.add(variable)) {
            pending.add(variable);
          }
          return variable;
        };
    for (Block block : blocks) {
      for (int i = 0; i < block.parameters.size(); i++) {
        definitions.put(block.parameters.get(i), new Definition(null, block, i));
      }
      for (Insn insn : block.body) {
        if (insn.target() >= 0) {
          definitions.put(insn.target(), new Definition(insn, block, -1));
        } else {
          insn.reading(need);
        }
      }
      rewrite(block.end, need);
    }
    while (!pending.isEmpty()) {
      Definition definition = definitions.get(pending.remove());
      if (definition == null) {
        continue;
      }
      if (definition.insn != null) {
        definition.insn.reading(need);
      } else {
        for (Edge edge : incoming.getOrDefault(definition.block, List.of())) {
          need.applyAsInt(edge.arguments.get(definition.parameter));
        }
      }
    }
    boolean changed = false;
    for (Block block : blocks) {
      changed |= block.body.removeIf(insn -> insn.target() >= 0 && !live.contains(insn.target()));
      for (int i = block.parameters.size() - 1; i >= 0; i--) {
        if (!live.contains(block.parameters.get(i))) {
          removeParameter(block, incoming.getOrDefault(block, List.of()), i);
          changed = true;
        }
      }
    }
    return changed;
  }
}
