package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.sparkgpugraph.program.bytecode.LibraryCalls;
import org.sparkgpugraph.program.bytecode.Reasons;
import org.sparkgpugraph.program.bytecode.RefusedException;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Kind;

/** Executes bytecode, one instruction after the other, until a block ends. */
final class BytecodeInterpreter {
  /**
   * Return instructions from which on the ways out of a method meet behind its call; of a method
   * with fewer, each goes on with a copy of what follows.
   */
  private static final int MANY_RETURNS = 8;

  private final SymbolicMachine machine;
  private final ExecutionPaths paths;
  private final Boxing boxing;
  private final NewObjects objects;
  private final CallInliner calls;
  private final FunctionResult result;
  private final StackInstructions stack;
  private final ObjectInstructions references;
  private final BranchInstructions branches;
  private final Reasons reasons;

  BytecodeInterpreter(
      SymbolicMachine machine,
      ExecutionPaths paths,
      Boxing boxing,
      NewObjects objects,
      HostValues hosts,
      CallInliner calls,
      FunctionResult result,
      Reasons reasons) {
    this.machine = machine;
    this.paths = paths;
    this.boxing = boxing;
    this.objects = objects;
    this.calls = calls;
    this.result = result;
    this.reasons = reasons;
    stack = new StackInstructions(machine);
    references = new ObjectInstructions(machine, boxing, objects, hosts, calls.tables());
    branches = new BranchInstructions(machine, paths);
  }

  /** Runs the current state until the block ends. */
  void run() {
    boolean running = true;
    // Where a block begins, paths have met already.
    boolean entering = true;
    while (running) {
      Frame frame = machine.top();
      if (frame.loop != null) {
        entering = false;
        running = calls.scala().loops().advance(frame);
        continue;
      }
      AbstractInsnNode instruction = frame.body.instruction(frame.pc);
      if (!entering && frame.body.isTarget(frame.pc)) {
        paths.join();
        return;
      }
      entering = false;
      Sym.Maybe asked = asked(frame, instruction);
      if (asked != null) {
        paths.count();
        paths.forkOn(asked);
        entering = true;
        continue;
      }
      frame.pc++;
      if (instruction.getOpcode() >= 0) {
        paths.count();
        reasons.instruction();
        running = stepOrNote(frame, instruction);
        refuseLarge(machine.top());
      }
    }
  }

  /** The option that an instruction needs to know about; null: none. */
  private static Sym.Maybe asked(Frame frame, AbstractInsnNode instruction) {
    int operands;
    boolean inside = false;
    if (instruction instanceof TypeInsnNode typed
        && (typed.getOpcode() == Opcodes.INSTANCEOF || typed.getOpcode() == Opcodes.CHECKCAST)
        && (typed.desc.equals("scala/Some") || typed.desc.equals("scala/None$"))) {
      operands = 1;
    } else if (instruction instanceof MethodInsnNode called && looksAt(called)) {
      operands = Type.getArgumentTypes(called.desc).length;
      operands += called.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1;
      inside = called.name.equals("equals");
    } else {
      return null;
    }
    List<Sym> stack = frame.stack;
    for (Sym operand : stack.subList(stack.size() - operands, stack.size())) {
      Sym.Maybe found = option(operand, inside);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Whether a method does more with an option than to hold it. */
  private static boolean looksAt(MethodInsnNode called) {
    return called.name.equals("equals")
        || called.owner.startsWith("scala/")
            && !called.name.equals("<init>")
            && !called.name.startsWith("$minus$greater")
            && !called.owner.startsWith("scala/Tuple");
  }

  private static Sym.Maybe option(Sym value, boolean inside) {
    if (value instanceof Sym.Maybe maybe) {
      return maybe;
    }
    List<Sym> parts =
        inside && value instanceof Sym.Rec rec
            ? rec.fields()
            : inside && value instanceof Sym.Elements elements ? elements.values() : List.of();
    return parts.stream()
        .map(part -> option(part, true))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** Values are taken apart, by recursion: what holds another one twice, and so on, never ends. */
  private void refuseLarge(Frame frame) {
    if (!frame.stack.isEmpty()) {
      Sym made = frame.stack.get(frame.stack.size() - 1);
      if (made.extent().depth() > LiftBudget.DEPTH) {
        throw machine.refuse(
            "makes "
                + made.describe()
                + " of records within records, more than "
                + LiftBudget.DEPTH
                + " deep; use a loop over numbers, or records with fewer levels");
      }
      if (made.extent().size() > LiftBudget.COMPONENTS) {
        throw machine.refuse(
            "makes "
                + made.describe()
                + " of more than "
                + LiftBudget.COMPONENTS
                + " values; use records with fewer components");
      }
    }
  }

  /**
   * Executes one instruction. Where that is refused, and it was to give a value, goes on with one
   * that nobody knows, to find what else is to be refused.
   */
  private boolean stepOrNote(Frame frame, AbstractInsnNode instruction) {
    MachineState before = machine.state;
    int depth = before.frames.size();
    Type gives = given(instruction);
    List<Sym> operands = gives == null ? null : List.copyOf(frame.stack);
    try {
      return step(frame, instruction);
    } catch (RefusedException e) {
      reasons.add(e);
      if (machine.state != before || before.frames.size() != depth) {
        throw e;
      } else if (leaveLibrary()) {
        return true;
      } else if (gives == null) {
        throw e;
      }
      frame.stack.clear();
      frame.stack.addAll(operands.subList(0, operands.size() - taken(instruction)));
      if (gives.getSort() != Type.VOID) {
        frame.push(unknown(gives));
      }
      return true;
    }
  }

  /** Ends the call of the library that is executed, if any, with a result that nobody knows. */
  private boolean leaveLibrary() {
    List<Frame> frames = machine.state.frames;
    for (int i = 1; i < frames.size(); i++) {
      Frame frame = frames.get(i);
      if (LibraryCalls.isLibrary(frame.body.owner())) {
        if (frame.adapter || frame.constructs >= 0) {
          return false;
        }
        frames.subList(i, frames.size()).clear();
        Type gives = Type.getReturnType(frame.body.method().desc);
        if (gives.getSort() != Type.VOID) {
          machine.top().push(unknown(gives));
        }
        return true;
      }
    }
    return false;
  }

  /**
   * What an instruction gives that may be unknown; null: it gives nothing, or more than a value.
   */
  private static Type given(AbstractInsnNode instruction) {
    if (instruction instanceof MethodInsnNode called && !called.name.equals("<init>")) {
      return Type.getReturnType(called.desc);
    } else if (instruction instanceof FieldInsnNode access
        && (access.getOpcode() == Opcodes.GETFIELD || access.getOpcode() == Opcodes.GETSTATIC)) {
      return Type.getType(access.desc);
    }
    return instruction.getOpcode() == Opcodes.CHECKCAST
        ? Type.getObjectType(((TypeInsnNode) instruction).desc)
        : null;
  }

  /** How many operands such an instruction takes. */
  private static int taken(AbstractInsnNode instruction) {
    return switch (instruction.getOpcode()) {
      case Opcodes.GETSTATIC -> 0;
      case Opcodes.GETFIELD, Opcodes.CHECKCAST -> 1;
      default -> {
        MethodInsnNode called = (MethodInsnNode) instruction;
        int arguments = Type.getArgumentTypes(called.desc).length;
        yield called.getOpcode() == Opcodes.INVOKESTATIC ? arguments : arguments + 1;
      }
    };
  }

  private Sym unknown(Type type) {
    Kind box = Boxing.isPrimitive(type) ? null : LibraryCalls.boxKind(type.getInternalName());
    if (box != null) {
      return new Sym.Box(box, machine.ssa.variable(box == Kind.BOOLEAN ? Kind.INT : box));
    } else if (!Boxing.isPrimitive(type)) {
      return Sym.TOP;
    }
    Kind kind = Boxing.boxKind(type) == Kind.BOOLEAN ? Kind.INT : Boxing.boxKind(type);
    return new Sym.Prim(kind, machine.ssa.variable(kind));
  }

  /** Executes one instruction; returns false when the path has ended. */
  private boolean step(Frame frame, AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    if (instruction instanceof InsnNode) {
      return simple(frame, opcode);
    } else if (instruction instanceof VarInsnNode access) {
      local(frame, opcode, access.var);
    } else if (instruction instanceof IincInsnNode increment) {
      Sym.Prim old = machine.prim(frame.locals[increment.var]);
      frame.locals[increment.var] =
          machine.binary(BinaryOp.ADD, Kind.INT, old.variable(), machine.constant(increment.incr));
    } else if (instruction instanceof IntInsnNode push) {
      if (opcode == Opcodes.NEWARRAY) {
        return references.newArray(frame, ObjectInstructions.primitive(push.operand));
      }
      frame.push(machine.constantPrim(push.operand));
    } else if (instruction instanceof LdcInsnNode load) {
      references.loadConstant(frame, load.cst);
    } else if (instruction instanceof JumpInsnNode jump) {
      return branches.jump(frame, opcode, jump.label);
    } else if (instruction instanceof TableSwitchInsnNode table) {
      List<Integer> keys = new ArrayList<>();
      for (int key = table.min; key <= table.max; key++) {
        keys.add(key);
      }
      return branches.choose(frame, keys, table.labels, table.dflt);
    } else if (instruction instanceof LookupSwitchInsnNode lookup) {
      return branches.choose(frame, lookup.keys, lookup.labels, lookup.dflt);
    } else if (instruction instanceof FieldInsnNode access) {
      return references.field(frame, opcode, access);
    } else if (instruction instanceof TypeInsnNode typed) {
      return references.typed(frame, opcode, typed.desc);
    } else if (instruction instanceof MethodInsnNode called) {
      return calls.invoke(opcode, called.owner, called.name, called.desc);
    } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      return calls.dynamic(frame, dynamic);
    } else {
      throw machine.refuse(ObjectInstructions.ARRAYS);
    }
    return true;
  }

  private void local(Frame frame, int opcode, int index) {
    if (opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD) {
      frame.push(frame.locals[index]);
    } else if (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE) {
      Sym value = frame.pop();
      frame.locals[index] = value;
      if (value.wide()) {
        frame.locals[index + 1] = Sym.TOP;
      }
    } else {
      throw machine.refuse("subroutines (jsr/ret) cannot be lifted");
    }
  }

  /** Executes an instruction without operands; returns false when the path has ended. */
  private boolean simple(Frame frame, int opcode) {
    switch (opcode) {
      case Opcodes.IRETURN, Opcodes.LRETURN, Opcodes.FRETURN, Opcodes.DRETURN, Opcodes.ARETURN -> {
        return leave(frame.pop());
      }
      case Opcodes.RETURN -> {
        return leave(null);
      }
      case Opcodes.ATHROW -> {
        return raise(frame.pop());
      }
      case Opcodes.MONITORENTER, Opcodes.MONITOREXIT ->
          throw machine.refuse(SymbolicMachine.SYNCHRONIZED);
      default -> {
        return stack.execute(frame, opcode) || references.array(frame, opcode);
      }
    }
  }

  private boolean leave(Sym value) {
    Frame done = machine.top();
    if (machine.state.frames.size() == 1) {
      if (value instanceof Sym.Fresh iterator && ScalaSequences.isIterator(iterator)) {
        // Pregel asks for all messages, which calls functions that map and filter put off.
        done.pc--;
        return calls
            .scala()
            .loops()
            .begin(
                SequenceLoops.Loop.COLLECT,
                calls.scala().sequences().elements(iterator),
                Sym.Elements.list(List.of()),
                Sym.NULL);
      }
      return result.finish(value);
    }
    machine.state.frames.remove(machine.state.frames.size() - 1);
    if (done.constructs >= 0) {
      objects.complete(done.constructs);
    }
    if (value != null) {
      Sym adapted = value;
      if (done.adapter) {
        Type from = Type.getReturnType(done.body.method().desc);
        adapted =
            done.returns == null
                ? Boxing.boxed(value, from)
                : adaptResult(value, from, done.returns);
      }
      machine.top().push(adapted);
    } else if (done.adapter && done.returns != null && done.returns.getSort() != Type.VOID) {
      machine.top().push(new Sym.Host(scala.runtime.BoxedUnit.UNIT));
    }
    if (done.body.returns() >= MANY_RETURNS) {
      paths.join();
      return false;
    }
    return true;
  }

  private Sym adaptResult(Sym value, Type from, Type to) {
    return Boxing.isPrimitive(to) ? boxing.adapt(value, to) : Boxing.boxed(value, from);
  }

  private boolean raise(Sym thrown) {
    if (!(thrown instanceof Sym.Thrown exception)) {
      throw machine.refuse(
          "throws " + thrown.describe() + "; write throw new SomeException(\"message\")");
    }
    boolean exact =
        exception.className().equals("java.lang.ArithmeticException")
            && LibraryCalls.isLibrary(machine.top().body.owner());
    if (exact && exception.message() != null && exception.message().contains("overflow")) {
      return machine.stop(FaultCode.ARITHMETIC_OVERFLOW, exception.message());
    } else if (exact) {
      return machine.stop(FaultCode.DIVISION_BY_ZERO, "");
    }
    return machine.stop(
        FaultCode.THROWN,
        exception.className() + (exception.message() == null ? "" : ": " + exception.message()));
  }
}
