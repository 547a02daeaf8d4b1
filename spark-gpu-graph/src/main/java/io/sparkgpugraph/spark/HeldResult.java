package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.RunSummary;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.VertexIds;
import java.util.List;

/**
 * The values of a finished run in an executor's memory.
 *
 * @param values result columns by dense id
 * @param slots layout of the source's vertex partitions, see {@link HeldGraph#slots()}
 * @param ids mapping of the graph
 * @param summary what the run did
 */
record HeldResult(Columns values, List<int[]> slots, VertexIds ids, RunSummary summary) {}
