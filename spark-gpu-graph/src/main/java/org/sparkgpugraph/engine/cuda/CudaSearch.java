package org.sparkgpugraph.engine.cuda;

import java.util.List;

/**
 * What a search for GPUs found.
 *
 * @param gpus the usable ones, in the order in which they were asked for
 * @param reasons why others are not usable, a sentence each; why there is none when {@code gpus} is
 *     empty
 */
public record CudaSearch(List<CudaGpu> gpus, List<String> reasons) {
  public CudaSearch {
    gpus = List.copyOf(gpus);
    reasons = List.copyOf(reasons);
  }

  /** Whether there is a usable GPU. */
  public boolean found() {
    return !gpus.isEmpty();
  }

  /** The reasons in one line. */
  public String why() {
    return String.join("; ", reasons);
  }
}
