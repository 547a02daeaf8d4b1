package io.sparkgpugraph.spark;

import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import java.util.List;

/**
 * A graph in an executor's memory, with what ties it to its source.
 *
 * @param graph structure
 * @param layouts one for each vertex partition of the source; empty when the source has none
 * @param attributes vertex attributes by dense id, or null when none were loaded
 */
record HeldGraph(ExecutorGraph graph, List<VertexLayout> layouts, Columns attributes) {}
