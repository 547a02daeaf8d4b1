package org.sparkgpugraph.program.lift;

import java.util.List;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.bytecode.LibraryCalls;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.UnaryOp;

/** Calls of methods of boxes. */
final class BoxCalls {
  private final SymbolicMachine machine;
  private final Equality equality;
  private final MethodEntry methods;

  BoxCalls(SymbolicMachine machine, Equality equality, MethodEntry methods) {
    this.machine = machine;
    this.equality = equality;
    this.methods = methods;
  }

  /** Executes a call; returns false when the path has ended. */
  boolean invoke(Sym.Box box, String owner, String name, List<Sym> arguments) {
    Frame frame = machine.top();
    Kind target =
        switch (name) {
          case "booleanValue" -> Kind.BOOLEAN;
          case "intValue", "shortValue", "byteValue", "charValue" -> Kind.INT;
          case "longValue" -> Kind.LONG;
          case "floatValue" -> Kind.FLOAT;
          case "doubleValue" -> Kind.DOUBLE;
          default -> null;
        };
    Kind internal = box.kind() == Kind.BOOLEAN ? Kind.INT : box.kind();
    if (target == Kind.BOOLEAN) {
      frame.push(new Sym.Prim(Kind.INT, box.variable()));
      return true;
    } else if (target != null) {
      Sym.Prim value = machine.convert(box.variable(), internal, target);
      frame.push(
          switch (name) {
            case "shortValue" -> machine.unary(UnaryOp.TO_SHORT, Kind.INT, value.variable());
            case "byteValue" -> machine.unary(UnaryOp.TO_BYTE, Kind.INT, value.variable());
            default -> value;
          });
      return true;
    }
    switch (name) {
      case "equals" -> frame.push(new Sym.Prim(Kind.INT, equality.test(box, arguments.get(0))));
      case "compareTo", "compare" -> {
        if (!(arguments.get(0) instanceof Sym.Box other) || other.type() != box.type()) {
          throw machine.refuse(
              "compares " + box.describe() + " with " + arguments.get(0).describe());
        }
        if (box.type() != box.kind().box()) {
          // Those of bytes, shorts and characters say by how much they differ.
          frame.push(machine.binary(BinaryOp.SUBTRACT, Kind.INT, box.variable(), other.variable()));
          return true;
        }
        frame.push(
            machine.call(
                Intrinsic.COMPARE_TOTAL, Kind.INT, List.of(box.variable(), other.variable())));
      }
      case "isNaN" -> frame.push(machine.call(Intrinsic.IS_NAN, Kind.INT, List.of(box.variable())));
      case "isInfinite" ->
          frame.push(machine.call(Intrinsic.IS_INFINITE, Kind.INT, List.of(box.variable())));
      case "hashCode" -> {
        String type = Type.getInternalName(box.kind().box());
        String primitive = Type.getDescriptor(box.kind().primitive());
        return methods.enter(
            type,
            "hashCode",
            "(" + primitive + ")I",
            null,
            List.of(new Sym.Prim(internal, box.variable())),
            -1);
      }
      default -> throw machine.refuse(LibraryCalls.unknown(owner, name));
    }
    return true;
  }
}
