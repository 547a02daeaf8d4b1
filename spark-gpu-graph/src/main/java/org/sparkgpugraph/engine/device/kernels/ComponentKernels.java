package org.sparkgpugraph.engine.device.kernels;

import java.util.List;
import org.sparkgpugraph.engine.device.KernelSource;

/** The kernels of {@code sgg/components.cuh}: one source, whatever the graph. */
public final class ComponentKernels {
  public static final String START = "components_start";
  public static final String HANG = "components_hang";
  public static final String COMPRESS = "components_compress";
  public static final String SAMPLE = "components_sample";
  public static final String LARGEST = "components_largest";
  public static final String MARK = "components_mark";
  public static final String PROBE = "components_probe";
  public static final String MIRROR = "components_mirror";

  /** A launch of blocks that wait for each other. */
  public static final String GROW = "components_grow";

  public static final String OPEN = "components_open";
  public static final String REST = "components_rest";
  public static final String SETTLE = "components_settle";
  public static final String JOIN = "components_join";

  /** Words of the state, of 64 bits each, and which of them has the largest tree's root. */
  public static final int STATE_WORDS = 5;

  private static final int STATE_LARGEST = 0;

  /** Which of them counts edges whose reverse was looked for and not found. */
  public static final int STATE_ONE_WAY = 1;

  /** Which of them is 0 where edges and their reverses cancel each other out. */
  public static final int STATE_MIRROR = 2;

  /** Which of them is not 0 where rows were left. */
  private static final int STATE_LEFT = 3;

  private static final int STATE_ARRIVALS = 4;

  /** Whether the graph is its own reverse: no. */
  public static final int MIRRORED_NO = 0;

  /** It is. */
  public static final int MIRRORED_YES = 1;

  /** It is what the state says. */
  public static final int MIRRORED_ASKED = 2;

  /** Layout of their parameter. */
  public static final FrameLayout FRAME = layout();

  private static final KernelSource SOURCE =
      OperatorKernels.of(
          "connected components",
          """
          #define SGG_COMPONENTS_LARGEST %s
          #define SGG_COMPONENTS_ONE_WAY %s
          #define SGG_COMPONENTS_MIRROR %s
          #define SGG_COMPONENTS_LEFT %s
          #define SGG_COMPONENTS_ARRIVALS %s
          #define SGG_MIRRORED_YES %s
          #define SGG_MIRRORED_ASKED %s
          """
              .formatted(
                  STATE_LARGEST,
                  STATE_ONE_WAY,
                  STATE_MIRROR,
                  STATE_LEFT,
                  STATE_ARRIVALS,
                  MIRRORED_YES,
                  MIRRORED_ASKED),
          FRAME,
          List.of(
              START, HANG, COMPRESS, SAMPLE, LARGEST, MARK, GROW, PROBE, MIRROR, OPEN, REST, SETTLE,
              JOIN),
          List.of("offsets.cuh", "locals.cuh", "grid.cuh", "trees.cuh", "components.cuh"));

  private ComponentKernels() {}

  /** The translation unit. */
  public static KernelSource source() {
    return SOURCE;
  }

  private static FrameLayout layout() {
    FrameLayout frame = new FrameLayout("Frame");
    OperatorKernels.declareInEdges(frame);
    frame.integers("size", "mirrored", "seed", "hub");
    frame.pointers("int", "parents");
    frame.pointers("unsigned", "members", "opened");
    frame.pointers("unsigned long long", "state");
    frame.pointers("const int", "other");
    return frame;
  }
}
