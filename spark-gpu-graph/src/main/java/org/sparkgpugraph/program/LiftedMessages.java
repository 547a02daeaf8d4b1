package org.sparkgpugraph.program;

import java.util.List;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The two functions of an {@code aggregateMessages}, lifted; not yet a program.
 *
 * @param attribute type of the vertex attributes
 * @param edge type of the edge attributes
 * @param message type of the messages, as the send function makes them
 * @param send SOURCE_ID, DESTINATION_ID, SOURCE, DESTINATION (columns of the attribute), EDGE →
 *     emits
 * @param merge LEFT, RIGHT → message columns
 * @param captureKinds kind of each captured value
 * @param captures the captured values
 * @param tables arrays that the functions read
 * @param tableArrays the arrays
 */
public record LiftedMessages(
    ValueType attribute,
    ValueType edge,
    ValueType message,
    IrFunction send,
    IrFunction merge,
    List<Kind> captureKinds,
    List<Object> captures,
    List<TableShape> tables,
    List<Object> tableArrays) {
  public LiftedMessages {
    captureKinds = List.copyOf(captureKinds);
    captures = List.copyOf(captures);
    tables = List.copyOf(tables);
    tableArrays = List.copyOf(tableArrays);
  }
}
