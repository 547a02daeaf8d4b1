package org.sparkgpugraph.engine;

import java.util.List;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.run.ExchangeVolume;

/** What a superstep would move without refinement, as {@link RefinedUpdates} are laid out. */
public final class UnrefinedExchange {
  private UnrefinedExchange() {}

  /** Between the partitions of an executor graph. */
  public static ExchangeVolume inside(ExecutorGraph graph, LiftedProgram program) {
    return of(graph, graph.boundaries(), program);
  }

  /** From an executor graph to others. */
  public static ExchangeVolume outgoing(ExecutorGraph graph, LiftedProgram program) {
    return of(graph, graph.exports().stream().map(RemoteBoundary::list).toList(), program);
  }

  private static ExchangeVolume of(
      ExecutorGraph graph, List<BoundaryList> lists, LiftedProgram program) {
    int rowBytes = FunctionTraits.shippedBytes(program);
    long boundary = 0;
    long all = 0;
    for (BoundaryList list : lists) {
      int stored = graph.partitions().get(list.home()).stored();
      boundary += RefinedUpdates.bytes(list.size(), list.size(), rowBytes);
      all += RefinedUpdates.bytes(stored, stored, rowBytes);
    }
    return new ExchangeVolume(boundary, all);
  }
}
