package org.sparkgpugraph.engine.device.kernels;

import java.util.List;
import org.sparkgpugraph.engine.device.KernelSource;

/** Puts the translation unit of an operator's kernels together: headers around the one struct. */
public final class OperatorKernels {
  private OperatorKernels() {}

  /**
   * The source of some kernels.
   *
   * @param name what they are, for messages
   * @param macros definitions that the headers look at; may be empty
   * @param frame layout of what every one of them takes; its name must be {@code Frame}
   * @param kernels their names
   * @param headers of the module kernels, that stand on the frame and {@code base.cuh}
   */
  public static KernelSource of(
      String name, String macros, FrameLayout frame, List<String> kernels, List<String> headers) {
    StringBuilder text = new StringBuilder(macros).append(KernelHeaders.text("base.cuh"));
    text.append("#line 1 \"frame\"\n").append(frame.text());
    headers.forEach(header -> text.append(KernelHeaders.text(header)));
    return new KernelSource(name, text.toString(), kernels, List.of(name));
  }
}
