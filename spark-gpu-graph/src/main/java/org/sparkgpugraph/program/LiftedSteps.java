package org.sparkgpugraph.program;

import java.util.List;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;

/**
 * A sequence of maps, lifted; not yet a program.
 *
 * @param attribute type of the vertex attributes
 * @param edge type of the edge attributes
 * @param state type of the vertex values
 * @param result type of the result
 * @param initialState ID, ATTRIBUTE, IN_DEGREE, OUT_DEGREE → state columns; null: the attribute
 * @param steps in their order
 * @param measure ID, AFTER → one DOUBLE; null: nothing ends a step early
 * @param resultFunction ID, ATTRIBUTE, VALUE → result columns; null: the state's
 * @param captureKinds kind of each captured value
 * @param captures the captured values
 * @param tables arrays that the functions read
 * @param tableArrays the arrays
 */
public record LiftedSteps(
    ValueType attribute,
    ValueType edge,
    ValueType state,
    ValueType result,
    IrFunction initialState,
    List<Step> steps,
    IrFunction measure,
    IrFunction resultFunction,
    List<Kind> captureKinds,
    List<Object> captures,
    List<TableShape> tables,
    List<Object> tableArrays) {
  public LiftedSteps {
    steps = List.copyOf(steps);
    captureKinds = List.copyOf(captureKinds);
    captures = List.copyOf(captures);
    tables = List.copyOf(tables);
    tableArrays = List.copyOf(tableArrays);
  }

  /** A step. */
  public sealed interface Step {}

  /**
   * Edges send messages.
   *
   * @param number the how manieth edge map it is, from 1
   * @param message type of the messages
   * @param empty what a vertex gets that no message came to, a box for each of their columns
   * @param send SOURCE_ID, DESTINATION_ID, SOURCE, DESTINATION, EDGE → emits
   * @param merge LEFT, RIGHT → message columns
   */
  public record EdgeMap(
      int number, ValueType message, Object[] empty, IrFunction send, IrFunction merge)
      implements Step {}

  /**
   * Vertices get new values.
   *
   * @param number the how manieth vertex map it is, from 1
   * @param function ID, VALUE, MESSAGE (of the first edge map), RIGHT (of the second) → state
   *     columns
   * @param messages number of the edge maps right before it, whose messages it gets
   */
  public record VertexMap(int number, IrFunction function, int messages) implements Step {}

  /** Steps that are taken several times. */
  public record Repeat(int times, List<Step> body) implements Step {
    public Repeat {
      body = List.copyOf(body);
    }
  }
}
