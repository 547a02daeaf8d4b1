package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * Values that pass between the methods of a kernel through arrays of the {@link Tally}: a method
 * returns one value at most.
 */
final class PassedValues {
  private final CodeBuilder code;
  private final int tally;

  PassedValues(KernelMethod method) {
    code = method.code;
    tally = method.tally;
  }

  /** Writes local variables, one per column. */
  void keep(List<ColumnType> kinds, int[] slots) {
    for (int c = 0; c < slots.length; c++) {
      ColumnType type = kinds.get(c);
      if (type.isArray()) {
        code.field(tally, Tally.class, "arrays", Object[].class).push(c).loadReference(slots[c]);
        code.op(Opcodes.AASTORE);
        code.field(tally, Tally.class, "ints", int[].class).push(c).loadInt(slots[c] + 1);
        code.op(Opcodes.IASTORE);
      } else {
        element(c, type.kind());
        code.load(type, slots[c]).arrayStore(stored(type.kind()));
      }
    }
  }

  /** Reads them into local variables. */
  void take(List<ColumnType> kinds, int[] slots) {
    for (int c = 0; c < slots.length; c++) {
      ColumnType type = kinds.get(c);
      if (type.isArray()) {
        code.field(tally, Tally.class, "arrays", Object[].class).push(c).op(Opcodes.AALOAD);
        String array = type.kind().primitive().arrayType().descriptorString();
        code.out().visitTypeInsn(Opcodes.CHECKCAST, array);
        code.field(tally, Tally.class, "ints", int[].class).push(c).op(Opcodes.IALOAD);
        code.store(type, slots[c]);
      } else {
        element(c, type.kind());
        code.arrayLoad(stored(type.kind())).store(type, slots[c]);
      }
    }
  }

  /** Writes whether a message was received. */
  void keepReceived(int slot) {
    code.loadReference(tally).loadInt(slot);
    code.out().visitFieldInsn(Opcodes.PUTFIELD, Type.getInternalName(Tally.class), "received", "I");
  }

  /** Reads whether a message was received. */
  void takeReceived(int slot) {
    code.field(tally, Tally.class, "received", int.class).storeInt(slot);
  }

  private static Kind stored(Kind kind) {
    return kind == Kind.BOOLEAN ? Kind.INT : kind;
  }

  private void element(int c, Kind kind) {
    switch (stored(kind)) {
      case INT, BOOLEAN -> code.field(tally, Tally.class, "ints", int[].class);
      case LONG -> code.field(tally, Tally.class, "longs", long[].class);
      case FLOAT -> code.field(tally, Tally.class, "floats", float[].class);
      case DOUBLE -> code.field(tally, Tally.class, "doubles", double[].class);
    }
    code.push(c);
  }
}
