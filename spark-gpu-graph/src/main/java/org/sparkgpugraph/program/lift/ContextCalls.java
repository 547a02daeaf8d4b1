package org.sparkgpugraph.program.lift;

import java.util.List;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** What a function asks of the superstep context. */
final class ContextCalls {
  private final SymbolicMachine machine;
  private final List<String> aggregates;

  /**
   * @param aggregates names of those that may be read
   */
  ContextCalls(SymbolicMachine machine, List<String> aggregates) {
    this.machine = machine;
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
        return new Sym.Prim(Kind.DOUBLE, machine.ssa.parameter(Role.AGGREGATE, index, Kind.DOUBLE));
      }
      default -> throw machine.refuse("calls " + name + " on the superstep context");
    }
  }
}
