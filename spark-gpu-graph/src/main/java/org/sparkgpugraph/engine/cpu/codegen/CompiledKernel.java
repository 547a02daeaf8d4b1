package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;
import org.sparkgpugraph.engine.cpu.frame.KernelColumns;
import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.ir.FaultSite;

/**
 * A generated kernel with what the engine must know about it.
 *
 * @param kernel the loops
 * @param shape what it was generated for
 * @param columns the columns that it reads and writes
 * @param pushes whether it can push
 * @param relaxes whether it can relax in order of priority
 * @param stops whether rows may stop early
 * @param sends what is known of messages where active vertices can be asked what they say at best;
 *     null: they cannot
 * @param sites fault sites, by number
 * @param largestMethod bytes of the longest of its loops
 * @param special kernels for some of its supersteps; null in one of those
 */
public record CompiledKernel(
    CpuKernel kernel,
    KernelShape shape,
    KernelColumns columns,
    boolean pushes,
    boolean relaxes,
    boolean stops,
    ImprovingSends sends,
    List<FaultSite> sites,
    int largestMethod,
    DenseKernels special) {}
