package org.sparkgpugraph.engine.cores;

import java.util.List;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;
import org.sparkgpugraph.engine.device.operators.FrontierWords;

/** The kernels of {@code sgg/cores.cuh}: one source, whatever the graph. */
final class CoreKernels {
  static final String DEGREES = "cores_degrees";
  static final String LOOPS = "cores_loops";

  /** One launch of blocks that wait for each other. */
  static final String PEEL = "cores_peel";

  /** What a phase tells: the least degree of who is left, and how many are listed as left. */
  static final FrontierWords WORDS = new FrontierWords(2);

  /** Layout of their parameter. */
  static final FrameLayout FRAME = layout();

  private static final KernelSource SOURCE =
      OperatorKernels.of(
          "cores",
          WORDS.macros(false)
              + "#define SGG_CORES_LEAST %d\n#define SGG_CORES_LEFT %d\n"
                  .formatted(WORDS.own(0), WORDS.own(1)),
          FRAME,
          List.of(DEGREES, LOOPS, PEEL),
          FrontierWords.headers("cores.cuh"));

  private CoreKernels() {}

  /** The translation unit. */
  static KernelSource source() {
    return SOURCE;
  }

  private static FrameLayout layout() {
    FrameLayout frame = new FrameLayout("Frame");
    FrontierWords.declare(frame, false);
    frame.integers("level", "all");
    frame.pointers("int", "degrees", "left", "nextLeft");
    frame.pointers("unsigned long long", "parts");
    return frame;
  }
}
