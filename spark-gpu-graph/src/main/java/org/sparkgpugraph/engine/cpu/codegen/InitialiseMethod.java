package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** Superstep 0: state from attributes, then the vertex program with the initial message. */
final class InitialiseMethod {
  private final KernelMethod method;
  private final IrFunction initialState;

  /** Null when vertices that do not exist stay zero, or all exist. */
  private final IrFunction missingState;

  /** Slots of the second buffer, for what no superstep writes; null when it is not needed. */
  private int[] next;

  /** Null when superstep 0 does not run it. */
  private final IrFunction vertexProgram;

  InitialiseMethod(KernelMethod method) {
    this.method = method;
    LiftedProgram program = method.program;
    initialState = program.initialState();
    missingState = method.shape.missingVertices() ? program.missingState() : null;
    vertexProgram = method.shape.startsWithMessage() ? program.vertexProgram() : null;
  }

  void write() {
    VertexLocals vertex = method.vertex;
    vertex.readState();
    vertex.readAttributes(initialState);
    vertex.readPartition();
    vertex.readBlockIds(initialState, vertexProgram, missingState);
    vertex.readBlockIds(method.program.aggregates());
    method.context.read(initialState, vertexProgram, missingState);
    method.context.read(method.program.aggregates());
    int[] message =
        vertexProgram == null
            ? null
            : method.fields.boxes("initialMessage", method.kernel.kept(), method.message);
    if (missingState != null && !method.shape.inPlace()) {
      next = method.fields.columns("next", method.state);
    }
    TallyLocals tally = new TallyLocals(method, method.program.aggregates());
    tally.countVertices();
    vertex.readPresent();
    RowLoop.write(
        method, nextRow -> row(message, tally), missingState == null ? null : this::missingRow);
    tally.store();
    method.leave();
  }

  private void row(int[] message, TallyLocals tally) {
    CodeBuilder code = method.code;
    List<ColumnType> state = method.state;
    int mark = code.mark();
    int[] value = method.locals(state);
    if (initialState == null) {
      for (int c = 0; c < value.length; c++) {
        method.vertex.loadAttribute(c);
        code.store(state.get(c), value[c]);
      }
    } else {
      new VertexBinding(method, initialState, null, null, value, state).inline();
    }
    int[] after = value;
    if (vertexProgram != null) {
      after = method.locals(state);
      new VertexBinding(method, vertexProgram, value, message, after, state).inline();
      tally.aggregate(value, after);
      tally.ran();
    }
    method.storeRow(method.vertex.state(), state, after);
    tally.activated();
    code.release(mark);
  }

  private void missingRow() {
    int mark = method.code.mark();
    int[] value = method.locals(method.state);
    new VertexBinding(method, missingState, null, null, value, method.state).inline();
    method.storeRow(method.vertex.state(), method.state, value);
    if (next != null) {
      method.storeRow(next, method.state, value);
    }
    method.code.release(mark);
  }
}
