package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.LabelNode;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ssa.Ssa;

/** Jumps, comparisons that jump, and switches. */
final class BranchInstructions {
  /** Keys from which on a switch is one; below, it is a chain of comparisons. */
  private static final int SWITCH = 16;

  private final SymbolicMachine machine;
  private final ExecutionPaths paths;

  BranchInstructions(SymbolicMachine machine, ExecutionPaths paths) {
    this.machine = machine;
    this.paths = paths;
  }

  /** Executes a jump, whether it has a condition or not. */
  boolean jump(Frame frame, int opcode, LabelNode label) {
    if (frame.body.index(label) < frame.pc && machine.isTrying()) {
      throw machine.refuse("loops in a function that is called with what is in a Map or Set");
    }
    switch (opcode) {
      case Opcodes.GOTO -> frame.pc = frame.body.index(label);
      case Opcodes.IFEQ -> branchOnZero(frame, Condition.EQ, label);
      case Opcodes.IFNE -> branchOnZero(frame, Condition.NE, label);
      case Opcodes.IFLT -> branchOnZero(frame, Condition.LT, label);
      case Opcodes.IFLE -> branchOnZero(frame, Condition.LE, label);
      case Opcodes.IFGT -> branchOnZero(frame, Condition.GT, label);
      case Opcodes.IFGE -> branchOnZero(frame, Condition.GE, label);
      case Opcodes.IF_ICMPEQ -> compareAndBranch(frame, Condition.EQ, label);
      case Opcodes.IF_ICMPNE -> compareAndBranch(frame, Condition.NE, label);
      case Opcodes.IF_ICMPLT -> compareAndBranch(frame, Condition.LT, label);
      case Opcodes.IF_ICMPLE -> compareAndBranch(frame, Condition.LE, label);
      case Opcodes.IF_ICMPGT -> compareAndBranch(frame, Condition.GT, label);
      case Opcodes.IF_ICMPGE -> compareAndBranch(frame, Condition.GE, label);
      case Opcodes.IFNULL, Opcodes.IFNONNULL -> {
        Sym value = frame.pop();
        refuseCarried(value);
        boolean isNull = machine.isNull(value);
        if (isNull == (opcode == Opcodes.IFNULL)) {
          frame.pc = frame.body.index(label);
        }
      }
      case Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE -> {
        boolean same = sameReference(frame, frame.pop(), frame.pop());
        if (same == (opcode == Opcodes.IF_ACMPEQ)) {
          frame.pc = frame.body.index(label);
        }
      }
      default -> throw machine.refuse("subroutines (jsr/ret) cannot be lifted");
    }
    return true;
  }

  private void branchOnZero(Frame frame, Condition condition, LabelNode label) {
    Sym.Prim value = machine.prim(frame.pop());
    if (machine.comparisons.get(value.variable()) instanceof Insn.Binary compare) {
      boolean greater = compare.op() == BinaryOp.COMPARE_G;
      Condition fused =
          machine.ssa.kinds.get(compare.left()) == Kind.LONG
              ? condition
              : switch (condition) {
                case LT -> greater ? Condition.LT : Condition.NOT_GE;
                case LE -> greater ? Condition.LE : Condition.NOT_GT;
                case GT -> greater ? Condition.NOT_LE : Condition.GT;
                case GE -> greater ? Condition.NOT_LT : Condition.GE;
                default -> condition;
              };
      paths.branch(frame, fused, compare.left(), compare.right(), label);
    } else {
      paths.branch(frame, condition, value.variable(), machine.constant(0), label);
    }
  }

  private void compareAndBranch(Frame frame, Condition condition, LabelNode label) {
    Sym.Prim right = machine.prim(frame.pop());
    Sym.Prim left = machine.prim(frame.pop());
    paths.branch(frame, condition, left.variable(), right.variable(), label);
  }

  /** What is only carried may be null. */
  private void refuseCarried(Sym value) {
    if (value instanceof Sym.Carried) {
      throw machine.refuse("reads " + value.describe());
    }
  }

  private boolean sameReference(Frame frame, Sym right, Sym left) {
    refuseCarried(left);
    refuseCarried(right);
    if (left instanceof Sym.Null || right instanceof Sym.Null) {
      return machine.isNull(left) && machine.isNull(right);
    }
    if (left instanceof Sym.Host && right instanceof Sym.Host) {
      return left.equals(right);
    }
    if (left instanceof Sym.Rec && frame.body.method().name.equals("equals")) {
      // Where it is the same object, an equals method compares an object with itself.
      return false;
    }
    throw machine.refuse(
        "compares references with == or != ("
            + left.describe()
            + " and "
            + right.describe()
            + "); compare with equals, or as primitives");
  }

  /** Goes one way if the value is known; else returns false when the path has ended. */
  boolean choose(Frame frame, List<Integer> keys, List<LabelNode> labels, LabelNode otherwise) {
    Sym.Prim value = machine.prim(frame.pop());
    Object known = machine.constants.get(value.variable());
    if (known != null) {
      int at = keys.indexOf(known);
      frame.pc = frame.body.index(at < 0 ? otherwise : labels.get(at));
      return true;
    }
    List<Integer> own = new ArrayList<>();
    List<LabelNode> to = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (labels.get(i) != otherwise) {
        own.add(keys.get(i));
        to.add(labels.get(i));
      }
    }
    if (own.size() < SWITCH) {
      for (int i = 0; i < own.size(); i++) {
        paths.branch(
            frame, Condition.EQ, value.variable(), machine.constant(own.get(i)), to.get(i));
      }
      frame.pc = frame.body.index(otherwise);
      return true;
    }
    Map<LabelNode, Ssa.Edge> ways = new HashMap<>();
    to.add(otherwise);
    List<Ssa.Edge> edges = new ArrayList<>();
    for (LabelNode label : to) {
      Ssa.Edge same =
          ways.computeIfAbsent(
              label,
              l -> {
                MachineState taken = machine.state.copy();
                taken.top().pc = frame.body.index(l);
                return paths.edge(taken);
              });
      edges.add(new Ssa.Edge(same.target, same.arguments));
    }
    machine.end(new Ssa.Switch(value.variable(), own, edges, machine.where()));
    return false;
  }
}
