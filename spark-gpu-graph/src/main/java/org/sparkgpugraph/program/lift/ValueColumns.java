package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** Values as records and boxes on one side, as columns of variables on the other. */
final class ValueColumns {
  private final SymbolicMachine machine;

  ValueColumns(SymbolicMachine machine) {
    this.machine = machine;
  }

  /** The symbolic form of a value whose columns are parameters. */
  Sym parameters(Role role, ValueType type) {
    return parameters(role, type, new int[1]);
  }

  private Sym parameters(Role role, ValueType type, int[] column) {
    if (type instanceof ValueType.Opaque) {
      return new Sym.Host(new HostValues.Unreadable(type.className()));
    } else if (type instanceof ValueType.Scalar scalar) {
      return new Sym.Box(scalar.kind(), machine.ssa.parameter(role, column[0]++, scalar.kind()));
    }
    ValueType.Struct struct = (ValueType.Struct) type;
    List<Sym> fields = new ArrayList<>();
    for (ValueType.Field field : struct.fields()) {
      fields.add(parameters(role, field.type(), column));
    }
    return new Sym.Rec(StructClass.of(machine.load(struct.className().replace('.', '/'))), fields);
  }

  /** Appends the variables of a value's columns; returns false when the path ended on a null. */
  boolean flatten(Sym value, ValueType type, boolean widen, List<Integer> columns) {
    if (value instanceof Sym.Null) {
      return machine.stop(FaultCode.NULL_VALUE, "null where a " + type.className() + " is needed");
    }
    if (type instanceof ValueType.Opaque) {
      // The program is refused for it, without a further reason at each place where it is made.
      return true;
    } else if (type instanceof ValueType.Scalar scalar && value instanceof Sym.Box box) {
      if (box.kind() == scalar.kind()) {
        columns.add(box.variable());
        return true;
      } else if (widen
          && box.kind() != Kind.BOOLEAN
          && box.kind().ordinal() < scalar.kind().ordinal()) {
        columns.add(machine.convert(box.variable(), box.kind(), scalar.kind()).variable());
        return true;
      }
    } else if (type instanceof ValueType.Struct struct
        && value instanceof Sym.Rec rec
        && rec.layout().type().getName().equals(struct.className())) {
      for (int i = 0; i < struct.fields().size(); i++) {
        if (!flatten(rec.fields().get(i), struct.fields().get(i).type(), false, columns)) {
          return false;
        }
      }
      return true;
    }
    throw machine.refuse(
        "the value here is " + value.describe() + ", but a " + type.className() + " is needed");
  }

  /** The type of a value. */
  ValueType typeOf(Sym value) {
    if (value instanceof Sym.Box box) {
      return new ValueType.Scalar(box.kind());
    } else if (value instanceof Sym.Rec rec) {
      List<ValueType.Field> fields = new ArrayList<>();
      for (int i = 0; i < rec.fields().size(); i++) {
        fields.add(new ValueType.Field(rec.layout().names().get(i), typeOf(rec.fields().get(i))));
      }
      return new ValueType.Struct(rec.layout().type().getName(), fields);
    }
    throw machine.refuse("the type of the result cannot be found: it is " + value.describe());
  }
}
