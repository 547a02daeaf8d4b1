package org.sparkgpugraph.engine.intersect;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/** Walks the neighbourhoods of all vertices that an executor graph holds, by all threads. */
final class Rows {
  /** Vertices that a thread takes at a time. */
  private static final int CHUNK = 512;

  private final ExecutorGraph graph;
  private final WorkerTeam team;

  Rows(ExecutorGraph graph, WorkerTeam team) {
    this.graph = graph;
    this.team = team;
  }

  /** Something done with a neighbourhood. */
  interface Visitor {
    /**
     * @param dense id of the vertex
     * @param row its neighbourhood, until the next call
     */
    void visit(int dense, MergedRow row);
  }

  /** Visits every vertex once; those of different threads at the same time. */
  void forEach(Visitor visitor) {
    forEach(() -> visitor);
  }

  /**
   * The same by visitors of which each thread has its own.
   *
   * @param visitors makes one, for a thread and partition
   */
  void forEach(Supplier<Visitor> visitors) {
    for (GraphPartition partition : graph.partitions()) {
      // Made here once, not by whichever thread comes first.
      partition.outEdges();
      AtomicInteger next = new AtomicInteger();
      int first = (int) partition.firstVertex();
      int stored = partition.stored();
      team.run(
          member -> {
            Visitor visitor = visitors.get();
            MergedRow row = new MergedRow(partition, graph.ids().ascending());
            int from = next.getAndAdd(CHUNK);
            while (from >= 0 && from < stored && !team.stopped()) {
              int to = Math.min(stored, from + CHUNK);
              for (int v = from; v < to; v++) {
                row.load(v);
                visitor.visit(first + v, row);
              }
              from = next.getAndAdd(CHUNK);
            }
          });
    }
  }
}
