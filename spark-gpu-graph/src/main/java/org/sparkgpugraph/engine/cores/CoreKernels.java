package org.sparkgpugraph.engine.cores;

import java.util.List;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;

/** The kernels of {@code sgg/cores.cuh}: one source, whatever the graph. */
final class CoreKernels {
  static final String DEGREES = "cores_degrees";
  static final String LOOPS = "cores_loops";

  /** One launch of blocks that wait for each other. */
  static final String PEEL = "cores_peel";

  /** Edges of a row that are dealt out together. */
  static final int PART = 512;

  /** Layout of their parameter. */
  static final FrameLayout FRAME = layout();

  private static final int ARRIVALS = 0;
  private static final int SLOTS = 1;
  private static final int GONE = 0;
  private static final int LEAST = 1;
  private static final int LEFT = 2;
  private static final int SLOT_WORDS = 3;

  /** Words of the state, of 64 bits each; 0 when peeling begins. */
  static final int STATE_WORDS = SLOTS + 3 * SLOT_WORDS;

  private static final KernelSource SOURCE =
      OperatorKernels.of(
          "cores",
          """
          #define SGG_CORES_PART %s
          #define SGG_CORES_ARRIVALS %s
          #define SGG_CORES_SLOTS %s
          #define SGG_CORES_GONE %s
          #define SGG_CORES_LEAST %s
          #define SGG_CORES_LEFT %s
          #define SGG_CORES_SLOT_WORDS %s
          """
              .formatted(PART, ARRIVALS, SLOTS, GONE, LEAST, LEFT, SLOT_WORDS),
          FRAME,
          List.of(DEGREES, LOOPS, PEEL),
          List.of("offsets.cuh", "locals.cuh", "grid.cuh", "cores.cuh"));

  private CoreKernels() {}

  /** The translation unit. */
  static KernelSource source() {
    return SOURCE;
  }

  private static FrameLayout layout() {
    FrameLayout frame = new FrameLayout("Frame");
    OperatorKernels.declareInEdges(frame);
    frame.integers("size", "level", "all");
    frame.pointers("int", "degrees", "left", "nextLeft");
    frame.pointers("unsigned long long", "parts", "state");
    return frame;
  }
}
