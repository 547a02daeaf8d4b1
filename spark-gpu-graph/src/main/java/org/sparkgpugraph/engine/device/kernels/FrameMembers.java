package org.sparkgpugraph.engine.device.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.sparkgpugraph.engine.device.kernels.FrameField.PerColumn;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.TableShape;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** Members that a struct of a program has together, in the order in which they were declared. */
final class FrameMembers {
  private final List<Member> members = new ArrayList<>();

  private interface Member {
    void addTo(FrameLayout struct, LiftedProgram program);
  }

  private interface Column {
    void addTo(FrameLayout struct, String member, ColumnType type);
  }

  /** Declares a 64-bit integer. */
  String integer(String name) {
    members.add((struct, program) -> struct.integer(name));
    return name;
  }

  /** Declares a number of double precision. */
  String real(String name) {
    members.add((struct, program) -> struct.value(name, Kind.DOUBLE));
    return name;
  }

  /** Declares a pointer. */
  String pointer(String type, String name) {
    members.add((struct, program) -> struct.pointer(name, type));
    return name;
  }

  /** Declares a value for each column; of an array a pointer to it. */
  PerColumn values(String prefix, Function<LiftedProgram, List<? extends ColumnType>> kinds) {
    return columns(
        prefix,
        kinds,
        (program, c) -> true,
        (struct, member, type) -> {
          if (type.isArray()) {
            struct.pointer(member, "const " + CTypes.memory(type.kind()));
          } else {
            struct.value(member, type.kind());
          }
        });
  }

  /** Declares an array for each column. */
  PerColumn arrays(String prefix, Function<LiftedProgram, List<? extends ColumnType>> kinds) {
    return columns(
        prefix,
        kinds,
        (program, c) -> true,
        (struct, member, type) -> struct.pointer(member, CTypes.memory(type.kind())));
  }

  /** Declares an array for each column of a message, as it stands in registers. */
  PerColumn slots(String prefix) {
    return columns(
        prefix,
        program -> program.message().columns(),
        (program, c) -> true,
        (struct, member, type) -> struct.pointer(member, CTypes.register(type.kind())));
  }

  /**
   * Declares an array for each column of an edge that is read. Of others there is none, so that
   * graphs with other values run with the same code.
   */
  PerColumn edgeValues(String prefix) {
    return constants(
        prefix,
        program -> program.edge().columns(),
        (program, c) -> program.send().reads(Role.EDGE, c));
  }

  /** Declares an array for each column of a vertex attribute that there is memory of. */
  PerColumn attributes(String prefix) {
    return constants(
        prefix,
        program -> program.attribute().columns(),
        (program, c) ->
            program.initialState() == null || ProgramKernels.keepsAttribute(program, c));
  }

  /** Declares an array for each table. */
  PerColumn tables(String prefix) {
    return constants(
        prefix,
        program -> program.tables().stream().map(TableShape::kind).toList(),
        (program, t) -> true);
  }

  private PerColumn constants(
      String prefix,
      Function<LiftedProgram, List<? extends ColumnType>> kinds,
      BiPredicate<LiftedProgram, Integer> has) {
    return columns(
        prefix,
        kinds,
        has,
        (struct, member, type) -> struct.pointer(member, "const " + CTypes.memory(type.kind())));
  }

  private PerColumn columns(
      String prefix,
      Function<LiftedProgram, List<? extends ColumnType>> kinds,
      BiPredicate<LiftedProgram, Integer> has,
      Column how) {
    PerColumn columns = new PerColumn(prefix);
    members.add(
        (struct, program) -> {
          List<? extends ColumnType> all = kinds.apply(program);
          for (int c = 0; c < all.size(); c++) {
            if (has.test(program, c)) {
              how.addTo(struct, columns.of(c), all.get(c));
            }
          }
        });
    return columns;
  }

  /** Adds them to a struct. */
  void addTo(FrameLayout struct, LiftedProgram program) {
    members.forEach(member -> member.addTo(struct, program));
  }
}
