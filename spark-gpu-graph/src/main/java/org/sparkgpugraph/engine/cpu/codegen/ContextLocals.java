package org.sparkgpugraph.engine.cpu.codegen;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * Local variables of what functions read that is the same for all vertices: captures, the
 * superstep, the number of vertices, aggregates of the superstep before.
 */
final class ContextLocals {
  private final KernelMethod method;
  private final Map<Integer, Integer> captures = new HashMap<>();
  private int superstep = -1;
  private int vertexCount = -1;
  private int aggregates = -1;

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
      }
    }
  }

  /** Reads what the functions of aggregates need. */
  void read(List<Aggregate> aggregates) {
    aggregates.forEach(a -> read(a.function()));
  }

  private void read(Param p) {
    CodeBuilder code = method.code;
    switch (p.role()) {
      case CAPTURE -> {
        if (!captures.containsKey(p.index())) {
          Kind kind = method.program.captureKinds().get(p.index());
          captures.put(p.index(), method.fields.box("captures", p.index(), kind));
        }
      }
      case SUPERSTEP -> {
        if (superstep < 0) {
          superstep = code.local(Kind.INT);
          code.field(method.frame, KernelFrame.class, "superstep", int.class).storeInt(superstep);
        }
      }
      case VERTEX_COUNT -> {
        if (vertexCount < 0) {
          vertexCount = code.local(Kind.LONG);
          code.field(method.frame, KernelFrame.class, "vertexCount", long.class)
              .store(Kind.LONG, vertexCount);
        }
      }
      case AGGREGATE -> {
        if (aggregates < 0) {
          aggregates = method.fields.reference("aggregates", double[].class);
        }
      }
      default -> {}
    }
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
      case SUPERSTEP -> code.loadInt(superstep);
      case VERTEX_COUNT -> code.load(Kind.LONG, vertexCount);
      case AGGREGATE -> code.loadReference(aggregates).push(parameter.index()).op(Opcodes.DALOAD);
      default -> throw new IllegalArgumentException(parameter + " is no context");
    }
  }
}
