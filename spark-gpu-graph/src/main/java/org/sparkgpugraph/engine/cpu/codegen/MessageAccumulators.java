package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.cpu.frame.ModeCounter;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** Local variables of the row's merged message and of whether there is one. */
final class MessageAccumulators {
  private final KernelMethod method;
  private final CodeBuilder code;
  private final List<Kind> kinds;
  private final Object[] identities;
  private final boolean mode;
  private final int received;
  private final int[] slots;

  /** Allocates the local variables, which have no value yet. */
  MessageAccumulators(KernelMethod method) {
    this.method = method;
    code = method.code;
    kinds = method.message;
    mode = method.program.mergesByMode();
    identities = FunctionTraits.identities(method.program);
    received = code.local(Kind.INT);
    slots = method.locals(kinds);
  }

  /** Slots of the message's columns. */
  int[] slots() {
    return slots;
  }

  /** No message yet. */
  void reset() {
    code.push(0).storeInt(received);
    if (mode) {
      counter().invokeVirtual(ModeCounter.class, "clear", void.class);
    }
    for (int c = 0; c < slots.length; c++) {
      if (identities != null) {
        code.push(kinds.get(c), identities[c]);
      } else {
        code.pushZero(kinds.get(c));
      }
      code.store(kinds.get(c), slots[c]);
    }
  }

  /** Merges a message. */
  void merge(int[] message) {
    if (mode) {
      counter().load(kinds.get(0), message[0]);
      widen();
      code.invokeVirtual(ModeCounter.class, "add", void.class, long.class);
      return;
    }
    Label merged = new Label();
    if (identities == null) {
      Label merge = new Label();
      code.loadInt(received).jump(Opcodes.IFNE, merge);
      assign(message);
      code.push(1).storeInt(received).jump(Opcodes.GOTO, merged);
      code.label(merge);
    } else {
      code.push(1).storeInt(received);
    }
    new MergeBinding(method, slots, message).inline();
    code.label(merged);
  }

  /** Makes the message of what was merged, where that needs all of it. */
  void finish() {
    if (!mode) {
      return;
    }
    Label none = new Label();
    counter().invokeVirtual(ModeCounter.class, "size", int.class).storeInt(received);
    code.loadInt(received).jump(Opcodes.IFEQ, none);
    counter().invokeVirtual(ModeCounter.class, "mode", long.class);
    if (kinds.get(0) == Kind.INT) {
      code.op(Opcodes.L2I);
    }
    code.store(kinds.get(0), slots[0]);
    code.label(none);
  }

  private CodeBuilder counter() {
    return code.field(method.tally, Tally.class, "mode", ModeCounter.class);
  }

  private void widen() {
    if (kinds.get(0) == Kind.INT) {
      code.op(Opcodes.I2L);
    }
  }

  private void assign(int[] message) {
    for (int c = 0; c < slots.length; c++) {
      code.load(kinds.get(c), message[c]).store(kinds.get(c), slots[c]);
    }
  }

  /** Takes another message where none came. */
  void orElse(int[] message) {
    Label some = new Label();
    code.loadInt(received).jump(Opcodes.IFNE, some);
    assign(message);
    code.label(some);
  }

  /** Jumps when no message came. */
  void jumpIfNone(Label none) {
    code.loadInt(received).jump(Opcodes.IFEQ, none);
  }

  /** Passes them on to another method of the kernel. */
  void keep() {
    PassedValues passed = new PassedValues(method);
    passed.keep(kinds, slots);
    passed.keepReceived(received);
  }

  /** Reads what another method passed on. */
  void take() {
    PassedValues passed = new PassedValues(method);
    passed.take(kinds, slots);
    passed.takeReceived(received);
  }

  /** The merge function, from a message into the accumulators. */
  private static final class MergeBinding extends FunctionBinding {
    private final int[] left;
    private final int[] right;

    MergeBinding(KernelMethod method, int[] left, int[] right) {
      super(method, method.program.merge(), left, method.message);
      this.left = left;
      this.right = right;
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, Kind kind) {
      switch (parameter.role()) {
        case LEFT -> code.load(kind, left[parameter.index()]);
        case RIGHT -> code.load(kind, right[parameter.index()]);
        default -> super.parameter(out, parameter, kind);
      }
    }
  }
}
