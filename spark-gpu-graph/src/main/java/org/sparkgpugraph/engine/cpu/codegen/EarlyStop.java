package org.sparkgpugraph.engine.cpu.codegen;

import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.KernelShape.Filter;
import org.sparkgpugraph.engine.cpu.frame.MessageKey;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.AtomicMerge;
import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * Rows that stop early: those that are as good as the best message of a superstep are not walked,
 * others up to the first message that is as good (bottom-up search, Beamer, Asanović and Patterson,
 * SC 2012, for every program of which this is proved).
 */
final class EarlyStop {
  private final KernelMethod method;
  private final CodeBuilder code;
  private final int bound;

  /** Reads the bound from the frame. */
  EarlyStop(KernelMethod method) {
    this.method = method;
    code = method.code;
    bound = method.fields.number("bound", Kind.LONG);
  }

  /**
   * Whether rows of a program may stop early: messages depend on their sender's value alone and are
   * sent only if they improve the receiver, the least or largest wins in place, and who is not
   * active has nothing to say.
   */
  static boolean applies(LiftedProgram program, KernelShape shape) {
    return shape.inPlace()
        && !shape.everyVertex()
        && !shape.gatherAll()
        && saysAll(shape.inRows(), shape.inFilter())
        && saysAll(shape.outRows(), shape.outFilter())
        && AtomicMerge.intoValue(program).filter(MergeAlgebra::isOrdered).isPresent()
        && ImprovingSends.ofSendersAlone(program).isPresent();
  }

  private static boolean saysAll(boolean rows, Filter filter) {
    return !rows || filter == Filter.NEIGHBOUR || filter == Filter.NONE;
  }

  /** Jumps when no message can improve the row. */
  void skipClosed(Label closed) {
    method.vertex.loadState(null, 0);
    jumpIfAttained(closed);
  }

  /** Jumps when a message is as good as any. */
  void jumpIfAttained(int message, Label attained) {
    code.load(method.state.get(0).kind(), message);
    jumpIfAttained(attained);
  }

  private void jumpIfAttained(Label attained) {
    writeKey(method);
    code.load(Kind.LONG, bound).op(Opcodes.LCMP).jump(Opcodes.IFGE, attained);
  }

  /** Writes the call that makes the key of the value on the stack. */
  static void writeKey(KernelMethod method) {
    Class<?> type = method.state.get(0).kind().primitive();
    boolean least = method.program.traits().merge().get(0) == MergeAlgebra.MIN;
    method.code.invokeStatic(MessageKey.class, least ? "ofLeast" : "ofMost", long.class, type);
  }
}
