package org.sparkgpugraph.engine.cpu.codegen;

import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.cpu.frame.SharedMerge;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * The send function of an edge whose source is the row: messages to the destination are merged into
 * its value, which other threads may do too.
 */
final class PushBinding extends SendBinding {
  /** What becomes of a vertex whose value a message has improved. */
  @FunctionalInterface
  interface Improved {
    /**
     * Writes the code.
     *
     * @param vertex slot of the vertex
     * @param message slot of the message
     */
    void write(int vertex, int message);
  }

  private final MergeAlgebra merge;
  private final boolean alone;
  private final Improved improved;
  private final int u;

  /**
   * @param alone whether no other thread merges meanwhile
   */
  PushBinding(
      KernelMethod method,
      EdgeLocals out,
      EdgeLoop loop,
      MergeAlgebra merge,
      boolean alone,
      Improved improved) {
    super(method, out, null, loop);
    this.merge = merge;
    this.alone = alone;
    this.improved = improved;
    u = loop.u();
  }

  /** Writes the code of an edge: vertices that do not exist get no message. */
  void edge() {
    Label missing = new Label();
    method.vertex.skipMissing(u, missing);
    inline();
    code.label(missing);
  }

  /** As pulled messages have it: at the vertex that would get the message. */
  @Override
  public void fail(CodeBuilder out, Insn.Fail fail) {
    method.fail(function, fail, u);
  }

  @Override
  public void emit(CodeBuilder out, Insn.Emit emit, int[] slots) {
    if (emit.side() != Side.DESTINATION) {
      return;
    }
    Label same = new Label();
    code.loadReference(method.vertex.state()[0]).loadInt(u);
    Kind kind = method.message.get(0).kind();
    code.load(kind, slots[0]);
    if (alone) {
      SharedMerge.writeAlone(code, merge, kind);
    } else {
      SharedMerge.write(code, merge, kind);
    }
    code.jump(Opcodes.IFEQ, same);
    improved.write(u, slots[0]);
    code.label(same);
  }
}
