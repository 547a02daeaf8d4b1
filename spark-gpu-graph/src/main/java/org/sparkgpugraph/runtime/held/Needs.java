package org.sparkgpugraph.runtime.held;

import java.io.Serializable;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Role;

/**
 * What a program needs of a graph beside its in-edges, or what of it is loaded; internal.
 *
 * @param attributes vertex attributes
 * @param edgeValues edge values
 * @param outEdges out-edges, where they are not at hand: an executor that holds the whole graph
 *     makes them of the in-edges
 */
public record Needs(boolean attributes, boolean edgeValues, boolean outEdges)
    implements Serializable {
  /**
   * What a program needs.
   *
   * @param reversed whether it runs on a reversed view, where in-edges and out-edges change places
   */
  public static Needs of(LiftedProgram program, boolean reversed) {
    boolean attributes =
        program.initialState() == null
            || program.initialState().reads(Role.ATTRIBUTE)
            || program.resultFunction() != null && program.resultFunction().reads(Role.ATTRIBUTE);
    return new Needs(
        attributes, program.send().reads(Role.EDGE), reversed || program.traits().sendsToSource());
  }

  /** What either needs. */
  public Needs and(Needs other) {
    return new Needs(
        attributes || other.attributes, edgeValues || other.edgeValues, outEdges || other.outEdges);
  }

  /** Whether everything that {@code other} needs is here. */
  public boolean cover(Needs other) {
    return and(other).equals(this);
  }
}
