package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.cpu.codegen.locals.FaultSite;
import org.sparkgpugraph.engine.cpu.codegen.locals.Interleaving;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;

/**
 * A generated kernel with what the engine must know about it.
 *
 * @param kernel the loops
 * @param shape what it was generated for
 * @param stable for each state column, whether the vertex program returns it as it was: such a
 *     column needs no second buffer
 * @param shipped state columns that the send function reads, ascending: what ghosts need
 * @param readsIds whether a function that runs in a superstep reads original ids
 * @param pushes whether it can push
 * @param sites fault sites, by number
 * @param largestMethod bytes of the longest of its loops
 * @param special kernels for some of its supersteps; null in one of those
 * @param inWide state columns of sources that in-edges read {@linkplain Interleaving interleaved}
 * @param outWide the same of destinations and out-edges
 */
public record CompiledKernel(
    CpuKernel kernel,
    KernelShape shape,
    boolean[] stable,
    int[] shipped,
    boolean readsIds,
    boolean pushes,
    List<FaultSite> sites,
    int largestMethod,
    DenseKernels special,
    int[] inWide,
    int[] outWide) {}
