package org.sparkgpugraph.engine.cpu.frame;

import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Side;

/**
 * The columns that a kernel reads and writes.
 *
 * @param stable for each state column, whether the vertex program returns it as it was: the kernel
 *     does not write it, and where no other kernel of the program does it needs no second buffer
 * @param shipped state columns that the send function reads, ascending: what ghosts need
 * @param readsIds whether a function that runs in a superstep reads original ids
 * @param inWide state columns of sources that in-edges read {@linkplain Interleaving interleaved}
 * @param outWide the same of destinations and out-edges
 */
public record KernelColumns(
    boolean[] stable, int[] shipped, boolean readsIds, int[] inWide, int[] outWide) {
  /**
   * The columns of a kernel.
   *
   * @param program what the kernel does
   * @param whole the program that it is a part of, which decides about ghosts
   */
  public static KernelColumns of(
      LiftedProgram program, LiftedProgram whole, KernelShape shape, Interleaving interleaving) {
    return new KernelColumns(
        FunctionTraits.stableColumns(program),
        FunctionTraits.shippedColumns(whole),
        FunctionTraits.readsIds(program),
        shape.inRows() ? interleaving.columns(program, Side.DESTINATION) : new int[0],
        shape.outRows() ? interleaving.columns(program, Side.SOURCE) : new int[0]);
  }

  /** The interleaved columns that edges read whose messages go to a side. */
  public int[] wide(Side side) {
    return side == Side.DESTINATION ? inWide : outWide;
  }
}
