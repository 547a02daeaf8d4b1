package org.sparkgpugraph.program.fold;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;

/**
 * Leaves out the state columns that no superstep reads of an earlier one: what vertex maps of one
 * phase hand on to each other only. They are never stored.
 */
final class UnreadColumns {
  private static final Set<Role> VALUES =
      Set.of(Role.VALUE, Role.SOURCE, Role.DESTINATION, Role.BEFORE, Role.AFTER);

  private final LiftedProgram program;
  private final List<Integer> kept;

  private UnreadColumns(LiftedProgram program) {
    this.program = program;
    kept = kept();
  }

  /**
   * The columns that are stored, ascending.
   *
   * @param program of which nobody has the state but the program
   */
  static List<Integer> kept(LiftedProgram program) {
    return new UnreadColumns(program).kept;
  }

  /** The program without the other columns. */
  static LiftedProgram removed(LiftedProgram program) {
    return new UnreadColumns(program).removed();
  }

  private List<Integer> kept() {
    TreeSet<Integer> read = new TreeSet<>();
    add(program.send(), read);
    add(program.resultFunction(), read);
    program.aggregates().forEach(aggregate -> add(aggregate.function(), read));
    if (read.isEmpty()) {
      // No engine knows values without columns.
      read.add(0);
    }
    int before;
    do {
      before = read.size();
      add(CodeCleaner.returning(program.vertexProgram(), List.copyOf(read)), read);
    } while (read.size() > before);
    return List.copyOf(read);
  }

  private static void add(IrFunction function, Set<Integer> to) {
    if (function != null) {
      function.parameters().stream()
          .filter(p -> VALUES.contains(p.role()))
          .forEach(p -> to.add(p.index()));
    }
  }

  private LiftedProgram removed() {
    List<ColumnType> columns = program.state().columns();
    if (kept.size() == columns.size()) {
      return program;
    }
    List<Aggregate> aggregates =
        program.aggregates().stream()
            .map(a -> new Aggregate(a.name(), a.operation(), renumbered(a.function())))
            .toList();
    Function<IrFunction, IrFunction> some =
        function -> renumbered(CodeCleaner.returning(function, kept));
    return program
        .with()
        .state(new ValueType.Row(kept.stream().<ColumnType>map(columns::get).toList()))
        .initialState(
            program.initialState() == null
                ? ofAttribute(columns)
                : CodeCleaner.returning(program.initialState(), kept))
        .vertexProgram(some.apply(program.vertexProgram()))
        .send(renumbered(program.send()))
        .resultFunction(renumbered(program.resultFunction()))
        .aggregates(aggregates)
        .build();
  }

  private IrFunction ofAttribute(List<ColumnType> columns) {
    IrBuilder to = new IrBuilder("state", Folding.class);
    to.leave(kept.stream().map(c -> to.parameter(Role.ATTRIBUTE, c, columns.get(c))).toList());
    return to.build(kept.stream().map(columns::get).toList());
  }

  private IrFunction renumbered(IrFunction function) {
    List<Param> parameters =
        function.parameters().stream()
            .map(
                p ->
                    VALUES.contains(p.role())
                        ? new Param(p.role(), kept.indexOf(p.index()), p.variable(), p.length())
                        : p)
            .toList();
    return new IrFunction(
        function.name(),
        parameters,
        function.results(),
        function.variables(),
        function.labels(),
        function.code());
  }
}
