package org.sparkgpugraph.program.ir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** Keeps the labels, variables and parameters that code uses, numbered from zero. */
public final class Renumbering {
  private final List<Kind> kinds;
  private final List<Kind> variables = new ArrayList<>();
  private final Map<Integer, Integer> variableNumbers = new HashMap<>();
  private final Map<Integer, Integer> labelNumbers = new HashMap<>();
  private final Set<Integer> read = new HashSet<>();

  private Renumbering(List<Kind> kinds) {
    this.kinds = kinds;
  }

  /**
   * A function of code whose numbers may have gaps.
   *
   * @param parameters those that the code may read
   * @param kinds kind of each variable
   */
  public static IrFunction of(
      String name,
      List<Param> parameters,
      List<ColumnType> results,
      List<Kind> kinds,
      List<Insn> code) {
    return new Renumbering(kinds).function(name, parameters, results, code);
  }

  private IrFunction function(
      String name, List<Param> parameters, List<ColumnType> results, List<Insn> code) {
    Set<Integer> targets = new HashSet<>();
    code.forEach(insn -> targets.addAll(insn.jumps()));
    IntUnaryOperator readVariable =
        old -> {
          read.add(old);
          return variable(old);
        };
    List<Insn> numbered = new ArrayList<>();
    for (Insn insn : code) {
      if (insn instanceof Insn.Label at) {
        if (targets.contains(at.label())) {
          numbered.add(new Insn.Label(label(at.label()), at.where()));
        }
      } else {
        Insn reading = insn.reading(readVariable);
        numbered.add(reading.renamed(this::variable, v -> v).jumping(this::label));
      }
    }
    List<Param> used = new ArrayList<>();
    for (Param parameter : parameters) {
      if (read.contains(parameter.variable())) {
        used.add(parameter.in(variable(parameter.variable())));
      }
    }
    return new IrFunction(name, used, results, variables, labelNumbers.size(), numbered);
  }

  private int variable(int old) {
    return variableNumbers.computeIfAbsent(
        old,
        v -> {
          variables.add(kinds.get(v));
          return variables.size() - 1;
        });
  }

  private int label(int old) {
    return labelNumbers.computeIfAbsent(old, l -> labelNumbers.size());
  }
}
