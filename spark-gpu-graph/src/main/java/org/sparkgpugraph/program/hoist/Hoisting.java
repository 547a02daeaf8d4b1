package org.sparkgpugraph.program.hoist;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.analysis.AtomicMerge;
import org.sparkgpugraph.program.analysis.StableColumns;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * Moves what a send function computes of only one end of an edge into the vertex program, where it
 * pays: see the package. {@code rank / outDegree} of the source is then divided once per vertex and
 * gathered as one column, and executors send each other the quotient instead of both.
 */
public final class Hoisting {
  private Hoisting() {}

  /** As {@link #apply(LiftedProgram, boolean)}. */
  public static ProgramInstance apply(ProgramInstance instance, boolean inPlace) {
    return instance.with(apply(instance.program(), inPlace));
  }

  /**
   * The program with hidden columns, or as it was when none pays. It gives the same results to the
   * bit: {@link LiftedProgram#result()} and what aggregates, activity and the result function see
   * are the same. In place a value of one column into which a GPU can merge messages by atomic
   * operations stays one column.
   *
   * @param inPlace whether values are updated in place, so that several columns of a neighbour may
   *     be of different moments
   */
  public static LiftedProgram apply(LiftedProgram program, boolean inPlace) {
    if (inPlace && AtomicMerge.intoValue(program).isPresent()
        || writesParameters(program.vertexProgram())
        || program.initialState() != null && writesParameters(program.initialState())) {
      return program;
    }
    Choice choice = new Choice(program, inPlace);
    Choice.Option best = choice.best();
    return best == null ? program : new Extension(program, best).program(choice.none());
  }

  /** A parameter that the code overwrites is no longer there at the function's end. */
  private static boolean writesParameters(IrFunction function) {
    List<Integer> variables = function.parameters().stream().map(Param::variable).toList();
    return function.code().stream().anyMatch(insn -> variables.contains(insn.target()));
  }

  /** A program and the hidden columns that it gets. */
  private static final class Extension {
    private final LiftedProgram program;
    private final Choice.Option option;
    private final List<ColumnType> visible;
    private final ValueType state;

    Extension(LiftedProgram program, Choice.Option option) {
      this.program = program;
      this.option = option;
      visible = program.state().columns();
      state = state();
    }

    LiftedProgram program(Choice.Option before) {
      List<Expression> hidden = option.hidden();
      List<ColumnType> all = state.columns();
      IrFunction initial = program.initialState();
      return program
          .with()
          .state(state)
          .initialState(
              initial == null
                  ? VertexRewriter.ofAttribute(program.tables(), visible, hidden, all)
                  : VertexRewriter.append(program.tables(), initial, hidden, all))
          .vertexProgram(
              VertexRewriter.append(program.tables(), program.vertexProgram(), changing(), all))
          .send(option.send())
          .traits(program.traits().noting(note(before)))
          .missingState(VertexRewriter.ofNothing(program.tables(), visible, hidden, all))
          .build();
    }

    private ValueType state() {
      List<ValueType.Field> fields = new ArrayList<>();
      if (program.state() instanceof ValueType.Struct struct) {
        fields.addAll(struct.fields());
      } else {
        fields.add(new ValueType.Field("value", program.state()));
      }
      for (Expression value : option.hidden()) {
        fields.add(
            new ValueType.Field(
                "hidden " + fields.size(), new ValueType.Scalar(value.columnKind())));
      }
      return new ValueType.Struct(program.state().className(), fields);
    }

    /** The columns that the vertex program computes; null for one that cannot change. */
    private List<Expression> changing() {
      boolean[] stable = StableColumns.of(program.vertexProgram(), visible.size());
      List<Expression> changing = new ArrayList<>();
      for (Expression value : option.hidden()) {
        boolean changes =
            value.inputs().stream()
                .anyMatch(input -> input.role() == Role.VALUE && !stable[input.index()]);
        changing.add(changes ? value : null);
      }
      return changing;
    }

    private String note(Choice.Option before) {
      int count = option.hidden().size();
      String where =
          option.hidden().stream()
              .map(Expression::where)
              .filter(w -> !w.equals(SourcePosition.NONE))
              .map(SourcePosition::toString)
              .distinct()
              .collect(Collectors.joining(", "));
      return (count == 1 ? "1 value" : count + " values")
          + " of sendMessage computed once per vertex, not per edge"
          + (where.isEmpty() ? "" : " (" + where + ")")
          + ": an edge reads "
          + option.gathered()
          + " bytes of its other end instead of "
          + before.gathered();
    }
  }
}
