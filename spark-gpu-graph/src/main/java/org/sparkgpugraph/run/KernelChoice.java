package org.sparkgpugraph.run;

/** How a superstep walks the graph ({@code spark.gpugraph.kernel}). */
public enum KernelChoice {
  /** Chosen in every superstep from the number of active edges. */
  AUTO,
  /** All rows. */
  DENSE,
  /** Only the rows that an active vertex reaches. */
  SPARSE,
  /**
   * From the active vertices, whose messages are merged by atomic operations, where the program
   * allows it: on a GPU from a queue, where partitions exchange only into values; on the CPU only
   * into values of a graph of one partition. Elsewhere, and forced for a program that does not, it
   * is {@link #SPARSE}.
   */
  PUSH,
  /**
   * As {@link #PUSH}, on a GPU many supersteps in one launch where nobody asks for anything in
   * between. Where several partitions of an executor push, what each does in a launch counts as one
   * superstep.
   */
  OUTLINED,
  /**
   * Without supersteps: values are relaxed in order of priority, on a GPU by one launch, on the CPU
   * by delta-stepping, for a program proved to be monotone whose value is one number, the least or
   * largest of which wins, where {@link #PUSH} would push into values of one partition. The values
   * at the end are those of the other kernels. On a GPU and a graph of one partition so is a
   * program that is proved to spread residuals, as PageRank until convergence does: floating-point
   * sums are added to values, in any order, and what a value grew by is said on where it is above a
   * tolerance. Its values are within a bound of the equation's that the tolerance gives, and not
   * the same from run to run. Elsewhere it is {@link #OUTLINED}.
   */
  ASYNC,
  /**
   * As {@link #OUTLINED}, but on a GPU and a graph of one partition the program's own merge
   * function merges messages, on thread blocks that own their receivers: for records, lists and
   * merges that no atomic operation does. Messages are merged in any order: the function has to be
   * commutative and associative, as Pregel's contract has it, and sums of floating point differ by
   * rounding from run to run. Elsewhere, for a program whose function keeps the first of two
   * messages, that has aggregates, or whose messages are too long, it is {@link #OUTLINED}.
   */
  DELEGATED;

  /** Whether only a part of the rows is walked. */
  public boolean isSparse() {
    return this == SPARSE || pushes();
  }

  /** Whether messages are pushed. */
  public boolean pushes() {
    return this == PUSH || this == OUTLINED || this == ASYNC || this == DELEGATED;
  }

  /** The same where nothing can push. */
  public KernelChoice pulling() {
    return pushes() ? SPARSE : this;
  }
}
