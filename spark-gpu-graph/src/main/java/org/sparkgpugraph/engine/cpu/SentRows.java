package org.sparkgpugraph.engine.cpu;

import java.util.function.Supplier;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.rows.PushRows;
import org.sparkgpugraph.graphs.rows.TransposedValues;

/**
 * The rows over which a partition's vertices push, and the values of their edges.
 *
 * @param csr a row for each vertex that pushes
 * @param edgeValues in the order of the rows, made when they are first asked for; null when none
 *     were loaded
 */
record SentRows(Csr csr, Supplier<Columns> edgeValues) {
  /** Those of a partition that is a graph: its out-edges. */
  static SentRows of(GraphPartition partition) {
    PushRows rows = PushRows.of(partition);
    return new SentRows(rows.csr(), rows::values);
  }

  /**
   * Those of a part of a graph: of held vertices and of ghosts the edges to held ones. So each
   * message is merged where its receiver is held.
   */
  static SentRows ofPart(GraphPartition partition, TransposedValues transposed, int threads) {
    Csr transpose = partition.inTranspose();
    return new SentRows(
        transpose,
        () -> {
          Columns values = partition.inEdgeValues();
          return values == null
              ? null
              : transposed.of(partition.inEdges(), values, transpose, threads);
        });
  }

  Columns values() {
    return edgeValues.get();
  }
}
