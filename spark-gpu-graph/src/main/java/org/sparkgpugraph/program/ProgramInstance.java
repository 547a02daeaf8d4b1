package org.sparkgpugraph.program;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * A lifted program together with the values that its lambdas captured.
 *
 * @param program the program
 * @param captures one box per {@link LiftedProgram#captureKinds()}
 */
public record ProgramInstance(LiftedProgram program, List<Object> captures)
    implements Serializable {
  public ProgramInstance {
    captures = List.of(captures.toArray());
  }

  /** The captured values as an array, in index order. */
  public Object[] captureArray() {
    return Arrays.copyOf(captures.toArray(), captures.size());
  }
}
