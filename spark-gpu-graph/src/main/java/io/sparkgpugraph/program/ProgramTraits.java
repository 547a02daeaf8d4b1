package io.sparkgpugraph.program;

import java.io.Serializable;
import java.util.List;

/**
 * What was recognised of a program from its code (never declared by hand, but for {@code
 * monotone()}).
 *
 * @param merge algebra of each message column
 * @param sendsToSource whether the send function can address the source
 * @param sendsToDestination whether it can address the destination
 * @param monotone whether the engine may update in place and reorder: DESIGN's four conditions, see
 *     {@code docs/compatibility.md}
 * @param notes one line per finding, for {@code explain()}, such as why a program is not monotone
 */
public record ProgramTraits(
    List<MergeAlgebra> merge,
    boolean sendsToSource,
    boolean sendsToDestination,
    boolean monotone,
    List<String> notes)
    implements Serializable {
  public ProgramTraits {
    merge = List.copyOf(merge);
    notes = List.copyOf(notes);
  }
}
