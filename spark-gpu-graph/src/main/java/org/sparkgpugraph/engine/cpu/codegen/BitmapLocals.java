package org.sparkgpugraph.engine.cpu.codegen;

import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** Slots of the arrays of a {@link VertexBitmap}, and the code of its operations. */
final class BitmapLocals {
  private static final int NONE = -1;

  private final CodeBuilder code;
  private final int words;
  private final int summary;

  private BitmapLocals(CodeBuilder code, int words, int summary) {
    this.code = code;
    this.words = words;
    this.summary = summary;
  }

  /** Of words in a local variable. */
  static BitmapLocals of(CodeBuilder code, int words) {
    return new BitmapLocals(code, words, NONE);
  }

  /** Of a field of the frame: the words only, whose summary is made later or not needed. */
  static BitmapLocals words(KernelMethod method, String field) {
    return of(method.code, method.fields.bitmapLevel(field, "words"));
  }

  /** Of a field of the frame: both levels. */
  static BitmapLocals summarised(KernelMethod method, String field) {
    int words = method.fields.bitmapLevel(field, "words");
    return new BitmapLocals(method.code, words, method.fields.bitmapLevel(field, "summary"));
  }

  int words() {
    return words;
  }

  int summary() {
    return summary;
  }

  /** Pushes {@code (int) (words[vertex >>> 6] >>> vertex) & 1}. */
  void test(int vertex) {
    code.loadReference(words).loadInt(vertex).push(6).op(Opcodes.IUSHR).op(Opcodes.LALOAD);
    code.loadInt(vertex).op(Opcodes.LUSHR).op(Opcodes.L2I).push(1).op(Opcodes.IAND);
  }

  /** {@code words[vertex >>> 6] |= 1L << vertex}, and the same one level up. */
  void set(int vertex) {
    code.loadReference(words).loadInt(vertex).push(6).op(Opcodes.IUSHR).op(Opcodes.DUP2);
    code.op(Opcodes.LALOAD).op(Opcodes.LCONST_1).loadInt(vertex).op(Opcodes.LSHL);
    code.op(Opcodes.LOR).op(Opcodes.LASTORE);
    if (summary != NONE) {
      code.loadReference(summary).loadInt(vertex).push(12).op(Opcodes.IUSHR).op(Opcodes.DUP2);
      code.op(Opcodes.LALOAD).op(Opcodes.LCONST_1);
      code.loadInt(vertex).push(6).op(Opcodes.IUSHR).op(Opcodes.LSHL).op(Opcodes.LOR);
      code.op(Opcodes.LASTORE);
    }
  }
}
