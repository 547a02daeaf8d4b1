package org.sparkgpugraph.engine.device.kernels;

import org.sparkgpugraph.engine.device.settings.DenseTuning;

/**
 * How the lanes of a warp share the arrays of messages: groups of lanes take an edge each, and a
 * lane has some spans of neighbouring elements (ONYX's features of an edge, several edges a warp
 * where there are few of them).
 *
 * @param length elements of the arrays
 * @param group lanes of an edge, a power of two up to 32
 * @param span neighbouring elements that a lane loads together, a power of two
 * @param each elements that a lane has: spans of them
 * @param applies whether lanes share the arrays of vertices in the vertex program, too
 */
record FeatureLayout(int length, int group, int span, int each, boolean applies) {
  /** Bytes that a lane loads at once. */
  private static final int SPAN_BYTES = 16;

  private static final int WARP = 32;

  /** Elements of edges that a lane has under way together, and edges. */
  private static final int MOST_LOADED = 16;

  private static final int MOST_DEPTH = 8;

  /**
   * The layout of arrays.
   *
   * @param bytes of the largest elements
   */
  static FeatureLayout of(int length, int bytes, boolean applies) {
    int span = SPAN_BYTES / bytes;
    while (length % span != 0) {
      span /= 2;
    }
    int spans = length / span;
    int group = 1;
    while (group < WARP && group < spans) {
      group *= 2;
    }
    return new FeatureLayout(length, group, span, (spans + group - 1) / group * span, applies);
  }

  /** Edges that a group of lanes has under way together. */
  int depth() {
    return Math.max(1, Math.min(MOST_DEPTH, MOST_LOADED / each));
  }

  /**
   * The macros that kernels know it by.
   *
   * @param layout null: lanes share nothing
   */
  static String macros(FeatureLayout layout, DenseTuning tuning) {
    StringBuilder out = new StringBuilder();
    SharedWords.define(out, "FEATURES", layout == null ? 0 : layout.length);
    SharedWords.define(out, "FEATURES_APPLY", layout != null && layout.applies);
    if (layout != null) {
      SharedWords.define(out, "FEATURE_GROUP", layout.group);
      SharedWords.define(out, "FEATURE_SPAN", layout.span);
      SharedWords.define(out, "FEATURE_EACH", layout.each);
      SharedWords.define(
          out, "FEATURE_DEPTH", tuning.depth() > 0 ? tuning.depth() : layout.depth());
    }
    return out.toString();
  }
}
