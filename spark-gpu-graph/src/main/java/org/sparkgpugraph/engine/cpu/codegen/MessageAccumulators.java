package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.cpu.frame.ModeCounter;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** Local variables of the row's merged message and of whether there is one. */
final class MessageAccumulators {
  private final KernelMethod method;
  private final CodeBuilder code;
  private final List<ColumnType> kinds;
  private final Object[] identities;
  private final boolean mode;
  private final int received;
  private final int[] slots;

  /** Takes arrays that are merged element by element, and makes these when the row is done. */
  private final ElementAccumulators elements;

  /** Allocates the local variables, which have no value yet; arrays are there for all rows. */
  MessageAccumulators(KernelMethod method) {
    this.method = method;
    code = method.code;
    kinds = method.message;
    mode = method.program.mergesByMode();
    identities = FunctionTraits.identities(method.program);
    received = code.local(Kind.INT);
    slots = method.locals(kinds);
    for (int c = 0; c < slots.length; c++) {
      slots[c] = method.context.messageArray(c).orElse(slots[c]);
    }
    elements = ElementAccumulators.of(method, slots);
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
    if (elements != null) {
      elements.reset();
      return;
    }
    for (int c = 0; c < slots.length; c++) {
      ColumnType type = kinds.get(c);
      if (type.isArray()) {
        continue;
      }
      if (identities != null) {
        code.push(type.kind(), identities[c]);
      } else {
        code.pushZero(type.kind());
      }
      code.store(type, slots[c]);
    }
  }

  /**
   * Merges an element of a message, before the rest of it.
   *
   * @param indexes the constants that indexes are, by variable
   * @param load pushes a variable of the instruction
   */
  void merge(Insn.EmitElement element, Map<Integer, Integer> indexes, IntConsumer load) {
    elements.merge(element, indexes, load);
  }

  /** Takes the only column of a message that no other betters in place of what was merged. */
  void take(int column) {
    code.load(kinds.get(0), column).store(kinds.get(0), slots[0]);
    code.push(1).storeInt(received);
  }

  /** Merges a message; of one whose elements were merged one by one the rest. */
  void merge(int[] message) {
    if (elements != null && elements.areDelivered()) {
      code.push(1).storeInt(received);
      elements.mergeRest(message);
      return;
    }
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
      if (elements != null) {
        elements.assign(message);
      } else {
        assign(message);
      }
      code.push(1).storeInt(received).jump(Opcodes.GOTO, merged);
      code.label(merge);
    } else {
      code.push(1).storeInt(received);
    }
    if (elements != null) {
      elements.merge(message);
    } else {
      new MergeBinding(method, slots, message).inline();
    }
    code.label(merged);
  }

  /** Makes the message of what was merged, where that needs all of it. */
  void finish() {
    if (elements != null) {
      elements.store();
    }
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

  /** Arrays are copied: those of messages are somebody else's, or are made once for all rows. */
  private void assign(ColumnType type, int from, int to) {
    if (type.isArray()) {
      code.load(type, from).load(type, to).push(type.width()).copyElements();
    } else {
      code.load(type, from).store(type, to);
    }
  }

  private void assign(int[] message) {
    for (int c = 0; c < slots.length; c++) {
      assign(kinds.get(c), message[c], slots[c]);
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

    /** Arrays that the function made and those of the message so far change places. */
    @Override
    public void returns(CodeBuilder out, Insn.Return instruction, int[] results, boolean last) {
      int[] kept = results.clone();
      for (int c = 0; c < kept.length; c++) {
        if (method.message.get(c) instanceof ArrayType type && isOtherColumn(results[c], c)) {
          kept[c] = code.newArray(type);
          copy(type, results[c], kept[c]);
        }
      }
      numbers(kept);
      for (int c = 0; c < kept.length; c++) {
        if (method.message.get(c) instanceof ArrayType type && kept[c] != left[c]) {
          if (isOwn(kept, c)) {
            code.loadReference(kept[c]).loadReference(left[c]);
            code.storeReference(kept[c]).storeReference(left[c]);
          } else {
            copy(type, kept[c], left[c]);
          }
        }
      }
      leave(last);
    }

    /** Whether an array is that of another column of the message so far, which changes, too. */
    private boolean isOtherColumn(int slot, int c) {
      return slot != left[c] && IntStream.of(left).anyMatch(l -> l == slot);
    }

    /** Whether the array of a column is the function's own, and no other column's. */
    private boolean isOwn(int[] results, int c) {
      return IntStream.of(method.context.arrays(function)).anyMatch(own -> own == results[c])
          && IntStream.of(results).filter(slot -> slot == results[c]).count() == 1;
    }

    @Override
    void take(PassedValues passed) {
      int[] results = method.locals(method.message);
      passed.take(method.message, results);
      numbers(results);
      for (int c = 0; c < results.length; c++) {
        if (method.message.get(c) instanceof ArrayType type) {
          copy(type, results[c], left[c]);
        }
      }
    }

    private void copy(ArrayType type, int from, int to) {
      code.load(type, from).load(type, to).push(type.length()).copyElements();
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, ColumnType type) {
      switch (parameter.role()) {
        case LEFT -> code.load(type, left[parameter.index()]);
        case RIGHT -> code.load(type, right[parameter.index()]);
        default -> super.parameter(out, parameter, type);
      }
    }
  }
}
