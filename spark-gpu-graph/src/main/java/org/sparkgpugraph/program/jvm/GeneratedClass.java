package org.sparkgpugraph.program.jvm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A hidden class under construction: a public no-argument constructor and the methods that are
 * added. Hidden classes are unloaded with the last reference to them, cannot clash, and name only
 * classes that their host sees.
 */
public final class GeneratedClass {
  /** HotSpot does not compile methods whose bytecode is larger (HugeMethodLimit). */
  public static final int HUGE_METHOD = 8000;

  private static final AtomicLong COUNT = new AtomicLong();

  private final ClassWriter writer;
  private final String name;

  /**
   * @param host any class of the package that the generated class joins
   * @param simpleName readable name; a number is added
   * @param parent superclass, with a no-argument constructor that the package sees
   * @param interfaces interfaces
   */
  public GeneratedClass(Class<?> host, String simpleName, Class<?> parent, Class<?>... interfaces) {
    // Locals are primitives or of classes that are never merged with another: Object will do.
    writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES | ClassWriter.COMPUTE_MAXS) {
          @Override
          protected String getCommonSuperClass(String left, String right) {
            return "java/lang/Object";
          }
        };
    // ASM's own limits are for classes from strangers; SVD++ of 64 numbers takes ten times as many
    // steps and more. What may be lifted at all is bounded (LiftBudget).
    writer.setComputeLimits(Integer.MAX_VALUE, Long.MAX_VALUE);
    name =
        host.getPackageName().replace('.', '/') + "/" + simpleName + "$" + COUNT.incrementAndGet();
    String[] names = new String[interfaces.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = Type.getInternalName(interfaces[i]);
    }
    String parentName = Type.getInternalName(parent);
    writer.visit(
        Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL, name, null, parentName, names);
    MethodVisitor constructor = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    constructor.visitCode();
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, parentName, "<init>", "()V", false);
    constructor.visitInsn(Opcodes.RETURN);
    constructor.visitMaxs(0, 0);
    constructor.visitEnd();
  }

  /** Internal name of the class, for calls between its methods. */
  public String internalName() {
    return name;
  }

  /** Adds a public instance method; parameters start at slot 1. */
  public void method(String method, String descriptor, Consumer<CodeBuilder> body) {
    add(Opcodes.ACC_PUBLIC, method, descriptor, 1, body);
  }

  /** Adds a private static method; parameters start at slot 0. */
  public void staticMethod(String method, String descriptor, Consumer<CodeBuilder> body) {
    add(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC, method, descriptor, 0, body);
  }

  private void add(
      int access, String method, String descriptor, int firstSlot, Consumer<CodeBuilder> body) {
    int free = firstSlot;
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      free += argument.getSize();
    }
    MethodVisitor visitor = writer.visitMethod(access, method, descriptor, null, null);
    visitor.visitCode();
    body.accept(new CodeBuilder(visitor, free));
    visitor.visitMaxs(0, 0);
    visitor.visitEnd();
  }

  /** The class file. */
  public byte[] toByteArray() {
    return writer.toByteArray();
  }

  /**
   * Defines the class and makes its instance.
   *
   * @param lookup a full-power lookup of the host
   */
  public <T> T instance(MethodHandles.Lookup lookup, Class<T> type) {
    return type.cast(instance(lookup, toByteArray()));
  }

  private static Object instance(MethodHandles.Lookup lookup, byte[] bytes) {
    try {
      MethodHandles.Lookup hidden = lookup.defineHiddenClass(bytes, true);
      return hidden
          .findConstructor(hidden.lookupClass(), MethodType.methodType(void.class))
          .invoke();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("generated class cannot be instantiated: " + e, e);
    }
  }
}
