package org.sparkgpugraph.program.bytecode;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** One method's instructions with what symbolic execution asks of them. */
public final class MethodBody {
  /** Of an array of numbers in a descriptor. */
  private static final Pattern NUMBERS = Pattern.compile("\\[[BCDFIJSZ]");

  private final String owner;
  private final MethodNode method;
  private final AbstractInsnNode[] instructions;
  private final int[] lines;
  private final Map<LabelNode, Integer> labels = new HashMap<>();
  private final BitSet targets = new BitSet();
  private final int returns;
  private BitSet[] live;
  private BitSet lengths;

  public MethodBody(String owner, MethodNode method) {
    this.owner = owner;
    this.method = method;
    this.instructions = method.instructions.toArray();
    this.lines = new int[instructions.length];
    int line = -1;
    int leaving = 0;
    for (int i = 0; i < instructions.length; i++) {
      int opcode = instructions[i].getOpcode();
      leaving += opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN ? 1 : 0;
      if (instructions[i] instanceof LineNumberNode number) {
        line = number.line;
      } else if (instructions[i] instanceof LabelNode label) {
        labels.put(label, i);
      }
      lines[i] = line;
    }
    returns = leaving;
    for (AbstractInsnNode instruction : instructions) {
      for (LabelNode label : jumps(instruction)) {
        targets.set(labels.get(label));
      }
    }
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      targets.set(labels.get(block.handler));
    }
  }

  /** A method of two instructions that calls another one: what a lambda's own class does. */
  public static MethodBody calling(Handle method) {
    boolean constructor = method.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    int opcode =
        switch (method.getTag()) {
          case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
          case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
          case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
          default -> Opcodes.INVOKEVIRTUAL;
        };
    Type returns =
        constructor ? Type.getObjectType(method.getOwner()) : Type.getReturnType(method.getDesc());
    MethodNode node =
        new MethodNode(
            Opcodes.ACC_STATIC, method.getName(), "()" + returns.getDescriptor(), null, null);
    node.instructions.add(
        new MethodInsnNode(
            opcode, method.getOwner(), method.getName(), method.getDesc(), method.isInterface()));
    node.instructions.add(
        new InsnNode(returns.getSort() == Type.VOID ? Opcodes.RETURN : Opcodes.ARETURN));
    return new MethodBody(method.getOwner(), node);
  }

  /** Internal name of the declaring class. */
  public String owner() {
    return owner;
  }

  public MethodNode method() {
    return method;
  }

  public int size() {
    return instructions.length;
  }

  public AbstractInsnNode instruction(int pc) {
    return instructions[pc];
  }

  /** Source line of an instruction (of the method before its first one), or −1. */
  public int line(int pc) {
    return pc < 0 ? firstLine() : lines[pc];
  }

  private int firstLine() {
    for (int line : lines) {
      if (line >= 0) {
        return line;
      }
    }
    return -1;
  }

  /** Number of its return instructions. */
  public int returns() {
    return returns;
  }

  /** Whether the method has a synchronized block. */
  public boolean locks() {
    for (AbstractInsnNode instruction : instructions) {
      if (instruction.getOpcode() == Opcodes.MONITORENTER) {
        return true;
      }
    }
    return false;
  }

  public int index(LabelNode label) {
    return labels.get(label);
  }

  /** Whether some jump leads to this instruction. */
  public boolean isTarget(int pc) {
    return targets.get(pc);
  }

  public boolean isStatic() {
    return (method.access & Opcodes.ACC_STATIC) != 0;
  }

  private static List<LabelNode> jumps(AbstractInsnNode instruction) {
    if (instruction instanceof JumpInsnNode jump) {
      return List.of(jump.label);
    }
    List<LabelNode> labels = new ArrayList<>();
    if (instruction instanceof TableSwitchInsnNode table) {
      labels.addAll(table.labels);
      labels.add(table.dflt);
    } else if (instruction instanceof LookupSwitchInsnNode lookup) {
      labels.addAll(lookup.labels);
      labels.add(lookup.dflt);
    }
    return labels;
  }

  /** The try blocks that an instruction is in, in the order in which the JVM asks them. */
  public List<TryCatchBlockNode> around(int pc) {
    return method.tryCatchBlocks.stream()
        .filter(block -> labels.get(block.start) <= pc && pc < labels.get(block.end))
        .toList();
  }

  /**
   * The locals that are read at or after an instruction before they are written.
   *
   * @param calls whether the instruction before it still runs, and may throw
   */
  public BitSet live(int pc, boolean calls) {
    if (live == null) {
      computeLiveness();
    }
    if (!calls || method.tryCatchBlocks.isEmpty()) {
      return live[pc];
    }
    BitSet set = (BitSet) live[pc].clone();
    around(pc - 1).forEach(block -> set.or(live[labels.get(block.handler)]));
    return set;
  }

  /**
   * The int locals that may be lengths of arrays that the method makes, or that methods make which
   * have arrays for it, and are assigned only once: what is known of one of them is known wherever
   * it is read.
   */
  public BitSet lengths() {
    if (lengths == null) {
      BitSet once = new BitSet();
      BitSet again = new BitSet();
      boolean makesArrays = false;
      int slot = isStatic() ? 0 : 1;
      for (Type type : Type.getArgumentTypes(method.desc)) {
        once.set(slot, slot + (type == Type.INT_TYPE ? 1 : 0));
        again.set(slot, slot + (type == Type.INT_TYPE ? 0 : type.getSize()));
        slot += type.getSize();
      }
      for (AbstractInsnNode instruction : instructions) {
        makesArrays |=
            instruction.getOpcode() == Opcodes.NEWARRAY
                || instruction instanceof MethodInsnNode called
                    && NUMBERS.matcher(called.desc).find();
        if (instruction instanceof VarInsnNode access && access.getOpcode() == Opcodes.ISTORE) {
          (once.get(access.var) ? again : once).set(access.var);
        } else if (instruction instanceof VarInsnNode access
            && access.getOpcode() > Opcodes.ISTORE
            && access.getOpcode() <= Opcodes.ASTORE) {
          again.set(access.var);
        } else if (instruction instanceof IincInsnNode increment) {
          again.set(increment.var);
        }
      }
      once.andNot(again);
      lengths = makesArrays ? once : new BitSet();
    }
    return lengths;
  }

  private void computeLiveness() {
    live = new BitSet[instructions.length];
    for (int i = 0; i < live.length; i++) {
      live[i] = new BitSet();
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = instructions.length - 1; i >= 0; i--) {
        AbstractInsnNode instruction = instructions[i];
        BitSet set = new BitSet();
        int opcode = instruction.getOpcode();
        boolean falls =
            !(opcode == Opcodes.GOTO
                || opcode == Opcodes.ATHROW
                || opcode == Opcodes.TABLESWITCH
                || opcode == Opcodes.LOOKUPSWITCH
                || (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN));
        if (falls && i + 1 < live.length) {
          set.or(live[i + 1]);
        }
        for (LabelNode label : jumps(instruction)) {
          set.or(live[labels.get(label)]);
        }
        if (instruction instanceof VarInsnNode access) {
          if (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE) {
            set.clear(access.var);
          } else {
            set.set(access.var);
          }
        } else if (instruction instanceof IincInsnNode increment) {
          set.set(increment.var);
        }
        for (TryCatchBlockNode block : around(i)) {
          set.or(live[labels.get(block.handler)]);
        }
        if (!set.equals(live[i])) {
          live[i] = set;
          changed = true;
        }
      }
    }
  }
}
