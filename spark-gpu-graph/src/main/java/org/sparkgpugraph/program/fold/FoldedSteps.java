package org.sparkgpugraph.program.fold;

import java.util.List;
import org.sparkgpugraph.program.ProgramInstance;

/**
 * A sequence of maps as a program that runs every vertex in every superstep, without superstep 0.
 *
 * @param program the program
 * @param emptyMessage what a vertex is given that no message came to, a box per column
 * @param supersteps how many there are, unless the run is ended early
 * @param measured supersteps of a turn of the last loop, behind each of which its measure says
 *     whether the run ends; 0: there is no such loop
 * @param before supersteps before that loop
 * @param phases what each superstep does, and why it does not do more: a line each
 */
public record FoldedSteps(
    ProgramInstance program,
    Object[] emptyMessage,
    int supersteps,
    int measured,
    int before,
    List<String> phases) {
  /** Name of the aggregate that measures. */
  public static final String MEASURE = "measure";

  public FoldedSteps {
    phases = List.copyOf(phases);
  }
}
