package org.sparkgpugraph.program;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Whether objects of a case class that is defined within another class, or in a line of Spark's
 * shell, only hand on the object that they were made in: to copies of themselves, or to ask whether
 * it is the same. Then it makes no difference to what they are, nor to what they do, which object
 * that is.
 */
final class OuterUse {
  private final ClassNode type;
  private final String outer;

  /** The method by which Scala's compiler asks for it; one of another name is a trait's within. */
  private final String accessor;

  private OuterUse(ClassNode type, Class<?> outer) {
    this.type = type;
    this.outer = Type.getDescriptor(outer);
    accessor = type.name.replace('/', '$') + "$$" + StructClass.OUTER;
  }

  /**
   * Looks at all code of a class.
   *
   * @param outer class of the object that its objects were made in, the first parameter of its
   *     constructor
   * @return false also where the class file is not to be had
   */
  static boolean onlyHandsOn(Class<?> type, Class<?> outer) {
    ClassNode node = StoringConstructor.classFile(type);
    return node != null && new OuterUse(node, outer).onlyHandsOn();
  }

  private boolean onlyHandsOn() {
    // Classes within it would ask it for its outer object; its companion does not.
    String inside = type.name + "$";
    boolean alone =
        type.innerClasses.stream()
            .noneMatch(inner -> inner.name.startsWith(inside) && !inner.name.equals(inside));
    return alone && type.methods.stream().allMatch(this::onlyHandsOn);
  }

  private boolean onlyHandsOn(MethodNode method) {
    boolean constructs = method.name.equals("<init>");
    for (AbstractInsnNode instruction : method.instructions) {
      boolean reads =
          isRead(instruction)
              || constructs
                  && instruction instanceof VarInsnNode load
                  && load.getOpcode() == Opcodes.ALOAD
                  && load.var == 1;
      if (reads
          && !(constructs
              ? isChecked(instruction)
              : method.name.equals(accessor) || isHandedOn(instruction))) {
        return false;
      }
    }
    return true;
  }

  /** Reads an outer object: the field, or by the method that Scala makes for it. */
  private boolean isRead(AbstractInsnNode instruction) {
    return instruction instanceof FieldInsnNode field
            && field.getOpcode() == Opcodes.GETFIELD
            && field.name.equals(StructClass.OUTER)
        || instruction instanceof MethodInsnNode call
            && call.owner.equals(type.name)
            && call.desc.equals("()" + outer);
  }

  /** A constructor asks whether there is one, and stores it. */
  private static boolean isChecked(AbstractInsnNode read) {
    AbstractInsnNode next = next(read);
    return next.getOpcode() == Opcodes.IFNONNULL
        || next.getOpcode() == Opcodes.IFNULL
        || next instanceof FieldInsnNode field
            && field.getOpcode() == Opcodes.PUTFIELD
            && field.name.equals(StructClass.OUTER);
  }

  private boolean isHandedOn(AbstractInsnNode read) {
    AbstractInsnNode next = next(read);
    if (isComparison(next)) {
      return true;
    }
    // The other side of a comparison.
    AbstractInsnNode other = next;
    while (other.getOpcode() == Opcodes.ALOAD || other.getOpcode() == Opcodes.CHECKCAST) {
      other = next(other);
    }
    if (isRead(other) && isComparison(next(other))) {
      return true;
    }
    // The parameters of a copy, which are all locals.
    while (next instanceof VarInsnNode load && load.getOpcode() <= Opcodes.ALOAD) {
      next = next(next);
    }
    return next instanceof MethodInsnNode call
        && call.owner.equals(type.name)
        && call.name.equals("<init>");
  }

  private static boolean isComparison(AbstractInsnNode instruction) {
    return List.of(Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE).contains(instruction.getOpcode());
  }

  /** The next instruction that does something: code does not end behind a read. */
  private static AbstractInsnNode next(AbstractInsnNode instruction) {
    AbstractInsnNode next = instruction.getNext();
    while (next.getOpcode() < 0) {
      next = next.getNext();
    }
    return next;
  }
}
