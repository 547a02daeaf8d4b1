package org.sparkgpugraph.program.jvm;

import org.apache.spark.unsafe.Platform;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Writes one method: a {@link MethodVisitor} with an allocator of local variables and the opcodes
 * chosen by {@link Kind}. BOOLEAN is an int 0 or 1 on the stack and in locals.
 */
public final class CodeBuilder {
  private final MethodVisitor out;
  private int nextLocal;

  /**
   * @param out where the code goes
   * @param nextLocal first free local slot, behind the receiver and the parameters
   */
  public CodeBuilder(MethodVisitor out, int nextLocal) {
    this.out = out;
    this.nextLocal = nextLocal;
  }

  /** The visitor below, for what has no method here. */
  public MethodVisitor out() {
    return out;
  }

  /**
   * Allocates a local variable and returns its slot. An array takes two: its reference, and behind
   * it the index of its first element, since rows of a column stand one behind the other.
   */
  public int local(ColumnType type) {
    int slot = nextLocal;
    nextLocal += isWide(type) ? 2 : 1;
    return slot;
  }

  /** Allocates a local variable for a reference and returns its slot. */
  public int localReference() {
    return nextLocal++;
  }

  /** The mark to which {@link #release} gives local variables back. */
  public int mark() {
    return nextLocal;
  }

  /** Frees the local variables allocated since {@code mark}. */
  public void release(int mark) {
    nextLocal = mark;
  }

  /** Whether a value takes two slots. */
  public static boolean isWide(ColumnType type) {
    return type.isArray() || type == Kind.LONG || type == Kind.DOUBLE;
  }

  /** Adds an instruction without operands. */
  public CodeBuilder op(int opcode) {
    out.visitInsn(opcode);
    return this;
  }

  /** Pushes a local variable; of an array its reference and the index of its first element. */
  public CodeBuilder load(ColumnType type, int slot) {
    if (type.isArray()) {
      return loadReference(slot).loadInt(slot + 1);
    }
    out.visitVarInsn(type(type.kind()).getOpcode(Opcodes.ILOAD), slot);
    return this;
  }

  /** Pops into a local variable what {@link #load} pushes. */
  public CodeBuilder store(ColumnType type, int slot) {
    if (type.isArray()) {
      return storeInt(slot + 1).storeReference(slot);
    }
    out.visitVarInsn(type(type.kind()).getOpcode(Opcodes.ISTORE), slot);
    return this;
  }

  /**
   * Pushes a row of a column: its number, or of an array the column and the index of its first
   * element.
   *
   * @param column slot of the column's array
   * @param row slot of the row's index
   */
  public CodeBuilder loadRow(ColumnType type, int column, int row) {
    loadReference(column).loadInt(row);
    return type.isArray() ? push(type.width()).op(Opcodes.IMUL) : arrayLoad(type.kind());
  }

  /**
   * Pushes a number that is off the heap. The base is a constant null, so that the compiler knows
   * that no array is read and needs no barriers.
   *
   * @param address slot of where the first one is
   * @param row slot of the number's index
   */
  public CodeBuilder loadAt(Kind kind, int address, int row) {
    op(Opcodes.ACONST_NULL).loadAddress(kind, address, row);
    String type = kind.primitive().getName();
    return invokeStatic(
        Platform.class,
        "get" + Character.toUpperCase(type.charAt(0)) + type.substring(1),
        kind.primitive(),
        Object.class,
        long.class);
  }

  /**
   * Pushes where a number is that is off the heap.
   *
   * @param address slot of where the first one is
   * @param row slot of the number's index
   */
  public CodeBuilder loadAddress(Kind kind, int address, int row) {
    load(Kind.LONG, address).loadInt(row).op(Opcodes.I2L);
    if (kind.bytes() > 1) {
      push(Integer.numberOfTrailingZeros(kind.bytes())).op(Opcodes.LSHL);
    }
    return op(Opcodes.LADD);
  }

  /** Pops what {@link #load} pushes into a row of a column. */
  public CodeBuilder storeRow(ColumnType type, int column, int row, int value) {
    if (type.isArray()) {
      return load(type, value).loadRow(type, column, row).push(type.width()).copyElements();
    }
    return loadReference(column).loadInt(row).load(type, value).arrayStore(type.kind());
  }

  /** Pops array, index, array, index and count, and copies elements from the first to the other. */
  public CodeBuilder copyElements() {
    return invokeStatic(
        System.class,
        "arraycopy",
        void.class,
        Object.class,
        int.class,
        Object.class,
        int.class,
        int.class);
  }

  /** Pushes an INT local variable. */
  public CodeBuilder loadInt(int slot) {
    out.visitVarInsn(Opcodes.ILOAD, slot);
    return this;
  }

  /** Pops into an INT local variable. */
  public CodeBuilder storeInt(int slot) {
    out.visitVarInsn(Opcodes.ISTORE, slot);
    return this;
  }

  /** Pushes a reference from a local variable. */
  public CodeBuilder loadReference(int slot) {
    out.visitVarInsn(Opcodes.ALOAD, slot);
    return this;
  }

  /** Pops a reference into a local variable. */
  public CodeBuilder storeReference(int slot) {
    out.visitVarInsn(Opcodes.ASTORE, slot);
    return this;
  }

  /** {@code slot += amount}. */
  public CodeBuilder increment(int slot, int amount) {
    out.visitIincInsn(slot, amount);
    return this;
  }

  /** Pushes an int. */
  public CodeBuilder push(int value) {
    if (value >= -1 && value <= 5) {
      out.visitInsn(Opcodes.ICONST_0 + value);
    } else if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) {
      out.visitIntInsn(Opcodes.BIPUSH, value);
    } else if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) {
      out.visitIntInsn(Opcodes.SIPUSH, value);
    } else {
      out.visitLdcInsn(value);
    }
    return this;
  }

  /**
   * Pushes a constant.
   *
   * @param value a box of {@code kind}; BOOLEAN also takes an Integer 0 or 1
   * @throws IllegalArgumentException when the box does not fit the kind
   */
  public CodeBuilder push(Kind kind, Object value) {
    switch (kind) {
      case BOOLEAN, INT -> {
        if (value instanceof Boolean b) {
          push(b ? 1 : 0);
        } else {
          push(box(Integer.class, kind, value));
        }
      }
      case LONG -> {
        long v = box(Long.class, kind, value);
        if (v == 0 || v == 1) {
          out.visitInsn(Opcodes.LCONST_0 + (int) v);
        } else {
          out.visitLdcInsn(v);
        }
      }
      case FLOAT -> {
        float v = box(Float.class, kind, value);
        // Bits, not ==: −0.0f needs the constant pool.
        if (Float.floatToRawIntBits(v) == 0) {
          out.visitInsn(Opcodes.FCONST_0);
        } else {
          out.visitLdcInsn(v);
        }
      }
      case DOUBLE -> {
        double v = box(Double.class, kind, value);
        if (Double.doubleToRawLongBits(v) == 0) {
          out.visitInsn(Opcodes.DCONST_0);
        } else {
          out.visitLdcInsn(v);
        }
      }
    }
    return this;
  }

  /** Pushes the zero of a kind. */
  public CodeBuilder pushZero(Kind kind) {
    out.visitInsn(
        switch (kind) {
          case BOOLEAN, INT -> Opcodes.ICONST_0;
          case LONG -> Opcodes.LCONST_0;
          case FLOAT -> Opcodes.FCONST_0;
          case DOUBLE -> Opcodes.DCONST_0;
        });
    return this;
  }

  private static <T> T box(Class<T> type, Kind kind, Object value) {
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "constant "
              + value
              + (value == null ? "" : " of " + value.getClass().getName())
              + " is not of kind "
              + kind);
    }
    return type.cast(value);
  }

  /** Pops an index and an array of a kind, pushes the element. */
  public CodeBuilder arrayLoad(Kind kind) {
    out.visitInsn(type(kind).getOpcode(Opcodes.IALOAD));
    return this;
  }

  /** Pops a value, an index and an array of a kind, and stores the element. */
  public CodeBuilder arrayStore(Kind kind) {
    out.visitInsn(type(kind).getOpcode(Opcodes.IASTORE));
    return this;
  }

  /** Makes an array for each place that is the function's own; their slots, −1 of the others. */
  public int[] newArrays(ArrayPlaces places) {
    return places.places().stream()
        .mapToInt(place -> place.isGiven() ? -1 : newArray(place.type()))
        .toArray();
  }

  /** Makes an array in a local variable of its own; its slot. */
  public int newArray(ArrayType type) {
    int slot = local(type);
    push(type.length());
    out.visitIntInsn(
        Opcodes.NEWARRAY,
        switch (type.kind()) {
          case BOOLEAN -> Opcodes.T_BOOLEAN;
          case INT -> Opcodes.T_INT;
          case LONG -> Opcodes.T_LONG;
          case FLOAT -> Opcodes.T_FLOAT;
          case DOUBLE -> Opcodes.T_DOUBLE;
        });
    push(0).store(type, slot);
    return slot;
  }

  /** Pushes a field of the object in local variable {@code object}. */
  public CodeBuilder field(int object, Class<?> owner, String name, Class<?> type) {
    loadReference(object);
    out.visitFieldInsn(
        Opcodes.GETFIELD, Type.getInternalName(owner), name, Type.getDescriptor(type));
    return this;
  }

  /** Calls a static method that javac would resolve to these classes. */
  public CodeBuilder invokeStatic(
      Class<?> owner, String name, Class<?> result, Class<?>... arguments) {
    out.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        Type.getInternalName(owner),
        name,
        descriptor(result, arguments),
        false);
    return this;
  }

  /** Calls a method of a class. */
  public CodeBuilder invokeVirtual(
      Class<?> owner, String name, Class<?> result, Class<?>... arguments) {
    out.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        Type.getInternalName(owner),
        name,
        descriptor(result, arguments),
        false);
    return this;
  }

  /** Adds a jump. */
  public CodeBuilder jump(int opcode, Label label) {
    out.visitJumpInsn(opcode, label);
    return this;
  }

  /** Places a label. */
  public CodeBuilder label(Label label) {
    out.visitLabel(label);
    return this;
  }

  /** The descriptor of a method. */
  public static String descriptor(Class<?> result, Class<?>... arguments) {
    Type[] types = new Type[arguments.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = Type.getType(arguments[i]);
    }
    return Type.getMethodDescriptor(Type.getType(result), types);
  }

  /** The JVM type of a kind in an array and a descriptor. */
  public static Type type(Kind kind) {
    return Type.getType(kind.primitive());
  }
}
