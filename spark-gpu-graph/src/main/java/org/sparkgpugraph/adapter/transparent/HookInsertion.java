package org.sparkgpugraph.adapter.transparent;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Puts a call of the hook in front of methods of a GraphX object. The methods' own instructions
 * follow, untouched; no member is added, so that the class's serial version stays what it is on
 * executors, which have the original.
 */
final class HookInsertion extends ClassVisitor {
  /** What the hook is told before a method's arguments: object, method, descriptor, the object. */
  static final int HEAD = 4;

  private static final int API = Opcodes.ASM9;
  private static final String OBJECT = "java/lang/Object";

  private final String object;
  private int methods;

  private HookInsertion(ClassWriter writer, String object) {
    super(API, writer);
    this.object = object;
  }

  /**
   * The bytes of a class whose methods ask the hook.
   *
   * @param object as {@link GraphXCall#objects} names it
   * @throws IllegalArgumentException when the class has none of the methods
   */
  static byte[] into(byte[] original, String object) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    HookInsertion insertion = new HookInsertion(writer, object);
    reader.accept(insertion, 0);
    if (insertion.methods == 0) {
      throw new IllegalArgumentException(object + " of this GraphX has none of the known methods");
    }
    return writer.toByteArray();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
    int kind = access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC);
    if (kind != Opcodes.ACC_PUBLIC || GraphXCall.of(object, name) == null) {
      return method;
    }
    methods++;
    return new MethodVisitor(API, method) {
      @Override
      public void visitCode() {
        super.visitCode();
        ask(mv, name, descriptor);
      }
    };
  }

  private void ask(MethodVisitor code, String name, String descriptor) {
    Type[] arguments = Type.getArgumentTypes(descriptor);
    push(code, HEAD + arguments.length);
    code.visitTypeInsn(Opcodes.ANEWARRAY, OBJECT);
    store(code, 0, () -> code.visitLdcInsn(object));
    store(code, 1, () -> code.visitLdcInsn(name));
    store(code, 2, () -> code.visitLdcInsn(descriptor));
    store(code, 3, () -> code.visitVarInsn(Opcodes.ALOAD, 0));
    int local = 1;
    for (int i = 0; i < arguments.length; i++) {
      Type type = arguments[i];
      int at = local;
      store(code, HEAD + i, () -> load(code, type, at));
      local += type.getSize();
    }
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, HookClass.INTERNAL_NAME, HookClass.ASK, HookClass.ASK_TYPE, false);
    code.visitInsn(Opcodes.DUP);
    Label own = new Label();
    code.visitJumpInsn(Opcodes.IFNULL, own);
    code.visitTypeInsn(Opcodes.CHECKCAST, Type.getReturnType(descriptor).getInternalName());
    code.visitInsn(Opcodes.ARETURN);
    code.visitLabel(own);
    code.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {OBJECT});
    code.visitInsn(Opcodes.POP);
    // A frame may follow at once: two at one place are not allowed.
    code.visitInsn(Opcodes.NOP);
  }

  private static void store(MethodVisitor code, int index, Runnable value) {
    code.visitInsn(Opcodes.DUP);
    push(code, index);
    value.run();
    code.visitInsn(Opcodes.AASTORE);
  }

  private static void push(MethodVisitor code, int number) {
    code.visitIntInsn(Opcodes.BIPUSH, number);
  }

  private static void load(MethodVisitor code, Type type, int local) {
    code.visitVarInsn(type.getOpcode(Opcodes.ILOAD), local);
    String box =
        switch (type.getSort()) {
          case Type.INT -> "java/lang/Integer";
          case Type.LONG -> "java/lang/Long";
          case Type.DOUBLE -> "java/lang/Double";
          case Type.BOOLEAN -> "java/lang/Boolean";
          case Type.OBJECT, Type.ARRAY -> null;
          default -> throw new IllegalArgumentException("an argument of type " + type);
        };
    if (box != null) {
      String boxing = "(" + type.getDescriptor() + ")L" + box + ";";
      code.visitMethodInsn(Opcodes.INVOKESTATIC, box, "valueOf", boxing, false);
    }
  }
}
