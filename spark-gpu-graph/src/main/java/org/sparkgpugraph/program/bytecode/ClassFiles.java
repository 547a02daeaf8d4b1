package org.sparkgpugraph.program.bytecode;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Class files as the user's program sees them: through the class loader of the lambda, then the
 * thread's context loader, then the system's (for the few classes of the JDK that are inlined).
 */
public final class ClassFiles {
  private final ClassLoader loader;
  private final Map<String, ClassNode> classes = new HashMap<>();
  private final Map<MethodNode, MethodBody> bodies = new HashMap<>();

  public ClassFiles(ClassLoader loader) {
    this.loader = loader == null ? ClassLoader.getSystemClassLoader() : loader;
  }

  /**
   * The parsed class, or null when no loader has its bytecode.
   *
   * @param internalName with slashes
   */
  public ClassNode classNode(String internalName) {
    if (!classes.containsKey(internalName)) {
      classes.put(internalName, read(internalName));
    }
    return classes.get(internalName);
  }

  private ClassNode read(String internalName) {
    String resource = internalName + ".class";
    ClassLoader[] loaders = {
      loader, Thread.currentThread().getContextClassLoader(), ClassLoader.getSystemClassLoader()
    };
    for (ClassLoader candidate : loaders) {
      if (candidate == null) {
        continue;
      }
      try (InputStream in = candidate.getResourceAsStream(resource)) {
        if (in != null) {
          ClassNode node = new ClassNode();
          new ClassReader(in).accept(node, 0);
          return node;
        }
      } catch (IOException e) {
        throw new java.io.UncheckedIOException("reading " + resource, e);
      }
    }
    return null;
  }

  /**
   * Finds a method in a class, its superclasses and their interfaces.
   *
   * @return the body, or null when there is no such method or its class has no bytecode
   */
  public MethodBody find(String owner, String name, String descriptor) {
    for (String at = owner; at != null; ) {
      ClassNode node = classNode(at);
      if (node == null) {
        return null;
      }
      MethodBody body = declared(node, name, descriptor);
      if (body != null) {
        return body;
      }
      at = node.superName;
    }
    return findDefault(owner, name, descriptor);
  }

  private MethodBody findDefault(String owner, String name, String descriptor) {
    ClassNode node = classNode(owner);
    if (node == null) {
      return null;
    }
    for (String itf : node.interfaces) {
      ClassNode parsed = classNode(itf);
      MethodBody body = parsed == null ? null : declared(parsed, name, descriptor);
      if (body == null) {
        body = findDefault(itf, name, descriptor);
      }
      if (body != null) {
        return body;
      }
    }
    return node.superName == null ? null : findDefault(node.superName, name, descriptor);
  }

  private MethodBody declared(ClassNode node, String name, String descriptor) {
    for (MethodNode method : node.methods) {
      if (method.name.equals(name)
          && method.desc.equals(descriptor)
          && (method.access & Opcodes.ACC_ABSTRACT) == 0) {
        return bodies.computeIfAbsent(method, m -> new MethodBody(node.name, m));
      }
    }
    return null;
  }

  /**
   * Loads a class without initialising it.
   *
   * @param internalName with slashes
   */
  public Class<?> load(String internalName) throws ClassNotFoundException {
    String name = internalName.replace('/', '.');
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) {
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      if (context == null) {
        throw e;
      }
      return Class.forName(name, false, context);
    }
  }
}
