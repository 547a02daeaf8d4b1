package org.sparkgpugraph.engine.device.operators;

import java.util.List;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;

/**
 * What host and kernels of {@code sgg/frontier.cuh} share: parts of rows, and the state's words.
 */
public final class FrontierWords {
  private static final List<String> HEADERS =
      List.of("offsets.cuh", "locals.cuh", "grid.cuh", "frontier.cuh");

  private static final int PART = 512;
  private static final int ARRIVALS = 0;
  private static final int SLOTS = 1;
  private static final int LISTED = 0;
  private static final int SLOT_COUNT = 3;

  private final int ownWords;

  /**
   * @param ownWords words of a phase's slot that are the operator's own
   */
  public FrontierWords(int ownWords) {
    this.ownWords = ownWords;
  }

  /** The number of one of the operator's own words in a slot. */
  public int own(int word) {
    return LISTED + 1 + word;
  }

  private int slotWords() {
    return LISTED + 1 + ownWords;
  }

  /** Bytes of the state; 0 when a search begins. */
  public long stateBytes() {
    return (long) Long.BYTES * (SLOTS + SLOT_COUNT * slotWords());
  }

  /**
   * Most parts that the rows of all vertices have.
   *
   * @param vertices with each side counted
   */
  public static long parts(long vertices, long edges) {
    return vertices + edges / PART;
  }

  /**
   * The macros.
   *
   * @param out whether out-edges are walked, too
   */
  public String macros(boolean out) {
    return """
        #define SGG_FRONTIER_OUT %s
        #define SGG_FRONTIER_PART %s
        #define SGG_FRONTIER_ARRIVALS %s
        #define SGG_FRONTIER_SLOTS %s
        #define SGG_FRONTIER_LISTED %s
        #define SGG_FRONTIER_SLOT_COUNT %su
        #define SGG_FRONTIER_SLOT_WORDS %s
        """
        .formatted(out ? 1 : 0, PART, ARRIVALS, SLOTS, LISTED, SLOT_COUNT, slotWords());
  }

  /** Adds what {@code sgg/frontier.cuh} reads of a frame. */
  public static void declare(FrameLayout frame, boolean out) {
    OperatorKernels.declareInEdges(frame);
    if (out) {
      OperatorKernels.declareOutEdges(frame);
    }
    frame.integers("size");
    frame.pointers("unsigned long long", "state");
  }

  /** The headers that walk frontiers, and an operator's own behind them. */
  public static List<String> headers(String own) {
    return Stream.concat(HEADERS.stream(), Stream.of(own)).toList();
  }
}
