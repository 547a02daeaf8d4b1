package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;
import org.sparkgpugraph.engine.cpu.frame.FrameFields;
import org.sparkgpugraph.engine.cpu.frame.KernelColumns;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.fuse.FusedGather;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.FaultSite;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CodeBuilder;
import org.sparkgpugraph.program.jvm.CodeFault;

/**
 * One method of a {@link CpuKernel} while it is written: the program, where the code goes and what
 * all parts of the code share. Throughout, v is the row's vertex, u the other end of an edge, e an
 * edge's index in its row.
 */
final class KernelMethod {
  /**
   * What all methods of a kernel share while it is written.
   *
   * @param program what the kernel does
   * @param kept which columns of the run's messages its messages have
   * @param shape what it is generated for
   * @param columns the columns that it reads and writes
   * @param outlined calls the functions; null when they are inlined
   * @param fused the functions of a superstep that makes no arrays of messages; null where it does
   * @param sites collects the places where the program can stop itself
   */
  record Kernel(
      LiftedProgram program,
      List<Integer> kept,
      KernelShape shape,
      KernelColumns columns,
      OutlinedMethod.Caller outlined,
      FusedGather fused,
      List<FaultSite> sites) {}

  /** First row of the block, or first summary word; the parameter itself is counted up. */
  static final int FROM = 3;

  /** End of the block, exclusive. */
  static final int TO = 4;

  /** What all methods of the kernel share. */
  final Kernel kernel;

  final LiftedProgram program;
  final KernelShape shape;
  final CodeBuilder code;
  final List<ColumnType> state;
  final List<ColumnType> message;

  /** Slot of the {@link KernelFrame}. */
  final int frame;

  /** Slot of the {@link Tally}. */
  final int tally;

  final FrameFields fields;
  final ContextLocals context;
  final VertexLocals vertex;

  /** A method of the interface, over a block of rows. */
  KernelMethod(Kernel kernel, CodeBuilder code) {
    this(kernel, code, 1, FROM);
  }

  private KernelMethod(Kernel kernel, CodeBuilder code, int frame, int v) {
    this.kernel = kernel;
    this.code = code;
    this.frame = frame;
    tally = frame + 1;
    program = kernel.program();
    shape = kernel.shape();
    state = program.state().columns();
    message = program.message().columns();
    fields = new FrameFields(code, frame);
    context = new ContextLocals(this);
    vertex = new VertexLocals(this, v);
  }

  /** The static method of an outlined function; frame, tally and v follow its arguments. */
  KernelMethod outlined(CodeBuilder out, int arguments) {
    return new KernelMethod(kernel, out, arguments, arguments + 2);
  }

  /** The send function of a superstep, for the messages to one end. */
  IrFunction send(Side side) {
    return kernel.fused() == null ? program.send() : kernel.fused().sends().get(side);
  }

  /** Whether a state column needs no second buffer, and is not written. */
  boolean isStable(int column) {
    return kernel.columns().stable()[column];
  }

  /** An INT local variable that starts at 0. */
  int zero() {
    int slot = code.local(Kind.INT);
    code.push(0).storeInt(slot);
    return slot;
  }

  /** A local variable per column. */
  int[] locals(List<ColumnType> kinds) {
    return kinds.stream().mapToInt(code::local).toArray();
  }

  /** Stores a local variable into the row v of a column. */
  void storeRow(int column, ColumnType type, int value) {
    code.storeRow(type, column, vertex.v(), value);
  }

  /** Stores local variables into the row v of columns. */
  void storeRow(int[] columns, List<ColumnType> kinds, int[] values) {
    for (int c = 0; c < values.length; c++) {
      storeRow(columns[c], kinds.get(c), values[c]);
    }
  }

  /** Throws the fault of an instruction, at the row v. */
  void fail(IrFunction function, Insn.Fail fail) {
    fail(function, fail, vertex.v());
  }

  /**
   * The same at another vertex.
   *
   * @param at slot of its index
   */
  void fail(IrFunction function, Insn.Fail fail, int at) {
    code.push(kernel.sites().size()).loadInt(at);
    code.invokeStatic(CodeFault.class, "at", CodeFault.class, int.class, int.class);
    code.op(Opcodes.ATHROW);
    kernel.sites().add(new FaultSite(function.name(), fail));
  }

  /** The return instruction. */
  void leave() {
    code.op(Opcodes.RETURN);
  }
}
