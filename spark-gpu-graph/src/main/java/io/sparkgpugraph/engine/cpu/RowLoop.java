package io.sparkgpugraph.engine.cpu;

import io.sparkgpugraph.program.jvm.CodeBuilder;
import java.util.function.Consumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/** The loop over the rows [from, to) whose vertices exist. */
final class RowLoop {
  private RowLoop() {}

  /**
   * @param body writes the code of a row; gets where the next row begins
   */
  static void write(KernelMethod method, Consumer<Label> body) {
    CodeBuilder code = method.code;
    int v = method.vertex.v();
    Label loop = new Label();
    Label end = new Label();
    Label nextRow = new Label();
    code.label(loop).loadInt(v).loadInt(KernelMethod.TO).jump(Opcodes.IF_ICMPGE, end);
    method.vertex.skipMissing(nextRow);
    body.accept(nextRow);
    code.label(nextRow).increment(v, 1).jump(Opcodes.GOTO, loop);
    code.label(end);
  }
}
