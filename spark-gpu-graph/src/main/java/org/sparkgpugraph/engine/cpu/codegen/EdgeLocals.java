package org.sparkgpugraph.engine.cpu.codegen;

import org.sparkgpugraph.engine.cpu.frame.Interleaving;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * Slots of the edges of all rows, in one direction (compressed sparse rows).
 *
 * @param side messages that are pulled over these edges: to the destination over in-edges
 * @param offsets {@code int[rows + 1]}: first edge of each row
 * @param first the edge that the arrays of edges begin with
 * @param neighbours {@code int[edges]}: the other end
 * @param values columns of the edge values that the send function reads; -1 for the others
 * @param wide {@code double[]} of the neighbours' {@linkplain Interleaving interleaved} columns; -1
 *     where there are none
 * @param wideColumns the state columns in it
 */
record EdgeLocals(
    Side side, int offsets, int first, int neighbours, int[] values, int wide, int[] wideColumns) {

  /** In-edges, read from the frame. */
  static EdgeLocals in(KernelMethod method) {
    return read(method, Side.DESTINATION, "inOffsets", "inFirst", "inSources", "inEdges", "inWide");
  }

  /** Out-edges, read from the frame. */
  static EdgeLocals out(KernelMethod method) {
    return read(
        method, Side.SOURCE, "outOffsets", "outFirst", "outDestinations", "outEdges", "outWide");
  }

  private static EdgeLocals read(
      KernelMethod method,
      Side side,
      String offsets,
      String first,
      String neighbours,
      String values,
      String wide) {
    int[] wideColumns = method.kernel.columns().wide(side);
    return new EdgeLocals(
        side,
        method.fields.reference(offsets, int[].class),
        method.fields.number(first, Kind.INT),
        method.fields.reference(neighbours, int[].class),
        method.fields.columnsRead(
            values, method.program.edge().columns(), Role.EDGE, method.program.send()),
        wideColumns.length == 0 ? -1 : method.fields.reference(wide, double[].class),
        wideColumns);
  }
}
