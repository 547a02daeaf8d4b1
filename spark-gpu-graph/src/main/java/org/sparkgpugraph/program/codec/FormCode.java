package org.sparkgpugraph.program.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The class that reads and makes the values of one form: loops over values, in which components are
 * read through method handles that are constants of the class, so that the JVM inlines them. The
 * classes of the values need not be visible to it, nor their members accessible.
 */
final class FormCode {
  private static final String OBJECT = "java/lang/Object";
  private static final String NAME = Type.getInternalName(FormCode.class) + "$Compiled";
  private static final String FIELD = "constant";
  private static final String OBJECTS = "[Ljava/lang/Object;";

  // Parameters of both methods that stand in the same slots.
  private static final int FROM = 3;

  private final ValueForm form;
  private final ClassWriter writer =
      new ClassWriter(ClassWriter.COMPUTE_FRAMES | ClassWriter.COMPUTE_MAXS) {
        @Override
        protected String getCommonSuperClass(String left, String right) {
          return OBJECT;
        }
      };

  /** Classes, handles and paths that the code names. */
  private final List<Object> data = new ArrayList<>();

  private final List<Class<?>> types = new ArrayList<>();

  private MethodVisitor code;
  private int freeSlot;

  /** Slot of the first column's array. */
  private int arrays;

  private int row;
  private int position;
  private int carriers;
  private Label unread;
  private Label head;
  private Label done;

  FormCode(ValueForm form) {
    this.form = form;
  }

  /** Defines the class beside this one. */
  CompiledForm define(MethodHandles.Lookup lookup) {
    writer.visit(
        Opcodes.V17,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL,
        NAME,
        null,
        OBJECT,
        new String[] {Type.getInternalName(CompiledForm.class)});
    begin("<init>", "()V", 1);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, OBJECT, "<init>", "()V", false);
    code.visitInsn(Opcodes.RETURN);
    end();
    reader();
    maker();
    initializer();
    try {
      MethodHandles.Lookup hidden =
          lookup.defineHiddenClassWithClassData(writer.toByteArray(), List.copyOf(data), true);
      MethodType plain = MethodType.methodType(void.class);
      return (CompiledForm) hidden.findConstructor(hidden.lookupClass(), plain).invoke();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("code for " + form + " cannot be made: " + e, e);
    }
  }

  private void begin(String name, String descriptor, int slots) {
    code = writer.visitMethod(Opcodes.ACC_PUBLIC, name, descriptor, null, null);
    code.visitCode();
    freeSlot = slots;
  }

  private void end() {
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  private int slot() {
    return freeSlot++;
  }

  /** Puts the columns' arrays into locals. */
  private void columns(int from) {
    List<Kind> kinds = new ArrayList<>();
    kinds(form, kinds);
    arrays = freeSlot;
    freeSlot += kinds.size();
    for (int i = 0; i < kinds.size(); i++) {
      code.visitVarInsn(Opcodes.ALOAD, from);
      push(i);
      code.visitInsn(Opcodes.AALOAD);
      code.visitTypeInsn(
          Opcodes.CHECKCAST, kinds.get(i).primitive().arrayType().descriptorString());
      code.visitVarInsn(Opcodes.ASTORE, arrays + i);
    }
  }

  private static void kinds(ValueForm form, List<Kind> kinds) {
    if (form instanceof ValueForm.Scalar scalar) {
      kinds.add(scalar.kind());
    } else if (form instanceof ValueForm.Unit) {
      kinds.add(Kind.BOOLEAN);
    } else if (form instanceof ValueForm.Option option) {
      kinds.add(Kind.BOOLEAN);
      kinds(option.value(), kinds);
    } else if (form instanceof ValueForm.Struct struct) {
      struct.parts().forEach(part -> kinds(part.form(), kinds));
    }
  }

  // ---- reading --------------------------------------------------------------------------------

  private void reader() {
    begin("read", "(" + OBJECTS + "[III" + OBJECTS + "[I)I", 7);
    columns(5);
    int index = loop();
    int value = slot();
    Label next = beginRound(index, 6, 4);
    indexed(2, index);
    position = slot();
    code.visitVarInsn(Opcodes.ISTORE, position);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitVarInsn(Opcodes.ILOAD, position);
    code.visitInsn(Opcodes.AALOAD);
    code.visitVarInsn(Opcodes.ASTORE, value);
    read(form, value);
    endRound(index, next);
    code.visitVarInsn(Opcodes.ILOAD, 4);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLabel(unread);
    code.visitVarInsn(Opcodes.ILOAD, index);
    code.visitInsn(Opcodes.IRETURN);
    end();
  }

  private int loop() {
    unread = new Label();
    head = new Label();
    done = new Label();
    int index = slot();
    row = slot();
    code.visitVarInsn(Opcodes.ILOAD, FROM);
    code.visitVarInsn(Opcodes.ISTORE, index);
    return index;
  }

  /** The head of the loop: leaves at the end, and goes on to the next where there is no row. */
  private Label beginRound(int index, int rows, int to) {
    Label next = new Label();
    code.visitLabel(head);
    code.visitVarInsn(Opcodes.ILOAD, index);
    code.visitVarInsn(Opcodes.ILOAD, to);
    code.visitJumpInsn(Opcodes.IF_ICMPGE, done);
    indexed(rows, index);
    code.visitVarInsn(Opcodes.ISTORE, row);
    code.visitVarInsn(Opcodes.ILOAD, row);
    code.visitJumpInsn(Opcodes.IFLT, next);
    return next;
  }

  private void endRound(int index, Label next) {
    code.visitLabel(next);
    code.visitIincInsn(index, 1);
    code.visitJumpInsn(Opcodes.GOTO, head);
    code.visitLabel(done);
  }

  /** Pushes what an array of numbers has for an index; the index where there is no array. */
  private void indexed(int array, int index) {
    Label without = new Label();
    Label after = new Label();
    code.visitVarInsn(Opcodes.ALOAD, array);
    code.visitJumpInsn(Opcodes.IFNULL, without);
    code.visitVarInsn(Opcodes.ALOAD, array);
    code.visitVarInsn(Opcodes.ILOAD, index);
    code.visitInsn(Opcodes.IALOAD);
    code.visitJumpInsn(Opcodes.GOTO, after);
    code.visitLabel(without);
    code.visitVarInsn(Opcodes.ILOAD, index);
    code.visitLabel(after);
  }

  /** Reads an object in a local. */
  private void read(ValueForm part, int value) {
    if (part instanceof ValueForm.Scalar scalar) {
      String box = Type.getInternalName(scalar.box());
      code.visitVarInsn(Opcodes.ALOAD, value);
      code.visitTypeInsn(Opcodes.INSTANCEOF, box);
      code.visitJumpInsn(Opcodes.IFEQ, unread);
      cell(scalar.column());
      code.visitVarInsn(Opcodes.ALOAD, value);
      code.visitTypeInsn(Opcodes.CHECKCAST, box);
      Class<?> primitive = scalar.primitive();
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL,
          box,
          primitive.getName() + "Value",
          "()" + primitive.descriptorString(),
          false);
      store(scalar.kind());
    } else if (part instanceof ValueForm.Unit unit) {
      code.visitVarInsn(Opcodes.ALOAD, value);
      pushUnit();
      code.visitJumpInsn(Opcodes.IF_ACMPNE, unread);
      zero(unit.column(), Kind.BOOLEAN);
    } else if (part instanceof ValueForm.Option option) {
      readOption(option, value);
    } else if (part instanceof ValueForm.Struct struct) {
      readStruct(struct, value);
    }
  }

  private void readOption(ValueForm.Option option, int value) {
    Label none = new Label();
    Label after = new Label();
    code.visitVarInsn(Opcodes.ALOAD, value);
    code.visitTypeInsn(Opcodes.INSTANCEOF, "scala/Some");
    code.visitJumpInsn(Opcodes.IFEQ, none);
    int inside = slot();
    code.visitVarInsn(Opcodes.ALOAD, value);
    code.visitTypeInsn(Opcodes.CHECKCAST, "scala/Option");
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "scala/Option", "get", "()L" + OBJECT + ";", false);
    code.visitVarInsn(Opcodes.ASTORE, inside);
    read(option.value(), inside);
    cell(option.column());
    push(1);
    store(Kind.BOOLEAN);
    code.visitJumpInsn(Opcodes.GOTO, after);
    code.visitLabel(none);
    code.visitVarInsn(Opcodes.ALOAD, value);
    pushNone();
    code.visitJumpInsn(Opcodes.IF_ACMPNE, unread);
    List<Kind> kinds = new ArrayList<>();
    kinds(option, kinds);
    for (int i = 0; i < kinds.size(); i++) {
      zero(option.column() + i, kinds.get(i));
    }
    code.visitLabel(after);
  }

  private void readStruct(ValueForm.Struct struct, int value) {
    Label after = new Label();
    Label other = struct.special() == null ? unread : new Label();
    code.visitVarInsn(Opcodes.ALOAD, value);
    code.visitJumpInsn(Opcodes.IFNULL, unread);
    if (struct.special() != null) {
      branchUnless(value, struct.special(), other);
      struct.parts().forEach(part -> readPart(part.specialReader(), part.form(), value));
      code.visitJumpInsn(Opcodes.GOTO, after);
      code.visitLabel(other);
    }
    branchUnless(value, struct.owner(), unread);
    struct.parts().forEach(part -> readPart(part.reader(), part.form(), value));
    code.visitLabel(after);
  }

  private void branchUnless(int value, Class<?> type, Label otherwise) {
    code.visitVarInsn(Opcodes.ALOAD, value);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, OBJECT, "getClass", "()Ljava/lang/Class;", false);
    constant(type, Class.class);
    code.visitJumpInsn(Opcodes.IF_ACMPNE, otherwise);
  }

  private void readPart(MethodHandle reader, ValueForm part, int value) {
    if (part instanceof ValueForm.Carried) {
      return;
    }
    Class<?> gives = reader.type().returnType();
    if (gives.isPrimitive() && part instanceof ValueForm.Scalar scalar) {
      cell(scalar.column());
      call(reader, value);
      store(scalar.kind());
    } else {
      int inside = slot();
      call(reader, value);
      code.visitVarInsn(Opcodes.ASTORE, inside);
      read(part, inside);
    }
  }

  private void call(MethodHandle reader, int value) {
    constant(reader, MethodHandle.class);
    code.visitVarInsn(Opcodes.ALOAD, value);
    invoke(reader);
  }

  // ---- making ---------------------------------------------------------------------------------

  private void maker() {
    begin("write", "(" + OBJECTS + "[III" + OBJECTS + "[I" + OBJECTS + ")V", 8);
    columns(1);
    carriers = 7;
    int index = loop();
    position = slot();
    Label next = beginRound(index, 2, 4);
    indexed(6, index);
    code.visitVarInsn(Opcodes.ISTORE, position);
    code.visitVarInsn(Opcodes.ALOAD, 5);
    code.visitVarInsn(Opcodes.ILOAD, position);
    make(form);
    code.visitInsn(Opcodes.AASTORE);
    endRound(index, next);
    code.visitInsn(Opcodes.RETURN);
    end();
  }

  /** Pushes the object of a row. */
  private void make(ValueForm part) {
    if (part instanceof ValueForm.Scalar scalar) {
      makePrimitive(scalar);
      Class<?> primitive = scalar.primitive();
      String box = Type.getInternalName(scalar.box());
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          box,
          "valueOf",
          "(" + primitive.descriptorString() + ")L" + box + ";",
          false);
    } else if (part instanceof ValueForm.Unit) {
      pushUnit();
    } else if (part instanceof ValueForm.Option option) {
      makeOption(option);
    } else if (part instanceof ValueForm.Carried carried) {
      constant(carried.from(), CarriedPath.class);
      code.visitVarInsn(Opcodes.ALOAD, carriers);
      code.visitVarInsn(Opcodes.ILOAD, position);
      code.visitInsn(Opcodes.AALOAD);
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL,
          Type.getInternalName(CarriedPath.class),
          "of",
          "(L" + OBJECT + ";)L" + OBJECT + ";",
          false);
    } else if (part instanceof ValueForm.Struct struct) {
      constant(struct.constructor(), MethodHandle.class);
      for (int i = 0; i < struct.parts().size(); i++) {
        ValueForm component = struct.parts().get(i).form();
        if (struct.constructor().type().parameterType(i).isPrimitive()) {
          makePrimitive((ValueForm.Scalar) component);
        } else {
          make(component);
        }
      }
      invoke(struct.constructor());
    }
  }

  private void makeOption(ValueForm.Option option) {
    Label none = new Label();
    Label after = new Label();
    int made = slot();
    cell(option.column());
    code.visitInsn(Opcodes.BALOAD);
    code.visitJumpInsn(Opcodes.IFEQ, none);
    make(option.value());
    code.visitVarInsn(Opcodes.ASTORE, made);
    code.visitTypeInsn(Opcodes.NEW, "scala/Some");
    code.visitInsn(Opcodes.DUP);
    code.visitVarInsn(Opcodes.ALOAD, made);
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, "scala/Some", "<init>", "(L" + OBJECT + ";)V", false);
    code.visitVarInsn(Opcodes.ASTORE, made);
    code.visitJumpInsn(Opcodes.GOTO, after);
    code.visitLabel(none);
    pushNone();
    code.visitVarInsn(Opcodes.ASTORE, made);
    code.visitLabel(after);
    code.visitVarInsn(Opcodes.ALOAD, made);
  }

  private void makePrimitive(ValueForm.Scalar scalar) {
    cell(scalar.column());
    code.visitInsn(
        switch (scalar.kind()) {
          case BOOLEAN -> Opcodes.BALOAD;
          case INT -> Opcodes.IALOAD;
          case LONG -> Opcodes.LALOAD;
          case FLOAT -> Opcodes.FALOAD;
          case DOUBLE -> Opcodes.DALOAD;
        });
    if (scalar.box() == Byte.class) {
      code.visitInsn(Opcodes.I2B);
    } else if (scalar.box() == Short.class) {
      code.visitInsn(Opcodes.I2S);
    } else if (scalar.box() == Character.class) {
      code.visitInsn(Opcodes.I2C);
    }
  }

  // ---- instructions ---------------------------------------------------------------------------

  /** Pushes the array of a column and the row. */
  private void cell(int column) {
    code.visitVarInsn(Opcodes.ALOAD, arrays + column);
    code.visitVarInsn(Opcodes.ILOAD, row);
  }

  private void zero(int column, Kind kind) {
    cell(column);
    code.visitInsn(
        switch (kind) {
          case BOOLEAN, INT -> Opcodes.ICONST_0;
          case LONG -> Opcodes.LCONST_0;
          case FLOAT -> Opcodes.FCONST_0;
          case DOUBLE -> Opcodes.DCONST_0;
        });
    store(kind);
  }

  private void store(Kind kind) {
    code.visitInsn(
        switch (kind) {
          case BOOLEAN -> Opcodes.BASTORE;
          case INT -> Opcodes.IASTORE;
          case LONG -> Opcodes.LASTORE;
          case FLOAT -> Opcodes.FASTORE;
          case DOUBLE -> Opcodes.DASTORE;
        });
  }

  private void pushUnit() {
    code.visitFieldInsn(
        Opcodes.GETSTATIC, "scala/runtime/BoxedUnit", "UNIT", "Lscala/runtime/BoxedUnit;");
  }

  private void pushNone() {
    code.visitFieldInsn(Opcodes.GETSTATIC, "scala/None$", "MODULE$", "Lscala/None$;");
  }

  private void push(int value) {
    code.visitLdcInsn(value);
  }

  private void invoke(MethodHandle handle) {
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        "java/lang/invoke/MethodHandle",
        "invokeExact",
        handle.type().toMethodDescriptorString(),
        false);
  }

  /**
   * Pushes a constant of the class: a static final field, since HotSpot compiles no method that
   * names a dynamic constant which no way through it has asked for yet.
   */
  private void constant(Object value, Class<?> type) {
    code.visitFieldInsn(Opcodes.GETSTATIC, NAME, FIELD + data.size(), type.descriptorString());
    types.add(type);
    data.add(value);
  }

  /** Takes the constants from the data that the class is defined with. */
  private void initializer() {
    code = writer.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
    code.visitCode();
    Handle bootstrap =
        new Handle(
            Opcodes.H_INVOKESTATIC,
            "java/lang/invoke/MethodHandles",
            "classDataAt",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;I)"
                + "Ljava/lang/Object;",
            false);
    for (int i = 0; i < data.size(); i++) {
      String type = types.get(i).descriptorString();
      writer.visitField(
          Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL,
          FIELD + i,
          type,
          null,
          null);
      code.visitLdcInsn(new ConstantDynamic("_", type, bootstrap, i));
      code.visitFieldInsn(Opcodes.PUTSTATIC, NAME, FIELD + i, type);
    }
    code.visitInsn(Opcodes.RETURN);
    end();
  }
}
