package org.sparkgpugraph.engine.cpu.codegen;

import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** Runs the vertex program on a row's message and writes the new state. */
final class VertexApply {
  private final KernelMethod method;
  private final CodeBuilder code;
  private final LiftedProgram program;
  private final KernelShape shape;
  private final int[] next;
  private final StatusLocals status;
  private final int[] emptyMessage;
  private final TallyLocals tally;

  /**
   * @param next slots of the state columns to write
   * @param status bitmaps of what happened to the vertex
   * @param emptyMessage slots of the message where none came; null when the vertex does not run
   *     then
   */
  VertexApply(
      KernelMethod method, int[] next, StatusLocals status, int[] emptyMessage, TallyLocals tally) {
    this.method = method;
    this.next = next;
    this.status = status;
    this.emptyMessage = emptyMessage;
    this.tally = tally;
    code = method.code;
    program = method.program;
    shape = method.shape;
  }

  /**
   * Writes the code of a row.
   *
   * @param notRun where to go when the vertex does not run, or changes nothing in place
   */
  void write(MessageAccumulators message, Label notRun) {
    if (emptyMessage != null) {
      message.orElse(emptyMessage);
    } else {
      message.jumpIfNone(notRun);
    }
    tally.ran();
    List<ColumnType> state = method.state;
    int[] after = method.locals(state);
    new VertexBinding(method, program.vertexProgram(), null, message.slots(), after, state)
        .inline();
    tally.aggregate(null, after);
    int isActive = -1;
    if (program.activeWhen() != null) {
      isActive = code.local(Kind.INT);
      new VertexBinding(
              method,
              program.activeWhen(),
              null,
              after,
              new int[] {isActive},
              List.of(Kind.BOOLEAN))
          .inline();
    }
    if (shape.inPlace()) {
      Label differs = new Label();
      for (int c = 0; c < after.length; c++) {
        jumpIfChanged(c, after[c], differs);
      }
      code.jump(Opcodes.GOTO, notRun);
      code.label(differs);
    }
    if (shape.tracksChanges()) {
      markChange(after);
    }
    for (int c = 0; c < after.length; c++) {
      if (!method.isStable(c)) {
        method.storeRow(next[c], state.get(c), after[c]);
      }
    }
    status.setRan();
    Label inactive = new Label();
    if (isActive >= 0) {
      code.loadInt(isActive).jump(Opcodes.IFEQ, inactive);
    }
    tally.activated();
    status.setActive();
    code.label(inactive);
  }

  /** Makes the row of the columns to write what it is now. */
  void copyUnchanged() {
    for (int c = 0; c < next.length; c++) {
      if (!method.isStable(c)) {
        ColumnType type = method.state.get(c);
        int mark = code.mark();
        int value = code.local(type);
        method.vertex.loadState(null, c);
        code.store(type, value);
        method.storeRow(next[c], type, value);
        code.release(mark);
      }
    }
  }

  private void markChange(int[] after) {
    Label differs = new Label();
    Label same = new Label();
    for (int c : method.kernel.columns().shipped()) {
      jumpIfChanged(c, after[c], differs);
    }
    code.jump(Opcodes.GOTO, same);
    code.label(differs);
    status.setChanged();
    code.label(same);
  }

  /** Jumps when the bits of a column differ from those of the row. */
  private void jumpIfChanged(int c, int after, Label differs) {
    if (method.isStable(c)) {
      return;
    }
    ColumnType type = method.state.get(c);
    Kind kind = type.kind();
    if (type.isArray()) {
      end(type, () -> method.vertex.loadState(null, c));
      end(type, () -> code.load(type, after));
      Class<?> array = kind.primitive().arrayType();
      code.invokeStatic(
          Arrays.class,
          "mismatch",
          int.class,
          array,
          int.class,
          int.class,
          array,
          int.class,
          int.class);
      code.jump(Opcodes.IFGE, differs);
      return;
    }
    method.vertex.loadState(null, c);
    rawBits(kind);
    code.load(kind, after);
    rawBits(kind);
    if (CodeBuilder.isWide(kind)) {
      code.op(Opcodes.LCMP).jump(Opcodes.IFNE, differs);
    } else {
      code.jump(Opcodes.IF_ICMPNE, differs);
    }
  }

  /** Pushes an array, its first element and the end of it. */
  private void end(ColumnType type, Runnable load) {
    load.run();
    code.op(Opcodes.DUP).push(type.width()).op(Opcodes.IADD);
  }

  private void rawBits(Kind kind) {
    if (kind == Kind.FLOAT) {
      code.invokeStatic(Float.class, "floatToRawIntBits", int.class, float.class);
    } else if (kind == Kind.DOUBLE) {
      code.invokeStatic(Double.class, "doubleToRawLongBits", long.class, double.class);
    }
  }
}
