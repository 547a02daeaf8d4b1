package org.sparkgpugraph.engine.strong;

import java.util.List;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;
import org.sparkgpugraph.engine.device.operators.FrontierWords;

/** The kernels of {@code sgg/strong.cuh}: one source, whatever the graph. */
final class StrongKernels {
  static final String START = "strong_start";
  static final String IN_LOOPS = "strong_in_loops";
  static final String OUT_LOOPS = "strong_out_loops";

  /** One launch of blocks that wait for each other. */
  static final String SEARCH = "strong_search";

  static final String SMALLEST = "strong_smallest";

  /** What a phase tells: the most of what it looks for. */
  static final FrontierWords WORDS = new FrontierWords(1);

  /** Layout of their parameter. */
  static final FrameLayout FRAME = layout();

  private static final KernelSource SOURCE =
      OperatorKernels.of(
          "strongly connected components",
          WORDS.macros(true) + "#define SGG_STRONG_MOST %d\n".formatted(WORDS.own(0)),
          FRAME,
          List.of(START, IN_LOOPS, OUT_LOOPS, SEARCH, SMALLEST),
          FrontierWords.headers("strong.cuh"));

  private StrongKernels() {}

  /** The translation unit. */
  static KernelSource source() {
    return SOURCE;
  }

  private static FrameLayout layout() {
    FrameLayout frame = new FrameLayout("Frame");
    FrontierWords.declare(frame, true);
    frame.pointers("int", "component", "inLeft", "outLeft", "colour", "stamp", "least");
    frame.pointers("unsigned", "forward", "backward");
    frame.pointers("unsigned long long", "parts", "nextParts");
    return frame;
  }
}
