package org.sparkgpugraph.benchmarks.engine;

import java.util.List;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Which kernel each superstep used, in short: {@code 2S 3D 4S} is two sparse, three dense, …; M is
 * delegated, merged by servers.
 */
final class KernelTrail {
  /** Changes of kernel that are told; a long run on a lattice may have thousands. */
  private static final int SHOWN = 9;

  private KernelTrail() {}

  /** Describes the supersteps after superstep 0. */
  static String of(List<SuperstepStats> supersteps) {
    StringBuilder trail = new StringBuilder();
    int from = 1;
    for (int pieces = 0; from < supersteps.size(); pieces++) {
      if (pieces == SHOWN) {
        return trail.append(" ... ").append(supersteps.size() - from).append(" more").toString();
      }
      KernelChoice kernel = supersteps.get(from).kernel();
      int to = from + 1;
      while (to < supersteps.size() && supersteps.get(to).kernel() == kernel) {
        to++;
      }
      trail.append(trail.isEmpty() ? "" : " ").append(to - from).append(letter(kernel));
      from = to;
    }
    return trail.toString();
  }

  private static char letter(KernelChoice kernel) {
    return kernel == KernelChoice.DELEGATED ? 'M' : kernel.name().charAt(0);
  }
}
