package org.sparkgpugraph.engine.device.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.exchange.DeviceOutbox;
import org.sparkgpugraph.engine.device.exchange.ExchangeLists;
import org.sparkgpugraph.engine.device.exchange.Route;
import org.sparkgpugraph.engine.device.kernels.AsyncLayout;
import org.sparkgpugraph.engine.device.kernels.ElementWords;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.PushLayout;
import org.sparkgpugraph.engine.device.kernels.QueueWord;
import org.sparkgpugraph.engine.device.kernels.RingWord;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.memory.DerivedArrays;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.DeviceRows;
import org.sparkgpugraph.engine.device.memory.RankedRows;
import org.sparkgpugraph.engine.device.memory.ResidentArrays;
import org.sparkgpugraph.engine.device.memory.SortedRows;
import org.sparkgpugraph.engine.device.memory.Tiles;
import org.sparkgpugraph.engine.device.settings.ActiveWork;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.DelegateLayout;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.EdgeOrder;
import org.sparkgpugraph.engine.device.settings.HotColumns;
import org.sparkgpugraph.engine.device.settings.LaunchSize;
import org.sparkgpugraph.engine.device.settings.MergeMode;
import org.sparkgpugraph.engine.device.settings.OutlineLayout;
import org.sparkgpugraph.engine.device.settings.PeerLayout;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.engine.device.settings.StopLayout;
import org.sparkgpugraph.engine.device.settings.StopSettings;
import org.sparkgpugraph.engine.device.settings.TileLayout;
import org.sparkgpugraph.engine.device.settings.TileSettings;
import org.sparkgpugraph.engine.device.settings.VertexGrouping;
import org.sparkgpugraph.engine.device.tuning.ChoicePolicy;
import org.sparkgpugraph.graphs.hub.HubGraph;
import org.sparkgpugraph.graphs.hub.HubLayout;
import org.sparkgpugraph.graphs.hub.HubRows;
import org.sparkgpugraph.graphs.hub.PartialRows;
import org.sparkgpugraph.graphs.hub.SlotRows;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.analysis.ModeSends;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.run.KernelChoice;

/**
 * Plans the memory of a run on a device: what the kernels of a program's shape read and write, no
 * more. Names of members are those of the frame.
 */
public final class DevicePlanner {
  /** Purpose of the memory of boundary updates, in messages. */
  private static final String UPDATES = "boundary updates";

  /**
   * Most blocks that fill an outbox behind the gather: each warp adds up what those before have.
   */
  public static final int COLLECT_BLOCKS = 512;

  /** What the names of the rows begin with by which others' hubs are sent to. */
  public static final String PARTIAL_ROWS = "partialRows.";

  /** … and of those by which slots are filled here. */
  public static final String SLOT_ROWS = "slotRows.";

  private static final String PARTIAL_MESSAGES = "partial messages to hubs";

  /** What the names of buffers for odd supersteps end with, where even ones have others. */
  public static final String ODD = "odd.";

  /** Words by which other devices tell what they counted. */
  public static final String PEER_WORDS = "peerWords";

  /** Status words of supersteps that follow each other without a wait. */
  public static final String CHAIN_WORDS = "chainWords";

  private final ExecutorGraph graph;
  private final LiftedProgram program;
  private final List<Object> tables;
  private final ProgramKernels kernels;
  private final KernelShape shape;
  private final ActiveWork active;
  private final RunSettings settings;
  private final DeviceSettings device;
  private final DerivedArrays derived;
  private final DeviceRows rows;
  private final DeviceHoldings on;
  private final ExchangeLists lists;
  private final int index;
  private final boolean[] stable;
  private boolean sparse;
  private final Pushing pushing;
  private final boolean mayPush;
  private boolean pushes;
  private boolean relaxes;
  private final int maxBlocks;
  private final int residentThreads;
  private final int asyncBlocks;
  private final int mostOwners;
  private final int sharedBytes;
  private final int outboxBytes;
  private List<DevicePlan.Item> items;
  private Map<Integer, DevicePlan.Hubs> hubs;
  private int partition;
  private boolean sizesOnly;

  /**
   * @param instance the program
   * @param kernels the program's kernels, for its shape on the graph
   * @param lists what partitions tell each other, and which of them are on which device
   * @param index which of the run's devices this is about
   * @param on the device
   */
  public DevicePlanner(
      ExecutorGraph graph,
      ProgramInstance instance,
      ProgramKernels kernels,
      RunSettings settings,
      DeviceSettings device,
      ExchangeLists lists,
      int index,
      DeviceHoldings on) {
    this.graph = graph;
    program = instance.program();
    tables = instance.tables();
    this.kernels = kernels;
    shape = kernels.shape();
    active = ActiveWork.of(shape, settings.activeDirection());
    outboxBytes = kernels.outbox().bytes();
    this.settings = settings;
    this.device = device;
    derived = on.derived();
    rows = on.rows();
    this.on = on;
    this.lists = lists;
    this.index = index;
    sparse = goesSparse(shape, settings);
    pushing = kernels.pushing().orElse(null);
    mayPush =
        sparse
            && pushing != null
            && settings.kernel() != KernelChoice.SPARSE
            && (shape.tracksChanges()
                ? pushesParts()
                : graph.partitions().size() == 1 && graph.hasOutEdges());
    stable = FunctionTraits.stableColumns(program);
    maxBlocks = LaunchSize.maxBlocks(on.device().properties());
    residentThreads = maxBlocks * LaunchSize.BLOCK;
    asyncBlocks =
        Math.min(
            maxBlocks,
            AsyncSettings.BLOCKS_PER_MULTIPROCESSOR * on.device().properties().multiprocessors());
    mostOwners = TileSettings.mostOwners(on.device().properties().multiprocessors());
    sharedBytes = on.device().properties().sharedBytes();
  }

  /**
   * Whether partitions that exchange may push: one bitmap has what changed and was not told, so
   * readers are either other executor graphs or partitions here.
   */
  private boolean pushesParts() {
    boolean apart = graph.exports().isEmpty() && graph.imports().isEmpty();
    return lists.refined()
        && (apart || graph.partitions().size() == 1)
        && !(program.send().reads(Role.EDGE) && pushesOffHeap());
  }

  /** Whether edges are off the heap, where nobody turns their values round. */
  private boolean pushesOffHeap() {
    return graph.partitions().stream()
        .anyMatch(p -> pushing.out() && isOffHeap(p, true) || pushing.in() && isOffHeap(p, false));
  }

  private static boolean isOffHeap(GraphPartition p, boolean in) {
    Columns values = p.edgeValues(in);
    return !p.edges(in).onHeap() || values != null && !values.onHeap();
  }

  /** A plan for dense supersteps only, of which only sizes are wanted; null: nothing else comes. */
  public DevicePlan denseOnly() {
    if (!sparse) {
      return null;
    }
    sparse = false;
    try {
      return plan(new Variant(1, false, false, false), null);
    } finally {
      sparse = true;
    }
  }

  /** Whether sparse supersteps may come. */
  private static boolean goesSparse(KernelShape shape, RunSettings settings) {
    return !shape.everyVertex() && settings.kernel() != KernelChoice.DENSE;
  }

  /**
   * A way to use memory.
   *
   * @param grouping vertices per candidate bit
   * @param pushes whether sparse supersteps push, so that no candidates are needed
   * @param relaxes whether there are buckets for going on without supersteps, where that may come
   * @param hotFirst whether gathers of all rows read hot vertices first, by ranks that are there
   *     beside the rows
   */
  public record Variant(int grouping, boolean pushes, boolean relaxes, boolean hotFirst) {}

  /**
   * The ways that can be taken, the fastest first.
   *
   * @param pushes whether pushing is one of them, where the program and the graph allow it
   */
  public List<Variant> variants(boolean pushes) {
    List<Variant> variants = new ArrayList<>();
    if (mayPush && pushes) {
      if (kernels.relaxingFrame().isPresent()) {
        variants.add(new Variant(1, true, true, false));
      }
      variants.add(new Variant(1, true, false, false));
    }
    for (int grouping : groupings()) {
      if (kernels.hot().isPresent()) {
        variants.add(new Variant(grouping, false, false, true));
      }
      variants.add(new Variant(grouping, false, false, false));
    }
    return variants;
  }

  private List<Integer> groupings() {
    if (device.grouping() != 0) {
      return List.of(device.grouping());
    }
    return sparse && (active.inNeighbours() || active.outNeighbours())
        ? VertexGrouping.RATIOS
        : List.of(1);
  }

  /**
   * Plans.
   *
   * @param attributes vertex attributes of each partition; null: only sizes are wanted. Rows that
   *     are not made yet are not made for that; what depends on the degrees of single vertices
   *     (tables of hubs) is left out then
   */
  public DevicePlan plan(Variant variant, List<Columns> attributes) {
    int grouping = variant.grouping();
    pushes = variant.pushes();
    relaxes = variant.relaxes();
    sizesOnly = attributes == null;
    items = new ArrayList<>();
    hubs = new HashMap<>();
    for (int each : lists.placement().on(index)) {
      partition = each;
      if (partition == tablesOf(lists, partition)) {
        tables();
      }
      GraphPartition p = graph.partitions().get(each);
      structure(p, grouping);
      values(p, attributes == null ? null : attributes.get(partition));
      if (variant.hotFirst()) {
        hotVertices(p);
      }
      bitmaps(p, grouping);
      if (sizesOnly && !areCounted(p)) {
        // The run will know the hubs.
      } else if (program.mergesByMode()) {
        modes(p);
      } else if (device.virtualWarp() == 0 || sparse) {
        hubs(p);
      }
      aggregates(p);
      outboxes(p);
      exports(p);
      if (shape.partialMessages()) {
        partialMessages((HubGraph.Partition) p);
      }
      collectCounts();
      staging();
      results(p);
    }
    return new DevicePlan(grouping, pushes, items, hubs);
  }

  /** The partition under whose name the tables are that a partition reads: once on a device. */
  public static int tablesOf(ExchangeLists lists, int partition) {
    return lists.placement().on(lists.placement().device(partition)).get(0);
  }

  private void tables() {
    for (int t = 0; t < tables.size(); t++) {
      Object array = tables.get(t);
      own(FrameField.TABLE.of(t), "captured tables", ResidentArrays.bytes(array), array);
    }
  }

  // ---- structure ------------------------------------------------------------------------------

  private void structure(GraphPartition p, int grouping) {
    boolean parts = shape.tracksChanges();
    // What is read most comes first: where there is no room for all edges, it has the device.
    boolean pushedFirst = pushes && relaxes && !parts && pushing.out() && relaxesAlong(p);
    if (pushedFirst) {
      outRows(p);
    }
    if (shape.inRows() || pushes && pushing.in() && !parts) {
      csr(FrameField.IN_OFFSETS, FrameField.IN_SOURCES, "in-edges", p.inEdges());
      edgeValues(FrameField.IN_EDGE, "in-edges", p.inEdges(), p.inEdgeValues());
    }
    if (!pushedFirst && (shape.outRows() || pushes && pushing.out() && !parts)) {
      outRows(p);
    }
    if (readsIds()) {
      shared(FrameField.IDS, "original ids", p.originalIds());
    }
    if (shape.missingVertices() && p.present() != null) {
      shared(FrameField.PRESENT, "vertices that exist", p.present());
    }
    if (pushes) {
      queue(p);
    }
    if (pushes && parts) {
      transposes(p);
    }
    if (sparse && !pushes) {
      int shift = VertexGrouping.shift(grouping);
      if (active.inNeighbours()) {
        Csr transpose = derived.grouped(p.inTranspose(), p.stored(), shift);
        csr(
            FrameField.IN_TRANSPOSE_OFFSETS,
            FrameField.IN_TRANSPOSE_TARGETS,
            "in-transpose",
            transpose);
      }
      if (active.outNeighbours()) {
        Csr transpose = derived.grouped(p.outTranspose(), p.stored(), shift);
        csr(
            FrameField.OUT_TRANSPOSE_OFFSETS,
            FrameField.OUT_TRANSPOSE_TARGETS,
            "out-transpose",
            transpose);
      }
    }
    if (sparse && settings.kernel() == KernelChoice.AUTO) {
      String what = "degrees for the choice of kernels";
      if (sizesOnly && !areCounted(p)) {
        own(FrameField.ACTIVE_COST, what, 4L * p.stored(), null);
      } else {
        shared(FrameField.ACTIVE_COST, what, activeCosts(p));
      }
    }
  }

  private void outRows(GraphPartition p) {
    csr(FrameField.OUT_OFFSETS, FrameField.OUT_DESTINATIONS, "out-edges", p.outEdges());
    edgeValues(FrameField.OUT_EDGE, "out-edges", p.outEdges(), p.outEdgeValues());
  }

  /** Whether values may be relaxed along the out-edges of a graph that is one partition. */
  private boolean relaxesAlong(GraphPartition p) {
    ready(p.outEdges());
    return mayRelax(p, p.outEdges(), pushing.in() ? p.inEdges() : null);
  }

  /** What a part of a graph pushes along: its edges by their other end, with their values. */
  private void transposes(GraphPartition p) {
    if (pushing.out()) {
      csr(
          FrameField.IN_TRANSPOSE_OFFSETS,
          FrameField.IN_TRANSPOSE_TARGETS,
          "in-transpose",
          p.inTranspose());
      edgeValues(
          FrameField.IN_TRANSPOSE_EDGE, "in-transpose", p.inTranspose(), transposedValues(p, true));
    }
    if (pushing.in()) {
      csr(
          FrameField.OUT_TRANSPOSE_OFFSETS,
          FrameField.OUT_TRANSPOSE_TARGETS,
          "out-transpose",
          p.outTranspose());
      edgeValues(
          FrameField.OUT_TRANSPOSE_EDGE,
          "out-transpose",
          p.outTranspose(),
          transposedValues(p, false));
    }
  }

  /** Edge values in the order of a transpose; null where none are read. */
  private Columns transposedValues(GraphPartition p, boolean in) {
    Columns values = p.edgeValues(in);
    return values == null || !program.send().reads(Role.EDGE)
        ? values
        : derived.transposed(p.edges(in), values, p.transpose(in), settings.threads());
  }

  /** Whether a partition's degrees are known; of rows that are made later they may not be. */
  public static boolean areCounted(GraphPartition p) {
    return UnsortedEdges.of(p) == null || p.inEdges().hasOffsets() && p.outEdges().hasOffsets();
  }

  /** The queue, of a partition that is the whole graph, or of a part of one, ghosts included. */
  private void queue(GraphPartition p) {
    boolean parts = shape.tracksChanges();
    Csr out = !pushing.out() ? null : parts ? p.inTranspose() : p.outEdges();
    Csr in = !pushing.in() ? null : parts ? p.outTranspose() : p.inEdges();
    long edges = Math.max(out == null ? 0 : out.edges(), in == null ? 0 : in.edges());
    long rows = (long) p.stored() + (parts ? p.ghosts() : 0);
    long bytes = 8 * PushLayout.capacity(rows, 2 * edges);
    own(FrameField.QUEUE, "queues of active vertices", bytes, null);
    own(FrameField.NEXT_QUEUE, "queues of active vertices", bytes, null);
    if (pushing.mode().isProgram()) {
      records(p);
    } else if (!pushing.intoValue()) {
      List<ColumnType> message = program.message().columns();
      for (int c = 0; c < message.size(); c++) {
        int slot = Math.max(4, message.get(c).bytes());
        own(FrameField.SLOT.of(c), "slots of messages", (long) slot * p.stored(), null);
      }
      own(FrameField.TOUCHED, "slots of messages", bitmapBytes(p.stored()), null);
      own(FrameField.TOUCHED_ROWS, "slots of messages", 4L * p.stored(), null);
    }
    if (pushing.buckets()) {
      own(FrameField.FAR_0, "queues of active vertices", 4L * p.stored(), null);
      own(FrameField.FAR_1, "queues of active vertices", 4L * p.stored(), null);
      own(FrameField.FAR_BITS, "queues of active vertices", bitmapBytes(p.stored()), null);
    }
    own(FrameField.QUEUE_STATE, "status", 8L * QueueWord.COUNT, null);
    own(FrameField.RING, "status", 8L * RingWord.COUNT * device.push().rounds(), null);
    if (kernels.stopsEarly()) {
      int blocks = kernels.searches() ? StopLayout.SEARCH_BLOCKS : StopLayout.BLOCKS;
      own(FrameField.HEARD, "status", 8L * StopLayout.WORDS * blocks, null);
      if (kernels.searches()) {
        own(FrameField.SEARCH_RING, "status", 8L * PushLayout.SEARCH_ALL, null);
      }
      kernels.edgeOrder().ifPresent(order -> sorted(p, order));
    }
    if (relaxes && mayRelax(p, out, in)) {
      relaxing(p, edges > 0);
    }
  }

  /** Rows that stop early, where they are sorted, or are to be and can. */
  private void sorted(GraphPartition p, EdgeOrder order) {
    Csr rows = p.edges(order.in());
    Columns values = p.edgeValues(order.in());
    StopSettings.Sorting when = device.push().stops().sorting();
    boolean wanted =
        when == StopSettings.Sorting.ALWAYS
            || when == StopSettings.Sorting.AGAIN
                && derived.wantsSorted(values, order.column(), order.falls());
    long each = Integer.BYTES + values.kinds().get(order.column()).bytes();
    if (!wanted
        || settings.kernel() != KernelChoice.AUTO
        || 2 * each * rows.edges() > device.edgeBytes()) {
      return;
    }
    SortedRows.Arrays sorted = derived.sorted(rows, values, order.column(), order.falls());
    long reserve = device.reserveBytes();
    // Nothing is planned otherwise for the sake of what may not be made.
    boolean there =
        sizesOnly
            ? on.sorted().areThere(sorted)
            : on.sorted().ready(rows, values, order.column(), order.falls(), reserve);
    if (!there) {
      return;
    }
    if (!sizesOnly) {
      // Also where this plan is not taken: they go with the graph.
      on.remember(p, List.of(sorted.neighbours(), sorted.values(), sorted.range()));
    }
    String what = "rows in the order of edge values";
    shared(FrameField.SORTED_NEIGHBOURS, what, sorted.neighbours());
    shared(FrameField.SORTED_EDGE.of(order.column()), what, sorted.values());
    shared(FrameField.SORTED_RANGE, what, sorted.range());
  }

  /**
   * Memory of going on without supersteps: allocated when a run does, or at once where it must. Of
   * owners and workers one is taken, which is known when the tiles are; until then both are
   * planned.
   */
  private void relaxing(GraphPartition p, boolean hasEdges) {
    // Lanes of owners that have no edge read the first one.
    boolean owners = hasEdges && mayOwn(p);
    boolean choice = owners && device.push().async().tiles().form() == TileSettings.Form.AUTO;
    boolean later = choice || settings.kernel() != KernelChoice.ASYNC;
    if (owners) {
      tiles(p, later ? DevicePlan.Need.OWNERS : DevicePlan.Need.RUN);
    }
    if (!owners || choice) {
      buckets(p, later ? DevicePlan.Need.WORKERS : DevicePlan.Need.RUN);
    }
  }

  /** Whether values may be relaxed without supersteps; of rows not counted yet it is supposed. */
  private boolean mayRelax(GraphPartition p, Csr out, Csr in) {
    if (settings.kernel() == KernelChoice.ASYNC) {
      return true;
    }
    if (sizesOnly && !areCounted(p)) {
      return ChoicePolicy.relaxes(device.push().async(), 1, graph.heldVertices());
    }
    double skew =
        Stream.of(Optional.ofNullable(out), Optional.ofNullable(in))
            .flatMap(Optional::stream)
            .mapToDouble(rows -> derived.degrees(rows).skew())
            .max()
            .orElse(1);
    return ChoicePolicy.relaxes(device.push().async(), skew, graph.heldVertices());
  }

  /** Slots that the program's function merges in, and the rings of those that call it. */
  private void records(GraphPartition p) {
    String what = "slots of messages";
    long words = DelegateLayout.words(program.message().columns());
    own(FrameField.SLOT_WORDS, what, 8 * words * p.stored(), null);
    own(FrameField.SLOT_STATE, what, 4L * p.stored(), null);
    own(FrameField.TOUCHED_ROWS, what, 4L * p.stored(), null);
    if (pushing.mode() == MergeMode.DELEGATED) {
      DelegateSettings delegate = device.push().delegate();
      long places = (long) delegate.ring() * delegate.servers(maxBlocks);
      own(FrameField.DELEGATE_STATE, "rings of messages", 8L * DelegateLayout.WORDS, null);
      own(FrameField.DELEGATE_BITS, "rings of messages", places / 8, null);
      own(FrameField.DELEGATE_MESSAGES, "rings of messages", 8 * (words + 1) * places, null);
    }
  }

  /** Whether tiles may have owners: they fit into the blocks that there are. */
  private boolean mayOwn(GraphPartition p) {
    TileSettings tiles = device.push().async().tiles();
    if (tiles.form() == TileSettings.Form.BUCKETS
        || shape.tracksChanges()
        || pushing.spreadsResiduals()
        // Tiles grow along neighbours on the heap.
        || !(pushing.out() ? p.outEdges() : p.inEdges()).onHeap()) {
      return false;
    }
    return owners(p) >= 1
        && tiles.fitting(ownWords(p), pushing.in() && pushing.out(), sharedBytes).isPresent();
  }

  /** Owners of a partition's tiles; 0: the device has no room for one beside the manager. */
  private int owners(GraphPartition p) {
    TileSettings tiles = device.push().async().tiles();
    int most = tiles.owners(mostOwners);
    return most < 1 ? 0 : Tiles.owners(p.stored(), most, tiles.vertices() / TileLayout.WORD);
  }

  private int ownWords(GraphPartition p) {
    int tileWords = device.push().async().tiles().vertices() / TileLayout.WORD;
    return Tiles.ownWords(p.stored(), owners(p), tileWords);
  }

  /** What owners of tiles need, whose tables are made when they are needed. */
  private void tiles(GraphPartition p, DevicePlan.Need need) {
    int owners = owners(p);
    long words = (long) owners * ownWords(p);
    String what = "tiles of vertices";
    relaxing(need, FrameField.TILE_STATE, what, TileLayout.stateBytes(owners));
    relaxing(need, FrameField.TILE_PLACES, what, 4L * Tiles.words(p.stored()));
    relaxing(need, FrameField.TILE_ROWS, what, 4 * words);
    relaxing(need, FrameField.TILE_INBOX, what, 4 * words);
    relaxing(need, FrameField.TILE_SUMS, what, 4L * owners * TileLayout.WORD);
  }

  /** The buckets of a relaxation without supersteps, where there is room for a worker. */
  private void buckets(GraphPartition p, DevicePlan.Need need) {
    AsyncSettings async = device.push().async();
    long workers = LaunchSize.WARPS * (async.blocks(asyncBlocks) - 1L);
    if (workers < 1) {
      return;
    }
    String what = "buckets of active vertices";
    long vertices = (long) p.stored() + (shape.tracksChanges() ? p.ghosts() : 0);
    long blocks = async.poolBlocks(AsyncLayout.leastBlocks((int) workers, async.shift()), vertices);
    long places = blocks << async.shift();
    long ring = Math.max(2, Long.highestOneBit(2 * blocks - 1));
    relaxing(need, FrameField.ASYNC_STATE, what, 8L * AsyncLayout.WORDS);
    relaxing(need, FrameField.ASYNC_ITEMS, what, AsyncLayout.ITEM_BYTES * places);
    relaxing(need, FrameField.ASYNC_MAP, what, 8L * AsyncLayout.BUCKETS * ring);
    relaxing(need, FrameField.ASYNC_WRITTEN, what, 4 * places / AsyncLayout.SEGMENT);
    relaxing(need, FrameField.ASYNC_READ, what, 4 * blocks);
    relaxing(need, FrameField.ASYNC_FREE, what, 4 * blocks);
    relaxing(need, FrameField.ASYNC_FLAGS, what, 8 * workers);
    relaxing(need, FrameField.ASYNC_IDLE, what, bitmapBytes(workers));
  }

  private void relaxing(DevicePlan.Need need, String member, String what, long bytes) {
    items.add(new DevicePlan.Item(partition, member, what, bytes, null, false, need));
  }

  /** What the choice between dense and sparse counts; the same as the CPU engine's. */
  private int[] activeCosts(GraphPartition p) {
    return derived.activeCosts(graph, p, active, settings.threads());
  }

  private boolean readsIds() {
    return FunctionTraits.readsIds(program)
        || reads(program.initialState(), Role.ID)
        || shape.missingVertices() && reads(program.missingState(), Role.ID)
        || reads(program.resultFunction(), Role.ID)
        || program.finalAggregates().stream().anyMatch(a -> a.function().reads(Role.ID));
  }

  private static boolean reads(IrFunction function, Role role) {
    return function != null && function.reads(role);
  }

  /** Lets the device make rows, where all of them are to be there. */
  private void ready(Csr csr) {
    if (!sizesOnly && 4L * csr.edges() <= device.edgeBytes()) {
      rows.ready(csr, device.reserveBytes());
    }
  }

  private void csr(String offsets, String neighbours, String what, Csr csr) {
    ready(csr);
    if (sizesOnly && !csr.hasOffsets()) {
      // The rows stand for the array, so that it is counted once.
      long bytes = 4L * (csr.rows() + 1);
      String purpose = "offsets of the " + what;
      items.add(new DevicePlan.Item(partition, offsets, purpose, bytes, csr, true));
    } else {
      shared(offsets, "offsets of the " + what, csr.offsets());
    }
    perEdge(neighbours, "neighbours of the " + what, csr.neighboursKey(), csr);
  }

  private void edgeValues(FrameField.PerColumn of, String what, Csr rows, Columns values) {
    for (int c = 0; c < program.edge().columns().size(); c++) {
      if (!program.send().reads(Role.EDGE, c)) {
        continue;
      }
      if (values == null) {
        throw new IllegalStateException(
            "the send function reads the edge's value, but the graph was loaded without edge"
                + " values");
      }
      perEdge(of.of(c), "values of the " + what, values.key(c), rows);
    }
  }

  // ---- values ---------------------------------------------------------------------------------

  private void values(GraphPartition p, Columns attributes) {
    long locals = (long) p.stored() + p.ghosts();
    List<ColumnType> kinds = program.attribute().columns();
    for (int c = 0; c < kinds.size(); c++) {
      if (ProgramKernels.keepsAttribute(program, c)) {
        Object array = attributes == null ? null : attributes.array(c);
        own(FrameField.ATTRIBUTE.of(c), "vertex attributes", kinds.get(c).bytes() * locals, array);
      }
    }
    if (reads(program.initialState(), Role.IN_DEGREE)) {
      own(
          FrameField.IN_DEGREES,
          "degrees",
          4 * locals,
          attributes == null ? null : p.degrees(true));
    }
    if (reads(program.initialState(), Role.OUT_DEGREE)) {
      own(
          FrameField.OUT_DEGREES,
          "degrees",
          4 * locals,
          attributes == null ? null : p.degrees(false));
    }
    messages(FrameField.INITIAL_MESSAGE, settings.initialMessage());
    messages(FrameField.EMPTY_MESSAGE, settings.emptyMessage());
    for (int c = 0; c < program.message().columns().size(); c++) {
      if (kernels.frame().has(FrameField.GATHERED.of(c))) {
        long bytes = (long) program.message().columns().get(c).bytes() * p.stored();
        own(FrameField.GATHERED.of(c), "messages of rows", bytes, null);
      }
    }
    List<ColumnType> state = program.state().columns();
    for (int c = 0; c < state.size(); c++) {
      long bytes = state.get(c).bytes() * locals;
      own(FrameField.STATE.of(c), "vertex values", bytes, null);
      if (!shape.inPlace() && !stable[c]) {
        own(FrameField.NEXT.of(c), "vertex values", bytes, null);
      }
    }
  }

  /** What a gather reads by ranks, where these are there or can be made. */
  private void hotVertices(GraphPartition p) {
    HotColumns columns = kernels.hot().orElseThrow().columns();
    if (HotFirst.refusal(p, columns, device.tuning(), on).isPresent()) {
      return;
    }
    Csr rows = p.edges(columns.in());
    if (2L * Integer.BYTES * rows.edges() > device.edgeBytes()) {
      return;
    }
    int locals = p.stored() + p.ghosts();
    if (!sizesOnly && !on.ranked().ready(rows, locals, device.reserveBytes())) {
      return;
    }
    RankedRows.Arrays ranks = derived.ranks(rows, locals);
    if (!sizesOnly) {
      // Also where this plan is not taken: they go with the graph.
      on.remember(p, List.of(ranks.vertices(), ranks.neighbours(), ranks.ranks()));
    }
    shared(FrameField.HOT_VERTICES, "ranks of vertices", ranks.vertices());
    shared(FrameField.HOT_NEIGHBOURS, "neighbours by rank", ranks.neighbours());
    shared(FrameField.HOT_RANKS, "ranks of vertices", ranks.ranks());
    for (int c : columns.columns()) {
      long bytes = (long) program.state().columns().get(c).bytes() * locals;
      own(FrameField.HOT_VALUE.of(c), "vertex values by rank", bytes, null);
      if (!stable[c]) {
        own(FrameField.HOT_NEXT.of(c), "vertex values by rank", bytes, null);
      }
    }
  }

  /** Arrays of a message that all vertices get; numbers are members of the frame. */
  private void messages(FrameField.PerColumn of, Object[] message) {
    for (int c = 0; message != null && c < message.length; c++) {
      ColumnType type = program.message().columns().get(c);
      if (type.isArray()) {
        own(of.of(c), "messages for all vertices", type.bytes(), message[c]);
      }
    }
  }

  private void bitmaps(GraphPartition p, int grouping) {
    if (shape.everyVertex()) {
      return;
    }
    long locals = (long) p.stored() + p.ghosts();
    own(FrameField.ACTIVE, "activity", bitmapBytes(locals), null);
    own(FrameField.NEXT_ACTIVE, "activity", bitmapBytes(locals), null);
    if (kernels.permissive()) {
      // Sections have 32 rows at least.
      own(FrameField.SECTION_COUNTS, "activity", bitmapBytes(p.stored()), null);
    }
    if (sparse && !pushes) {
      int groups = VertexGrouping.groups(p.stored(), VertexGrouping.shift(grouping));
      own(FrameField.CANDIDATES, "candidate rows", bitmapBytes(groups), null);
      if (ProgramKernels.recordsRan(program, shape)) {
        own(FrameField.RAN, "rows that ran", bitmapBytes(p.stored()), null);
      }
    }
  }

  /** Bytes of a bitmap of 32-bit words. */
  static long bitmapBytes(long bits) {
    return 4 * ((bits + 31) >>> 5);
  }

  // ---- hubs, aggregates, outboxes, results ------------------------------------------------------

  private void hubs(GraphPartition p) {
    HubTables tables =
        HubTables.of(
            p.stored(),
            shape.inRows() ? p.inEdges().offsets() : null,
            shape.outRows() ? p.outEdges().offsets() : null,
            shape.missingVertices() ? p.present() : null,
            device.hubDegree(kernels.sharedEdges()),
            device.chunkEdges(kernels.sharedEdges(), shape.gatheredEdges(p)));
    if (tables.hubs() == 0) {
      return;
    }
    hubs.put(partition, new DevicePlan.Hubs(tables.hubs(), tables.chunks(), List.of()));
    table(FrameField.HUB_ROWS, tables.rows());
    table(FrameField.HUB_FIRST_CHUNK, tables.firstChunk());
    table(FrameField.CHUNK_HUB, tables.chunkHub());
    table(FrameField.CHUNK_BEGIN, tables.chunkBegin());
    table(FrameField.CHUNK_END, tables.chunkEnd());
    table(FrameField.CHUNK_SIDE, tables.chunkSide());
    table(FrameField.HUB_ARRIVED, new int[tables.hubs()]);
    own(FrameField.PARTIAL_HAS, "messages of hubs", tables.chunks(), null);
    List<ColumnType> message = program.message().columns();
    for (int c = 0; c < message.size(); c++) {
      own(
          FrameField.PARTIAL.of(c),
          "messages of hubs",
          (long) message.get(c).bytes() * tables.chunks(),
          null);
    }
    if (shape.gatherAll()) {
      own(FrameField.HUB_SELECTED, "tables of hubs", 8L * tables.hubs(), null);
    }
  }

  /** Rows whose most frequent message blocks find. */
  private void modes(GraphPartition p) {
    ModeTables modes =
        ModeTables.of(
            p.stored(),
            shape.inRows() ? p.inEdges().offsets() : null,
            shape.outRows() ? p.outEdges().offsets() : null,
            shape.missingVertices() ? p.present() : null,
            ModeSends.most(program.send()),
            device);
    if (modes.hubs() == 0) {
      return;
    }
    hubs.put(partition, new DevicePlan.Hubs(modes.hubs(), modes.chunks(), modes.batches()));
    table(FrameField.HUB_ROWS, modes.rows());
    table(FrameField.HUB_FIRST_CHUNK, modes.firstChunk());
    table(FrameField.CHUNK_HUB, modes.chunkHub());
    table(FrameField.CHUNK_BEGIN, modes.chunkBegin());
    table(FrameField.CHUNK_END, modes.chunkEnd());
    table(FrameField.MODE_FIRST, modes.first());
    table(FrameField.MODE_CAPACITY, modes.capacity());
    if (modes.slots() > 0) {
      own(FrameField.MODE_KEYS, "counts of hubs' messages", 8L * modes.slots(), null);
      own(FrameField.MODE_COUNTS, "counts of hubs' messages", 4L * modes.slots(), null);
      own(FrameField.MODE_CHUNK_LABELS, "counts of hubs' messages", 8L * modes.chunks(), null);
      own(FrameField.MODE_CHUNK_COUNTS, "counts of hubs' messages", 4L * modes.chunks(), null);
    }
    if (shape.gatherAll()) {
      own(FrameField.HUB_SELECTED, "tables of hubs", 8L * modes.hubs(), null);
    }
  }

  private void table(String member, int[] content) {
    own(member, "tables of hubs", 4L * content.length, content);
  }

  private void aggregates(GraphPartition p) {
    int width = Math.max(program.aggregates().size(), program.finalAggregates().size());
    // Behind the words, the counts of the outboxes: cleared and read with them.
    int outboxes = shape.tracksChanges() ? lists.from(partition).size() : 0;
    own(FrameField.STATUS, "status", 8L * (StatusWord.COUNT + width + outboxes), null);
    if (SuperstepChain.fits(program, kernels, graph.partitions().size())) {
      own(CHAIN_WORDS, "status", (long) SuperstepChain.ENTRY_BYTES * SuperstepChain.MOST, null);
    }
    kernels
        .outlined()
        .ifPresent(
            outlined -> {
              long entry = (long) Long.BYTES * outlined.entryWords();
              long words = OutlineLayout.STATE_WORDS;
              own(FrameField.OUTLINE_STATE, "status", Long.BYTES * words, null);
              own(FrameField.OUTLINE_RING, "status", entry * device.outline().supersteps(), null);
            });
    if (width > 0) {
      own(FrameField.AGGREGATE_PARTIALS, "partial aggregates", 8L * width * slots(p), null);
    }
  }

  /** Partial aggregates of a launch: a slot per block, then one per hub. */
  private long slots(GraphPartition p) {
    DevicePlan.Hubs here = hubs.getOrDefault(partition, DevicePlan.Hubs.NONE);
    // The kernel with the most blocks gives each row a warp of its own, or each chunk beside rows.
    long threads = ((long) p.stored() + p.ghosts()) * Math.max(1, device.virtualWarp());
    // Outlined, the launch that has aggregates has blocks for chunks of labels, too.
    boolean byBlocks = program.mergesByMode() && kernels.outlined().isPresent();
    long each = byBlocks ? LaunchSize.BLOCK : DeviceProperties.WARP;
    long blocks = LaunchSize.blocks(threads + each * here.chunks(), 1, maxBlocks);
    if (kernels.hot().isPresent()) {
      // Their blocks have another size.
      blocks = Math.max(blocks, residentThreads / kernels.hot().get().how().threads());
    }
    return blocks + here.count();
  }

  private void outboxes(GraphPartition p) {
    if (!shape.tracksChanges()) {
      return;
    }
    List<BoundaryList> told = lists.from(partition);
    for (int i = 0; i < told.size(); i++) {
      String of = "outbox" + i + ".";
      tables(of, told.get(i), p);
      if (lists.route(told.get(i)) != Route.PEER) {
        updates(of, told.get(i).size());
      }
    }
    structs(FrameField.OUTBOXES, 2 * told.size());
    int written = 0;
    for (BoundaryList list : lists.to(partition)) {
      if (lists.route(list) == Route.PEER) {
        updates(inbox(list), list.size());
        updates(inbox(list) + ODD, list.size());
        written += 2;
      }
      int[] ghosts = lists.ghostOf(list);
      if (ghosts != null) {
        own(FrameField.GHOST_OF + list.home(), UPDATES, 4L * ghosts.length, ghosts);
      }
    }
    structs("inboxes", written);
    if (pushes && device.push().meets() && lists.mayMeet()) {
      int others = lists.placement().devices() - 1;
      own(FrameField.PEERS, UPDATES, 8L * PeerLayout.table(others), null);
      own(PEER_WORDS, UPDATES, 8L * PeerLayout.TOLD * others, null);
    }
  }

  /** A list as kernels know it. */
  private void tables(String of, BoundaryList list, GraphPartition p) {
    int[] members = DeviceOutbox.members(list, p.stored());
    own(of + FrameField.MEMBERS, UPDATES, 4L * members.length, members);
    own(of + FrameField.RANKS, UPDATES, 4L * members.length, DeviceOutbox.ranks(members));
  }

  /** What the names of buffers begin with that another device writes, after even supersteps. */
  public static String inbox(BoundaryList list) {
    return "inbox" + list.home() + ".";
  }

  /** Room for updates of every vertex of a list. */
  private void updates(String of, int size) {
    own(of + FrameField.POSITIONS, UPDATES, 4L * size, null);
    own(of + FrameField.FLAGS, UPDATES, DeviceOutbox.flagBytes(size), null);
    for (int c : kernels.shipped()) {
      long bytes = (long) program.state().columns().get(c).bytes() * size;
      own(of + FrameField.VALUE.of(c), UPDATES, bytes, null);
    }
  }

  private void structs(String member, int count) {
    if (count > 0) {
      own(member, UPDATES, (long) count * outboxBytes, null);
    }
  }

  /**
   * What readers in other executor graphs are told: what changed since they were told last, and one
   * outbox, in which their lists are collected one after the other.
   */
  private void exports(GraphPartition p) {
    List<BoundaryList> exports = lists.collected(partition);
    if (!exports.isEmpty() || pushes && shape.tracksChanges()) {
      own(FrameField.CHANGED, UPDATES, bitmapBytes(p.stored()), null);
    }
    if (exports.isEmpty()) {
      return;
    }
    for (int i = 0; i < exports.size(); i++) {
      tables("export" + i + ".", exports.get(i), p);
    }
    own("export.counts", UPDATES, 8, null);
    updates("export.", lists.longestExport(partition));
    structs("exports", exports.size());
  }

  /**
   * What hubs were sent, the rows by which they are: those of others' hubs, and of slots; and which
   * ghosts' values still come.
   */
  private void partialMessages(HubGraph.Partition p) {
    HubLayout layout = ((HubGraph) graph).layout();
    HubRows hubRows = layout.hubRows().get(partition);
    PartialRows rows = layout.partialRows().get(partition);
    SlotRows slots = p.rows().slotRows();
    shared(FrameField.TOLD_OFFSETS, PARTIAL_MESSAGES, hubRows.slots());
    messages(FrameField.TOLD_HAS, FrameField.TOLD, "", hubRows.hubs().length);
    if (sparse) {
      shared(FrameField.TOLD_ROWS, PARTIAL_MESSAGES, hubRows.hubs());
      if (shape.keepsPartialMessages()) {
        own(FrameField.TOLD_CAME, PARTIAL_MESSAGES, hubRows.hubs().length, null);
      }
    }
    partialRows(SLOT_ROWS, slots.offsets(), slots.sources(), hubRows.hubs());
    partialValues(SLOT_ROWS, p.rows().slotValues(p.whole()));
    messages(FrameField.MERGED_HAS, FrameField.MERGED, PARTIAL_ROWS, rows.size());
    partialRows(PARTIAL_ROWS, rows.offsets(), rows.sources(), rows.hubs());
    partialValues(PARTIAL_ROWS, p.rows().partialValues(p.whole(), rows));
    for (int i = 0; i < graph.imports().size(); i++) {
      if (graph.imports().get(i).list().reader() == partition) {
        shared(readGhosts(i), PARTIAL_MESSAGES, layout.ghosts().get(i));
      }
    }
  }

  /** Name of the ghosts of an import whose values come where hubs are sent partial messages. */
  public static String readGhosts(int number) {
    return "import" + number + "." + FrameField.GHOST_OF;
  }

  private void messages(String has, FrameField.PerColumn of, String prefix, int count) {
    own(prefix + has, PARTIAL_MESSAGES, count, null);
    List<ColumnType> message = program.message().columns();
    for (int c = 0; c < message.size(); c++) {
      long bytes = (long) message.get(c).bytes() * count;
      own(prefix + of.of(c), PARTIAL_MESSAGES, bytes, null);
    }
  }

  private void partialRows(String prefix, int[] offsets, int[] sources, int[] targets) {
    RowPieces pieces = RowPieces.of(offsets, targets, device.chunkEdges(kernels.sharedEdges()));
    partialTable(prefix + FrameField.PARTIAL_OFFSETS, pieces.offsets());
    partialTable(prefix + FrameField.PARTIAL_TARGETS, pieces.targets());
    partialTable(prefix + FrameField.PARTIAL_FIRST, pieces.first());
    messages(FrameField.PARTIAL_HAS, FrameField.PARTIAL, prefix, pieces.size());
    shared(prefix + FrameField.IN_SOURCES, PARTIAL_MESSAGES, sources);
  }

  private void partialTable(String member, int[] content) {
    own(member, PARTIAL_MESSAGES, 4L * content.length, content);
  }

  private void partialValues(String prefix, Columns values) {
    for (int c = 0; c < program.edge().columns().size(); c++) {
      if (program.send().reads(Role.EDGE, c)) {
        shared(prefix + FrameField.IN_EDGE.of(c), PARTIAL_MESSAGES, values.array(c));
      }
    }
  }

  /** What each warp will write, where outboxes are filled behind the gather. */
  private void collectCounts() {
    boolean local =
        shape.tracksChanges() && (pushes || !lists.refined()) && !lists.from(partition).isEmpty();
    if (local || !lists.exports(partition).isEmpty()) {
      own(
          FrameField.COLLECT_COUNTS,
          UPDATES,
          8L * COLLECT_BLOCKS * LaunchSize.BLOCK / DeviceProperties.WARP,
          null);
    }
  }

  /** Where updates that come over the host are put, one list at a time. */
  private void staging() {
    int longest = lists.longestImport(partition);
    if (longest > 0) {
      updates("staging.", longest);
      structs("staging", 1);
      ElementWords words =
          new ElementWords(kernels.shipped().stream().map(program.state().columns()::get).toList());
      if (words.count() > 0 && graph.imports().stream().anyMatch(this::isRead)) {
        own(FrameField.INBOX_ELEMENTS, UPDATES, 4L * words.count() * longest, null);
      }
    }
  }

  private boolean isRead(RemoteBoundary from) {
    return from.list().reader() == partition;
  }

  private void results(GraphPartition p) {
    if (program.resultFunction() != null) {
      List<ColumnType> result = program.result().columns();
      for (int c = 0; c < result.size(); c++) {
        own(FrameField.RESULT.of(c), "results", (long) result.get(c).bytes() * p.stored(), null);
      }
    }
  }

  // ---- items ----------------------------------------------------------------------------------

  private void shared(String member, String purpose, Object array) {
    items.add(
        new DevicePlan.Item(partition, member, purpose, ResidentArrays.bytes(array), array, true));
  }

  private void perEdge(String member, String purpose, Object array, Csr rows) {
    long bytes = ResidentArrays.bytes(array);
    items.add(DevicePlan.Item.perEdge(partition, member, purpose, bytes, array, rows));
  }

  private void own(String member, String purpose, long bytes, Object content) {
    items.add(new DevicePlan.Item(partition, member, purpose, bytes, content, false));
  }
}
