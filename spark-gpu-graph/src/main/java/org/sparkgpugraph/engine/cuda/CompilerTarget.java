package org.sparkgpugraph.engine.cuda;

import java.util.Collection;

/**
 * What a compiler makes for a GPU.
 *
 * @param architecture as in {@code --gpu-architecture}: {@code sm_90} or {@code compute_90}
 * @param format machine code for {@code sm_}, PTX for {@code compute_}
 */
record CompilerTarget(String architecture, KernelImage.Format format) {
  /**
   * Machine code where the compiler knows the GPU; else PTX for the newest GPU that it knows and
   * that is not newer than this one: the driver compiles it when it is loaded.
   *
   * @param architecture of the GPU
   * @param known architectures that the compiler knows; empty when it cannot tell
   */
  static CompilerTarget of(int architecture, Collection<Integer> known) {
    if (known.isEmpty() || known.contains(architecture)) {
      return new CompilerTarget("sm_" + architecture, KernelImage.Format.CUBIN);
    }
    int nearest = known.stream().filter(k -> k < architecture).max(Integer::compare).orElse(0);
    if (nearest == 0) {
      // Too old for this compiler, which says so better than we can.
      return new CompilerTarget("sm_" + architecture, KernelImage.Format.CUBIN);
    }
    return new CompilerTarget("compute_" + nearest, KernelImage.Format.PTX);
  }
}
