package io.sparkgpugraph.spark;

import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import java.util.List;

/**
 * A graph in an executor's memory, with what ties it to its source.
 *
 * @param graph structure
 * @param slots for each vertex partition of the source, dense id of each vertex in slot order: what
 *     the result is laid out by
 * @param attributes vertex attributes by dense id, or null when none were loaded
 */
record HeldGraph(ExecutorGraph graph, List<int[]> slots, Columns attributes) {}
