package org.sparkgpugraph.engine;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Role;

/** The size of the edge values that a program sends, from which widths of buckets are chosen. */
public final class MeanEdgeValue {
  /** Edges whose values are looked at. */
  private static final int SAMPLE = 4096;

  private MeanEdgeValue() {}

  /**
   * The mean size of the first edge value that the send function reads, of some thousand edges.
   *
   * @param edges values of a partition's edges; null: none were loaded
   * @return 0 when it reads none, there is none, or their sum is no finite number
   */
  public static double of(LiftedProgram program, Columns edges) {
    Columns values = edges == null ? null : edges.sample();
    for (int c = 0; values != null && c < program.edge().columns().size(); c++) {
      if (program.send().reads(Role.EDGE, c)) {
        int step = values.length() / SAMPLE + 1;
        double sum = 0;
        int count = 0;
        for (int e = 0; e < values.length(); e += step, count++) {
          Object value = values.get(c, e);
          sum += value instanceof Number number ? Math.abs(number.doubleValue()) : 1;
        }
        return count > 0 && Double.isFinite(sum) ? sum / count : 0;
      }
    }
    return 0;
  }
}
