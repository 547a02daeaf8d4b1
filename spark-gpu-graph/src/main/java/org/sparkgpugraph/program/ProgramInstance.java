package org.sparkgpugraph.program;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;

/**
 * A lifted program together with the values that its lambdas captured.
 *
 * @param program the program
 * @param captures one box per {@link LiftedProgram#captureKinds()}
 * @param tables one array of primitives per {@link LiftedProgram#tables()}; the list may fetch them
 *     when it is asked, and nobody changes them
 */
public record ProgramInstance(LiftedProgram program, List<Object> captures, List<Object> tables)
    implements Serializable {
  public ProgramInstance {
    captures = List.of(captures.toArray());
  }

  /** A program without tables. */
  public ProgramInstance(LiftedProgram program, List<Object> captures) {
    this(program, captures, List.of());
  }

  /** The captured values as an array, in index order. */
  public Object[] captureArray() {
    return Arrays.copyOf(captures.toArray(), captures.size());
  }

  /** The same values with another program that reads them. */
  public ProgramInstance with(LiftedProgram other) {
    return new ProgramInstance(other, captures, tables);
  }

  /** The same program with its tables in another list. */
  public ProgramInstance with(List<Object> others) {
    return new ProgramInstance(program, captures, others);
  }

  /** Bytes that all tables take, on the host and on a device. */
  public long tableBytes() {
    long bytes = 0;
    for (int t = 0; t < tables.size(); t++) {
      bytes += (long) program.tables().get(t).kind().bytes() * Array.getLength(tables.get(t));
    }
    return bytes;
  }
}
