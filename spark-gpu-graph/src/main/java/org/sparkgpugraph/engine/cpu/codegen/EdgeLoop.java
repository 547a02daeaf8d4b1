package org.sparkgpugraph.engine.cpu.codegen;

import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.KernelShape.Filter;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** The loop over the edges of a row in one direction, of those that a filter selects. */
final class EdgeLoop {
  private final CodeBuilder code;
  private final EdgeLocals edges;
  private final Filter filter;
  private final BitmapLocals active;
  private final int rowActive;
  private final int v;
  private int e;
  private int end;
  private int u;

  /**
   * @param active active vertices; null when the filter does not read them
   * @param rowActive slot of whether the row's vertex is active
   */
  EdgeLoop(
      KernelMethod method, EdgeLocals edges, Filter filter, BitmapLocals active, int rowActive) {
    this.edges = edges;
    this.filter = filter;
    this.active = active;
    this.rowActive = rowActive;
    code = method.code;
    v = method.vertex.v();
  }

  /** Slot of the edge's place in the arrays; in the beginning that of the row's first one. */
  int e() {
    return e;
  }

  /** Slot of the end of the row's edges. */
  int end() {
    return end;
  }

  /** Slot of the edge's other end. */
  int u() {
    return u;
  }

  /** Begins the row; jumps to {@code done} when none of its edges can be selected. */
  void begin(Label done) {
    if (filter == Filter.ROW || filter == Filter.ROW_AND_NEIGHBOUR) {
      code.loadInt(rowActive).jump(Opcodes.IFEQ, done);
    }
    e = code.local(Kind.INT);
    end = code.local(Kind.INT);
    u = code.local(Kind.INT);
    code.loadReference(edges.offsets()).loadInt(v).op(Opcodes.IALOAD);
    code.loadInt(edges.first()).op(Opcodes.ISUB).storeInt(e);
    code.loadReference(edges.offsets()).loadInt(v).push(1).op(Opcodes.IADD).op(Opcodes.IALOAD);
    code.loadInt(edges.first()).op(Opcodes.ISUB).storeInt(end);
  }

  /**
   * Writes the loop and the label {@code done} behind it.
   *
   * @param body writes the code of a selected edge
   */
  void write(Label done, Runnable body) {
    Label loop = new Label();
    Label nextEdge = new Label();
    code.label(loop).loadInt(e).loadInt(end).jump(Opcodes.IF_ICMPGE, done);
    code.loadReference(edges.neighbours()).loadInt(e).op(Opcodes.IALOAD).storeInt(u);
    skipUnselected(nextEdge);
    body.run();
    code.label(nextEdge).increment(e, 1).jump(Opcodes.GOTO, loop);
    code.label(done);
  }

  private void skipUnselected(Label nextEdge) {
    switch (filter) {
      case NONE, ROW -> {}
      case NEIGHBOUR, ROW_AND_NEIGHBOUR -> {
        active.test(u);
        code.jump(Opcodes.IFEQ, nextEdge);
      }
      case ROW_OR_NEIGHBOUR -> {
        Label take = new Label();
        code.loadInt(rowActive).jump(Opcodes.IFNE, take);
        active.test(u);
        code.jump(Opcodes.IFEQ, nextEdge);
        code.label(take);
      }
    }
  }
}
