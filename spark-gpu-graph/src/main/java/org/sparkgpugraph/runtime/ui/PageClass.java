package org.sparkgpugraph.runtime.ui;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.apache.spark.ui.WebUIPage;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A page class of Spark's UI, made at run time. What a page overrides takes a servlet request and
 * returns a sequence, and both have other types with each line of Spark: no class that is compiled
 * once can do it, but one that is made of the method as it is found can.
 */
final class PageClass {
  private static final String FUNCTION = Type.getInternalName(UnaryOperator.class);
  private static final String OBJECT = "(Ljava/lang/Object;)Ljava/lang/Object;";
  private static final String PARENT = Type.getInternalName(WebUIPage.class);
  private static final String CONSTRUCTOR = "<init>";
  private static final String FIELD = "page";

  /** The method that gives a page's content. */
  static final Method RENDER =
      Arrays.stream(WebUIPage.class.getMethods())
          .filter(m -> m.getName().equals("render") && Modifier.isAbstract(m.getModifiers()))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalStateException("this Spark's " + WebUIPage.class + " has no render"));

  private static final Class<?> MADE = make();

  private PageClass() {}

  /**
   * A page.
   *
   * @param prefix last part of its path; empty: the page of the tab itself
   * @param content gives the page of a request, as {@link #RENDER} does
   */
  static WebUIPage page(String prefix, UnaryOperator<Object> content) {
    try {
      return (WebUIPage)
          MADE.getConstructor(String.class, UnaryOperator.class).newInstance(prefix, content);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no page of Spark's UI can be made: " + e, e);
    }
  }

  private static Class<?> make() {
    try {
      return MethodHandles.lookup().defineHiddenClass(bytes(), true).lookupClass();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("no page of Spark's UI can be made: " + e, e);
    }
  }

  private static byte[] bytes() {
    String name = Type.getInternalName(PageClass.class) + "Made";
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER;
    writer.visit(Opcodes.V17, access, name, null, PARENT, null);
    int field = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
    writer.visitField(field, FIELD, "L" + FUNCTION + ";", null, null).visitEnd();
    constructor(writer, name);
    render(writer, name);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void constructor(ClassWriter writer, String name) {
    String type = "(Ljava/lang/String;L" + FUNCTION + ";)V";
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, CONSTRUCTOR, type, null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, PARENT, CONSTRUCTOR, "(Ljava/lang/String;)V", false);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ALOAD, 2);
    code.visitFieldInsn(Opcodes.PUTFIELD, name, FIELD, "L" + FUNCTION + ";");
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  /** {@code return (Seq<Node>) page.apply(request)}. */
  private static void render(ClassWriter writer, String name) {
    String type = Type.getMethodDescriptor(RENDER);
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, RENDER.getName(), type, null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, name, FIELD, "L" + FUNCTION + ";");
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitMethodInsn(Opcodes.INVOKEINTERFACE, FUNCTION, "apply", OBJECT, true);
    code.visitTypeInsn(Opcodes.CHECKCAST, Type.getInternalName(RENDER.getReturnType()));
    code.visitInsn(Opcodes.ARETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
