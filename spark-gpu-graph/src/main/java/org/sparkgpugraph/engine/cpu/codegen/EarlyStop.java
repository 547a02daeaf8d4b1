package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import java.util.function.Consumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.KernelShape.Filter;
import org.sparkgpugraph.engine.cpu.frame.MessageKey;
import org.sparkgpugraph.engine.cpu.frame.Tally;
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

  /** Whether all active vertices say the best message, and that message. */
  private final int alike;

  private final int best;

  /** Reads the bound from the frame. */
  EarlyStop(KernelMethod method) {
    this.method = method;
    code = method.code;
    bound = method.fields.number("bound", Kind.LONG);
    alike = method.fields.number("alike", Kind.BOOLEAN);
    Kind kind = method.state.get(0).kind();
    best = code.local(kind);
    code.load(Kind.LONG, bound);
    code.invokeStatic(
        MessageKey.class,
        kind.primitive().getName() + (isLeast(method) ? "OfLeast" : "OfMost"),
        kind.primitive(),
        long.class);
    code.store(kind, best);
  }

  /**
   * Whether rows of a program may stop early: messages depend on their sender's value alone and are
   * sent only if they improve the receiver, the least or largest wins in place, and who is not
   * active has nothing to say.
   */
  static boolean applies(LiftedProgram program, KernelShape shape) {
    return asks(program, shape) && ImprovingSends.ofSendersAlone(program).isPresent();
  }

  /**
   * Whether it can be said what a vertex sends at best, and who is not active has nothing to say:
   * as above, but messages may depend on an edge value, too.
   */
  static boolean asks(LiftedProgram program, KernelShape shape) {
    return shape.inPlace()
        && !shape.everyVertex()
        && !shape.gatherAll()
        && saysAll(shape.inRows(), shape.inFilter())
        && saysAll(shape.outRows(), shape.outFilter())
        && AtomicMerge.intoValue(program).filter(MergeAlgebra::isOrdered).isPresent()
        && ImprovingSends.of(program).isPresent();
  }

  private static boolean saysAll(boolean rows, Filter filter) {
    return !rows || filter == Filter.NEIGHBOUR || filter == Filter.NONE;
  }

  /**
   * Writes the loop over those of the rows [from, to), of which from is a multiple of 64, that have
   * edges and that the best message of a superstep improves. 64 rows at a time: which of them,
   * without a branch for each; then where their edges begin is read one behind the other, so that
   * all that is fetched at the same time; then they are walked, most of them up to one of the first
   * edges. A branch that nobody can foresee would otherwise wait for each row's line of memory.
   *
   * @param sides the edges that rows walk
   * @param body writes the code of a row; gets where the next row begins
   */
  void openRows(List<EdgeLocals> sides, Consumer<Label> body) {
    int from = KernelMethod.FROM;
    int end = code.local(Kind.INT);
    int word = code.local(Kind.INT);
    int open = code.local(Kind.LONG);
    int sum = method.zero();
    int v = method.vertex.allocate();
    Label words = new Label();
    Label nextRow = new Label();
    Label nextWord = new Label();
    Label done = new Label();
    code.label(words).loadInt(from).loadInt(KernelMethod.TO).jump(Opcodes.IF_ICMPGE, done);
    code.loadInt(from).push(64).op(Opcodes.IADD).loadInt(KernelMethod.TO);
    code.invokeStatic(Math.class, "min", int.class, int.class, int.class).storeInt(end);
    code.loadInt(from).push(6).op(Opcodes.IUSHR).storeInt(word);
    code.push(Kind.LONG, 0L).store(Kind.LONG, open);
    ask(sides, from, end, v, open);
    method.vertex.keepPresent(open, word);
    if (sides.size() == 1) {
      touch(sides.get(0), word, open, v, sum);
    }
    code.label(nextRow);
    RowLoop.takeLowestBit(code, open, word, v, nextWord);
    body.accept(nextRow);
    code.jump(Opcodes.GOTO, nextRow);
    code.label(nextWord).loadInt(end).storeInt(from).jump(Opcodes.GOTO, words);
    code.label(done).loadReference(method.tally).loadInt(sum);
    code.out().visitFieldInsn(Opcodes.PUTFIELD, Type.getInternalName(Tally.class), "touched", "I");
  }

  /** Sets the bits of the open rows among {@code [from, end)}. */
  private void ask(List<EdgeLocals> sides, int from, int end, int v, int open) {
    Label loop = new Label();
    Label asked = new Label();
    code.loadInt(from).storeInt(v);
    code.label(loop).loadInt(v).loadInt(end).jump(Opcodes.IF_ICMPGE, asked);
    code.load(Kind.LONG, open);
    pushOpen();
    for (int i = 0; i < sides.size(); i++) {
      // The sign bit of begin − end.
      int offsets = sides.get(i).offsets();
      code.loadReference(offsets).loadInt(v).op(Opcodes.IALOAD);
      code.loadReference(offsets).loadInt(v).push(1).op(Opcodes.IADD).op(Opcodes.IALOAD);
      code.op(Opcodes.ISUB);
      if (i > 0) {
        code.op(Opcodes.IOR);
      }
    }
    code.push(31).op(Opcodes.IUSHR).op(Opcodes.I2L).op(Opcodes.LAND);
    code.loadInt(v).op(Opcodes.LSHL).op(Opcodes.LOR).store(Kind.LONG, open);
    code.increment(v, 1).jump(Opcodes.GOTO, loop).label(asked);
  }

  /** Reads the first neighbour of each open row. */
  private void touch(EdgeLocals edges, int word, int open, int v, int sum) {
    int mark = code.mark();
    int rows = code.local(Kind.LONG);
    int e = code.local(Kind.INT);
    Label loop = new Label();
    Label touched = new Label();
    code.load(Kind.LONG, open).store(Kind.LONG, rows);
    code.label(loop);
    RowLoop.takeLowestBit(code, rows, word, v, touched);
    code.loadReference(edges.offsets()).loadInt(v).op(Opcodes.IALOAD);
    code.loadInt(edges.first()).op(Opcodes.ISUB).storeInt(e);
    code.loadInt(sum);
    if (edges.byAddress()) {
      code.loadAt(Kind.INT, edges.neighbours(), e);
    } else {
      code.loadReference(edges.neighbours()).loadInt(e).op(Opcodes.IALOAD);
    }
    code.op(Opcodes.IADD).storeInt(sum).jump(Opcodes.GOTO, loop).label(touched);
    code.release(mark);
  }

  /** Pushes 1 when the best message improves the row, else 0, as a LONG. */
  private void pushOpen() {
    method.vertex.loadState(null, 0);
    writeKey(method);
    code.load(Kind.LONG, bound);
    code.invokeStatic(MessageKey.class, "isBelow", long.class, long.class, long.class);
  }

  /** Jumps when a message is as good as any. */
  void jumpIfAttained(int message, Label attained) {
    code.load(method.state.get(0).kind(), message);
    writeKey(method);
    code.load(Kind.LONG, bound).op(Opcodes.LCMP).jump(Opcodes.IFGE, attained);
  }

  /**
   * Takes the best message and jumps, without a look at the sender, where all active vertices say
   * it: only of rows that walk one side, to which they do.
   */
  void takeIfAlike(MessageAccumulators message, Label attained) {
    Label unlike = new Label();
    code.loadInt(alike).jump(Opcodes.IFEQ, unlike);
    message.take(best);
    code.jump(Opcodes.GOTO, attained);
    code.label(unlike);
  }

  private static boolean isLeast(KernelMethod method) {
    return method.program.traits().merge().get(0) == MergeAlgebra.MIN;
  }

  /** Writes the call that makes the key of the value on the stack. */
  static void writeKey(KernelMethod method) {
    Class<?> type = method.state.get(0).kind().primitive();
    String name = isLeast(method) ? "ofLeast" : "ofMost";
    method.code.invokeStatic(MessageKey.class, name, long.class, type);
  }
}
