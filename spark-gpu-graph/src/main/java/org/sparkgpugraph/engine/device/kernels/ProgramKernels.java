package org.sparkgpugraph.engine.device.kernels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.ProgramUnsupportedException;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.ModeSends;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.FaultSite;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * The kernels of one program: the source, and the layout of what the host passes to them.
 *
 * @param source the translation unit: headers, structs, printed functions, adapters between those
 *     and the kernel templates, kernels
 * @param frame layout of the kernels' parameter
 * @param outbox layout of the refined updates of one boundary list
 * @param sites where the program may stop itself, by the number that device code reports
 * @param shape the shape that was asked for
 * @param pushing how supersteps may push
 * @param shipped state columns that partitions tell each other; all that change where any holder of
 *     a vertex may have to compute it
 * @param permissive whether the computed rows are between borders
 */
public record ProgramKernels(
    KernelSource source,
    FrameLayout frame,
    FrameLayout outbox,
    List<FaultSite> sites,
    KernelShape shape,
    Optional<Pushing> pushing,
    List<Integer> shipped,
    boolean permissive) {

  public ProgramKernels {
    sites = List.copyOf(sites);
    shipped = List.copyOf(shipped);
  }

  /** Generates the kernels of a program. */
  public static ProgramKernels of(
      LiftedProgram program, KernelShape shape, DeviceShape deviceShape) {
    boolean permissive = deviceShape.permissive();
    List<Integer> shipped = shipped(program, permissive);
    FrameLayout outbox = FrameLayouts.outbox(program, shipped);
    Optional<Pushing> pushing =
        permissive ? Optional.empty() : Pushing.of(program, shape, deviceShape.direction());
    FrameLayout frame = FrameLayouts.frame(program, pushing.orElse(null));
    if (permissive) {
      FrameLayouts.borders(frame);
    }
    CudaPrinter printer = new CudaPrinter();
    String adapters =
        new ProgramAdapters(program, shape, printer, pushing.orElse(null), shipped).text();
    String text =
        KernelHeaders.base(deviceShape.tuning())
            + KernelHeaders.text("java.cuh")
            + (pushing.isPresent() ? KernelHeaders.text("atomics.cuh") : "")
            + "#line 1 \"program\"\n"
            + SharedWords.programMacros()
            + switches(program, shape, deviceShape)
            + modeSwitches(program)
            + switches(pushing.orElse(null), !printer.sites().list().isEmpty())
            + outbox.text()
            + frame.text()
            + adapters
            + KernelHeaders.texts(headers(program, shape, deviceShape, pushing.orElse(null)));
    KernelSource source =
        new KernelSource(
            printer.origins().isEmpty() ? "a program" : printer.origins().get(0),
            text,
            kernels(program, shape, deviceShape, pushing.orElse(null)),
            printer.origins());
    return new ProgramKernels(
        source, frame, outbox, printer.sites().list(), shape, pushing, shipped, permissive);
  }

  private static List<Integer> shipped(LiftedProgram program, boolean permissive) {
    if (!permissive) {
      return Arrays.stream(FunctionTraits.shippedColumns(program)).boxed().toList();
    }
    boolean[] stable = FunctionTraits.stableColumns(program);
    return IntStream.range(0, stable.length).filter(c -> !stable[c]).boxed().toList();
  }

  /** The headers over a program's functions and adapters; each stands on those before it. */
  private static List<String> headers(
      LiftedProgram program, KernelShape shape, DeviceShape device, Pushing pushing) {
    boolean selects = !shape.everyVertex();
    List<String> names =
        new ArrayList<>(
            List.of("selection.cuh", "packing.cuh", "tally.cuh", "refine.cuh", "apply.cuh"));
    if (program.mergesByMode()) {
      names.addAll(List.of("hubs.cuh", "mode.cuh"));
    } else {
      names.addAll(List.of("gather.cuh", "stream.cuh", "hubs.cuh", "chunks.cuh", "superstep.cuh"));
      add(names, device.virtualWarps(), "virtual_warps.cuh");
    }
    add(names, selects, "sparse.cuh");
    add(names, selects && device.permissive(), "sections.cuh");
    if (pushing != null) {
      names.addAll(List.of("grid.cuh", "queue.cuh"));
      add(names, pushing.quiet(), "speakers.cuh");
      names.addAll(List.of("round.cuh", "far.cuh", "slots.cuh", "push.cuh"));
    }
    if (shape.tracksChanges()) {
      names.addAll(List.of("collect.cuh", "exchange.cuh"));
    }
    names.add("initialise.cuh");
    add(
        names,
        !program.aggregates().isEmpty() || !program.finalAggregates().isEmpty(),
        "aggregates.cuh");
    add(names, program.resultFunction() != null, "result.cuh");
    return names;
  }

  private static void add(List<String> names, boolean wanted, String name) {
    if (wanted) {
      names.add(name);
    }
  }

  /** The macros that select what the headers compile. */
  private static String switches(LiftedProgram program, KernelShape shape, DeviceShape device) {
    StringBuilder out = new StringBuilder();
    SharedWords.define(out, "IN_ROWS", shape.inRows());
    SharedWords.define(out, "OUT_ROWS", shape.outRows());
    SharedWords.define(out, "IN_FILTER", shape.inFilter().ordinal());
    SharedWords.define(out, "OUT_FILTER", shape.outFilter().ordinal());
    SharedWords.define(out, "GATHER_ALL", shape.gatherAll());
    SharedWords.define(out, "EVERY_VERTEX", shape.everyVertex());
    SharedWords.define(out, "STARTS_WITH_MESSAGE", shape.startsWithMessage());
    SharedWords.define(out, "MISSING", shape.missingVertices());
    SharedWords.define(out, "IN_PLACE", shape.inPlace());
    SharedWords.define(out, "TRACKS_CHANGES", shape.tracksChanges());
    SharedWords.define(out, "RECORDS_RAN", recordsRan(program, shape));
    SharedWords.define(out, "PERMISSIVE", device.permissive());
    SharedWords.define(out, "COMMUTATIVE", isCommutative(program));
    SharedWords.define(out, "STREAM", device.tuning().walk() == DenseTuning.Walk.STREAM);
    SharedWords.define(out, "ACTIVATES_SELF", activatesSelf(shape, device));
    SharedWords.define(out, "ACTIVATES_IN", activatesOverIn(shape, device));
    SharedWords.define(out, "ACTIVATES_OUT", activatesOverOut(shape, device));
    SharedWords.define(out, "AGGREGATES", program.aggregates().size());
    SharedWords.define(out, "FINAL_AGGREGATES", program.finalAggregates().size());
    return out.toString();
  }

  /**
   * What {@code mode.cuh} has to know.
   *
   * @throws ProgramUnsupportedException when an edge may send too many messages
   */
  private static String modeSwitches(LiftedProgram program) {
    StringBuilder out = new StringBuilder();
    if (program.mergesByMode()) {
      int sends = ModeSends.most(program.send());
      if (sends == ModeSends.UNBOUNDED || sends > ModeLayout.MOST_SENDS) {
        throw new ProgramUnsupportedException(
            "sendMessage may send "
                + (sends == ModeSends.UNBOUNDED ? "any number of" : sends)
                + " messages to one end of an edge"
                + (sends == ModeSends.UNBOUNDED ? " (it sends in a loop)" : "")
                + ", but on a GPU the most frequent message is found"
                + " where an edge sends at most "
                + ModeLayout.MOST_SENDS
                + ": set spark.gpugraph.engine = cpu");
      }
      SharedWords.define(out, "MODE_SENDS", sends);
    }
    return out.toString();
  }

  private static String switches(Pushing pushing, boolean faults) {
    StringBuilder out = new StringBuilder();
    if (pushing != null) {
      SharedWords.define(out, "PUSHES_VALUES", pushing.intoValue());
      SharedWords.define(out, "WALKS_OUT", pushing.out());
      SharedWords.define(out, "WALKS_IN", pushing.in());
      SharedWords.define(out, "PUSH_BOTH", pushing.both());
      SharedWords.define(out, "QUIET", pushing.quiet());
      SharedWords.define(out, "BUCKETS", pushing.buckets());
      SharedWords.define(out, "FAULTS", faults);
    }
    return out.toString();
  }

  /** Whether sparse supersteps keep the vertices that ran apart from those that are active. */
  public static boolean recordsRan(LiftedProgram program, KernelShape shape) {
    return !shape.inPlace() && program.activeWhen() != null;
  }

  /** Whether active vertices are candidates themselves. */
  static boolean activatesSelf(KernelShape shape, DeviceShape device) {
    return shape.inRows() && KernelShape.activeRowsAreCandidates(device.direction(), true)
        || shape.outRows() && KernelShape.activeRowsAreCandidates(device.direction(), false);
  }

  /** Whether active vertices make the targets of their out-edges candidates (in-transpose). */
  static boolean activatesOverIn(KernelShape shape, DeviceShape device) {
    return shape.inRows() && KernelShape.neighbourRowsAreCandidates(device.direction(), true);
  }

  /** Whether active vertices make the sources of their in-edges candidates (out-transpose). */
  static boolean activatesOverOut(KernelShape shape, DeviceShape device) {
    return shape.outRows() && KernelShape.neighbourRowsAreCandidates(device.direction(), false);
  }

  /** Whether messages may be merged in any order (floating sums up to rounding). */
  private static boolean isCommutative(LiftedProgram program) {
    List<MergeAlgebra> algebra = program.traits().merge();
    return algebra.size() == program.message().columns().size()
        && algebra.stream().noneMatch(a -> a == MergeAlgebra.FIRST || a == MergeAlgebra.GENERAL);
  }

  private static List<String> kernels(
      LiftedProgram program, KernelShape shape, DeviceShape device, Pushing pushing) {
    List<String> names = new ArrayList<>(List.of("initialise", "gather_all", "hubs_all"));
    boolean selects = !shape.everyVertex();
    if (!selects && device.tuning().tellsUnevenApart() && !program.mergesByMode()) {
      names.add("gather_uneven");
    }
    if (selects) {
      names.addAll(
          List.of(
              "gather_dense", "gather_sparse", "hubs_dense", "hubs_sparse", "activate", "commit"));
    }
    if (selects && device.permissive()) {
      names.add("count_sections");
    }
    if (shape.gatherAll()) {
      names.addAll(List.of("hub_select_dense", "hub_select_sparse"));
    }
    if (pushing != null) {
      names.addAll(List.of("frontier", "push_loop"));
      if (!pushing.intoValue()) {
        names.add("push_reset");
      }
      if (pushing.quiet()) {
        names.addAll(List.of("push_worst_start", "push_worst", "push_speakers"));
      }
    }
    if (device.virtualWarps() && !program.mergesByMode()) {
      names.add("lanes_all");
      if (selects) {
        names.add("lanes_dense");
      }
    }
    if (shape.tracksChanges()) {
      names.addAll(List.of("collect_count", "collect", "inbox"));
    }
    if (!program.aggregates().isEmpty()) {
      names.add("aggregate");
    }
    if (!program.finalAggregates().isEmpty()) {
      names.addAll(List.of("final_aggregates", "final_aggregate"));
    }
    if (program.resultFunction() != null) {
      names.add("result");
    }
    return names;
  }

  /** The layouts of the structs. */
  private static final class FrameLayouts {
    private FrameLayouts() {}

    static FrameLayout outbox(LiftedProgram program, List<Integer> shipped) {
      FrameLayout box = new FrameLayout("Outbox");
      box.pointer(FrameField.MEMBERS, "const unsigned");
      box.pointer(FrameField.RANKS, "const int");
      box.pointer(FrameField.COUNTS, "int");
      box.pointer(FrameField.POSITIONS, "int");
      box.pointer(FrameField.FLAGS, "unsigned char");
      for (int c : shipped) {
        box.pointer(FrameField.VALUE.of(c), CTypes.memory(program.state().columns().get(c)));
      }
      return box;
    }

    /** What says which rows a superstep computes, and what it counts of them. */
    static void borders(FrameLayout frame) {
      for (String member :
          List.of(
              FrameField.FIRST_ROW,
              FrameField.END_ROW,
              FrameField.SECTION_ROWS,
              FrameField.COUNTED_SHIFT)) {
        frame.integer(member);
      }
      frame.pointer(FrameField.COUNTED, "const unsigned");
      frame.pointer(FrameField.SECTION_COUNTS, "int");
    }

    static FrameLayout frame(LiftedProgram program, Pushing pushing) {
      FrameLayout frame = new FrameLayout("Frame");
      for (String member :
          List.of(
              FrameField.STORED,
              FrameField.LOCALS,
              FrameField.VERTEX_COUNT,
              FrameField.SUPERSTEP)) {
        frame.integer(member);
      }
      values(frame, FrameField.CAPTURE, program.captureKinds());
      int aggregates = Math.max(program.aggregates().size(), program.finalAggregates().size());
      for (int i = 0; i < aggregates; i++) {
        frame.value(FrameField.AGGREGATE.of(i), Kind.DOUBLE);
      }
      values(frame, FrameField.INITIAL_MESSAGE, program.message().columns());
      values(frame, FrameField.EMPTY_MESSAGE, program.message().columns());
      frame.pointer(FrameField.IN_OFFSETS, "const int");
      frame.pointer(FrameField.IN_SOURCES, "const int");
      edgeValues(frame, FrameField.IN_EDGE, program);
      frame.pointer(FrameField.OUT_OFFSETS, "const int");
      frame.pointer(FrameField.OUT_DESTINATIONS, "const int");
      edgeValues(frame, FrameField.OUT_EDGE, program);
      frame.pointer(FrameField.IDS, "const long long");
      attributes(frame, program);
      frame.pointer(FrameField.IN_DEGREES, "const int");
      frame.pointer(FrameField.OUT_DEGREES, "const int");
      columns(frame, FrameField.STATE, "", program.state().columns());
      columns(frame, FrameField.NEXT, "", program.state().columns());
      columns(frame, FrameField.RESULT, "", program.result().columns());
      frame.pointer(FrameField.PRESENT, "const unsigned");
      frame.pointer(FrameField.ACTIVE, "const unsigned");
      for (String mask : List.of(FrameField.NEXT_ACTIVE, FrameField.CANDIDATES, FrameField.RAN)) {
        frame.pointer(mask, "unsigned");
      }
      frame.pointer(FrameField.ACTIVE_COST, "const int");
      hubs(frame, program);
      frame.integer(FrameField.WIDTH);
      frame.pointer(FrameField.IN_TRANSPOSE_OFFSETS, "const int");
      frame.pointer(FrameField.IN_TRANSPOSE_TARGETS, "const int");
      frame.pointer(FrameField.OUT_TRANSPOSE_OFFSETS, "const int");
      frame.pointer(FrameField.OUT_TRANSPOSE_TARGETS, "const int");
      frame.integer(FrameField.GROUP_SHIFT);
      frame.pointer(FrameField.STATUS, "unsigned long long");
      frame.pointer(FrameField.AGGREGATE_PARTIALS, "double");
      frame.integer(FrameField.PARTIAL_SLOTS);
      frame.pointer(FrameField.OUTBOXES, "const Outbox");
      frame.integer(FrameField.OUTBOX_COUNT);
      frame.integer(FrameField.SHIP_ACTIVITY);
      frame.pointer(FrameField.CHANGED, "unsigned");
      frame.pointer(FrameField.COLLECTED, "const Outbox");
      frame.pointer(FrameField.COLLECT_COUNTS, "long long");
      frame.integer(FrameField.COLLECTS_ALL);
      frame.pointer(FrameField.INBOX, "const Outbox");
      frame.integer(FrameField.INBOX_COUNT);
      frame.integer(FrameField.INBOX_FIXED_SLOTS);
      frame.integer(FrameField.FIXED_SLOTS);
      frame.integer(FrameField.FIRST_GHOST);
      frame.pointer(FrameField.GHOST_OF, "const int");
      if (pushing != null) {
        queue(frame, program);
      }
      return frame;
    }

    private static void queue(FrameLayout frame, LiftedProgram program) {
      frame.pointer(FrameField.QUEUE, "long long");
      frame.pointer(FrameField.NEXT_QUEUE, "long long");
      frame.pointer(FrameField.QUEUE_STATE, "unsigned long long");
      frame.pointer(FrameField.RING, "unsigned long long");
      List<Kind> message = program.message().columns();
      for (int c = 0; c < message.size(); c++) {
        frame.pointer(FrameField.SLOT.of(c), CTypes.register(message.get(c)));
      }
      frame.pointer(FrameField.TOUCHED, "unsigned");
      frame.pointer(FrameField.TOUCHED_ROWS, "int");
      frame.pointer(FrameField.FAR_0, "int");
      frame.pointer(FrameField.FAR_1, "int");
      frame.pointer(FrameField.FAR_BITS, "unsigned");
      frame.value(FrameField.BUCKET, Kind.DOUBLE);
      for (String member :
          List.of(
              FrameField.ROUNDS,
              FrameField.LEAST_WORK,
              FrameField.MOST_WORK,
              FrameField.PREFETCHES,
              FrameField.QUEUE_CAPACITY)) {
        frame.integer(member);
      }
    }

    private static void hubs(FrameLayout frame, LiftedProgram program) {
      for (String member :
          List.of(
              FrameField.HUB_DEGREE,
              FrameField.HUB_COUNT,
              FrameField.CHUNK_COUNT,
              FrameField.FUSED_CHUNKS,
              FrameField.PIECE_WORDS)) {
        frame.integer(member);
      }
      for (String member :
          List.of(
              FrameField.HUB_ROWS,
              FrameField.HUB_FIRST_CHUNK,
              FrameField.CHUNK_HUB,
              FrameField.CHUNK_BEGIN,
              FrameField.CHUNK_END,
              FrameField.CHUNK_SIDE)) {
        frame.pointer(member, "const int");
      }
      frame.pointer(FrameField.HUB_ARRIVED, "int");
      frame.pointer(FrameField.PARTIAL_HAS, "unsigned char");
      columns(frame, FrameField.PARTIAL, "", program.message().columns());
      frame.pointer(FrameField.HUB_SELECTED, "int");
      if (program.mergesByMode()) {
        frame.pointer(FrameField.MODE_FIRST, "const int");
        frame.pointer(FrameField.MODE_CAPACITY, "const int");
        frame.pointer(FrameField.MODE_KEYS, "unsigned long long");
        frame.pointer(FrameField.MODE_COUNTS, "unsigned");
        frame.pointer(FrameField.MODE_CHUNK_LABELS, "long long");
        frame.pointer(FrameField.MODE_CHUNK_COUNTS, "int");
        frame.integer(FrameField.MODE_FIRST_CHUNK);
        frame.integer(FrameField.MODE_END_CHUNK);
      }
    }

    private static void values(FrameLayout frame, FrameField.PerColumn of, List<Kind> kinds) {
      for (int i = 0; i < kinds.size(); i++) {
        frame.value(of.of(i), kinds.get(i));
      }
    }

    /** Only what is read, so that graphs with other values run with the same code. */
    private static void edgeValues(
        FrameLayout frame, FrameField.PerColumn of, LiftedProgram program) {
      List<Kind> kinds = program.edge().columns();
      for (int c = 0; c < kinds.size(); c++) {
        if (program.send().reads(Role.EDGE, c)) {
          frame.pointer(of.of(c), "const " + CTypes.memory(kinds.get(c)));
        }
      }
    }

    private static void attributes(FrameLayout frame, LiftedProgram program) {
      List<Kind> kinds = program.attribute().columns();
      for (int c = 0; c < kinds.size(); c++) {
        if (program.initialState() == null || keepsAttribute(program, c)) {
          frame.pointer(FrameField.ATTRIBUTE.of(c), "const " + CTypes.memory(kinds.get(c)));
        }
      }
    }

    private static void columns(
        FrameLayout frame, FrameField.PerColumn of, String qualifier, List<Kind> kinds) {
      for (int c = 0; c < kinds.size(); c++) {
        frame.pointer(of.of(c), qualifier + CTypes.memory(kinds.get(c)));
      }
    }
  }

  /**
   * Whether an attribute column has memory of its own. Without a state function the attributes are
   * the first values: they are uploaded to where the values are.
   */
  public static boolean keepsAttribute(LiftedProgram program, int c) {
    return program.initialState() != null && program.initialState().reads(Role.ATTRIBUTE, c)
        || program.resultFunction() != null && program.resultFunction().reads(Role.ATTRIBUTE, c);
  }
}
