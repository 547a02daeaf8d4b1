package org.sparkgpugraph.engine.cpu.codegen.locals;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;
import org.sparkgpugraph.program.jvm.CodeFault;

/**
 * One method of a {@link CpuKernel} while it is written: the program, where the code goes and what
 * all parts of the code share. Throughout, v is the row's vertex, u the other end of an edge, e an
 * edge's index in its row.
 */
public final class KernelMethod {
  /** First row of the block, or first summary word; the parameter itself is counted up. */
  public static final int FROM = 3;

  /** End of the block, exclusive. */
  public static final int TO = 4;

  public final LiftedProgram program;
  public final KernelShape shape;
  public final boolean[] stable;

  /** State columns whose changes are recorded. */
  public final int[] shipped;

  /** What edges read of their other ends from copies. */
  public final Interleaving interleaving;

  /** Takes the functions; null when they are inlined. */
  public final Outlines outlines;

  public final CodeBuilder code;
  public final List<Kind> state;
  public final List<Kind> message;

  /** Slot of the {@link KernelFrame}. */
  public final int frame;

  /** Slot of the {@link Tally}. */
  public final int tally;

  public final FrameFields fields;
  public final ContextLocals context;
  public final VertexLocals vertex;
  private final List<FaultSite> sites;

  /**
   * A method of the interface, over a block of rows.
   *
   * @param outlines takes the functions, or null to inline them
   * @param sites collects the fault sites
   */
  public KernelMethod(
      LiftedProgram program,
      KernelShape shape,
      boolean[] stable,
      int[] shipped,
      Interleaving interleaving,
      Outlines outlines,
      List<FaultSite> sites,
      CodeBuilder code) {
    this(program, shape, stable, shipped, interleaving, outlines, sites, code, 1, 2, FROM);
  }

  private KernelMethod(
      LiftedProgram program,
      KernelShape shape,
      boolean[] stable,
      int[] shipped,
      Interleaving interleaving,
      Outlines outlines,
      List<FaultSite> sites,
      CodeBuilder code,
      int frame,
      int tally,
      int v) {
    this.program = program;
    this.shape = shape;
    this.stable = stable;
    this.shipped = shipped;
    this.interleaving = interleaving;
    this.outlines = outlines;
    this.sites = sites;
    this.code = code;
    this.frame = frame;
    this.tally = tally;
    state = program.state().columns();
    message = program.message().columns();
    fields = new FrameFields(code, frame);
    context = new ContextLocals(this);
    vertex = new VertexLocals(this, v);
  }

  /** The static method of an outlined function; frame, tally and v follow its arguments. */
  public KernelMethod outlined(CodeBuilder out, int arguments) {
    return new KernelMethod(
        program,
        shape,
        stable,
        shipped,
        interleaving,
        outlines,
        sites,
        out,
        arguments,
        arguments + 1,
        arguments + 2);
  }

  /** An INT local variable that starts at 0. */
  public int zero() {
    int slot = code.local(Kind.INT);
    code.push(0).storeInt(slot);
    return slot;
  }

  /** A local variable per column. */
  public int[] locals(List<Kind> kinds) {
    int[] slots = new int[kinds.size()];
    for (int c = 0; c < slots.length; c++) {
      slots[c] = code.local(kinds.get(c));
    }
    return slots;
  }

  /** Stores a local variable into the row v of a column. */
  public void storeRow(int column, Kind kind, int value) {
    code.loadReference(column).loadInt(vertex.v()).load(kind, value).arrayStore(kind);
  }

  /** Throws the fault of an instruction, at the row v. */
  public void fail(IrFunction function, Insn.Fail fail) {
    fail(function, fail, vertex.v());
  }

  /**
   * The same at another vertex.
   *
   * @param at slot of its index
   */
  public void fail(IrFunction function, Insn.Fail fail, int at) {
    code.push(sites.size()).loadInt(at);
    code.invokeStatic(CodeFault.class, "at", CodeFault.class, int.class, int.class);
    code.op(Opcodes.ATHROW);
    sites.add(new FaultSite(function.name(), fail));
  }

  /** A body for what a program of this shape never calls. */
  public void unsupported() {
    code.out().visitTypeInsn(Opcodes.NEW, "java/lang/UnsupportedOperationException");
    code.op(Opcodes.DUP);
    code.out()
        .visitMethodInsn(
            Opcodes.INVOKESPECIAL,
            "java/lang/UnsupportedOperationException",
            "<init>",
            "()V",
            false);
    code.op(Opcodes.ATHROW);
  }

  /** The return instruction. */
  public void leave() {
    code.op(Opcodes.RETURN);
  }
}
