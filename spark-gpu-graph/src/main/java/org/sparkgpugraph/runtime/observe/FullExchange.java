package org.sparkgpugraph.runtime.observe;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RemoteBoundary;

/**
 * What a superstep would move if every vertex were told to every other partition (ALL of Khorasani
 * 2016): the yardstick of the refined exchange.
 */
final class FullExchange {
  private FullExchange() {}

  /** Bytes for a whole graph. */
  static long bytes(long vertices, int partitions, int rowBytes) {
    return vertices * (partitions - 1) * rowBytes;
  }

  /**
   * Bytes that one executor would send: of other executors' partitions those count that read
   * anything from here.
   */
  static long bytes(ExecutorGraph graph, int rowBytes) {
    Set<List<Integer>> readers = new HashSet<>();
    for (RemoteBoundary remote : graph.exports()) {
      readers.add(List.of(remote.peer(), remote.list().reader()));
    }
    return bytes(graph.heldVertices(), graph.partitions().size() + readers.size(), rowBytes);
  }
}
