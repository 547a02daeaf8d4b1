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
 * @param wide {@code double[]} of the neighbours' {@linkplain Interleaving interleaved} columns; -1
 *     where there are none
 * @param wideColumns the state columns in it
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
    int[] wideColumns) {

  /** In-edges that messages are pulled over, read from the frame. */
  static EdgeLocals in(KernelMethod method) {
    return read(method, Side.DESTINATION, method.shape.edgesByAddress());
  }

  /** Out-edges that messages are pulled over, read from the frame. */
  static EdgeLocals out(KernelMethod method) {
    return read(method, Side.SOURCE, method.shape.edgesByAddress());
  }

  /** In-edges of those who push, read from the frame: their arrays are always on the heap. */
  static EdgeLocals pushingIn(KernelMethod method) {
    return read(method, Side.DESTINATION, false);
  }

  /** Out-edges of those who push. */
  static EdgeLocals pushingOut(KernelMethod method) {
    return read(method, Side.SOURCE, false);
  }

  private static EdgeLocals read(KernelMethod method, Side side, boolean byAddress) {
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
        wide.length == 0 ? -1 : fields.reference(in ? "inWide" : "outWide", double[].class),
        wide);
  }
}
