package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;

/** The loops over the values as the last superstep has left them. */
final class ResultMethods {
  private ResultMethods() {}

  /** The final aggregates. */
  static void writeFinalAggregates(KernelMethod method) {
    List<Aggregate> aggregates = method.program.finalAggregates();
    method.vertex.readState();
    method.vertex.readPartition();
    method.vertex.readBlockIds(aggregates);
    method.context.read(aggregates);
    TallyLocals tally = new TallyLocals(method, aggregates);
    method.vertex.readPresent();
    RowLoop.write(
        method,
        nextRow -> {
          int[] value = method.locals(method.state);
          for (int c = 0; c < value.length; c++) {
            method.vertex.loadState(null, c);
            method.code.store(method.state.get(c), value[c]);
          }
          tally.aggregate(value, value);
        });
    tally.store();
    method.leave();
  }

  /** The result function, into the result columns. */
  static void writeResult(KernelMethod method) {
    IrFunction function = method.program.resultFunction();
    List<ColumnType> kinds = method.program.result().columns();
    method.vertex.readState();
    method.vertex.readAttributes(function);
    int[] results = method.fields.columns("results", kinds);
    method.vertex.readPartition();
    method.vertex.readBlockIds(function);
    method.context.read(function);
    method.vertex.readPresent();
    RowLoop.write(
        method,
        nextRow -> {
          int[] value = method.locals(kinds);
          new VertexBinding(method, function, null, null, value, kinds).inline();
          method.storeRow(results, kinds, value);
        });
    method.leave();
  }
}
