package org.sparkgpugraph.engine.cpu.frame;

import java.util.List;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * Reads fields of the {@link KernelFrame} into new local variables: in locals the compiler sees
 * that arrays do not change. All methods return slots.
 */
public final class FrameFields {
  private final CodeBuilder code;
  private final int frame;

  /**
   * @param frame the slot of the frame
   */
  public FrameFields(CodeBuilder code, int frame) {
    this.code = code;
    this.frame = frame;
  }

  /** A field that is an object of a type. */
  public int reference(String field, Class<?> type) {
    int slot = code.localReference();
    code.field(frame, KernelFrame.class, field, type).storeReference(slot);
    return slot;
  }

  /** A field of columns: the array of each. */
  public int[] columns(String field, List<ColumnType> kinds) {
    return IntStream.range(0, kinds.size()).map(c -> column(field, c, kinds.get(c))).toArray();
  }

  /**
   * The same of some columns.
   *
   * @param at where each is among those of the field
   */
  public int[] columns(String field, List<Integer> at, List<ColumnType> kinds) {
    return IntStream.range(0, kinds.size())
        .map(c -> column(field, at.get(c), kinds.get(c)))
        .toArray();
  }

  private int column(String field, int c, ColumnType type) {
    code.field(frame, KernelFrame.class, field, Object[].class).push(c).op(Opcodes.AALOAD);
    return arrayOf(type.kind());
  }

  /** A field that is an array of a kind. */
  public int array(String field, Kind kind) {
    code.field(frame, KernelFrame.class, field, Object.class);
    return arrayOf(kind);
  }

  /** What is on the stack, an array of a kind. */
  private int arrayOf(Kind kind) {
    int slot = code.localReference();
    code.out().visitTypeInsn(Opcodes.CHECKCAST, "[" + CodeBuilder.type(kind).getDescriptor());
    code.storeReference(slot);
    return slot;
  }

  /** The array that a table is. */
  public int table(int number, Kind kind) {
    return column("tables", number, kind);
  }

  /** Only the columns that the function reads; -1 for the others. */
  public int[] columnsRead(String field, List<ColumnType> kinds, Role role, IrFunction function) {
    return IntStream.range(0, kinds.size())
        .map(c -> function.reads(role, c) ? column(field, c, kinds.get(c)) : -1)
        .toArray();
  }

  /**
   * The same of columns that are read by address, but for those of arrays.
   *
   * @param addresses the field of where they are
   */
  public int[] addressesRead(
      String field, String addresses, List<ColumnType> kinds, Role role, IrFunction function) {
    return IntStream.range(0, kinds.size())
        .map(
            c ->
                !function.reads(role, c)
                    ? -1
                    : kinds.get(c).isArray()
                        ? column(field, c, kinds.get(c))
                        : address(addresses, c))
        .toArray();
  }

  private int address(String field, int c) {
    int slot = code.local(Kind.LONG);
    code.field(frame, KernelFrame.class, field, long[].class).push(c).op(Opcodes.LALOAD);
    code.store(Kind.LONG, slot);
    return slot;
  }

  /**
   * Boxed values.
   *
   * @param at where each is among those of the field
   */
  public int[] boxes(String field, List<Integer> at, List<ColumnType> kinds) {
    return IntStream.range(0, kinds.size()).map(c -> box(field, at.get(c), kinds.get(c))).toArray();
  }

  /** A field that is a number. */
  public int number(String field, Kind kind) {
    int slot = code.local(kind);
    code.field(frame, KernelFrame.class, field, kind.primitive()).store(kind, slot);
    return slot;
  }

  /** The value in the box, or the array, at index c. */
  public int box(String field, int c, ColumnType type) {
    int slot = code.local(type);
    if (type.isArray()) {
      code.loadReference(column(field, c, type)).push(0).store(type, slot);
      return slot;
    }
    Kind kind = type.kind();
    code.field(frame, KernelFrame.class, field, Object[].class).push(c).op(Opcodes.AALOAD);
    code.out().visitTypeInsn(Opcodes.CHECKCAST, Type.getInternalName(kind.box()));
    code.invokeVirtual(kind.box(), kind.primitive().getName() + "Value", kind.primitive());
    code.store(kind, slot);
    return slot;
  }

  /** One of the two levels of a {@link VertexBitmap}. */
  public int bitmapLevel(String field, String level) {
    int slot = code.localReference();
    code.field(frame, KernelFrame.class, field, VertexBitmap.class);
    code.out()
        .visitFieldInsn(Opcodes.GETFIELD, Type.getInternalName(VertexBitmap.class), level, "[J");
    code.storeReference(slot);
    return slot;
  }
}
