package org.sparkgpugraph.program;

import java.util.List;

/**
 * A sequence of maps as the user gave it; functions are objects as those of a {@link
 * ProgramSource}, absent ones null.
 *
 * @param attribute type of the vertex attributes
 * @param edge type of the edge attributes
 * @param initialState StateFunction
 * @param steps in their order
 * @param measure VertexMeasure of what ends the last step, a {@link Repeat}, early
 * @param resultFunction ResultFunction
 */
public record StepSource(
    ValueType attribute,
    ValueType edge,
    Object initialState,
    List<Step> steps,
    Object measure,
    Object resultFunction) {
  public StepSource {
    steps = List.copyOf(steps);
  }

  /** A step. */
  public sealed interface Step {}

  /**
   * Edges send messages, which are merged at the vertices. The next step that is none of these
   * reads them.
   *
   * @param number the how manieth edge map it is, from 1
   * @param send SendMessage
   * @param merge MergeMessage
   * @param message type of the messages
   * @param empty what a vertex gets that no message came to, a box for each of their columns
   */
  public record EdgeMap(int number, Object send, Object merge, ValueType message, Object[] empty)
      implements Step {}

  /**
   * Vertices get new values.
   *
   * @param number the how manieth vertex map it is, from 1
   * @param function VertexMap, VertexProgram or VertexMap.OfTwo
   * @param messages number of the edge maps right before it, whose messages it gets: 0, 1 or 2
   */
  public record VertexMap(int number, Object function, int messages) implements Step {}

  /** Steps that are taken several times. */
  public record Repeat(int times, List<Step> body) implements Step {
    public Repeat {
      body = List.copyOf(body);
    }
  }
}
