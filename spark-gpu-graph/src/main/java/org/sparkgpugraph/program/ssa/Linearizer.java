package org.sparkgpugraph.program.ssa;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Renumbering;
import org.sparkgpugraph.program.ir.ReversePostorder;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.ssa.Ssa.Block;
import org.sparkgpugraph.program.ssa.Ssa.Edge;

/** Writes the blocks of a function one after the other, block parameters as copies. */
public final class Linearizer {
  private final Ssa ssa;
  private final List<Insn> code = new ArrayList<>();
  private final Map<Block, Integer> labels = new HashMap<>();

  public Linearizer(Ssa ssa) {
    this.ssa = ssa;
  }

  /** The function in its final form. */
  public IrFunction function(String name, List<ColumnType> results) {
    splitEdges();
    List<Block> order =
        ReversePostorder.of(
            ssa.entry, block -> block.end.edges().stream().map(edge -> edge.target).toList());
    for (int i = 0; i < order.size(); i++) {
      Block next = i + 1 < order.size() ? order.get(i + 1) : null;
      write(order.get(i), next);
    }
    IrFunction whole = Renumbering.of(name, ssa.parameters(), results, ssa.kinds, code);
    List<Insn> tested = new CountedLoops(whole.code()).withoutPassedTests();
    return tested == whole.code()
        ? whole
        : Renumbering.of(name, whole.parameters(), results, whole.variables(), tested);
  }

  /**
   * Gives conditional edges that pass arguments a block for the copies: one for all edges of a
   * switch that pass the same to the same block.
   */
  private void splitEdges() {
    for (Block block : ssa.reachable()) {
      if (!(block.end instanceof Ssa.Goto)) {
        Map<List<Object>, Block> splits = new HashMap<>();
        for (Edge edge : block.end.edges()) {
          if (!edge.arguments.isEmpty()) {
            Block target = edge.target;
            List<Integer> arguments = edge.arguments;
            edge.target =
                splits.computeIfAbsent(
                    List.of(target, arguments),
                    key -> {
                      Block split = new Block();
                      split.end = new Ssa.Goto(new Edge(target, arguments), block.end.where());
                      return split;
                    });
            edge.arguments = List.of();
          }
        }
      }
    }
  }

  private int label(Block block) {
    return labels.computeIfAbsent(block, b -> labels.size());
  }

  private void write(Block block, Block next) {
    code.add(new Insn.Label(label(block), block.end.where()));
    code.addAll(block.body);
    if (block.end instanceof Ssa.Goto jump) {
      copies(jump.edge(), jump.where());
      if (jump.edge().target != next) {
        code.add(new Insn.Jump(label(jump.edge().target), jump.where()));
      }
    } else if (block.end instanceof Ssa.If branch) {
      Block then = branch.then().target;
      Block otherwise = branch.otherwise().target;
      boolean negated = then == next;
      code.add(
          new Insn.Branch(
              negated ? branch.condition().negate() : branch.condition(),
              branch.left(),
              branch.right(),
              label(negated ? otherwise : then),
              branch.where()));
      if (!negated && otherwise != next) {
        code.add(new Insn.Jump(label(otherwise), branch.where()));
      }
    } else if (block.end instanceof Ssa.Switch choice) {
      code.add(
          new Insn.Switch(
              choice.value(),
              choice.keys(),
              choice.keys().stream().map(key -> label(choice.taken(key).target)).toList(),
              label(choice.otherwise().target),
              choice.where()));
    } else if (block.end instanceof Ssa.Leave leave) {
      code.add(new Insn.Return(leave.values(), leave.where()));
    } else if (block.end instanceof Ssa.Stop stop) {
      code.add(new Insn.Fail(stop.code(), stop.detail(), stop.where()));
    }
  }

  /**
   * The copies of an edge happen at once: a variable is overwritten only when no copy reads it any
   * more.
   */
  private void copies(Edge edge, SourcePosition where) {
    List<int[]> pending = new ArrayList<>();
    for (int i = 0; i < edge.arguments.size(); i++) {
      int target = edge.target.parameters.get(i);
      int source = edge.arguments.get(i);
      if (target != source) {
        pending.add(new int[] {target, source});
      }
    }
    while (!pending.isEmpty()) {
      int free = -1;
      for (int i = 0; i < pending.size() && free < 0; i++) {
        int target = pending.get(i)[0];
        if (pending.stream().noneMatch(copy -> copy[1] == target)) {
          free = i;
        }
      }
      if (free >= 0) {
        int[] copy = pending.remove(free);
        code.add(new Insn.Copy(copy[0], copy[1], where));
      } else {
        int saved = pending.get(0)[1];
        int temporary = ssa.variable(ssa.kinds.get(saved));
        code.add(new Insn.Copy(temporary, saved, where));
        for (int[] copy : pending) {
          if (copy[1] == saved) {
            copy[1] = temporary;
          }
        }
      }
    }
  }
}
