package org.sparkgpugraph.engine.device.kernels;

import java.util.List;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.program.ir.FaultSite;

/**
 * The kernels that gather and apply in supersteps of one kind, where a program has several: they
 * take the frame of its other kernels.
 *
 * @param source the translation unit
 * @param sites where the program may stop itself, by the number that device code reports
 * @param walks whether any edge is walked; if not, hubs are rows as all others
 * @param unwritten for each state column, whether these supersteps leave it as it is
 */
public record SuperstepKernels(
    KernelSource source, List<FaultSite> sites, boolean walks, boolean[] unwritten) {
  public SuperstepKernels {
    sites = List.copyOf(sites);
  }
}
