package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;

/** The result function, into the result columns. */
final class ResultMethod {
  private final KernelMethod method;
  private final IrFunction function;
  private final List<ColumnType> kinds;

  ResultMethod(KernelMethod method) {
    this.method = method;
    function = method.program.resultFunction();
    kinds = method.program.result().columns();
  }

  void write() {
    method.vertex.readState();
    method.vertex.readAttributes(function);
    int[] results = method.fields.columns("results", kinds);
    method.vertex.readPartition();
    method.vertex.readBlockIds(function);
    method.context.read(function);
    method.vertex.readPresent();
    RowLoop.write(method, nextRow -> row(results));
    method.leave();
  }

  private void row(int[] results) {
    int[] value = method.locals(kinds);
    new VertexBinding(method, function, null, null, value, kinds).inline();
    method.storeRow(results, kinds, value);
  }
}
