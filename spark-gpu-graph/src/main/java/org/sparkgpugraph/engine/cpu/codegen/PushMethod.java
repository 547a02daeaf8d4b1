package org.sparkgpugraph.engine.cpu.codegen;

import java.util.Optional;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.KernelShape.Filter;
import org.sparkgpugraph.engine.cpu.frame.SharedMerge;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.AtomicMerge;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * The loop of a superstep that pushes: active vertices walk their out-edges and merge messages into
 * the receivers' values; a receiver whose value changes becomes active in the next superstep. If
 * its turn is still to come in this one it sends its newest value then, and is not active any more.
 */
public final class PushMethod {
  private final KernelMethod method;
  private final CodeBuilder code;
  private final MergeAlgebra merge;

  /** Slot of the {@link VertexBitmap} of those active next. */
  private int nextActive;

  PushMethod(KernelMethod method, MergeAlgebra merge) {
    this.method = method;
    this.merge = merge;
    code = method.code;
  }

  /**
   * By which operation a program's messages are merged into values, if they go along out-edges
   * only; empty: they are pulled. Programs with updates for other partitions are not pushed.
   */
  public static Optional<MergeAlgebra> merge(LiftedProgram program, KernelShape shape) {
    boolean along =
        shape.inRows()
            && !shape.outRows()
            && (shape.inFilter() == Filter.NEIGHBOUR || shape.inFilter() == Filter.NONE);
    return along
            && shape.inPlace()
            && !shape.everyVertex()
            && !shape.gatherAll()
            && !shape.tracksChanges()
        ? AtomicMerge.intoValue(program)
        : Optional.empty();
  }

  /** Writes the loop over the active vertices in words {@code [from, to)}. */
  void write() {
    LiftedProgram program = method.program;
    method.vertex.readState();
    EdgeLocals out = EdgeLocals.out(method);
    if (FunctionTraits.readsIds(program)) {
      method.vertex.readIds();
    }
    method.vertex.readPresent();
    method.context.read(program.send());
    nextActive = method.fields.reference("nextActive", VertexBitmap.class);
    TallyLocals tally = new TallyLocals(method, program.aggregates());
    tally.countEdges();
    CandidateLoop.words(method, "active", () -> row(out, tally));
    tally.store();
    method.leave();
  }

  private void row(EdgeLocals out, TallyLocals tally) {
    int mark = code.mark();
    Label done = new Label();
    code.loadReference(nextActive).loadInt(method.vertex.v());
    code.invokeVirtual(VertexBitmap.class, "removeShared", void.class, int.class);
    Kind kind = method.state.get(0).kind();
    int value = code.local(kind);
    code.loadReference(method.vertex.state()[0]).loadInt(method.vertex.v());
    SharedMerge.writeRead(code, kind);
    code.store(kind, value);
    skipUseless(out, value, done);
    EdgeLoop loop = new EdgeLoop(method, out, Filter.NONE, null, -1);
    loop.begin(done);
    PushBinding host = new PushBinding(method, out, loop, merge, nextActive);
    host.rowValue(value);
    host.loadRowValues();
    tally.edges(loop.e(), loop.end());
    loop.write(done, host::edge);
    code.release(mark);
  }

  /** Goes on with the next row when the vertex could improve no value, not even the worst. */
  private void skipUseless(EdgeLocals out, int value, Label done) {
    if (AtomicMerge.sendsOnlyImprovements(method.program)) {
      int improves = method.zero();
      ImprovementBinding host = new ImprovementBinding(method, out, improves);
      host.rowValue(value);
      host.loadRowValues();
      host.inline();
      code.loadInt(improves).jump(Opcodes.IFEQ, done);
    }
  }
}
