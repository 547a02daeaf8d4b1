package org.sparkgpugraph.program.lift;

import java.util.List;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** What a function asks of the superstep context. */
final class ContextCalls {
  private final SymbolicMachine machine;
  private final NewObjects objects;
  private final List<String> aggregates;

  /**
   * @param aggregates names of those that may be read
   */
  ContextCalls(SymbolicMachine machine, NewObjects objects, List<String> aggregates) {
    this.machine = machine;
    this.objects = objects;
    this.aggregates = aggregates;
  }

  /** The answer to a call of one of the context's methods. */
  Sym invoke(String name, List<Sym> arguments) {
    switch (name) {
      case "superstep" -> {
        return new Sym.Prim(Kind.INT, machine.ssa.parameter(Role.SUPERSTEP, 0, Kind.INT));
      }
      case "vertexCount" -> {
        return new Sym.Prim(Kind.LONG, machine.ssa.parameter(Role.VERTEX_COUNT, 0, Kind.LONG));
      }
      case "aggregate" -> {
        if (!(arguments.get(0) instanceof Sym.Text text)) {
          throw machine.refuse("aggregate(name) needs a constant name");
        }
        int index = aggregates.indexOf(text.value());
        if (index < 0) {
          throw machine.refuse(
              "aggregate(\"" + text.value() + "\") does not exist; the program has " + aggregates);
        }
        return new Sym.Prim(Kind.DOUBLE, aggregate(index));
      }
      case "aggregates" -> {
        return all();
      }
      default -> throw machine.refuse("calls " + name + " on the superstep context");
    }
  }

  private int aggregate(int index) {
    return machine.ssa.parameter(Role.AGGREGATE, index, Kind.DOUBLE);
  }

  /** An array of all of them, which the caller may change. */
  private Sym all() {
    int count = aggregates.size();
    if (count == 0 || count > ValueType.Vector.MOST) {
      throw machine.refuse(
          "aggregates() gives 1 to %d aggregates, the program has %d"
              .formatted(ValueType.Vector.MOST, count));
    }
    int zero = machine.zeroPrim(Kind.DOUBLE).variable();
    Sym.Gathered values = machine.filled(Kind.DOUBLE, count, zero);
    for (int i = 0; i < count; i++) {
      values = machine.with(values, machine.constant(i), aggregate(i));
    }
    Sym.Fresh array = objects.mutable(double[].class, 1);
    objects.set(array, values);
    return array;
  }
}
