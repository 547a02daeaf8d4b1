package org.sparkgpugraph.program;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Whether a constructor does nothing but store its parameters, so that making an object again from
 * its fields gives an equal one. One that stores the remainder of a division, or counts its calls,
 * does not.
 */
final class StoringConstructor {
  private StoringConstructor() {}

  /**
   * Looks at the one constructor of a class.
   *
   * @param fields those that the parameters are to be stored in, in the parameters' order
   * @return false also where the class file is not to be had
   */
  static boolean isThatOf(Class<?> type, List<String> fields) {
    ClassNode node = classFile(type);
    if (node == null) {
      return false;
    }
    List<MethodNode> made =
        node.methods.stream().filter(method -> method.name.equals("<init>")).toList();
    return made.size() == 1 && onlyStores(made.get(0), node.superName, fields);
  }

  /** What is in the file of a class; null where it is not to be had. */
  static ClassNode classFile(Class<?> type) {
    ClassNode node = new ClassNode();
    String file = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getResourceAsStream(file)) {
      if (in == null) {
        return null;
      }
      new ClassReader(in).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      return node;
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean onlyStores(MethodNode constructor, String parent, List<String> fields) {
    Map<Integer, String> parameters = new HashMap<>();
    int local = 1;
    Type[] types = Type.getArgumentTypes(constructor.desc);
    if (types.length != fields.size()) {
      return false;
    }
    for (int i = 0; i < types.length; i++) {
      parameters.put(local, fields.get(i));
      local += types[i].getSize();
    }
    Deque<Integer> loaded = new ArrayDeque<>();
    for (AbstractInsnNode instruction : constructor.instructions) {
      if (instruction instanceof VarInsnNode access && access.getOpcode() <= Opcodes.ALOAD) {
        loaded.push(access.var);
      } else if (instruction instanceof FieldInsnNode stored
          && stored.getOpcode() == Opcodes.PUTFIELD
          && stored.name.equals(parameters.get(loaded.pop()))
          && loaded.pop() == 0) {
        continue;
      } else if (instruction instanceof MethodInsnNode called
          && called.owner.equals(parent)
          && called.desc.equals("()V")
          && called.getOpcode() == Opcodes.INVOKESPECIAL) {
        loaded.pop();
      } else if (instruction.getOpcode() >= 0 && instruction.getOpcode() != Opcodes.RETURN) {
        return false;
      }
    }
    return true;
  }
}
