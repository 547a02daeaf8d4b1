package org.sparkgpugraph.engine.device.kernels;

import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;

/**
 * How the lanes of a warp share the arrays of messages: groups of lanes take an edge each, and a
 * lane has some spans of neighbouring elements (ONYX's features of an edge, several edges a warp
 * where there are few of them).
 *
 * @param length elements of the arrays
 * @param group lanes of an edge, a power of two up to 32
 * @param span neighbouring elements that a lane loads together, a power of two
 * @param each elements that a lane has: spans of them
 * @param words words of 32 bits that a lane loads over an edge
 * @param applies whether lanes share the arrays of vertices in the vertex program, too
 * @param selects whether they share those of edges that a superstep selects, too
 * @param team where lanes run a vertex together, each array being in one piece of memory; null:
 *     they do not
 */
record FeatureLayout(
    int length,
    int group,
    int span,
    int each,
    int words,
    boolean applies,
    boolean selects,
    TeamLayout team) {
  /** Bytes that a lane loads at once. */
  private static final int SPAN_BYTES = 16;

  private static final int WARP = 32;

  /**
   * Words of edges that a lane has under way together where a warp works on one row, where its
   * edges are dealt out ({@code sgg/spread.cuh}: at least four groups of lanes), and edges.
   * Measured on an H100 (docs/performance.md, vectors).
   */
  private static final int MOST_WORDS = 16;

  private static final int MOST_WORDS_SPREAD = 32;
  private static final int LARGEST_GROUP_SPREAD = 8;
  private static final int MOST_DEPTH = 8;

  /**
   * Bytes that the groups of a warp may leave at borders between them ({@code sgg/selected.cuh}).
   */
  private static final int MOST_BORDER_BYTES = 4096;

  /** The same with what a lane loads over an edge, and with what it knows of selected ones. */
  FeatureLayout loading(LiftedProgram program, KernelShape shape) {
    Role other = shape.inRows() ? Role.SOURCE : Role.DESTINATION;
    int sum = 0;
    for (Param p : program.send().parameters()) {
      if (p.role() == other) {
        sum += words(program.state().columns().get(p.index()));
      } else if (p.role() == Role.EDGE) {
        sum += words(program.edge().columns().get(p.index()));
      }
    }
    int part = program.message().columns().stream().mapToInt(this::partBytes).sum();
    boolean fits = (group == WARP ? part : WARP * part) <= MOST_BORDER_BYTES;
    return new FeatureLayout(
        length,
        group,
        span,
        each,
        Math.max(1, sum),
        applies,
        fits && !shape.everyVertex(),
        fits ? team : null);
  }

  /** The same with vertices that teams run. */
  FeatureLayout running(TeamLayout by) {
    return new FeatureLayout(length, group, span, each, words, applies, selects, by);
  }

  private int partBytes(ColumnType type) {
    return type.isArray() ? each * type.kind().bytes() : Long.BYTES;
  }

  private int words(ColumnType type) {
    return (type.isArray() ? each : 1) * Math.max(1, type.kind().bytes() / Integer.BYTES);
  }

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
    int each = (spans + group - 1) / group * span;
    return new FeatureLayout(
        length, group, span, each, each * bytes / Integer.BYTES, applies, false, null);
  }

  /** Edges that a group of lanes has under way together, a power of two. */
  int depth() {
    int most = group <= LARGEST_GROUP_SPREAD ? MOST_WORDS_SPREAD : MOST_WORDS;
    return Integer.highestOneBit(Math.max(1, Math.min(MOST_DEPTH, most / words)));
  }

  /** Edges that a warp has under way together. */
  int round() {
    return WARP / group * depth();
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
    boolean teams = layout != null && layout.team != null;
    SharedWords.define(out, "FEATURES_SELECT", teams || layout != null && layout.selects);
    SharedWords.define(out, "TEAM", teams ? layout.team.lanes() : 0);
    if (teams) {
      SharedWords.define(out, "TEAM_BYTES", layout.team.bytes());
    }
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
