package org.sparkgpugraph.engine.device.kernels;

import java.util.List;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.settings.DenseTuning;

/** Puts the translation unit of an operator's kernels together: headers around the one struct. */
public final class OperatorKernels {
  private OperatorKernels() {}

  /** Adds what {@code sgg/locals.cuh} and those who walk in-edges read of a frame. */
  public static void declareInEdges(FrameLayout frame) {
    frame.integers("first", "stored", "edges");
    frame.pointers("const int", "inOffsets", "inSources", "ghosts");
    frame.pointers("const unsigned", "present");
  }

  /** Adds what those who walk out-edges, too, read of a frame. */
  public static void declareOutEdges(FrameLayout frame) {
    frame.pointers("const int", "outOffsets", "outTargets");
  }

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
    String text =
        macros
            + KernelHeaders.base(DenseTuning.DEFAULT)
            + "#line 1 \"frame\"\n"
            + frame.text()
            + KernelHeaders.texts(headers);
    return new KernelSource(name, text, kernels, List.of(name));
  }
}
