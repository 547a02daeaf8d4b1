package org.sparkgpugraph.engine.cpu.codegen;

import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** The loops over rows: over all of [from, to), or those that are in a bitmap. */
final class RowLoop {
  private RowLoop() {}

  /**
   * Only rows whose vertices exist.
   *
   * @param body writes the code of a row; gets where the next row begins
   */
  static void write(KernelMethod method, Consumer<Label> body) {
    write(method, body, null);
  }

  /**
   * All rows.
   *
   * @param body as above
   * @param missing writes the code of a row whose vertex does not exist; null: nothing
   */
  static void write(KernelMethod method, Consumer<Label> body, Runnable missing) {
    CodeBuilder code = method.code;
    int v = method.vertex.v();
    Label loop = new Label();
    Label end = new Label();
    Label nextRow = new Label();
    code.label(loop).loadInt(v).loadInt(KernelMethod.TO).jump(Opcodes.IF_ICMPGE, end);
    if (missing == null) {
      method.vertex.skipMissing(nextRow);
      body.accept(nextRow);
    } else {
      Label absent = new Label();
      method.vertex.skipMissing(absent);
      body.accept(nextRow);
      code.jump(Opcodes.GOTO, nextRow).label(absent);
      missing.run();
    }
    code.label(nextRow).increment(v, 1).jump(Opcodes.GOTO, loop);
    code.label(end);
  }

  /**
   * The loop over the candidates of a sparse superstep: set bits of the words that the set bits of
   * the summary words [from, to) name. The next word is read when the one before has no bit left.
   *
   * @param body writes the code of a row; gets where the next row begins
   */
  static void candidates(KernelMethod method, Consumer<Label> body) {
    CodeBuilder code = method.code;
    BitmapLocals candidates = BitmapLocals.summarised(method, "candidates");
    int summaryWord = code.local(Kind.LONG);
    int word = code.local(Kind.INT);
    int candidateWord = code.local(Kind.LONG);
    int v = method.vertex.allocate();
    Label end = new Label();
    Label summaryLoop = new Label();
    Label summaryNext = new Label();
    Label wordLoop = new Label();
    Label nextRow = new Label();
    int from = KernelMethod.FROM;
    code.label(summaryLoop).loadInt(from).loadInt(KernelMethod.TO).jump(Opcodes.IF_ICMPGE, end);
    loadWord(code, candidates.summary(), from, summaryWord);
    code.label(wordLoop);
    takeLowestBit(code, summaryWord, from, word, summaryNext);
    loadWord(code, candidates.words(), word, candidateWord);
    code.label(nextRow);
    takeLowestBit(code, candidateWord, word, v, wordLoop);
    method.vertex.skipMissing(nextRow);
    body.accept(nextRow);
    code.jump(Opcodes.GOTO, nextRow);
    code.label(summaryNext).increment(from, 1).jump(Opcodes.GOTO, summaryLoop);
    code.label(end);
  }

  /**
   * The loop over the set bits of the words [from, to) of another bitmap; missing vertices have
   * none.
   *
   * @param body writes the code of a row, behind which the next one begins
   */
  static void members(KernelMethod method, String bitmap, Runnable body) {
    members(method, BitmapLocals.words(method, bitmap), () -> {}, body, () -> {});
  }

  /**
   * The same loop, behind which the bitmap has those rows that the body keeps.
   *
   * @param body writes the code of a row; gets the slot of the word of bits that are kept
   */
  static void keepMembers(KernelMethod method, String bitmap, IntConsumer body) {
    CodeBuilder code = method.code;
    BitmapLocals members = BitmapLocals.words(method, bitmap);
    int kept = code.local(Kind.LONG);
    members(
        method,
        members,
        () -> code.push(Kind.LONG, 0L).store(Kind.LONG, kept),
        () -> body.accept(kept),
        () -> {
          code.loadReference(members.words()).loadInt(KernelMethod.FROM);
          code.load(Kind.LONG, kept).op(Opcodes.LASTORE);
        });
  }

  /**
   * @param before writes what is done before the rows of a word that has any
   * @param behind … and behind them
   */
  private static void members(
      KernelMethod method, BitmapLocals members, Runnable before, Runnable body, Runnable behind) {
    CodeBuilder code = method.code;
    int word = code.local(Kind.LONG);
    int v = method.vertex.allocate();
    Label end = new Label();
    Label wordLoop = new Label();
    Label wordEnd = new Label();
    Label wordNext = new Label();
    Label nextRow = new Label();
    int from = KernelMethod.FROM;
    code.label(wordLoop).loadInt(from).loadInt(KernelMethod.TO).jump(Opcodes.IF_ICMPGE, end);
    loadWord(code, members.words(), from, word);
    code.load(Kind.LONG, word).op(Opcodes.LCONST_0).op(Opcodes.LCMP);
    code.jump(Opcodes.IFEQ, wordNext);
    before.run();
    code.label(nextRow);
    takeLowestBit(code, word, from, v, wordEnd);
    body.run();
    code.jump(Opcodes.GOTO, nextRow);
    code.label(wordEnd);
    behind.run();
    code.label(wordNext).increment(from, 1).jump(Opcodes.GOTO, wordLoop);
    code.label(end);
  }

  private static void loadWord(CodeBuilder code, int words, int index, int word) {
    code.loadReference(words).loadInt(index).op(Opcodes.LALOAD).store(Kind.LONG, word);
  }

  /** {@code result = index << 6 | lowest bit of word}, which is cleared; jumps when it has none. */
  static void takeLowestBit(CodeBuilder code, int word, int index, int result, Label none) {
    code.load(Kind.LONG, word).op(Opcodes.LCONST_0).op(Opcodes.LCMP).jump(Opcodes.IFEQ, none);
    code.loadInt(index).push(6).op(Opcodes.ISHL).load(Kind.LONG, word);
    code.invokeStatic(Long.class, "numberOfTrailingZeros", int.class, long.class);
    code.op(Opcodes.IADD).storeInt(result);
    code.load(Kind.LONG, word).op(Opcodes.DUP2).op(Opcodes.LCONST_1).op(Opcodes.LSUB);
    code.op(Opcodes.LAND).store(Kind.LONG, word);
  }
}
