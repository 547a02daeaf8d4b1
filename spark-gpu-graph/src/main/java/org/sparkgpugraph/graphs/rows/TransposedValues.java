package org.sparkgpugraph.graphs.rows;

import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * Edge values in the order of transposes: kept as long as the structure that they are made from, so
 * that a graph's runs make them once. Thread-safe.
 */
public final class TransposedValues {
  /** Edges that are worth a thread. */
  private static final int LEAST_EDGES = 1 << 16;

  // A Csr equals itself only: what is made of it goes when it goes.
  private final Map<Csr, Map<Columns, Columns>> made = new WeakHashMap<>();

  /**
   * The values of the edges of one side in the order of their transpose.
   *
   * @param edges rows by one end
   * @param values of these edges
   * @param transpose the same edges by their other end, the neighbours of each row ascending
   */
  public synchronized Columns of(Csr edges, Columns values, Csr transpose, int threads) {
    return made.computeIfAbsent(transpose, t -> new WeakHashMap<>())
        .computeIfAbsent(values, v -> inOrderOf(edges, v, transpose, threads));
  }

  /** Each thread reads all neighbours, in order, and places the edges of some rows. */
  private static Columns inOrderOf(Csr edges, Columns values, Csr transpose, int threads) {
    int[] neighbours = edges.neighbours();
    int[] offsets = transpose.offsets();
    int[] from = new int[values.length()];
    Columns ordered = Columns.allocate(values.kinds(), from.length);
    int parts = Math.min(threads, 1 + from.length / LEAST_EDGES);
    try (Workers workers = new Workers(parts)) {
      workers.run(
          parts,
          part -> {
            int first = firstRow(transpose, part, parts);
            int end = firstRow(transpose, part + 1, parts);
            int[] place = Arrays.copyOfRange(offsets, first, end);
            for (int e = 0; e < from.length; e++) {
              int row = neighbours[e];
              if (row >= first && row < end) {
                from[place[row - first]++] = e;
              }
            }
            for (int c = 0; c < values.width(); c++) {
              int width = values.kinds().get(c).width();
              ColumnCopy.copy(
                  values.array(c),
                  width,
                  from,
                  offsets[first],
                  offsets[end],
                  ordered.array(c),
                  null);
            }
          });
    }
    return ordered;
  }

  /** The first row of a part, so that all have about as many edges. */
  private static int firstRow(Csr rows, int part, int parts) {
    if (part == parts) {
      return rows.rows();
    }
    int at = Arrays.binarySearch(rows.offsets(), (int) ((long) rows.edges() * part / parts));
    return part == 0 ? 0 : Math.min(rows.rows(), at < 0 ? ~at : at);
  }
}
