package org.sparkgpugraph.engine.cpu.codegen;

import java.util.function.Consumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** The loop over the rows [from, to). */
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
}
