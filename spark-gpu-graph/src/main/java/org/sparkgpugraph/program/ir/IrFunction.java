package org.sparkgpugraph.program.ir;

import java.io.Serializable;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A lifted function: straight three-address code, everything that it calls already inlined.
 *
 * @param name what the function is in its program ("send", "merge", …)
 * @param parameters those that the code reads, in no particular order
 * @param results kinds of the result columns; empty for a send function
 * @param variables kind of each variable
 * @param labels number of labels
 * @param code the instructions; control never runs off the end
 */
public record IrFunction(
    String name,
    List<Param> parameters,
    List<ColumnType> results,
    List<Kind> variables,
    int labels,
    List<Insn> code)
    implements Serializable {

  public IrFunction {
    parameters = List.copyOf(parameters);
    results = List.copyOf(results);
    variables = List.copyOf(variables);
    code = List.copyOf(code);
  }

  /**
   * The tables that the code reads, by their numbers, ascending, with the kind of their elements.
   */
  public SortedMap<Integer, Kind> tables() {
    SortedMap<Integer, Kind> tables = new TreeMap<>();
    for (Insn insn : code) {
      if (insn instanceof Insn.Load load) {
        tables.put(load.table(), load.kind());
      }
    }
    return tables;
  }

  /** Whether a parameter of this role is read, in any column. */
  public boolean reads(Role role) {
    return parameters.stream().anyMatch(p -> p.role() == role);
  }

  /** Whether column {@code index} of this role is read. */
  public boolean reads(Role role, int index) {
    return parameters.stream().anyMatch(p -> p.role() == role && p.index() == index);
  }
}
