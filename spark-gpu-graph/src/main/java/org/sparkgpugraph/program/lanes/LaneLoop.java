package org.sparkgpugraph.program.lanes;

import java.util.List;
import org.sparkgpugraph.program.ir.CountedLoops;

/**
 * A loop over elements, of which lanes take some rounds each.
 *
 * @param loop its instructions
 * @param reductions what is put together behind it
 * @param exits labels outside that rounds may go to: the first such round ends the loop
 * @param countsOn whether the variable that counts is read behind the loop
 */
public record LaneLoop(
    CountedLoops.Loop loop, List<Reduction> reductions, List<Integer> exits, boolean countsOn) {
  public LaneLoop {
    reductions = List.copyOf(reductions);
    exits = List.copyOf(exits);
  }
}
