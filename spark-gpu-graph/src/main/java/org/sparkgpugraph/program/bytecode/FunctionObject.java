package org.sparkgpugraph.program.bytecode;

import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * Which method a function object runs.
 *
 * @param loader the class loader that sees the user's classes
 * @param method the method, or a constructor
 * @param captured values that come before the interface's arguments (a receiver first)
 * @param returns the return type that the interface was instantiated with; Object when unknown
 */
public record FunctionObject(
    ClassLoader loader, Handle method, List<Object> captured, Type returns) {

  /**
   * Finds the method behind a serializable lambda or method reference, or the implementing method
   * of an ordinary object.
   *
   * @param parameters number of parameters of the interface's method
   * @throws RefusedException when the object hides its method
   */
  public static FunctionObject of(Object function, String methodName, int parameters) {
    SerializedLambda lambda = serializedLambda(function);
    return lambda != null ? ofLambda(function, lambda) : ofObject(function, methodName, parameters);
  }

  /** The serialized form of a lambda; null when the object is not one. */
  public static SerializedLambda serializedLambda(Object function) {
    for (Class<?> type = function.getClass(); type != null; type = type.getSuperclass()) {
      Method replace;
      try {
        replace = type.getDeclaredMethod("writeReplace");
      } catch (NoSuchMethodException e) {
        continue;
      }
      try {
        replace.setAccessible(true);
        return replace.invoke(function) instanceof SerializedLambda lambda ? lambda : null;
      } catch (InaccessibleObjectException | IllegalAccessException e) {
        throw new RefusedException(
            new SourcePosition(type.getName(), "writeReplace", -1),
            "the lambda's class is in a module that is not open (" + e.getMessage() + ")");
      } catch (InvocationTargetException e) {
        throw new RefusedException(
            new SourcePosition(type.getName(), "writeReplace", -1),
            "writeReplace threw " + e.getCause());
      }
    }
    return null;
  }

  private static FunctionObject ofLambda(Object function, SerializedLambda lambda) {
    List<Object> captured = new ArrayList<>();
    for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
      captured.add(lambda.getCapturedArg(i));
    }
    // Handles and serialized lambdas number the kinds of methods as class files do.
    Handle method =
        new Handle(
            lambda.getImplMethodKind(),
            lambda.getImplClass(),
            lambda.getImplMethodName(),
            lambda.getImplMethodSignature(),
            lambda.getImplMethodKind() == Opcodes.H_INVOKEINTERFACE);
    return new FunctionObject(
        function.getClass().getClassLoader(),
        method,
        captured,
        Type.getReturnType(lambda.getInstantiatedMethodType()));
  }

  private static FunctionObject ofObject(Object function, String methodName, int parameters) {
    for (Class<?> type = function.getClass(); type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals(methodName)
            && method.getParameterCount() == parameters
            && !method.isBridge()
            && !Modifier.isAbstract(method.getModifiers())
            && !Modifier.isStatic(method.getModifiers())) {
          return new FunctionObject(
              function.getClass().getClassLoader(),
              new Handle(
                  Opcodes.H_INVOKEVIRTUAL,
                  Type.getInternalName(type),
                  methodName,
                  Type.getMethodDescriptor(method),
                  false),
              List.of(function),
              Type.getReturnType(method));
        }
      }
    }
    throw new RefusedException(
        new SourcePosition(function.getClass().getName(), methodName, -1),
        "the object has no method '"
            + methodName
            + "' of "
            + parameters
            + " parameters; give a serializable lambda, a method reference, or an object of a class"
            + " that implements the interface");
  }
}
