package org.sparkgpugraph.engine.cpu.frame;

/**
 * The loops of one program: generated classes extend it, with the program's functions inlined. A
 * loop that several programs shared would call each of them through an interface, several times
 * slower. Instances have no state of their own.
 */
public abstract class CpuKernel {
  /** Superstep 0 on local indexes {@code [from, to)}: state, vertex program, aggregates. */
  public abstract void initialise(KernelFrame frame, Tally tally, int from, int to);

  /** Gather and apply for all rows {@code [from, to)}, all edges selected. */
  public abstract void denseAll(KernelFrame frame, Tally tally, int from, int to);

  /** Gather and apply for all rows {@code [from, to)}, of the edges that activity selects. */
  public abstract void dense(KernelFrame frame, Tally tally, int from, int to);

  /** Gather and apply for the candidates in summary words {@code [from, to)}. */
  public abstract void sparse(KernelFrame frame, Tally tally, int from, int to);

  /** Gathers partial rows {@code [from, to)}, all edges selected. */
  public abstract void partials(KernelFrame frame, Tally tally, int from, int to);

  /** The same of the edges whose sources are active. */
  public abstract void activePartials(KernelFrame frame, Tally tally, int from, int to);

  /**
   * Pushes the messages of the active vertices in words {@code [from, to)}, of programs that are
   * pushed.
   */
  public abstract void push(KernelFrame frame, Tally tally, int from, int to);

  /** Pushes along edges {@code [from, to)} of the tally's row, of the same programs. */
  public abstract void pushPart(KernelFrame frame, Tally tally, int from, int to);

  /**
   * Walks the edges of the tally's items {@code [from, to)}, of programs that are relaxed in order
   * of priority; whom they improve goes into the tally's buckets.
   */
  public abstract void relax(KernelFrame frame, Tally tally, int from, int to);

  /** The same while no other thread walks items. */
  public abstract void relaxAlone(KernelFrame frame, Tally tally, int from, int to);

  /** Offers the active vertices in words {@code [from, to)} to the tally, of the same programs. */
  public abstract void start(KernelFrame frame, Tally tally, int from, int to);

  /**
   * Tells the tally what the active vertices in words {@code [from, to)} say at best, of programs
   * whose rows may stop early; those that say nothing better than {@link KernelFrame#worst} are not
   * active any more.
   */
  public abstract void listen(KernelFrame frame, Tally tally, int from, int to);

  /**
   * Gather and apply for those of the rows {@code [from, to)} that {@link KernelFrame#bound} may
   * improve, up to the first message that attains it, of the same programs.
   */
  public abstract void stopping(KernelFrame frame, Tally tally, int from, int to);

  /** The final aggregates of vertices {@code [from, to)}. */
  public abstract void finalAggregates(KernelFrame frame, Tally tally, int from, int to);

  /** The result function for vertices {@code [from, to)}. */
  public abstract void result(KernelFrame frame, Tally tally, int from, int to);
}
