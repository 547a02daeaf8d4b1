package org.sparkgpugraph.program.lanes;

import java.util.List;

/**
 * A loop of which the lanes of a team take some rounds each, by the indexes of its instructions.
 *
 * @param label where it begins
 * @param guard the branch that leaves it behind its last round
 * @param step where the variable that counts takes its next value
 * @param jump back to the label
 * @param variable that counts
 * @param by what it counts by, not 0
 * @param exits instructions by which a round ends the loop: branches and jumps out of it, faults
 */
public record TeamLoop(
    int label, int guard, int step, int jump, int variable, int by, List<Integer> exits) {
  public TeamLoop {
    exits = List.copyOf(exits);
  }

  /** Whether an instruction is one of the loop's. */
  public boolean has(int instruction) {
    return instruction >= label && instruction <= jump;
  }
}
