package org.sparkgpugraph.program.hoist;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.analysis.TraitRecognizer;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * What a program does in supersteps in which its {@link UniformBranches} go one way: a smaller
 * program, whose messages have only the columns that its vertex program reads then.
 *
 * @param program the smaller program
 * @param message which columns of the whole program's messages its messages have, ascending
 */
public record SuperstepKind(LiftedProgram program, List<Integer> message) {
  public SuperstepKind {
    message = List.copyOf(message);
  }

  /** The whole program. */
  public static SuperstepKind whole(LiftedProgram program) {
    List<Integer> all = new ArrayList<>();
    for (int c = 0; c < program.message().columns().size(); c++) {
      all.add(c);
    }
    return new SuperstepKind(program, all);
  }

  /**
   * A part of a program in which every vertex runs.
   *
   * @param send its send function in these supersteps
   * @param vertexProgram its vertex program
   */
  public static SuperstepKind of(LiftedProgram whole, IrFunction send, IrFunction vertexProgram) {
    if (whole.mergesByMode()) {
      return new SuperstepKind(
          whole.with().send(send).vertexProgram(vertexProgram).build(), whole(whole).message());
    }
    List<Integer> needed = needed(whole, vertexProgram);
    List<ColumnType> columns = whole.message().columns();
    IrFunction merge = kept(CodeCleaner.returning(whole.merge(), needed), needed);
    IrFunction sends = kept(send, needed);
    ProgramTraits traits = whole.traits();
    return new SuperstepKind(
        whole
            .with()
            .message(
                needed.size() == columns.size()
                    ? whole.message()
                    : new ValueType.Row(needed.stream().<ColumnType>map(columns::get).toList()))
            .send(sends)
            .vertexProgram(kept(vertexProgram, needed))
            .merge(merge)
            .traits(
                new ProgramTraits(
                    TraitRecognizer.algebra(merge),
                    TraitRecognizer.sends(sends, Side.SOURCE),
                    TraitRecognizer.sends(sends, Side.DESTINATION),
                    traits.monotone(),
                    traits.notes()))
            .build(),
        needed);
  }

  /** The columns that the vertex program reads, and those that these are merged with. */
  private static List<Integer> needed(LiftedProgram whole, IrFunction vertexProgram) {
    TreeSet<Integer> needed = new TreeSet<>();
    for (Param p : vertexProgram.parameters()) {
      if (p.role() == Role.MESSAGE) {
        needed.add(p.index());
      }
    }
    if (needed.isEmpty()) {
      // No engine knows messages without columns; lanes of a GPU share arrays where messages are
      // arrays.
      List<ColumnType> columns = whole.message().columns();
      int array = 0;
      while (array < columns.size() - 1 && !columns.get(array).isArray()) {
        array++;
      }
      needed.add(columns.get(array).isArray() ? array : 0);
    }
    int before;
    do {
      before = needed.size();
      List<Integer> so = List.copyOf(needed);
      for (Param p : CodeCleaner.returning(whole.merge(), so).parameters()) {
        if (p.role() == Role.LEFT || p.role() == Role.RIGHT) {
          needed.add(p.index());
        }
      }
    } while (needed.size() > before);
    return List.copyOf(needed);
  }

  /** A function whose messages have only some columns. */
  private static IrFunction kept(IrFunction function, List<Integer> columns) {
    List<Insn> code = new ArrayList<>();
    for (Insn insn : function.code()) {
      if (insn instanceof Insn.Emit emit) {
        code.add(
            new Insn.Emit(
                emit.side(), columns.stream().map(emit.message()::get).toList(), emit.where()));
      } else {
        code.add(insn);
      }
    }
    IrFunction tidied =
        CodeCleaner.tidied(
            new IrFunction(
                function.name(),
                function.parameters(),
                function.results(),
                function.variables(),
                function.labels(),
                code));
    List<Param> parameters =
        tidied.parameters().stream()
            .map(
                p ->
                    p.role() == Role.MESSAGE || p.role() == Role.LEFT || p.role() == Role.RIGHT
                        ? new Param(p.role(), columns.indexOf(p.index()), p.variable(), p.length())
                        : p)
            .toList();
    return new IrFunction(
        tidied.name(),
        parameters,
        tidied.results(),
        tidied.variables(),
        tidied.labels(),
        tidied.code());
  }
}
