package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.sparkgpugraph.engine.cpu.frame.FrameFields;
import org.sparkgpugraph.engine.cpu.frame.Interleaving;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * Slots of the edges of all rows, in one direction (compressed sparse rows).
 *
 * @param side messages that are pulled over these edges: to the destination over in-edges
 * @param offsets {@code int[rows + 1]}: first edge of each row
 * @param first the edge that the arrays of edges begin with, or that is at the addresses
 * @param byAddress whether neighbours, and values but for those that are arrays, are read by
 *     address
 * @param neighbours {@code int[edges]}: the other end; or the address of the first one
 * @param values columns of the edge values that the send function reads, or addresses; -1 for the
 *     others
 * @param types of all edge values
 * @param wide array of the neighbours' {@linkplain Interleaving interleaved} columns; -1 where
 *     there are none
 * @param wideColumns the state columns in it
 * @param hubs where rows of vertices with slots are; null: all rows are in the same arrays
 * @param row the row's number; -1: that of its vertex
 */
record EdgeLocals(
    Side side,
    int offsets,
    int first,
    boolean byAddress,
    int neighbours,
    int[] values,
    List<ColumnType> types,
    int wide,
    int[] wideColumns,
    Hubs hubs,
    int row) {
  /**
   * Slots of the rows of hubs, and of all rows' begins and ends beside these.
   *
   * @param neighbours the other ends of the edges of hubs with slots
   * @param values their values, as those of all edges
   */
  record Hubs(int begins, int ends, int slots, int neighbours, int[] values) {
    private static Hubs read(KernelMethod method) {
      FrameFields fields = method.fields;
      return new Hubs(
          fields.reference("inBegins", int[].class),
          fields.reference("inEnds", int[].class),
          fields.reference("slots", int[].class),
          fields.reference("hubSources", int[].class),
          fields.columnsRead(
              "hubEdges", method.program.edge().columns(), Role.EDGE, method.program.send()));
    }
  }

  /** In-edges that messages are pulled over, read from the frame. */
  static EdgeLocals in(KernelMethod method) {
    return read(
        method,
        Side.DESTINATION,
        method.shape.edgesByAddress(),
        method.shape.partialMessages() ? Hubs.read(method) : null,
        -1);
  }

  /** Out-edges that messages are pulled over, read from the frame. */
  static EdgeLocals out(KernelMethod method) {
    return read(method, Side.SOURCE, method.shape.edgesByAddress(), null, -1);
  }

  /** In-edges of those who push, read from the frame: their arrays are always on the heap. */
  static EdgeLocals pushingIn(KernelMethod method) {
    return read(method, Side.DESTINATION, false, null, -1);
  }

  /**
   * Those of partial rows, always on the heap, too.
   *
   * @param row slot of the row's number
   */
  static EdgeLocals partial(KernelMethod method, int row) {
    return read(method, Side.DESTINATION, false, null, row);
  }

  /** Out-edges of those who push. */
  static EdgeLocals pushingOut(KernelMethod method) {
    return read(method, Side.SOURCE, false, null, -1);
  }

  /** The kind of columns that are copied. */
  private static Kind copied(KernelMethod method, int[] columns) {
    return method.state.get(columns[0]).kind();
  }

  private static EdgeLocals read(
      KernelMethod method, Side side, boolean byAddress, Hubs hubs, int row) {
    FrameFields fields = method.fields;
    boolean in = side == Side.DESTINATION;
    List<ColumnType> types = method.program.edge().columns();
    IrFunction send = method.program.send();
    String neighbours = in ? "inSources" : "outDestinations";
    String values = in ? "inEdges" : "outEdges";
    int[] wide = method.kernel.columns().wide(side);
    return new EdgeLocals(
        side,
        fields.reference(in ? "inOffsets" : "outOffsets", int[].class),
        fields.number(in ? "inFirst" : "outFirst", Kind.INT),
        byAddress,
        byAddress
            ? fields.number(neighbours + "At", Kind.LONG)
            : fields.reference(neighbours, int[].class),
        byAddress
            ? fields.addressesRead(values, values + "At", types, Role.EDGE, send)
            : fields.columnsRead(values, types, Role.EDGE, send),
        types,
        wide.length == 0 ? -1 : fields.array(in ? "inWide" : "outWide", copied(method, wide)),
        wide,
        hubs,
        row);
  }
}
