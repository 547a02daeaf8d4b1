package org.sparkgpugraph.program.lift;

import org.objectweb.asm.Type;
import org.sparkgpugraph.program.ir.Kind;

/** Boxing, unboxing and widening, which the JVM and the bridges of lambdas do. */
final class Boxing {
  private final SymbolicMachine machine;

  Boxing(SymbolicMachine machine) {
    this.machine = machine;
  }

  /**
   * Converts an argument or result between a lambda's own types and those of the method behind it,
   * as the lambda's bridge does: unboxing, boxing, widening.
   */
  Sym adapt(Sym value, Type type) {
    if (isPrimitive(type)) {
      Kind target = boxKind(type) == Kind.BOOLEAN ? Kind.INT : boxKind(type);
      if (value instanceof Sym.Prim prim) {
        return machine.convert(prim.variable(), prim.kind(), target);
      } else if (value instanceof Sym.Box box) {
        return machine.convert(box.variable(), box.kind(), target);
      } else if (value instanceof Sym.Carried) {
        throw machine.refuse("reads " + value.describe());
      }
      return value;
    }
    return value instanceof Sym.Prim prim ? new Sym.Box(prim.kind(), prim.variable()) : value;
  }

  /** The box kind of a primitive type. */
  static Kind boxKind(Type type) {
    return switch (type.getSort()) {
      case Type.BOOLEAN -> Kind.BOOLEAN;
      case Type.LONG -> Kind.LONG;
      case Type.FLOAT -> Kind.FLOAT;
      case Type.DOUBLE -> Kind.DOUBLE;
      default -> Kind.INT;
    };
  }

  /** The box class of a primitive type. */
  static Class<?> box(Type type) {
    return switch (type.getSort()) {
      case Type.BYTE -> Byte.class;
      case Type.SHORT -> Short.class;
      case Type.CHAR -> Character.class;
      default -> boxKind(type).box();
    };
  }

  static boolean isPrimitive(Type type) {
    return type.getSort() >= Type.BOOLEAN && type.getSort() <= Type.DOUBLE;
  }

  /** Boxes a primitive of a declared type; leaves references alone. */
  static Sym boxed(Sym value, Type type) {
    return value instanceof Sym.Prim prim && isPrimitive(type)
        ? new Sym.Box(boxKind(type), prim.variable(), box(type))
        : value;
  }

  /** Reads a field of a declared type: components are kept boxed. */
  Sym unboxed(Sym value, Type type) {
    return isPrimitive(type) ? adapt(value, type) : value;
  }
}
