package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.KernelShape.Filter;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.fuse.FusedGather;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** The loops of a superstep: gather and apply, row by row. */
final class SuperstepMethod {
  /** Which rows and edges. */
  enum Rows {
    /** Rows [from, to), all edges. */
    ALL,

    /** Rows [from, to), the edges that activity selects. */
    FILTERED,

    /** Candidate rows in summary words [from, to), the edges that activity selects. */
    CANDIDATES,

    /** Of rows [from, to) those that may improve, each up to a message that attains the bound. */
    STOPPING
  }

  private final KernelMethod method;
  private final Rows rows;
  private final boolean sparse;
  private RowGather gather;
  private VertexApply apply;
  private EarlyStop stop;

  /** The edges that rows walk. */
  private List<EdgeLocals> sides;

  SuperstepMethod(KernelMethod method, Rows rows) {
    this.method = method;
    this.rows = rows;
    sparse = rows == Rows.CANDIDATES;
  }

  void write() {
    TallyLocals tally = readFrame();
    if (stop != null) {
      stop.openRows(sides, this::row);
    } else if (sparse) {
      RowLoop.candidates(method, this::row);
    } else {
      RowLoop.write(method, this::row);
    }
    tally.store();
    method.leave();
  }

  private TallyLocals readFrame() {
    LiftedProgram program = method.program;
    KernelShape shape = method.shape;
    method.vertex.readState();
    int[] next =
        shape.inPlace() ? method.vertex.state() : method.fields.columns("next", method.state);
    EdgeLocals in = shape.inRows() ? EdgeLocals.in(method) : null;
    EdgeLocals out = shape.outRows() ? EdgeLocals.out(method) : null;
    sides = Stream.of(in, out).filter(Objects::nonNull).toList();
    if (FunctionTraits.readsIds(program)) {
      method.vertex.readIds();
    }
    method.vertex.readPresent();
    stop = rows == Rows.STOPPING ? new EarlyStop(method) : null;
    boolean filters =
        rows != Rows.ALL && (shape.inFilter() != Filter.NONE || shape.outFilter() != Filter.NONE)
            || stop != null;
    BitmapLocals active = filters ? BitmapLocals.words(method, "active") : null;
    StatusLocals status = new StatusLocals(method, sparse);
    FusedGather fused = method.kernel.fused();
    if (fused == null) {
      method.context.read(program.send(), program.merge());
    } else {
      method.context.read(fused.functions().toArray(IrFunction[]::new));
      method.context.makeCopies(fused);
    }
    method.context.read(program.vertexProgram(), program.activeWhen());
    method.context.read(program.aggregates());
    method.context.makeMessageArrays();
    int[] emptyMessage =
        shape.everyVertex()
            ? method.fields.boxes("emptyMessage", method.kernel.kept(), method.message)
            : null;
    TallyLocals tally = new TallyLocals(method, program.aggregates());
    tally.countEdges();
    tally.countVertices();
    gather = new RowGather(method, in, out, rows != Rows.ALL, stop, active, tally);
    apply = new VertexApply(method, next, status, emptyMessage, tally);
    return tally;
  }

  private void row(Label nextRow) {
    CodeBuilder code = method.code;
    int mark = code.mark();
    Label notRun = new Label();
    MessageAccumulators message = gather.write(notRun);
    apply.write(message, notRun);
    code.jump(Opcodes.GOTO, nextRow);
    code.label(notRun);
    if (!sparse && !method.shape.inPlace()) {
      apply.copyUnchanged();
    }
    code.release(mark);
  }
}
