package org.sparkgpugraph.engine.cpu.codegen;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.cpu.frame.FrameFields;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.fuse.FusedGather;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * Local variables of what functions read that is the same for all vertices: captures, the
 * superstep, the number of vertices, aggregates of the superstep before, tables; and the arrays
 * that functions make, which are made once for a block of rows.
 */
final class ContextLocals {
  private final KernelMethod method;
  private final Map<Integer, Integer> captures = new HashMap<>();
  private final Map<Integer, Integer> tables = new HashMap<>();
  private final Map<Integer, Integer> messages = new HashMap<>();
  private final Map<IrFunction, int[]> arrays = new IdentityHashMap<>();
  private final Map<Side, Map<Param, Integer>> copies = new EnumMap<>(Side.class);
  private final Map<Role, Integer> others = new EnumMap<>(Role.class);

  ContextLocals(KernelMethod method) {
    this.method = method;
  }

  /** Whether every method reads such a parameter from the frame itself. */
  static boolean isContext(Role role) {
    return role == Role.CAPTURE
        || role == Role.SUPERSTEP
        || role == Role.VERTEX_COUNT
        || role == Role.AGGREGATE;
  }

  /** Reads what the functions need of the frame; nulls are skipped. */
  void read(IrFunction... functions) {
    for (IrFunction function : functions) {
      if (function != null) {
        function.parameters().forEach(this::read);
        function
            .tables()
            .forEach((t, kind) -> tables.computeIfAbsent(t, i -> method.fields.table(i, kind)));
        arrays.computeIfAbsent(function, f -> method.code.newArrays(new ArrayPlaces(f)));
      }
    }
  }

  /** Reads what the functions of aggregates need. */
  void read(List<Aggregate> aggregates) {
    aggregates.forEach(a -> read(a.function()));
  }

  private void read(Param p) {
    FrameFields fields = method.fields;
    switch (p.role()) {
      case CAPTURE ->
          captures.computeIfAbsent(
              p.index(), i -> fields.box("captures", i, method.program.captureKinds().get(i)));
      case SUPERSTEP ->
          others.computeIfAbsent(p.role(), role -> fields.number("superstep", Kind.INT));
      case VERTEX_COUNT ->
          others.computeIfAbsent(p.role(), role -> fields.number("vertexCount", Kind.LONG));
      case AGGREGATE ->
          others.computeIfAbsent(p.role(), role -> fields.reference("aggregates", double[].class));
      default -> {}
    }
  }

  /** Makes the arrays of the messages that are merged row by row. */
  void makeMessageArrays() {
    for (int c = 0; c < method.message.size(); c++) {
      if (method.message.get(c) instanceof ArrayType type) {
        messages.put(c, method.code.newArray(type));
      }
    }
  }

  /** Slot of the array of a message's column, where it is made for all rows. */
  Optional<Integer> messageArray(int column) {
    return Optional.ofNullable(messages.get(column));
  }

  /** Makes the arrays into which those that send functions read are copied. */
  void makeCopies(FusedGather fused) {
    for (Side side : Side.values()) {
      if (side == Side.DESTINATION ? method.shape.inRows() : method.shape.outRows()) {
        Map<Param, Integer> made = new HashMap<>();
        for (Param p : fused.copied(side)) {
          made.put(p, method.code.newArray(fused.type(side, p)));
        }
        copies.put(side, made);
      }
    }
  }

  /** Slot of the array into which a parameter of a send function is copied, if it is. */
  Optional<Integer> copy(Side side, Param parameter) {
    return Optional.ofNullable(copies.getOrDefault(side, Map.of()).get(parameter));
  }

  /** Slots of the arrays that a function makes, by their places. */
  int[] arrays(IrFunction function) {
    return arrays.get(function);
  }

  /** Pushes the array that a table is. */
  void loadTable(int table) {
    method.code.loadReference(tables.get(table));
  }

  /**
   * Pushes a context parameter.
   *
   * @throws IllegalArgumentException when it is none
   */
  void load(Param parameter, Kind kind) {
    CodeBuilder code = method.code;
    switch (parameter.role()) {
      case CAPTURE -> code.load(kind, captures.get(parameter.index()));
      case SUPERSTEP -> code.loadInt(others.get(Role.SUPERSTEP));
      case VERTEX_COUNT -> code.load(Kind.LONG, others.get(Role.VERTEX_COUNT));
      case AGGREGATE -> {
        code.loadReference(others.get(Role.AGGREGATE));
        code.push(parameter.index()).op(Opcodes.DALOAD);
      }
      default -> throw new IllegalArgumentException(parameter + " is no context");
    }
  }
}
