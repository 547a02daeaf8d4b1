package org.sparkgpugraph.engine.device.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;

/**
 * What a gather of all rows reads of the other ends, where that can stand in the order of how many
 * edges end there ({@link HotVertices}).
 *
 * @param in whether in-edges are gathered, else out-edges
 * @param columns of the state, those of 8 bytes first
 * @param bytes of all of them, of one vertex
 * @param edgeBytes what a warp stages of an edge and its other end, as a struct in C
 */
public record HotColumns(boolean in, List<Integer> columns, int bytes, int edgeBytes) {
  public HotColumns {
    columns = List.copyOf(columns);
  }

  /**
   * The columns of a program.
   *
   * @throws IllegalArgumentException when there is an {@link #obstacle}
   */
  public static HotColumns of(LiftedProgram program, KernelShape shape) {
    obstacle(program, shape)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    List<ColumnType> state = program.state().columns();
    List<Integer> columns = new ArrayList<>();
    for (int bytes : new int[] {Double.BYTES, Float.BYTES}) {
      read(program, shape).stream()
          .filter(c -> state.get(c).bytes() == bytes)
          .forEach(columns::add);
    }
    return new HotColumns(
        shape.inRows(),
        columns,
        columns.stream().mapToInt(c -> state.get(c).bytes()).sum(),
        edgeBytes(program, read(program, shape)));
  }

  /** Members as they are declared, each at a multiple of its size; booleans are ints there. */
  private static int edgeBytes(LiftedProgram program, List<Integer> read) {
    List<ColumnType> members = new ArrayList<>();
    read.forEach(c -> members.add(program.state().columns().get(c)));
    for (int c = 0; c < program.edge().columns().size(); c++) {
      if (program.send().reads(Role.EDGE, c)) {
        members.add(program.edge().columns().get(c));
      }
    }
    int end = 0;
    int largest = 1;
    for (ColumnType type : members) {
      // Of a long array only its place is staged.
      int number = Math.max(Integer.BYTES, type.kind().bytes());
      int size = type.isArray() ? number * type.width() : number;
      largest = Math.max(largest, type.isArray() ? Long.BYTES : number);
      end = aligned(end, number) + size;
    }
    return aligned(end, largest);
  }

  private static int aligned(int bytes, int to) {
    return (bytes + to - 1) / to * to;
  }

  /**
   * Bytes of a vertex in front of a column.
   *
   * @param state columns of the state
   */
  public int before(int column, List<ColumnType> state) {
    return columns.subList(0, columns.indexOf(column)).stream()
        .mapToInt(c -> state.get(c).bytes())
        .sum();
  }

  /** State columns that the send function reads of the other end. */
  private static List<Integer> read(LiftedProgram program, KernelShape shape) {
    Role other = shape.inRows() ? Role.SOURCE : Role.DESTINATION;
    return program.send().parameters().stream()
        .filter(p -> p.role() == other)
        .map(Param::index)
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * Why a program gathers in the order of ids only; empty: it need not. Not where messages are
   * merged by other means than a walk along rows, nor where the order would show: sums of
   * aggregates follow who has which rows.
   */
  public static Optional<String> obstacle(LiftedProgram program, KernelShape shape) {
    if (!shape.everyVertex()) {
      return Optional.of("not every vertex runs in every superstep");
    }
    if (shape.inRows() == shape.outRows()) {
      return Optional.of("messages go to both ends of an edge, or to none");
    }
    if (program.mergesByMode()) {
      return Optional.of("the most frequent message is found in another way");
    }
    if (program.phased()) {
      return Optional.of("supersteps are of several kinds");
    }
    if (program.aggregates().stream()
        .anyMatch(aggregate -> aggregate.operation() == AggregateOperation.SUM)) {
      return Optional.of("sums of aggregates show who has which rows");
    }
    if (program.send().reads(shape.inRows() ? Role.SOURCE_ID : Role.DESTINATION_ID)) {
      return Optional.of("the other end's id is read");
    }
    List<Integer> read = read(program, shape);
    if (read.isEmpty()) {
      return Optional.of("nothing of the other end is read");
    }
    List<ColumnType> state = program.state().columns();
    return read.stream()
            .map(state::get)
            .allMatch(
                type ->
                    !type.isArray()
                        && (type.bytes() == Float.BYTES || type.bytes() == Double.BYTES))
        ? Optional.empty()
        : Optional.of("what is read of the other end is not all numbers of 4 or 8 bytes");
  }
}
