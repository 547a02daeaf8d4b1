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
import org.sparkgpugraph.engine.device.settings.ActiveWork;
import org.sparkgpugraph.engine.device.settings.DelegateLayout;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.engine.device.settings.EdgeOrder;
import org.sparkgpugraph.engine.device.settings.HotColumns;
import org.sparkgpugraph.engine.device.settings.HotVertices;
import org.sparkgpugraph.engine.device.settings.MergeMode;
import org.sparkgpugraph.engine.device.settings.OutlineLayout;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.ModeSends;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.hoist.SuperstepKind;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.FaultSite;
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
 * @param sharedEdges edges that a warp has under way together, where lanes share the arrays of an
 *     edge ({@code sgg/features.cuh}); else 0
 * @param outlined kernels that do several supersteps a launch which walk rows, where the run has
 *     some
 * @param relaxingFrame layout of the parameter of kernels that relax without supersteps, that of
 *     the other kernels and more behind it; empty where the run never goes on so
 * @param hot kernels that gather all rows and read hot vertices first, where the run has some
 */
public record ProgramKernels(
    KernelSource source,
    FrameLayout frame,
    FrameLayout outbox,
    List<FaultSite> sites,
    KernelShape shape,
    Optional<Pushing> pushing,
    List<Integer> shipped,
    boolean permissive,
    int sharedEdges,
    Optional<Outlined> outlined,
    Optional<FrameLayout> relaxingFrame,
    Optional<Hot> hot) {
  /** Kernels that walk all rows of a program that runs every vertex, superstep by superstep. */
  public static final String OUTLINE_ALL = "outline_all";

  /** … those of other programs. */
  public static final String OUTLINE_DENSE = "outline_dense";

  /** … and those that walk the rows that active vertices reach. */
  public static final String OUTLINE_SPARSE = "outline_sparse";

  /** Pushes and lets rows stop early, superstep by superstep. */
  public static final String SEARCH = "search_loop";

  /** Puts values of other ends in the order of ranks. */
  public static final String HOT_VALUES = "hot_values";

  /** Gathers all rows with values in that order. */
  public static final String HOT_GATHER = "hot_gather";

  /** Those of ghosts alone. */
  public static final String HOT_GHOSTS = "hot_ghosts";

  /**
   * Kernels that gather all rows and read hot vertices first.
   *
   * @param kernels these
   * @param frame layout of their parameter: that of the other kernels, and more behind it
   * @param columns what they read of other ends
   * @param how in blocks of which size they do
   */
  public record Hot(
      SuperstepKernels kernels, FrameLayout frame, HotColumns columns, HotVertices how) {}

  /**
   * Kernels that do several supersteps a launch.
   *
   * @param kernels all supersteps walk by these
   * @param frame layout of their parameter: that of the other kernels, and more behind it
   * @param entryWords words of the ring for each superstep
   */
  public record Outlined(SuperstepKernels kernels, FrameLayout frame, int entryWords) {
    /** Whether supersteps are among them that walk the rows which active vertices reach. */
    public boolean sparse() {
      return kernels.source().kernels().contains(OUTLINE_SPARSE);
    }
  }

  public ProgramKernels {
    sites = List.copyOf(sites);
    shipped = List.copyOf(shipped);
  }

  /** Generates the kernels of a program. */
  public static ProgramKernels of(
      LiftedProgram program, KernelShape shape, DeviceShape deviceShape) {
    boolean permissive = deviceShape.permissive();
    List<Integer> shipped = shipped(program, permissive);
    FrameLayout outbox = FrameField.outbox(program, shipped);
    Optional<Pushing> pushing = pushing(program, shape, deviceShape);
    FeatureLayout features =
        deviceShape.tuning().features()
            ? ArraySharing.of(program, shape).layout().orElse(null)
            : null;
    // Supersteps of a kind of their own may share arrays where all of them together do not.
    Optional<FeatureLayout> shared =
        Optional.ofNullable(features)
            .or(() -> program.phased() ? ofMessages(program) : Optional.empty());
    FrameLayout frame =
        FrameField.frame(
            program, pushing.orElse(null), permissive, shared.isPresent(), shape.partialMessages());
    Text text = new Text(program, shape, deviceShape, pushing.orElse(null), shipped, features);
    KernelSource source =
        text.source(
            outbox.text() + frame.text(),
            headers(program, shape, deviceShape, pushing.orElse(null), features != null),
            kernels(program, shape, deviceShape, pushing.orElse(null)));
    boolean relaxes =
        deviceShape.asynchronous() && pushing.filter(Pushing::asynchronous).isPresent();
    return new ProgramKernels(
        source,
        frame,
        outbox,
        text.sites(),
        shape,
        pushing,
        shipped,
        permissive,
        shared.map(FeatureLayout::round).orElse(0),
        Optional.empty(),
        relaxes
            ? Optional.of(FrameField.relaxing(frame, program, pushing.get(), shape.tracksChanges()))
            : Optional.empty(),
        Optional.empty());
  }

  /** Whether there are kernels in which rows stop early ({@link Pushing#stopsEarly}). */
  public boolean stopsEarly() {
    return source.kernels().contains("gather_stopping");
  }

  /** Whether there is a kernel for many supersteps of a search ({@link Pushing#searches}). */
  public boolean searches() {
    return source.kernels().contains(SEARCH);
  }

  /** In which order edges are in rows that stop early; empty: in any. */
  public Optional<EdgeOrder> edgeOrder() {
    return stopsEarly() ? pushing.map(Pushing::order) : Optional.empty();
  }

  /** Whether messages are residuals ({@link Pushing#spreadsResiduals}). */
  public boolean spreadsResiduals() {
    return pushing.filter(Pushing::spreadsResiduals).isPresent();
  }

  /** These, and those that do several supersteps a launch which walk rows. */
  public ProgramKernels outlining(LiftedProgram program, DeviceShape deviceShape) {
    FrameLayout behind = FrameField.outlined(frame, program);
    FeatureLayout features =
        deviceShape.tuning().features()
            ? ArraySharing.of(program, shape).layout().orElse(null)
            : null;
    boolean everyVertex = shape.everyVertex();
    boolean sparse = !everyVertex && features == null && !program.mergesByMode();
    int nanos = StatusWord.COUNT + program.aggregates().size();
    StringBuilder macros = new StringBuilder();
    SharedWords.define(macros, "BY_MODE", program.mergesByMode());
    SharedWords.define(macros, "OUTLINES_SPARSE", sparse);
    SharedWords.define(macros, "OUTLINE_ROUNDS", OutlineLayout.ROUNDS);
    SharedWords.define(macros, "OUTLINE_ARRIVALS", OutlineLayout.ARRIVALS);
    SharedWords.define(macros, "OUTLINE_NANOS", nanos);
    SharedWords.define(macros, "OUTLINE_ENTRY", nanos + 1);
    List<String> headers = new ArrayList<>(List.of("phases.cuh"));
    headers.addAll(gathering(program, shape, deviceShape, null, features != null));
    add(headers, !program.aggregates().isEmpty(), "aggregates.cuh");
    headers.addAll(List.of("grid.cuh", "outline.cuh"));
    List<String> entries = new ArrayList<>(List.of(everyVertex ? OUTLINE_ALL : OUTLINE_DENSE));
    add(entries, sparse, OUTLINE_SPARSE);
    Text text = new Text(program, shape, deviceShape, null, shipped, features);
    KernelSource unit =
        text.source(
            macros + outbox.text() + behind.text() + changingPlaces(program), headers, entries);
    SuperstepKernels kernels =
        new SuperstepKernels(unit, text.sites(), true, FunctionTraits.stableColumns(program));
    return with(Optional.of(new Outlined(kernels, behind, nanos + 1)), hot);
  }

  /** Why there are no kernels that read hot vertices first; empty: there may be. */
  public Optional<String> hotObstacle(LiftedProgram program) {
    if (permissive) {
      return Optional.of("borders between devices move");
    }
    return sharedEdges > 0
        ? Optional.of("lanes share the arrays of an edge")
        : HotColumns.obstacle(program, shape);
  }

  /**
   * These, and those that read hot vertices first.
   *
   * @param deviceShape rows are streamed
   * @throws IllegalArgumentException where there is an {@link #hotObstacle}
   */
  public ProgramKernels readingHotFirst(LiftedProgram program, DeviceShape deviceShape) {
    FrameLayout behind = FrameField.hot(frame, program);
    HotColumns columns = HotColumns.of(program, shape);
    DenseTuning tuning = deviceShape.tuning();
    HotVertices how = tuning.hot().fitting(columns, tuning.edgesOfLane());
    DeviceShape fitting = deviceShape.with(tuning.withHot(how));
    // What headers of supersteps declare as kernels are functions here, of which one is called.
    List<String> headers = new ArrayList<>(List.of("phases.cuh"));
    headers.addAll(gathering(program, shape, deviceShape, null, false));
    headers.add("hot.cuh");
    Text text = new Text(program, shape, fitting, null, shipped, null).reading(columns);
    SuperstepKernels kernels =
        superstep(program, text, behind, headers, List.of(HOT_VALUES, HOT_GHOSTS, HOT_GATHER));
    return with(outlined, Optional.of(new Hot(kernels, behind, columns, how)));
  }

  /** These, without those that read hot vertices first. */
  public ProgramKernels notReadingHotFirst() {
    return with(outlined, Optional.empty());
  }

  /** These, by which each superstep that walks rows is a launch of its own. */
  public ProgramKernels notOutlining() {
    return with(Optional.empty(), hot);
  }

  private ProgramKernels with(Optional<Outlined> other, Optional<Hot> first) {
    return new ProgramKernels(
        source,
        frame,
        outbox,
        sites,
        shape,
        pushing,
        shipped,
        permissive,
        sharedEdges,
        other,
        relaxingFrame,
        first);
  }

  /** Functions for what the host does between supersteps that are launched one by one. */
  private String changingPlaces(LiftedProgram program) {
    boolean[] stable = FunctionTraits.stableColumns(program);
    StringBuilder swap =
        new StringBuilder("SGG_DEVICE void sgg_outline_swap(Frame& f) {\n  (void)f;\n");
    for (int c = 0; c < stable.length; c++) {
      if (!stable[c] && !shape.inPlace()) {
        String state = "f." + FrameField.STATE.of(c);
        String next = "f." + FrameField.NEXT.of(c);
        swap.append(
            "  auto* written%d = %s;\n  %s = %s;\n  %s = written%d;\n"
                .formatted(c, next, next, state, state, c));
      }
    }
    swap.append("}\n");
    if (!program.aggregates().isEmpty()) {
      swap.append(
          "SGG_DEVICE void sgg_outline_take_aggregates(Frame& f, const unsigned long long* words) {\n");
      for (int i = 0; i < program.aggregates().size(); i++) {
        swap.append(
            "  f.%s = __longlong_as_double(*(const volatile long long*)(words + %d));\n"
                .formatted(FrameField.AGGREGATE.of(i), i));
      }
      swap.append("}\n");
    }
    return swap.toString();
  }

  private static Optional<Pushing> pushing(
      LiftedProgram program, KernelShape shape, DeviceShape device) {
    if (device.permissive()) {
      return Optional.empty();
    }
    Optional<Pushing> askedFor =
        device.merging() == null
            ? Optional.empty()
            : Pushing.askedFor(device.merging(), program, shape, device.direction());
    return askedFor.or(() -> Pushing.of(program, shape, device.direction()));
  }

  /** The layout for the first array of a message. */
  private static Optional<FeatureLayout> ofMessages(LiftedProgram program) {
    return program.message().columns().stream()
        .filter(ColumnType::isArray)
        .findFirst()
        .map(type -> FeatureLayout.of(type.width(), type.kind().bytes(), false));
  }

  /**
   * Kernels for some supersteps of the program.
   *
   * @param kind what they do
   * @param program the program
   */
  SuperstepKernels of(SuperstepKind kind, LiftedProgram program, DeviceShape deviceShape) {
    LiftedProgram part = kind.program();
    boolean walks = part.traits().sendsToSource() || part.traits().sendsToDestination();
    // A hub of either side is no row of the other, so both are walked where one is.
    KernelShape walked = walks ? shape : shape.walking(false, false);
    FeatureLayout features =
        deviceShape.tuning().features()
            ? ArraySharing.of(part, walked).layout().orElse(null)
            : null;
    Text text = new Text(part, walked, deviceShape, null, shipped, features);
    KernelSource source =
        text.source(
            outbox.text()
                + frame.text(
                    FrameField.knowing(kind.message(), program.message().columns().size())),
            gathering(part, walked, deviceShape, null, features != null),
            gatheringKernels(part, walked, deviceShape));
    return new SuperstepKernels(source, text.sites(), walks, FunctionTraits.stableColumns(part));
  }

  /**
   * The kernels of supersteps that gather all rows, in another way than these; they take the same
   * frame.
   *
   * @param other as it was given to {@link #of}, but for its tuning
   */
  public SuperstepKernels gathering(LiftedProgram program, DeviceShape other) {
    FeatureLayout features =
        other.tuning().features() ? ArraySharing.of(program, shape).layout().orElse(null) : null;
    List<String> names = new ArrayList<>(gatheringKernels(program, shape, other));
    add(names, !shape.everyVertex(), "gather_dense", "hubs_dense");
    Text text = new Text(program, shape, other, null, shipped, features);
    return superstep(
        program, text, frame, gathering(program, shape, other, null, features != null), names);
  }

  /**
   * The kernel of supersteps that push, in another way than these; it takes the same frame.
   *
   * @param other as it was given to {@link #of}, but for its schedule
   */
  public SuperstepKernels pushing(LiftedProgram program, DeviceShape other) {
    Pushing how = pushing.orElseThrow();
    Text text = new Text(program, shape, other, how, shipped, null);
    return superstep(
        program, text, frame, gathering(program, shape, other, how, false), List.of("push_loop"));
  }

  /**
   * The kernels that relax without supersteps: a module of their own, since few runs need it; they
   * take {@link #relaxingFrame}.
   *
   * @param same as it was given to {@link #of}
   * @param tiles whether blocks own the vertices
   * @throws java.util.NoSuchElementException when the run never goes on so
   */
  public SuperstepKernels relaxing(LiftedProgram program, DeviceShape same, boolean tiles) {
    Pushing how = pushing.orElseThrow();
    FrameLayout behind = relaxingFrame.orElseThrow();
    // What headers of supersteps declare as kernels are functions here, which nobody calls.
    List<String> headers = new ArrayList<>(List.of("phases.cuh"));
    headers.addAll(applying());
    headers.add("tasks.cuh");
    headers.addAll(pushed(how, shape));
    headers.add("async.cuh");
    add(headers, tiles, "tiles.cuh");
    String items = how.spreadsResiduals() ? "residual.cuh" : "chase.cuh";
    add(headers, !tiles, items, "workers.cuh", "manager.cuh");
    Text text = new Text(program, shape, same, how, shipped, null).relaxing();
    return superstep(program, text, behind, headers, List.of(tiles ? "tile_loop" : "async_loop"));
  }

  private SuperstepKernels superstep(
      LiftedProgram program,
      Text text,
      FrameLayout parameter,
      List<String> headers,
      List<String> names) {
    KernelSource source = text.source(outbox.text() + parameter.text(), headers, names);
    return new SuperstepKernels(source, text.sites(), true, FunctionTraits.stableColumns(program));
  }

  /** One translation unit, being written. */
  private record Text(
      LiftedProgram program,
      KernelShape shape,
      DeviceShape device,
      Pushing pushing,
      List<Integer> shipped,
      FeatureLayout features,
      boolean relaxes,
      HotColumns hot,
      CudaPrinter printer) {
    Text(
        LiftedProgram program,
        KernelShape shape,
        DeviceShape device,
        Pushing pushing,
        List<Integer> shipped,
        FeatureLayout features) {
      this(program, shape, device, pushing, shipped, features, false, null, new CudaPrinter());
    }

    /** Whether blocks that run at the same time tell each other things by words. */
    private boolean tellEachOther() {
      return relaxes || pushing != null && (delegates(pushing) || shape.tracksChanges());
    }

    /** The same, with what kernels need that relax without supersteps. */
    Text relaxing() {
      return new Text(program, shape, device, pushing, shipped, features, true, null, printer);
    }

    /** The same that reads values of other ends by rank. */
    Text reading(HotColumns columns) {
      return new Text(program, shape, device, pushing, shipped, features, false, columns, printer);
    }

    /**
     * @param structs those that the host fills
     */
    KernelSource source(String structs, List<String> headers, List<String> kernels) {
      String adapters =
          new ProgramAdapters(
                  program,
                  shape,
                  printer,
                  pushing,
                  relaxes,
                  device.tuning(),
                  shipped,
                  features,
                  hot)
              .text();
      String text =
          (hot == null
                  ? KernelHeaders.base(device.tuning())
                  : KernelHeaders.hotBase(device.tuning()))
              + KernelHeaders.text("java.cuh")
              + KernelHeaders.text("arrays.cuh")
              + (pushing != null ? KernelHeaders.text("atomics.cuh") : "")
              + (tellEachOther() ? KernelHeaders.text("order.cuh") : "")
              + "#line 1 \"program\"\n"
              + SharedWords.programMacros()
              + switches(program, shape, device)
              + stopSwitches()
              + FeatureLayout.macros(features, device.tuning())
              + KernelHeaders.text("joins.cuh")
              + (features == null ? "" : KernelHeaders.text("parts.cuh"))
              + "#line 1 \"program\"\n"
              + modeSwitches(program)
              + switches(program, pushing, shape, device, !sites().isEmpty())
              + structs
              + adapters
              + KernelHeaders.texts(headers);
      return new KernelSource(
          printer.origins().isEmpty() ? "a program" : printer.origins().get(0),
          text,
          kernels,
          printer.origins());
    }

    private String stopSwitches() {
      StringBuilder out = new StringBuilder();
      boolean stops = stops(pushing);
      SharedWords.define(out, "STOPS", stops);
      SharedWords.define(
          out, "STOPS_AT_LEAST", stops && pushing.merge().get(0) == MergeAlgebra.MIN);
      boolean sorted = stops && pushing.sortsRows();
      SharedWords.define(out, "STOPS_BY_EDGE", sorted);
      SharedWords.define(out, "EDGE_FALLS", sorted && pushing.order().falls());
      return out.toString();
    }

    List<FaultSite> sites() {
      return printer.sites().list();
    }
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
      LiftedProgram program,
      KernelShape shape,
      DeviceShape device,
      Pushing pushing,
      boolean features) {
    List<String> names = gathering(program, shape, device, pushing, features);
    add(names, searches(pushing, shape), "search.cuh");
    add(names, shape.tracksChanges(), "collect.cuh", "exchange.cuh");
    add(names, shape.partialMessages(), "partials.cuh");
    names.add("initialise.cuh");
    add(
        names,
        !program.aggregates().isEmpty() || !program.finalAggregates().isEmpty(),
        "aggregates.cuh");
    add(names, program.resultFunction() != null, "result.cuh");
    return names;
  }

  /** Those of them by which a superstep gathers and applies. */
  private static List<String> gathering(
      LiftedProgram program,
      KernelShape shape,
      DeviceShape device,
      Pushing pushing,
      boolean features) {
    boolean selects = !shape.everyVertex();
    List<String> names = new ArrayList<>(applying());
    boolean mode = program.mergesByMode();
    add(names, mode, "hubs.cuh", "mode.cuh");
    add(names, !mode, "segments.cuh", "tasks.cuh", "contexts.cuh", "gather.cuh");
    add(names, features, "spread.cuh");
    add(names, !mode, "stream.cuh", "hubs.cuh");
    add(names, features, "features.cuh");
    add(names, features, "selected.cuh", "teams.cuh");
    add(names, !mode, "chunks.cuh", "waves.cuh", "rows_nested.cuh", "superstep.cuh");
    add(names, !mode && device.virtualWarps(), "virtual_warps.cuh");
    add(names, selects, "sparse.cuh");
    add(names, selects && device.permissive(), "sections.cuh");
    if (pushing != null) {
      names.addAll(pushed(pushing, shape));
      add(names, stops(pushing), "order_keys.cuh");
      add(names, stops(pushing) && pushing.sortsRows(), "edge_order.cuh", "sorted_rows.cuh");
      add(names, stops(pushing), "stopping.cuh");
    }
    return names;
  }

  /** Whether rows may stop early. */
  private static boolean stops(Pushing pushing) {
    return pushing != null && pushing.stopsEarly();
  }

  /** Whether the only partition of a graph does many supersteps of a search in one launch. */
  private static boolean searches(Pushing pushing, KernelShape shape) {
    return pushing != null && pushing.searches() && !shape.tracksChanges();
  }

  /** What all supersteps begin with: which edges are selected, and how new values are taken. */
  private static List<String> applying() {
    return List.of("selection.cuh", "packing.cuh", "tally.cuh", "refine.cuh", "apply.cuh");
  }

  /** The headers of supersteps that push. */
  private static List<String> pushed(Pushing pushing, KernelShape shape) {
    List<String> names = new ArrayList<>(List.of("grid.cuh", "queue.cuh"));
    add(names, pushing.prunesSenders(), "senders.cuh");
    names.addAll(List.of("round.cuh", "far.cuh", "slots.cuh", "nested.cuh"));
    add(names, delegates(pushing), "delegate.cuh");
    add(names, shape.tracksChanges(), "peers.cuh");
    names.add("push.cuh");
    return names;
  }

  /** Whether some blocks merge what others send. */
  private static boolean delegates(Pushing pushing) {
    return pushing != null && pushing.mode() == MergeMode.DELEGATED;
  }

  /** Whether it depends on the edges' values, too, who sends in the first superstep. */
  private static boolean readsEdges(Pushing pushing) {
    return pushing.prunesSenders() && pushing.senders().readsEdge();
  }

  private static void add(List<String> names, boolean wanted, String... more) {
    if (wanted) {
      names.addAll(List.of(more));
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
    SharedWords.define(out, "PARTIAL_MESSAGES", shape.partialMessages());
    SharedWords.define(out, "KEEPS_TOLD", shape.keepsPartialMessages());
    SharedWords.define(out, "PERMISSIVE", device.permissive());
    SharedWords.define(out, "COMMUTATIVE", program.mergesInAnyOrder());
    SharedWords.define(out, "STREAM", device.tuning().streams());
    SharedWords.define(out, "CONTEXTS", device.tuning().contexts());
    SharedWords.define(out, "CONTEXT_PLACES", ContextAdapters.PLACES);
    SharedWords.define(out, "WAVES", device.tuning().waves());
    boolean nested = device.tuning().walk() == DenseTuning.Walk.NESTED;
    WalkSchedule rows = device.tuning().schedule();
    SharedWords.define(out, "NESTED", nested);
    SharedWords.define(out, "ROWS_BY_BLOCK", nested && rows.block());
    SharedWords.define(out, "ROWS_BY_WARP", nested && rows.warp());
    SharedWords.define(out, "ROWS_FINE", nested && rows.fine());
    ActiveWork active = ActiveWork.of(shape, device.direction());
    SharedWords.define(out, "ACTIVATES_SELF", active.inSelf() || active.outSelf());
    SharedWords.define(out, "ACTIVATES_IN", active.inNeighbours());
    SharedWords.define(out, "ACTIVATES_OUT", active.outNeighbours());
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

  private static String switches(
      LiftedProgram program,
      Pushing pushing,
      KernelShape shape,
      DeviceShape device,
      boolean faults) {
    StringBuilder out = new StringBuilder();
    SharedWords.define(out, "SEARCHES", searches(pushing, shape));
    if (pushing != null) {
      SharedWords.define(out, "DELEGATES", delegates(pushing));
      SharedWords.define(out, "LOCKS", pushing.mode() == MergeMode.LOCKED);
      boolean words = pushing.mode().isProgram();
      List<ColumnType> message = program.message().columns();
      SharedWords.define(out, "SLOT_WORDS", words ? DelegateLayout.words(message) : 0);
      SharedWords.define(out, "PUSHES_VALUES", pushing.intoValue());
      SharedWords.define(out, "RESIDUALS", pushing.spreadsResiduals());
      SharedWords.define(out, "PUSHES_PARTS", shape.tracksChanges());
      SharedWords.define(out, "WALKS_OUT", pushing.out());
      SharedWords.define(out, "WALKS_IN", pushing.in());
      SharedWords.define(out, "PUSH_BOTH", pushing.both());
      SharedWords.define(out, "BUCKETS", pushing.buckets());
      SharedWords.define(out, "SENDERS_READ_EDGES", readsEdges(pushing));
      SharedWords.define(out, "PUSH_BY_BLOCK", device.schedule().block());
      SharedWords.define(out, "PUSH_BY_WARP", device.schedule().warp());
      SharedWords.define(out, "PUSH_FINE", device.schedule().fine());
      // Servers and their clients have no shared memory left.
      int shelf = delegates(pushing) ? 0 : device.schedule().shelfItems();
      SharedWords.define(out, "PUSH_SHELF", shelf);
      SharedWords.define(out, "FAULTS", faults);
    }
    return out.toString();
  }

  /** Whether sparse supersteps keep the vertices that ran apart from those that are active. */
  public static boolean recordsRan(LiftedProgram program, KernelShape shape) {
    return !shape.inPlace() && program.activeWhen() != null;
  }

  /** Kernels of supersteps in which every edge counts. */
  private static List<String> gatheringKernels(
      LiftedProgram program, KernelShape shape, DeviceShape device) {
    List<String> names = new ArrayList<>(List.of("gather_all", "hubs_all"));
    boolean streams = device.tuning().streams() && !program.mergesByMode();
    add(names, shape.everyVertex() && streams, "gather_uneven");
    return names;
  }

  private static List<String> kernels(
      LiftedProgram program, KernelShape shape, DeviceShape device, Pushing pushing) {
    List<String> names = new ArrayList<>(List.of("initialise"));
    names.addAll(gatheringKernels(program, shape, device));
    boolean selects = !shape.everyVertex();
    boolean lanes = device.virtualWarps() && !program.mergesByMode();
    add(names, selects, "gather_dense", "gather_sparse", "hubs_dense", "hubs_sparse");
    add(names, selects, "activate", "commit");
    add(names, selects && device.permissive(), "count_sections");
    add(names, shape.gatherAll(), "hub_select_dense", "hub_select_sparse");
    if (pushing != null) {
      names.addAll(List.of("frontier", "push_loop"));
      add(names, shape.tracksChanges(), "frontier_ghosts");
      add(names, !pushing.intoValue() && !pushing.mode().isProgram(), "push_reset");
      add(names, pushing.prunesSenders(), "push_worst_start", "push_worst", "push_senders");
      add(names, readsEdges(pushing), "push_edges_start", "push_edges");
      add(names, stops(pushing), "stop_bound", "gather_stopping");
      add(names, searches(pushing, shape), SEARCH);
    }
    add(names, lanes, "lanes_all");
    add(names, lanes && selects, "lanes_dense");
    add(names, shape.partialMessages(), "gather_partials", "merge_partials");
    add(names, shape.partialMessages() && !shape.keepsPartialMessages(), "gather_partials_active");
    add(names, shape.partialMessages() && selects, "activate_told");
    add(names, shape.tracksChanges(), "collect_count", "collect", "inbox");
    add(names, !program.aggregates().isEmpty(), "aggregate");
    add(names, !program.finalAggregates().isEmpty(), "final_aggregates", "final_aggregate");
    add(names, program.resultFunction() != null, "result");
    return names;
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
