package org.sparkgpugraph.adapter.transparent;

import java.lang.invoke.MethodHandles;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.spark.graphx.Graph;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A class beside GraphX's own that holds the hook. It knows types of the JDK alone, because the
 * loader of Spark's jars does not see ours when these come with {@code --jars}.
 */
final class HookClass {
  static final String INTERNAL_NAME = "org/apache/spark/graphx/SparkGpuGraphHook";
  static final String ASK = "ask";
  static final String ASK_TYPE = "([Ljava/lang/Object;)Ljava/lang/Object;";

  private static final String HOOK = "hook";
  private static final String OBJECTS = "objects";
  private static final String FUNCTION = "java/util/function/Function";
  private static final String OBJECT = "java/lang/Object";

  private final Class<?> type;

  private HookClass(Class<?> type) {
    this.type = type;
  }

  /** The class of the loader that has GraphX; it is made the first time. */
  static HookClass ofGraphX() throws ReflectiveOperationException {
    String name = INTERNAL_NAME.replace('/', '.');
    try {
      return new HookClass(Class.forName(name, true, Graph.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      MethodHandles.Lookup graphx =
          MethodHandles.privateLookupIn(Graph.class, MethodHandles.lookup());
      HookClass made = new HookClass(graphx.defineClass(bytes()));
      made.type.getField(OBJECTS).set(null, new TreeSet<String>());
      return made;
    }
  }

  /** The objects that ask: they do so to the end of the JVM. */
  @SuppressWarnings("unchecked") // nobody else writes to it
  Set<String> objects() throws ReflectiveOperationException {
    return (Set<String>) type.getField(OBJECTS).get(null);
  }

  /**
   * Sets who is asked.
   *
   * @param hook null: nobody
   */
  void set(Function<Object[], Object> hook) throws ReflectiveOperationException {
    type.getField(HOOK).set(null, hook);
  }

  private static byte[] bytes() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    int shared = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_VOLATILE;
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER;
    writer.visit(Opcodes.V1_8, access, INTERNAL_NAME, null, OBJECT, null);
    writer.visitField(shared, HOOK, "L" + FUNCTION + ";", null, null).visitEnd();
    writer.visitField(shared, OBJECTS, "Ljava/util/Set;", null, null).visitEnd();
    ask(writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, ASK, ASK_TYPE, null, null));
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** {@code return hook == null ? null : hook.apply(call)}. */
  private static void ask(MethodVisitor code) {
    Label nobody = new Label();
    code.visitCode();
    code.visitFieldInsn(Opcodes.GETSTATIC, INTERNAL_NAME, HOOK, "L" + FUNCTION + ";");
    code.visitVarInsn(Opcodes.ASTORE, 1);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitJumpInsn(Opcodes.IFNULL, nobody);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    String apply = "(L" + OBJECT + ";)L" + OBJECT + ";";
    code.visitMethodInsn(Opcodes.INVOKEINTERFACE, FUNCTION, "apply", apply, true);
    code.visitInsn(Opcodes.ARETURN);
    code.visitLabel(nobody);
    code.visitFrame(Opcodes.F_APPEND, 1, new Object[] {FUNCTION}, 0, null);
    code.visitInsn(Opcodes.ACONST_NULL);
    code.visitInsn(Opcodes.ARETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
