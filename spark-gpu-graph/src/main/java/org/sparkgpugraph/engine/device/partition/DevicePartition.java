package org.sparkgpugraph.engine.device.partition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.MeanEdgeValue;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.exchange.DeviceOutbox;
import org.sparkgpugraph.engine.device.exchange.ExchangeLists;
import org.sparkgpugraph.engine.device.exchange.Route;
import org.sparkgpugraph.engine.device.exchange.StagedUpdates;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.kernels.SuperstepKernels;
import org.sparkgpugraph.engine.device.memory.DerivedArrays;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.EdgeBounds;
import org.sparkgpugraph.engine.device.memory.Tiles;
import org.sparkgpugraph.engine.device.plan.Borders;
import org.sparkgpugraph.engine.device.plan.DevicePlanner;
import org.sparkgpugraph.engine.device.plan.GroupWidth;
import org.sparkgpugraph.engine.device.plan.ModeTables;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.LaunchSize;
import org.sparkgpugraph.engine.device.settings.PeerLayout;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.engine.device.settings.StopLayout;
import org.sparkgpugraph.engine.device.settings.VertexGrouping;
import org.sparkgpugraph.graphs.hub.HubGraph;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.LaneUse;

/**
 * One partition on a device: its frame, its two value buffers and activity bitmaps, which change
 * places, and the launches of a superstep. Commands are only queued here.
 */
public final class DevicePartition implements AutoCloseable {
  /** Which rows and edges a gather takes. */
  public enum Mode {
    /** All. */
    ALL,
    /** All rows, the edges that the filter selects. */
    DENSE,
    /** The rows that active vertices reach, the edges that the filter selects. */
    SPARSE,
    /** The rows that may improve, each up to the first message that says as much as any can. */
    STOPPING,
    /** No rows are walked: active vertices merge messages into their receivers. */
    PUSH;

    /** The ending of a kernel's name. */
    String suffix() {
      return "_" + name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(DevicePartition.class);

  private final GraphPartition graph;
  private final LiftedProgram program;
  private final KernelShape shape;
  private final DeviceSettings settings;
  private final DeviceAllocations memory;
  private final KernelLauncher launcher;
  private final FrameLayout.Frame frame;
  private final ExchangeLists lists;
  private final List<DeviceOutbox> exports;
  private final DeviceOutbox staging;
  private final OutboxTable table;
  private final DeviceMemory[] state;
  private final DeviceMemory[] next;
  private final boolean[] stable;
  private final int statusBytes;
  private final long updateBytes;
  private final int hubs;
  private final int chunks;
  private final Map<DenseTuning, Integer> widths = new HashMap<>();
  private DenseTuning tuning;
  private KernelLauncher gatherer;
  private int pieceWords;
  private final int sharedEdges;
  private final ModeHubs modes;
  private final int grouping;
  private List<List<DeviceOutbox>> outboxes = List.of(List.of(), List.of());
  private int parity;
  private boolean fixedSlots;
  private final PushQueue queue;

  /** Null where nothing is relaxed without supersteps yet. */
  private Relaxation loop;

  /** Null where supersteps that walk rows are launched one by one. */
  private OutlinedLoop outlined;

  private boolean outlinesSparse;

  /** Null where values of other ends are read in the order of ids. */
  private HotGather hot;

  /** Null where hubs are not sent partial messages. */
  private final HubMessages hubMessages;

  private final int evaluations;

  /** Null where supersteps do not push, or all that are active do. */
  private final ImprovingSends senders;

  private DeviceMemory active;
  private DeviceMemory nextActive;
  private final boolean permissive;
  private int firstRow;
  private int endRow;
  private boolean counts;

  /**
   * Uploads the attributes and what kernels must know of the lists.
   *
   * @param graph the partition
   * @param plan what memory holds
   */
  DevicePartition(
      RunSpec spec,
      GraphPartition graph,
      DevicePlan plan,
      DeviceAllocations memory,
      KernelLauncher launcher) {
    this.lists = spec.lists();
    this.settings = spec.device();
    ProgramKernels kernels = spec.kernels();
    this.graph = graph;
    this.memory = memory;
    this.launcher = launcher;
    gatherer = launcher;
    tuning = settings.tuning();
    sharedEdges = spec.kernels().sharedEdges();
    program = spec.program();
    shape = kernels.shape();
    frame = kernels.frame().newFrame(memory.members(graph.index()));
    stable = FunctionTraits.stableColumns(program);
    state = new DeviceMemory[stable.length];
    next = new DeviceMemory[stable.length];
    for (int c = 0; c < stable.length; c++) {
      state[c] = memory.get(graph.index(), FrameField.STATE.of(c));
      DeviceMemory second = memory.find(graph.index(), FrameField.NEXT.of(c));
      next[c] = second == null ? state[c] : second;
    }
    active = memory.find(graph.index(), FrameField.ACTIVE);
    nextActive = memory.find(graph.index(), FrameField.NEXT_ACTIVE);
    updateBytes = StagedUpdates.bytes(1, spec.shippedKinds());
    statusBytes = (int) status().bytes() - 8 * lists.from(graph.index()).size();
    hubs = plan.hubs(graph.index()).count();
    chunks = plan.hubs(graph.index()).chunks();
    permissive = kernels.permissive();
    endRow = graph.stored();
    if (permissive) {
      frame.set(FrameField.SECTION_ROWS, spec.borders().sectionRows());
      assign(spec.borders().firstRow(graph.index()), spec.borders().endRow(graph.index()));
    }
    grouping = VertexGrouping.shift(plan.grouping());
    pieceWords = pieceWords();
    LOG.debug(
        "partition {}: {} hubs in {} chunks; {}",
        graph.index(),
        hubs,
        chunks,
        pieceWords == 0
            ? "each warp has its rows from the start"
            : "warps take " + (long) pieceWords * DeviceProperties.WARP + " rows at a time");
    constants(spec);
    modes =
        program.mergesByMode()
            ? new ModeHubs(plan.hubs(graph.index()), graph.index(), memory, launcher, frame)
            : null;
    table = new OutboxTable(spec, memory, graph.index());
    exports =
        table.upload(
            "exports",
            IntStream.range(0, lists.collected(graph.index()).size())
                .mapToObj(i -> table.entry("export" + i + ".", "export."))
                .toList(),
            launcher);
    staging =
        memory.find(graph.index(), "staging") == null
            ? null
            : table
                .upload(
                    "staging",
                    List.of(new OutboxTable.Entry(null, 0, table.buffers("staging."))),
                    launcher)
                .get(0);
    hubMessages =
        shape.partialMessages()
            ? new HubMessages(
                launcher,
                kernels.frame().newFrame(),
                program,
                memory,
                shape,
                (HubGraph.Partition) graph,
                ((HubGraph) spec.graph()).layout().partialRows().get(graph.index()).size())
            : null;
    rotating();
    attributes(spec.attributes().get(graph.index()));
    evaluations = kernels.pushing().map(Pushing::evaluations).orElse(1);
    senders = kernels.pushing().map(Pushing::senders).orElse(null);
    queue =
        memory.find(graph.index(), FrameField.QUEUE) == null
            ? null
            : new PushQueue(
                launcher,
                frame,
                settings.push(),
                memory,
                graph.index(),
                graph.stored(),
                shape.tracksChanges() ? graph.ghosts() : 0,
                edgeValue(),
                evaluations,
                Delegation.of(
                    launcher, frame, settings.push().delegate(), memory, graph.index(), program));
  }

  private double edgeValue() {
    return MeanEdgeValue.of(program, graph.inEdgeValues());
  }

  /**
   * Gets outboxes of the lists between partitions here, whose updates may be on other devices.
   *
   * @param even those that even supersteps fill, in the order of the lists
   * @param odd those that odd ones fill
   */
  public void outboxes(List<OutboxTable.Entry> even, List<OutboxTable.Entry> odd) {
    List<OutboxTable.Entry> all = new ArrayList<>(even);
    all.addAll(odd);
    List<DeviceOutbox> made = table.upload(FrameField.OUTBOXES, all, launcher);
    outboxes = List.of(made.subList(0, even.size()), made.subList(even.size(), all.size()));
    // Under the other modes outboxes are not filled by the gather, but collected behind it.
    frame.set(FrameField.OUTBOX_COUNT, lists.refined() ? even.size() : 0);
  }

  /**
   * Decides how the next superstep leaves its updates: compacted, or each in a place of its own
   * where the walk over all rows leaves one for every vertex of a list. The latter takes fewer
   * bytes if most of them change, and no atomics that somebody waits for.
   *
   * @param said number of updates of the superstep before
   */
  void expect(long said) {
    List<BoundaryList> told = lists.from(graph.index());
    long places = told.stream().mapToLong(BoundaryList::size).sum() * (updateBytes - 4);
    // Where borders move, no device would write the empty updates of rows that another device
    // computes.
    fixedSlots =
        lists.refined()
            && !permissive
            && settings.virtualWarp() == 0
            && places < said * updateBytes
            && told.stream().noneMatch(list -> lists.route(list) == Route.HUB);
  }

  /** Whether the last superstep left each update in a place of its own, not compacted. */
  public boolean fixedSlots() {
    return fixedSlots;
  }

  /** What kernels here know the updates by that come directly from other devices, in this order. */
  public List<DeviceOutbox> inboxes(List<OutboxTable.Buffers> from) {
    return table.upload(
        "inboxes", from.stream().map(b -> new OutboxTable.Entry(null, 0, b)).toList(), launcher);
  }

  /** Where buffers of updates are that this partition's device has. */
  public OutboxTable.Buffers buffers(String prefix) {
    return table.buffers(prefix);
  }

  /** Address of the counts of one of its outboxes, among the status words. */
  public long counts(int outbox) {
    return status().address() + statusBytes() + 8L * outbox;
  }

  /** Bytes of the status without the counts behind it. */
  int statusBytes() {
    return statusBytes;
  }

  private void constants(RunSpec spec) {
    frame.set(FrameField.STORED, graph.stored());
    frame.set(FrameField.LOCALS, locals());
    frame.set(FrameField.VERTEX_COUNT, spec.graph().vertexCount());
    Object[] captures = spec.instance().captureArray();
    for (int i = 0; i < captures.length; i++) {
      frame.box(FrameField.CAPTURE.of(i), captures[i]);
    }
    int tables = DevicePlanner.tablesOf(lists, graph.index());
    for (int t = 0; t < program.tables().size(); t++) {
      frame.set(FrameField.TABLE.of(t), memory.get(tables, FrameField.TABLE.of(t)));
    }
    boxes(FrameField.INITIAL_MESSAGE, spec.settings().initialMessage());
    boxes(FrameField.EMPTY_MESSAGE, spec.settings().emptyMessage());
    frame.set(
        FrameField.HUB_DEGREE,
        program.mergesByMode() ? ModeTables.hubPlaces(settings) : settings.hubDegree(sharedEdges));
    frame.set(FrameField.HUB_COUNT, hubs);
    frame.set(FrameField.CHUNK_COUNT, chunks);
    frame.set(FrameField.PIECE_WORDS, pieceWords);
    frame.set(FrameField.WIDTH, laneWidth());
    frame.set(FrameField.GROUP_SHIFT, grouping);
  }

  /** Lanes that take a row together, where some do. */
  private int laneWidth() {
    if (settings.virtualWarp() > 0 || !tuning.waves()) {
      return Math.max(1, settings.virtualWarp());
    }
    GroupWidth widths =
        new GroupWidth(
            Stream.concat(
                    shape.inRows() ? Stream.of(graph.inEdges().offsets()) : Stream.empty(),
                    shape.outRows() ? Stream.of(graph.outEdges().offsets()) : Stream.empty())
                .toList(),
            settings.hubDegree(sharedEdges),
            tuning.longRow());
    int width = tuning.groupWidth() > 0 ? tuning.groupWidth() : widths.best();
    LOG.debug("partition {}: groups of {} lanes; {}", graph.index(), width, widths);
    return width;
  }

  /** Words of rows that a warp takes at a time; where lanes share edges, a word is work enough. */
  private int pieceWords() {
    int words = tuning.pieceWords(graph.stored(), shape.gatheredEdges(graph), hubs > 0);
    return sharedEdges > 0 && tuning.pieceEdges() == 0 ? Math.min(1, words) : words;
  }

  private void boxes(FrameField.PerColumn of, Object[] values) {
    for (int i = 0; values != null && i < values.length; i++) {
      if (!program.message().columns().get(i).isArray()) {
        frame.box(of.of(i), values[i]);
      }
    }
  }

  /** The members that change places. */
  private void rotating() {
    for (int c = 0; c < state.length; c++) {
      frame.set(FrameField.STATE.of(c), state[c]);
      frame.set(FrameField.NEXT.of(c), next[c]);
    }
    frame.set(FrameField.ACTIVE, active);
    frame.set(FrameField.NEXT_ACTIVE, nextActive);
  }

  public GraphPartition graph() {
    return graph;
  }

  /**
   * Outboxes of the lists between partitions here, in their order.
   *
   * @param of 0: what even supersteps fill, 1: what odd ones do
   */
  public List<DeviceOutbox> outboxes(int of) {
    return outboxes.get(of);
  }

  /** Where updates from elsewhere are put before {@link #receive}; null when none come. */
  public DeviceOutbox staging() {
    return staging;
  }

  /**
   * Where it is put which elements of arrays come with these updates; null when no arrays come from
   * other executor graphs.
   */
  public DeviceMemory stagedElements() {
    return memory.find(graph.index(), FrameField.INBOX_ELEMENTS);
  }

  DeviceMemory status() {
    return memory.get(graph.index(), FrameField.STATUS);
  }

  /** Where supersteps that follow each other without a wait count; null: they wait. */
  DeviceMemory chainWords() {
    return memory.find(graph.index(), DevicePlanner.CHAIN_WORDS);
  }

  /** Where launches count from now on. */
  void countAt(long address) {
    frame.set(FrameField.STATUS, address);
  }

  public DeviceMemory state(int column) {
    return state[column];
  }

  /**
   * Uploads values and activity in place of those that a superstep has left; everything that was
   * queued is done.
   *
   * @param values rows of held vertices and ghosts
   * @param activity a bit for each, in words; null when all are active always
   */
  void restore(Columns values, int[] activity) {
    Device device = launcher.device();
    for (int c = 0; c < state.length; c++) {
      int numbers = values.length() * values.kinds().get(c).width();
      memory.upload(device, values.array(c), numbers, state[c]);
      if (next[c] != state[c]) {
        // Rows that never run are the same in both.
        memory.upload(device, values.array(c), numbers, next[c]);
      }
    }
    if (activity != null) {
      memory.upload(device, activity, activity.length, nextActive);
    }
    if (queue != null) {
      queue.forget();
    }
    forgetChanges();
    forgetRanked();
  }

  /** Values have changed other than by a gather that reads hot vertices first. */
  private void forgetRanked() {
    if (hot != null) {
      hot.forget();
    }
  }

  private long locals() {
    return (long) graph.stored() + graph.ghosts();
  }

  /** Uploads the attributes, where they are not memory of their own: to where the values are. */
  private void attributes(Columns attributes) {
    if (program.initialState() != null) {
      return;
    }
    for (int c = 0; c < state.length; c++) {
      if (!ProgramKernels.keepsAttribute(program, c)) {
        // Superstep 0 reads a vertex's attribute before it writes its values.
        int numbers = (int) locals() * attributes.kinds().get(c).width();
        memory.upload(launcher.device(), attributes.array(c), numbers, next[c]);
        frame.set(FrameField.ATTRIBUTE.of(c), next[c]);
      }
    }
  }

  /**
   * How supersteps gather all rows from now on.
   *
   * @param by launches kernels that gather so, of another module in the same stream; null: of the
   *     run's own one
   */
  public void gatherBy(DenseTuning other, KernelLauncher by) {
    tuning = other;
    gatherer = by == null ? launcher : by;
    pieceWords = pieceWords();
    frame.set(FrameField.PIECE_WORDS, pieceWords);
    frame.set(FrameField.WIDTH, widths.computeIfAbsent(tuning, t -> laneWidth()));
  }

  /**
   * Who walks the edges of active vertices from now on; for partitions that push.
   *
   * @param by as above
   */
  public void pushBy(KernelLauncher by) {
    queue.walkBy(by);
  }

  // ---- launches -------------------------------------------------------------------------------

  /**
   * Makes ready for a launch: the context that functions read. The status is 0.
   *
   * @param aggregates what they read as aggregates
   */
  public void begin(int superstep, double[] aggregates) {
    frame.set(FrameField.SUPERSTEP, superstep);
    parity = superstep & 1;
    for (int i = 0; i < aggregates.length; i++) {
      frame.box(FrameField.AGGREGATE.of(i), aggregates[i]);
    }
  }

  /**
   * Says which of the held rows are computed from now on: the first one of a word, or none.
   *
   * @param first the first of them
   * @param end behind the last
   */
  public void assign(int first, int end) {
    firstRow = first;
    endRow = end;
    frame.set(FrameField.FIRST_ROW, first);
    frame.set(FrameField.END_ROW, end);
  }

  /** Says whether supersteps count from now on; see {@link Borders}. */
  public void counts(boolean says) {
    counts = says;
  }

  /** Whether they do. */
  public boolean counts() {
    return counts;
  }

  int firstRow() {
    return firstRow;
  }

  int endRow() {
    return endRow;
  }

  private int rows() {
    return endRow - firstRow;
  }

  public void initialise() {
    forgetChanges();
    forgetRanked();
    int blocks = launcher.blocks("initialise", locals(), 1);
    frame.set(FrameField.PARTIAL_SLOTS, blocks);
    launcher.launch("initialise", blocks, frame);
    aggregate();
    if (queue != null) {
      queue.initialised();
    }
  }

  private void aggregate() {
    if (!program.aggregates().isEmpty()) {
      launcher.launch("aggregate", 1, frame);
    }
  }

  /**
   * Gathers and applies.
   *
   * @param shipsActivity activity flags are sent to other partitions too
   * @param kind the kernels of this superstep; null: those for all
   * @param by launches these
   */
  public void superstep(
      Mode mode, boolean shipsActivity, SuperstepKernels kind, KernelLauncher by) {
    // Only these walk all rows.
    fixedSlots = fixedSlots && (mode == Mode.ALL || mode == Mode.DENSE);
    frame.set(FrameField.FIXED_SLOTS, fixedSlots ? 1 : 0);
    if (queue != null) {
      queue.forget();
    }
    frame.set(FrameField.SHIP_ACTIVITY, shipsActivity ? 1 : 0);
    frame.set(FrameField.CHANGED, exports.isEmpty() ? null : changed());
    if (nextActive != null) {
      clear(nextActive);
    }
    if (!outboxes.get(parity).isEmpty()) {
      frame.set(FrameField.OUTBOXES, outboxes.get(parity).get(0).struct());
    }
    if (mode == Mode.SPARSE) {
      sparse();
    } else if (mode == Mode.STOPPING) {
      // Chunks of hubs are pieces as words of rows are.
      long threads = rows() + (long) DeviceProperties.WARP * chunks;
      gather(launcher, "gather_stopping", threads, 1, hubs);
    } else {
      dense(mode, kind, kind == null ? gatherer : by);
    }
    if (counts) {
      countSections(mode);
    }
    aggregate();
    if (!lists.refined()) {
      for (DeviceOutbox outbox : outboxes.get(parity)) {
        // What changed in supersteps before concerns only readers elsewhere.
        frame.set(FrameField.CHANGED, 0);
        collect(outbox, true, shipsActivity, activity());
      }
    }
  }

  /**
   * Queues that slots get here what the ghosts send that other executor graphs hold.
   *
   * @param all whether all vertices are active
   */
  public void fillHubs(boolean all) {
    hubMessages.fill(frame, all);
  }

  /**
   * Lets hubs know which messages they have from other executor graphs, at once.
   *
   * @param has by slot: whether there is a message
   * @param came by slot: whether something came since the last superstep; null: where there is a
   *     message
   */
  public void sendHubs(boolean[] has, boolean[] came) {
    hubMessages.uploadFlags(has, came);
  }

  /** Lets hubs know these messages, at once. */
  public void sendHubs(Columns messages) {
    hubMessages.upload(messages);
  }

  /** Queues that partial messages to the hubs of other executor graphs are gathered. */
  public void gatherPartials() {
    hubMessages.gather(frame, nextActive);
  }

  /**
   * Downloads these, once they are there.
   *
   * @param has by partial row: whether there is a message
   */
  public void partials(boolean[] has, Columns messages) {
    hubMessages.download(has, messages);
  }

  /**
   * Lets supersteps that walk rows follow each other in one launch from now on.
   *
   * @param by launches their kernels
   */
  void outline(RunSpec spec, KernelLauncher by) {
    ProgramKernels.Outlined kernels = spec.kernels().outlined().orElseThrow();
    outlinesSparse = kernels.sparse();
    outlined = new OutlinedLoop(spec, by, kernels, memory, graph.index());
  }

  /**
   * Lets gathers of all rows read hot vertices first from now on, where memory is planned for that
   * and a multiprocessor holds a block of their kernel.
   *
   * @param by launches their kernels
   */
  void readHotFirst(ProgramKernels.Hot kernels, KernelLauncher by) {
    HotGather gather =
        new HotGather(
            kernels, by, settings.tuning(), memory, graph.index(), locals(), graph.ghosts());
    hot = gather.fits() ? gather : null;
    LOG.debug("partition {}: hot vertices first: {}", graph.index(), gather);
  }

  /** Whether memory is planned for gathers that read hot vertices first. */
  boolean mayReadHotFirst() {
    return memory.find(graph.index(), FrameField.HOT_NEIGHBOURS) != null;
  }

  /** Whether there are rows whose edges are sorted by a value. */
  public boolean hasSortedRows() {
    return memory.find(graph.index(), FrameField.SORTED_NEIGHBOURS) != null;
  }

  /** Whether gathers of all rows read hot vertices first. */
  public boolean readsHotFirst() {
    return hot != null;
  }

  /** Whether supersteps of a mode may follow each other in one launch. */
  public boolean outlines(Mode mode) {
    if (outlined == null || modes != null && !modes.together()) {
      return false;
    }
    return switch (mode) {
      case ALL -> shape.everyVertex();
      case DENSE -> true;
      case SPARSE -> outlinesSparse;
      case STOPPING, PUSH -> false;
    };
  }

  /**
   * Several supersteps of a mode; see {@link OutlinedLoop#launch}. {@link #outlined} has to follow
   * when they are done.
   */
  public void outline(Mode mode, int rounds, long least, long most) {
    tellNobody();
    frame.set(FrameField.FUSED_CHUNKS, mode == Mode.SPARSE ? 0 : chunks);
    if (queue != null) {
      queue.forget();
    }
    if (nextActive != null) {
      clear(nextActive);
    }
    if (mode == Mode.SPARSE) {
      clear(memory.get(graph.index(), FrameField.CANDIDATES));
    }
    if (hubs > 0 && shape.gatherAll()) {
      clear(memory.get(graph.index(), FrameField.HUB_SELECTED));
    }
    int lanes = modes == null ? DeviceProperties.WARP : LaunchSize.BLOCK;
    outlined.launch(
        "outline" + mode.suffix(),
        frame,
        rounds,
        least,
        most,
        new OutlinedLoop.Work(
            rows(),
            rows() + (long) lanes * chunks,
            pieceWords,
            hubs,
            modes == null ? 0 : modes.begin()));
  }

  /** The next launch is of a graph of one partition: there are no readers. */
  private void tellNobody() {
    fixedSlots = false;
    frame.set(FrameField.FIXED_SLOTS, 0);
    frame.set(FrameField.SHIP_ACTIVITY, 0);
    frame.set(FrameField.CHANGED, 0);
  }

  /** What the supersteps of the last {@link #outline} did. */
  public List<OutlinedLoop.Step> outlined(Mode mode) {
    List<OutlinedLoop.Step> steps = outlined.finish();
    if (steps.size() % 2 == 0) {
      rotate();
    } else if (mode != Mode.SPARSE && !shape.inPlace()) {
      swap(stable);
    }
    return steps;
  }

  /** The rows that active vertices reached; behind a walk over all rows those that are active. */
  private void countSections(Mode mode) {
    boolean reached = mode == Mode.SPARSE;
    frame.set(
        FrameField.COUNTED,
        reached ? memory.get(graph.index(), FrameField.CANDIDATES) : nextActive);
    frame.set(FrameField.COUNTED_SHIFT, reached ? grouping : 0);
    int blocks = launcher.blocks("count_sections", rows() / DeviceProperties.WARP + 1L, 1);
    launcher.launch("count_sections", blocks, frame);
  }

  /** What was counted of each section; null where borders do not move. */
  DeviceMemory sectionCounts() {
    return memory.find(graph.index(), FrameField.SECTION_COUNTS);
  }

  /** Whether supersteps may push. */
  public boolean pushes() {
    return queue != null;
  }

  /**
   * Finds all vertices that send at least one message, and makes them active, for a {@link #push}.
   *
   * @param known keeps what is found of the edges' values for other runs
   * @param limit with more work than this not all are found
   */
  public void select(DerivedArrays known, long limit) {
    clear(active);
    clear(nextActive);
    queue.select(edgeBounds(known), graph.inEdges().edges(), limit);
  }

  /** Number of senders plus their edges, or more than the limit, once {@link #select} is done. */
  public long selectedWork(DerivedArrays known) {
    EdgeBounds edges = edgeBounds(known);
    if (edges != null) {
      queue.found(edges);
    }
    return queue.selectedWork();
  }

  private EdgeBounds edgeBounds(DerivedArrays known) {
    return senders.readsEdge()
        ? known.edgeBounds(
            graph.inEdgeValues(), senders.edgeColumn(), shape.inRows(), shape.outRows())
        : null;
  }

  /**
   * Supersteps that push; see {@link PushQueue#launch}. {@link #pushed} has to follow when they are
   * done.
   */
  public void push(int rounds, long work, long limit, boolean ordered) {
    telling(() -> queue.launch(rounds, work, limit, ordered, false));
  }

  /** Whether there is a kernel for many supersteps of a search. */
  public boolean searches() {
    return queue != null && queue.searches() != null;
  }

  /**
   * Supersteps of a search; see {@link PushQueue#search}. {@link #searched} has to follow when they
   * are done.
   */
  public void search(boolean selects, int rounds, long from, long until, long limit) {
    if (!selects) {
      clear(nextActive);
    }
    tellNobody();
    frame.set(FrameField.STOPS_BEHIND, StopLayout.Behind.GATHERED.ordinal());
    frame.set(FrameField.STOPS_AT_ONCE, says(true) ? 1 : 0);
    queue.search(selects, rounds, from, until, limit);
  }

  /** What the supersteps of the last {@link #search} took by the device's clock. */
  public long searchNanos() {
    return queue.searches().nanos();
  }

  /** What the supersteps of the last {@link #search} did. */
  public List<SearchRing.Step> searched() {
    List<SearchRing.Step> steps = queue.searched();
    if (steps.size() % 2 == 0) {
      rotate();
    }
    return steps;
  }

  /** The same on all devices that meet, at once: readers are told behind each superstep. */
  public void pushMeeting(int rounds, long work, long limit) {
    clear(nextActive);
    trackChanges();
    queue.launch(rounds, work, limit, true, true);
  }

  /**
   * Tells readers on other devices what {@link #pushMeeting} has left untold: who changed, but is
   * put off.
   *
   * @param last superstep that was done
   */
  public void tellPutOff(int last) {
    begin(last, new double[0]);
    queue.tellsMore();
    for (DeviceOutbox outbox : outboxes.get(parity)) {
      collect(outbox, false, true, changed());
    }
    forgetChanges();
  }

  /** Whether memory is planned for supersteps that push on several devices at once. */
  boolean mayMeet() {
    return queue != null && memory.find(graph.index(), FrameField.PEERS) != null;
  }

  /** Where other devices tell what they counted. */
  DeviceMemory peerWords() {
    return memory.get(graph.index(), DevicePlanner.PEER_WORDS);
  }

  /**
   * Lets them do so from now on.
   *
   * @param table see {@link PeerLayout}
   */
  void meet(long[] table, Function<FrameLayout.Frame, Meeting> meeting) {
    launcher.upload(table, memory.get(graph.index(), FrameField.PEERS));
    clear(peerWords());
    queue.meet(meeting.apply(frame));
  }

  /** Launches something that pushes, and tells readers here who changed. */
  private void telling(Runnable launch) {
    clear(nextActive);
    if (!shape.tracksChanges()) {
      launch.run();
      return;
    }
    trackChanges();
    launch.run();
    for (DeviceOutbox outbox : outboxes.get(parity)) {
      // Who changed is active at its readers: that is all that they have to know.
      collect(outbox, false, true, activity());
    }
  }

  /** Lets the next launch note who changes. */
  private void trackChanges() {
    fixedSlots = false;
    frame.set(FrameField.CHANGED, changed());
    if (exports.isEmpty()) {
      // Readers are here, and have been told behind the launch before, or in it.
      forgetChanges();
    }
  }

  /** Who is active at readers behind a launch that pushed. */
  private DeviceMemory activity() {
    // Who waits for another launch without a change since is no news to them.
    return loop != null ? changed() : nextActive;
  }

  /** Whether supersteps with so much work are bounded by the barriers between them. */
  public boolean isSmall(long work) {
    return queue.isSmall(work);
  }

  private DeviceMemory changed() {
    return memory.find(graph.index(), FrameField.CHANGED);
  }

  /** What the supersteps of the last {@link #push} did. */
  public List<PushQueue.Step> pushed() {
    List<PushQueue.Step> steps = queue.finish();
    if (steps.size() % 2 == 0) {
      rotate();
    }
    return steps;
  }

  /** Whether memory is planned to relax values without supersteps. */
  public boolean mayRelax() {
    return ownsTiles() || memory.mayHave(graph.index(), FrameField.ASYNC_STATE);
  }

  /** Whether memory is planned to do so by blocks that own tiles. */
  public boolean ownsTiles() {
    return memory.mayHave(graph.index(), FrameField.TILE_STATE);
  }

  /**
   * Lets values be relaxed without supersteps from now on, where {@link #mayRelax}.
   *
   * @param by launches the kernels of that
   * @param tiles whose owners do it; null: workers do
   */
  void relaxBy(RunSpec spec, KernelLauncher by, Tiles tiles) {
    FrameLayout layout = spec.kernels().relaxingFrame().orElseThrow();
    AsyncSettings how = settings.push().async();
    double degree = (double) shape.gatheredEdges(graph) / Math.max(1, graph.stored());
    loop =
        tiles != null
            ? new TileLoop(
                by,
                layout,
                how,
                tiles,
                memory,
                graph.index(),
                spec.kernels().pushing().filter(p -> p.in() && p.out()).isPresent(),
                edgeValue(),
                shape.gatheredEdges(graph),
                graph.stored())
            : new AsyncLoop(
                by,
                layout,
                how,
                memory,
                graph.index(),
                shape.tracksChanges(),
                spec.kernels().spreadsResiduals(),
                edgeValue(),
                degree);
  }

  /** Whether the device holds as many blocks of these kernels at a time as they need. */
  public boolean relaxes() {
    return loop != null && loop.fits();
  }

  /**
   * Relaxes from the active vertices until none is active, or the rest waits for another launch.
   * {@link #relaxed} has to follow when that is done.
   *
   * @param work see {@link Relaxation#launch}
   */
  public void relax(long work) {
    queue.emptySlots();
    telling(() -> loop.launch(frame, queue.putsOff(), work));
    queue.forget();
  }

  /** What the last {@link #relax} did. */
  public PushQueue.Step relaxed() {
    Relaxation.Done outcome = loop.finish();
    long edges =
        outcome.spilled() * Math.max(1, shape.gatheredEdges(graph) / Math.max(1, graph.stored()));
    return new PushQueue.Step(
        (outcome.edges() + evaluations - 1) / evaluations,
        outcome.ran(),
        outcome.spilled(),
        edges,
        0,
        0,
        0,
        LaneUse.NONE);
  }

  /**
   * Finds what active vertices say at best, and how many say it: see {@link StatusWord#BOUND}.
   *
   * @param behind what was launched last
   */
  public void bound(StopLayout.Behind behind) {
    frame.set(FrameField.STOPS_BEHIND, behind.ordinal());
    long rows = shape.tracksChanges() ? locals() : graph.stored();
    launcher.launch("stop_bound", LaunchSize.blocks(rows, 1, StopLayout.BLOCKS), frame);
  }

  /**
   * Lets rows of the next superstep stop at what was found.
   *
   * @param bound the key of the best message
   * @param all whether all active vertices say that
   */
  public void stopAt(long bound, boolean all) {
    frame.set(FrameField.STOPS_AT, bound);
    frame.set(FrameField.STOPS_AT_ONCE, says(all) ? 1 : 0);
  }

  /**
   * Whether a message is known without a look at its sender.
   *
   * @param all whether all active vertices say the bound
   */
  private boolean says(boolean all) {
    // Of floating point whether a message is sent is asked: zeros of both signs are equal then.
    return all && program.message().columns().get(0).kind().isIntegral();
  }

  /** Fills an outbox from the bitmaps, behind a superstep. */
  private void collect(
      DeviceOutbox outbox, boolean all, boolean shipsActivity, DeviceMemory activity) {
    if (outbox.counts() != null) {
      clear(outbox.counts());
    }
    frame.set(FrameField.COLLECTED, outbox.struct());
    frame.set(FrameField.COLLECTS_ALL, all ? 1 : 0);
    frame.set(FrameField.SHIP_ACTIVITY, shipsActivity ? 1 : 0);
    frame.set(FrameField.NEXT_ACTIVE, activity);
    // A lane per word, and the same blocks for both.
    long words = (graph.stored() + DeviceProperties.WARP - 1L) / DeviceProperties.WARP;
    int blocks = LaunchSize.blocks(words, 1, DevicePlanner.COLLECT_BLOCKS);
    launcher.launch("collect_count", blocks, frame);
    launcher.launch("collect", blocks, frame);
    frame.set(FrameField.NEXT_ACTIVE, nextActive);
  }

  /**
   * Collects what one of the readers in other executor graphs is told.
   *
   * @param export which of the lists that {@link ExchangeLists#collected} says
   * @param all all of the list, not only what changed since {@link #forgetChanges}
   * @return where the updates are, until the next export is collected
   */
  public DeviceOutbox collectExport(int export, boolean all, boolean shipsActivity) {
    frame.set(FrameField.CHANGED, memory.get(graph.index(), FrameField.CHANGED));
    collect(exports.get(export), all, shipsActivity, activity());
    return exports.get(export);
  }

  /** Clears the bitmap of changes: all readers have them. */
  public void forgetChanges() {
    if (changed() != null) {
      clear(changed());
    }
  }

  private void clear(DeviceMemory cleared) {
    if (cleared.bytes() > 0) {
      launcher.stream().fill(cleared, 0, cleared.bytes(), (byte) 0);
    }
  }

  private void sparse() {
    clear(memory.get(graph.index(), FrameField.CANDIDATES));
    if (memory.find(graph.index(), FrameField.RAN) != null) {
      clear(memory.get(graph.index(), FrameField.RAN));
    }
    launcher.launch("activate", launcher.blocks("activate", locals(), 1), frame);
    if (hubMessages != null) {
      hubMessages.activate(frame);
    }
    selectHubs(Mode.SPARSE);
    gather(launcher, "gather_sparse", rows(), 1, hubs);
    hubs(launcher, Mode.SPARSE);
    if (!shape.inPlace()) {
      launcher.launch("commit", launcher.blocks("commit", graph.stored(), 1), frame);
    }
  }

  private void dense(Mode mode, SuperstepKernels kind, KernelLauncher by) {
    if (modes != null) {
      selectHubs(mode);
      gather(by, "gather" + mode.suffix(), rows(), 1, hubs);
      hubs(by, mode);
    } else if (settings.virtualWarp() != 0) {
      gather(by, "lanes" + mode.suffix(), rows(), settings.virtualWarp(), 0);
    } else if (kind != null && !kind.walks()) {
      frame.set(FrameField.FUSED_CHUNKS, 0);
      gather(by, "gather" + mode.suffix(), rows(), 1, 0);
    } else {
      selectHubs(mode);
      boolean fused = tuning.streams();
      frame.set(FrameField.FUSED_CHUNKS, fused ? chunks : 0);
      long threads = rows() + (fused ? (long) DeviceProperties.WARP * chunks : 0);
      if (hot != null && by == launcher && mode == Mode.ALL) {
        frame.set(FrameField.PARTIAL_SLOTS, (long) hot.blocks(threads) + hubs);
        hot.launch(frame, threads);
        swap(stable);
        return;
      }
      forgetRanked();
      boolean uneven = shape.everyVertex() && tuning.streams() && (chunks > 0 || pieceWords > 0);
      gather(by, uneven ? "gather_uneven" : "gather" + mode.suffix(), threads, 1, hubs);
      if (!fused) {
        hubs(by, mode);
      }
    }
    if (!shape.inPlace()) {
      swap(kind == null ? stable : kind.unwritten());
    }
  }

  private void gather(KernelLauncher by, String kernel, long rows, int lanes, int hubSlots) {
    int blocks = by.blocks(kernel, rows, lanes);
    frame.set(FrameField.PARTIAL_SLOTS, blocks + hubSlots);
    by.launch(kernel, blocks, frame);
  }

  /** Gather ALL: which hubs have an edge that the filter selects. */
  private void selectHubs(Mode mode) {
    if (hubs > 0 && shape.gatherAll() && mode != Mode.ALL) {
      clear(memory.get(graph.index(), FrameField.HUB_SELECTED));
      String select = "hub_select" + mode.suffix();
      launcher.launch(select, launcher.blocks(select, chunks, LaunchSize.BLOCK), frame);
    }
  }

  private void hubs(KernelLauncher by, Mode mode) {
    if (modes != null) {
      modes.launch(mode);
    } else if (hubs > 0) {
      String gather = "hubs" + mode.suffix();
      by.launch(gather, by.blocks(gather, chunks, DeviceProperties.WARP), frame);
    }
  }

  /**
   * New values become current; those of ghosts, and of held vertices that others compute, are in
   * the current buffer only.
   *
   * @param unwritten columns that have no new values
   */
  private void swap(boolean[] unwritten) {
    List<ColumnType> kinds = program.state().columns();
    for (int c = 0; c < state.length; c++) {
      if (unwritten[c]) {
        continue;
      }
      long bytes = kinds.get(c).bytes();
      keep(c, 0, bytes * firstRow);
      keep(c, bytes * endRow, bytes * (locals() - endRow));
      DeviceMemory written = next[c];
      next[c] = state[c];
      state[c] = written;
    }
    rotating();
  }

  private void keep(int column, long from, long bytes) {
    if (bytes > 0) {
      launcher.stream().copy(state[column], from, next[column], from, bytes);
    }
  }

  /**
   * Takes what another partition said.
   *
   * @param outbox where it is, as kernels here know it
   * @param list from whom; it is for this partition
   * @param ghostOf which positions are ghosts; null: all
   * @param count number of updates
   */
  public void receive(DeviceOutbox outbox, BoundaryList list, DeviceMemory ghostOf, int count) {
    receive(outbox, list, ghostOf, count, null, false);
  }

  /**
   * Takes what another executor graph said, from {@link #staging}.
   *
   * @param ghostOf local index of each position; null: all are ghosts, contiguous from {@link
   *     BoundaryList#firstGhost()} on
   * @param elements which elements of arrays come with the updates, in {@link #stagedElements};
   *     null: all
   */
  public void receive(BoundaryList list, DeviceMemory ghostOf, int count, DeviceMemory elements) {
    receive(staging, list, ghostOf, count, elements, false);
  }

  /** The ghosts of an import whose values come where hubs are sent partial messages. */
  public DeviceMemory readGhosts(int number) {
    return memory.get(graph.index(), DevicePlanner.readGhosts(number));
  }

  /** As above, of updates that are in places of their own: all of the list are looked at. */
  void receiveFixed(DeviceOutbox outbox, BoundaryList list, DeviceMemory ghostOf) {
    receive(outbox, list, ghostOf, list.size(), null, true);
  }

  private void receive(
      DeviceOutbox outbox,
      BoundaryList list,
      DeviceMemory ghostOf,
      int count,
      DeviceMemory elements,
      boolean fixedSlots) {
    frame.set(FrameField.INBOX_ELEMENTS, elements);
    frame.set(FrameField.INBOX_FIXED_SLOTS, fixedSlots ? 1 : 0);
    frame.set(FrameField.INBOX, outbox.struct());
    frame.set(FrameField.FIRST_GHOST, list.firstGhost());
    frame.set(FrameField.GHOST_OF, ghostOf);
    frame.set(FrameField.INBOX_COUNT, count);
    launcher.launch("inbox", launcher.blocks("inbox", count, 1), frame);
  }

  /** Which positions of a list of a home here are ghosts; null: all. */
  DeviceMemory ghostOf(int home) {
    return memory.find(graph.index(), FrameField.GHOST_OF + home);
  }

  /** Next activity becomes activity. */
  void rotate() {
    if (shape.everyVertex()) {
      return;
    }
    DeviceMemory old = active;
    active = nextActive;
    nextActive = old;
    rotating();
  }

  public void finalAggregates() {
    int blocks = launcher.blocks("final_aggregates", graph.stored(), 1);
    frame.set(FrameField.PARTIAL_SLOTS, blocks);
    launcher.launch("final_aggregates", blocks, frame);
    launcher.launch("final_aggregate", 1, frame);
  }

  public void result() {
    launcher.launch("result", launcher.blocks("result", graph.stored(), 1), frame);
  }

  /** Who is active in the next superstep, until {@link #rotate}; null when all always are. */
  public DeviceMemory nextActive() {
    return nextActive;
  }

  public DeviceMemory result(int column) {
    return memory.get(graph.index(), FrameField.RESULT.of(column));
  }

  /** Which kernel a mode that pulls is, for statistics. */
  public static KernelChoice choice(Mode mode) {
    return mode == Mode.SPARSE ? KernelChoice.SPARSE : KernelChoice.DENSE;
  }

  @Override
  public void close() {
    if (queue != null) {
      queue.close();
    }
    if (loop != null) {
      loop.close();
    }
    if (outlined != null) {
      outlined.close();
    }
  }
}
