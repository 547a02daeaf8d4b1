package org.sparkgpugraph.engine.device.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.LaneForm;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

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
 */
record FeatureLayout(
    int length, int group, int span, int each, int words, boolean applies) {
  /** Bytes of an array from which on lanes share it. */
  private static final int LEAST_BYTES = 32;

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

  /** The layout for a program; empty where lanes cannot share its messages, or need not. */
  static Optional<FeatureLayout> of(LiftedProgram program, KernelShape shape) {
    if (program.mergesByMode() || !hasIdentities(program)) {
      return Optional.empty();
    }
    List<ArrayType> arrays = new ArrayList<>();
    program.message().columns().forEach(type -> add(arrays, type));
    if (arrays.isEmpty()) {
      return Optional.empty();
    }
    int length = arrays.get(0).length();
    for (Param p : program.send().parameters()) {
      if (p.role() == Role.SOURCE || p.role() == Role.DESTINATION) {
        add(arrays, program.state().columns().get(p.index()));
      } else if (p.role() == Role.EDGE) {
        add(arrays, program.edge().columns().get(p.index()));
      }
    }
    int bytes = arrays.stream().mapToInt(type -> type.kind().bytes()).max().orElseThrow();
    boolean shares =
        arrays.stream().allMatch(type -> type.length() == length)
            && length * bytes >= LEAST_BYTES
            && isShared(CudaPrinter.lanes(program.merge(), null), length)
            && (!shape.inRows() || isShared(lanes(program, Side.DESTINATION), length))
            && (!shape.outRows() || isShared(lanes(program, Side.SOURCE), length));
    return shares
        ? Optional.of(
            of(length, bytes, applies(program, shape, length, bytes)).loading(program, shape))
        : Optional.empty();
  }

  /** The same with what a lane loads over an edge. */
  private FeatureLayout loading(LiftedProgram program, KernelShape shape) {
    Role other = shape.inRows() ? Role.SOURCE : Role.DESTINATION;
    int sum = 0;
    for (Param p : program.send().parameters()) {
      if (p.role() == other) {
        sum += words(program.state().columns().get(p.index()));
      } else if (p.role() == Role.EDGE) {
        sum += words(program.edge().columns().get(p.index()));
      }
    }
    return new FeatureLayout(length, group, span, each, Math.max(1, sum), applies);
  }

  private int words(ColumnType type) {
    return (type.isArray() ? each : 1) * Math.max(1, type.kind().bytes() / Integer.BYTES);
  }

  /** Whether all functions of a superstep have a form for lanes. */
  private static boolean applies(LiftedProgram program, KernelShape shape, int length, int bytes) {
    boolean arrays =
        program.state().columns().stream()
            .allMatch(
                type -> !type.isArray() || type.width() == length && type.kind().bytes() <= bytes);
    Stream<IrFunction> functions =
        Stream.concat(
            Stream.of(program.vertexProgram(), program.activeWhen()),
            program.aggregates().stream().map(Aggregate::function));
    return arrays
        && !shape.inPlace()
        && functions
            .filter(Objects::nonNull)
            .allMatch(function -> isShared(CudaPrinter.lanes(function, null), length));
  }

  private static void add(List<ArrayType> arrays, ColumnType type) {
    if (type instanceof ArrayType array) {
      arrays.add(array);
    }
  }

  /** Whether messages are merged in any order, and there is one that changes no other. */
  private static boolean hasIdentities(LiftedProgram program) {
    List<MergeAlgebra> merge = program.traits().merge();
    List<ColumnType> message = program.message().columns();
    return merge.size() == message.size()
        && IntStream.range(0, merge.size())
            .allMatch(c -> merge.get(c).identity(message.get(c).kind()) != null);
  }

  private static Optional<LaneForm> lanes(LiftedProgram program, Side side) {
    return CudaPrinter.lanes(program.send(), side);
  }

  private static boolean isShared(Optional<LaneForm> lanes, int length) {
    return lanes.isPresent() && (lanes.get().length() == 0 || lanes.get().length() == length);
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
    return new FeatureLayout(length, group, span, each, each * bytes / Integer.BYTES, applies);
  }

  /** Edges that a group of lanes has under way together, a power of two. */
  int depth() {
    int most = group <= LARGEST_GROUP_SPREAD ? MOST_WORDS_SPREAD : MOST_WORDS;
    return Integer.highestOneBit(Math.max(1, Math.min(MOST_DEPTH, most / words)));
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
