package org.sparkgpugraph.engine.cpu;

import java.util.Map;
import java.util.WeakHashMap;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * How many supersteps over all edges the transposes that a partition lacks would have spared so
 * far, in all runs of an engine. Thread-safe.
 */
final class MissedTransposes {
  private final Map<GraphPartition, Integer> missed = new WeakHashMap<>();

  /** The supersteps of a partition. */
  synchronized int of(GraphPartition partition) {
    return missed.getOrDefault(partition, 0);
  }

  /** Counts one more. */
  synchronized void add(GraphPartition partition) {
    missed.merge(partition, 1, Integer::sum);
  }
}
