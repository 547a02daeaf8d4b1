package org.sparkgpugraph.program;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What was recognised of a program from its code (never declared by hand, but for {@code
 * monotone()}).
 *
 * @param merge algebra of each message column
 * @param sendsToSource whether the send function can address the source
 * @param sendsToDestination whether it can address the destination
 * @param monotone whether the functions allow the engine to update in place and reorder; whether it
 *     may also depends on the active direction (Either, or Out when nothing goes to the source)
 * @param notes one line per finding, for {@code explain()}, such as why a program is not monotone
 */
public record ProgramTraits(
    List<MergeAlgebra> merge,
    boolean sendsToSource,
    boolean sendsToDestination,
    boolean monotone,
    List<String> notes)
    implements Serializable {
  /** How the note begins that says why a program is not known to be monotone. */
  public static final String NOT_MONOTONE = "not monotone: ";

  public ProgramTraits {
    merge = List.copyOf(merge);
    notes = List.copyOf(notes);
  }

  /** The same with another note. */
  public ProgramTraits noting(String note) {
    List<String> more = new ArrayList<>(notes);
    more.add(note);
    return new ProgramTraits(merge, sendsToSource, sendsToDestination, monotone, more);
  }
}
