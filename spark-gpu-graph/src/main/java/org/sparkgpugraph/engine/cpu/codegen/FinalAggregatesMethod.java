package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.sparkgpugraph.program.Aggregate;

/** The final aggregates, of the values as they are. */
final class FinalAggregatesMethod {
  private final KernelMethod method;

  FinalAggregatesMethod(KernelMethod method) {
    this.method = method;
  }

  void write() {
    List<Aggregate> aggregates = method.program.finalAggregates();
    method.vertex.readState();
    method.vertex.readPartition();
    method.vertex.readBlockIds(aggregates);
    method.context.read(aggregates);
    TallyLocals tally = new TallyLocals(method, aggregates);
    method.vertex.readPresent();
    RowLoop.write(method, nextRow -> row(tally));
    tally.store();
    method.leave();
  }

  private void row(TallyLocals tally) {
    int[] value = method.locals(method.state);
    for (int c = 0; c < value.length; c++) {
      method.vertex.loadState(null, c);
      method.code.store(method.state.get(c), value[c]);
    }
    tally.aggregate(value, value);
  }
}
