package org.sparkgpugraph.graphs.build;

import java.util.List;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RemoteBoundary;

/**
 * What an executor graph knows of the ghosts that other shards hold.
 *
 * @param imports see {@link ExecutorGraph#imports()}
 * @param inDegrees over the whole graph, by {@link CsrExecutorGraph#remoteIndex}
 * @param outDegrees likewise
 */
public record RemoteGhosts(List<RemoteBoundary> imports, int[] inDegrees, int[] outDegrees) {
  /** Of a graph without other shards. */
  static RemoteGhosts none() {
    return new RemoteGhosts(List.of(), new int[0], new int[0]);
  }

  /** Bytes of boundary lists. */
  static long bytes(List<RemoteBoundary> lists) {
    return lists.stream().mapToLong(l -> 4L * l.list().size()).sum();
  }

  /** Bytes held. */
  long bytes() {
    return bytes(imports) + 4L * inDegrees.length + 4L * outDegrees.length;
  }
}
