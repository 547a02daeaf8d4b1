package org.sparkgpugraph.engine.device.kernels;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.sparkgpugraph.engine.device.settings.DelegateLayout;
import org.sparkgpugraph.engine.device.settings.PeerLayout;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.engine.device.settings.StopLayout;
import org.sparkgpugraph.engine.device.settings.TileLayout;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Members of the struct that the kernels of a program get for a partition, and of the struct of an
 * outbox: declared here for host and kernels, which know them as {@code f.…} in {@code sgg/*.cuh},
 * in the order in which they stand there. Memory of a plan is known by the same names.
 */
public final class FrameField {
  private static final String INTS = "const int";
  private static final String BITMAP = "const unsigned";

  // What every program's frame has, and what some have beside that.
  private static final FrameMembers ALL = new FrameMembers();
  private static final FrameMembers MODE = new FrameMembers();
  private static final FrameMembers PUSH = new FrameMembers();
  private static final FrameMembers ASYNC = new FrameMembers();
  private static final FrameMembers RESIDUALS = new FrameMembers();
  private static final FrameMembers HORIZON = new FrameMembers();
  private static final FrameMembers TILES = new FrameMembers();
  private static final FrameMembers DELEGATE = new FrameMembers();
  private static final FrameMembers BORDERS = new FrameMembers();
  private static final FrameMembers FEATURES = new FrameMembers();
  private static final FrameMembers OUTLINE = new FrameMembers();
  private static final FrameMembers HOT = new FrameMembers();
  private static final FrameMembers TOLD_MEMBERS = new FrameMembers();
  private static final FrameMembers OUTBOX = new FrameMembers();

  // The partition and the superstep.
  /** Rows that are held. */
  public static final String STORED = ALL.integer("stored");

  /** Held rows and ghosts. */
  public static final String LOCALS = ALL.integer("locals");

  public static final String VERTEX_COUNT = ALL.integer("vertexCount");
  public static final String SUPERSTEP = ALL.integer("superstep");

  // What functions read beside rows: a value each.
  /** Values from outside. */
  public static final PerColumn CAPTURE = ALL.values("capture", LiftedProgram::captureKinds);

  /** Arrays from outside. */
  public static final PerColumn TABLE = ALL.tables("table");

  public static final PerColumn AGGREGATE = ALL.values("aggregate", FrameField::aggregates);
  public static final PerColumn INITIAL_MESSAGE = ALL.values("initialMessage", FrameField::message);
  public static final PerColumn EMPTY_MESSAGE = ALL.values("emptyMessage", FrameField::message);

  // Rows by destination, rows by source, and vertices: an array for each column.
  public static final String IN_OFFSETS = ALL.pointer(INTS, "inOffsets");
  public static final String IN_SOURCES = ALL.pointer(INTS, "inSources");

  /** Values of the edges in rows by destination. */
  public static final PerColumn IN_EDGE = ALL.edgeValues("inEdge");

  public static final String OUT_OFFSETS = ALL.pointer(INTS, "outOffsets");
  public static final String OUT_DESTINATIONS = ALL.pointer(INTS, "outDestinations");

  /** … and by source. */
  public static final PerColumn OUT_EDGE = ALL.edgeValues("outEdge");

  public static final String IDS = ALL.pointer("const long long", "ids");
  public static final PerColumn ATTRIBUTE = ALL.attributes("attribute");
  public static final String IN_DEGREES = ALL.pointer(INTS, "inDegrees");
  public static final String OUT_DEGREES = ALL.pointer(INTS, "outDegrees");

  /** Current values. */
  public static final PerColumn STATE = ALL.arrays("state", FrameField::state);

  /** Values of the next superstep. */
  public static final PerColumn NEXT = ALL.arrays("next", FrameField::state);

  public static final PerColumn RESULT = ALL.arrays("result", p -> p.result().columns());

  /** Bitmap of the vertices that exist; null: all. */
  public static final String PRESENT = ALL.pointer(BITMAP, "present");

  // Activity: bitmaps of rows.
  public static final String ACTIVE = ALL.pointer(BITMAP, "active");
  public static final String NEXT_ACTIVE = ALL.pointer("unsigned", "nextActive");

  /** What an active vertex reaches, a bit for a group. */
  public static final String CANDIDATES = ALL.pointer("unsigned", "candidates");

  public static final String RAN = ALL.pointer("unsigned", "ran");

  /** Edges that an active vertex selects. */
  public static final String ACTIVE_COST = ALL.pointer(INTS, "activeCost");

  // Hubs and their chunks.
  /** Rows of more edges are hubs. */
  public static final String HUB_DEGREE = ALL.integer("hubDegree");

  public static final String HUB_COUNT = ALL.integer("hubCount");
  public static final String CHUNK_COUNT = ALL.integer("chunkCount");

  /** Chunks that the launch of the rows gathers. */
  public static final String FUSED_CHUNKS = ALL.integer("fusedChunks");

  /** Words of rows that a warp takes at a time. */
  public static final String PIECE_WORDS = ALL.integer("pieceWords");

  public static final String HUB_ROWS = ALL.pointer(INTS, "hubRows");
  public static final String HUB_FIRST_CHUNK = ALL.pointer(INTS, "hubFirstChunk");
  public static final String CHUNK_HUB = ALL.pointer(INTS, "chunkHub");
  public static final String CHUNK_BEGIN = ALL.pointer(INTS, "chunkBegin");
  public static final String CHUNK_END = ALL.pointer(INTS, "chunkEnd");
  public static final String CHUNK_SIDE = ALL.pointer(INTS, "chunkSide");

  /** Chunks that are done. */
  public static final String HUB_ARRIVED = ALL.pointer("int", "hubArrived");

  /** Chunks that left a message. */
  public static final String PARTIAL_HAS = ALL.pointer("unsigned char", "partialHas");

  /** Messages of chunks. */
  public static final PerColumn PARTIAL = ALL.arrays("partial", FrameField::message);

  /** Sides with a selected edge, two of each hub. */
  public static final String HUB_SELECTED = ALL.pointer("int", "hubSelected");

  /** Lanes of a virtual warp. */
  public static final String WIDTH = ALL.integer("width");

  // What rows reach.
  public static final String IN_TRANSPOSE_OFFSETS = ALL.pointer(INTS, "inTransposeOffsets");
  public static final String IN_TRANSPOSE_TARGETS = ALL.pointer(INTS, "inTransposeTargets");
  public static final String OUT_TRANSPOSE_OFFSETS = ALL.pointer(INTS, "outTransposeOffsets");
  public static final String OUT_TRANSPOSE_TARGETS = ALL.pointer(INTS, "outTransposeTargets");

  /** The transposes' rows are groups of 1 << groupShift vertices. */
  public static final String GROUP_SHIFT = ALL.integer("groupShift");

  // What the host is told.
  /** See {@link StatusWord}. */
  public static final String STATUS = ALL.pointer("unsigned long long", "status");

  public static final String AGGREGATE_PARTIALS = ALL.pointer("double", "aggregatePartials");
  public static final String PARTIAL_SLOTS = ALL.integer("partialSlots");

  // Updates of boundary vertices.
  public static final String OUTBOXES = ALL.pointer("const Outbox", "outboxes");
  public static final String OUTBOX_COUNT = ALL.integer("outboxCount");
  public static final String SHIP_ACTIVITY = ALL.integer("shipActivity");

  /** Bitmap of what readers elsewhere have not been told. */
  public static final String CHANGED = ALL.pointer("unsigned", "changed");

  /** The outbox that is filled behind the superstep. */
  public static final String COLLECTED = ALL.pointer("const Outbox", "collected");

  public static final String COLLECT_COUNTS = ALL.pointer("long long", "collectCounts");

  /** Whether all of a list is told. */
  public static final String COLLECTS_ALL = ALL.integer("collectsAll");

  public static final String INBOX = ALL.pointer("const Outbox", "inbox");
  public static final String INBOX_COUNT = ALL.integer("inboxCount");
  public static final String INBOX_FIXED_SLOTS = ALL.integer("inboxFixedSlots");

  /** Which elements of arrays come with each update, see {@link ElementWords}; null: all. */
  public static final String INBOX_ELEMENTS = ALL.pointer(BITMAP, "inboxElements");

  /** Whether each update has a place of its own. */
  public static final String FIXED_SLOTS = ALL.integer("fixedSlots");

  public static final String FIRST_GHOST = ALL.integer("firstGhost");
  public static final String GHOST_OF = ALL.pointer(INTS, "ghostOf");

  // Of programs that look for the most frequent message.
  /** Where a hub's table of counts begins. */
  public static final String MODE_FIRST = MODE.pointer(INTS, "modeFirst");

  public static final String MODE_CAPACITY = MODE.pointer(INTS, "modeCapacity");
  public static final String MODE_KEYS = MODE.pointer("unsigned long long", "modeKeys");
  public static final String MODE_COUNTS = MODE.pointer("unsigned", "modeCounts");
  public static final String MODE_CHUNK_LABELS = MODE.pointer("long long", "modeChunkLabels");
  public static final String MODE_CHUNK_COUNTS = MODE.pointer("int", "modeChunkCounts");
  public static final String MODE_FIRST_CHUNK = MODE.integer("modeFirstChunk");
  public static final String MODE_END_CHUNK = MODE.integer("modeEndChunk");

  // Supersteps that push.
  /** Values of the edges in the order of the transposes, of a part of a graph. */
  public static final PerColumn IN_TRANSPOSE_EDGE = PUSH.edgeValues("inTransposeEdge");

  public static final PerColumn OUT_TRANSPOSE_EDGE = PUSH.edgeValues("outTransposeEdge");
  public static final String QUEUE = PUSH.pointer("long long", "queue");
  public static final String NEXT_QUEUE = PUSH.pointer("long long", "nextQueue");

  /** See {@link QueueWord}. */
  public static final String QUEUE_STATE = PUSH.pointer("unsigned long long", "queueState");

  /** See {@link RingWord}. */
  public static final String RING = PUSH.pointer("unsigned long long", "ring");

  /** Messages of supersteps that push. */
  public static final PerColumn SLOT = PUSH.slots("slot");

  /** Bitmap of slots that got a message. */
  public static final String TOUCHED = PUSH.pointer("unsigned", "touched");

  public static final String TOUCHED_ROWS = PUSH.pointer("int", "touchedRows");

  /** Who is put off, one of two lists. */
  public static final String FAR_0 = PUSH.pointer("int", "far0");

  /** … and the other. */
  public static final String FAR_1 = PUSH.pointer("int", "far1");

  public static final String FAR_BITS = PUSH.pointer("unsigned", "farBits");

  /** How far above the least value one may be. */
  public static final String BUCKET = PUSH.real("bucket");

  /** Supersteps of a launch at most. */
  public static final String ROUNDS = PUSH.integer("rounds");

  public static final String LEAST_WORK = PUSH.integer("leastWork");
  public static final String MOST_WORK = PUSH.integer("mostWork");

  /** Whether rows of who may become active are loaded ahead. */
  public static final String PREFETCHES = PUSH.integer("prefetches");

  /** A bound of all messages of a superstep whose rows stop early; see {@link StatusWord#BOUND}. */
  public static final String STOPS_AT = PUSH.integer("stopsAt");

  /** Whether all that active vertices say is the bound. */
  public static final String STOPS_AT_ONCE = PUSH.integer("stopsAtOnce");

  /** Behind what it is asked what active vertices say; see {@link StopLayout.Behind}. */
  public static final String STOPS_BEHIND = PUSH.integer("stopsBehind");

  /** What each block heard that looked for the bound; see {@link StopLayout}. */
  public static final String HEARD = PUSH.pointer("unsigned long long", "heard");

  /** What a search did; see {@link PushLayout#SEARCH_ROUNDS}. */
  public static final String SEARCH_RING = PUSH.pointer("unsigned long long", "searchRing");

  /** Whether it begins with those that send anything at first, of all that are active. */
  public static final String SEARCH_SELECTS = PUSH.integer("searchSelects");

  /** With more work than this behind a superstep that pushed rows may stop early … */
  public static final String SEARCH_FROM = PUSH.integer("searchFrom");

  /** … and with more than this behind one whose rows stopped early they may again. */
  public static final String SEARCH_UNTIL = PUSH.integer("searchUntil");

  /** The other ends of the edges of rows that are sorted by an edge value. */
  public static final String SORTED_NEIGHBOURS = PUSH.pointer(INTS, "sortedNeighbours");

  /** Values of these edges. */
  public static final PerColumn SORTED_EDGE = PUSH.edgeValues("sortedEdge");

  /** Of these values; see {@code sgg/edge_order.cuh}. */
  public static final String SORTED_RANGE = PUSH.pointer("const unsigned long long", "sortedRange");

  public static final String QUEUE_CAPACITY = PUSH.integer("queueCapacity");

  /** What is known of other devices that do the same; see {@link PeerLayout}. */
  public static final String PEERS = PUSH.pointer("const unsigned long long", "peers");

  /** How many these are; 0: who changed is told behind the launch. */
  public static final String PEER_COUNT = PUSH.integer("peerCount");

  /** How often they have met before this launch. */
  public static final String PEER_MEETINGS = PUSH.integer("peerMeetings");

  /** How long another device may let this one wait, in nanoseconds. */
  public static final String PEER_PATIENCE = PUSH.integer("peerPatience");

  // Relaxation without supersteps.
  /** See {@link AsyncWord} and {@link AsyncLayout}. */
  public static final String ASYNC_STATE = ASYNC.pointer("unsigned long long", "asyncState");

  /** Items, two words each. */
  public static final String ASYNC_ITEMS = ASYNC.pointer("unsigned long long", "asyncItems");

  /** Which block of the pool is which of a bucket's. */
  public static final String ASYNC_MAP = ASYNC.pointer("unsigned long long", "asyncMap");

  /** Items written into each segment. */
  public static final String ASYNC_WRITTEN = ASYNC.pointer("unsigned", "asyncWritten");

  /** Items of each block that are done. */
  public static final String ASYNC_READ = ASYNC.pointer("unsigned", "asyncRead");

  /** Blocks of the pool that are free. */
  public static final String ASYNC_FREE = ASYNC.pointer("int", "asyncFree");

  /** What each worker is to do. */
  public static final String ASYNC_FLAGS = ASYNC.pointer("unsigned long long", "asyncFlags");

  /** Bitmap of workers that have nothing to do. */
  public static final String ASYNC_IDLE = ASYNC.pointer("unsigned", "asyncIdle");

  public static final String ASYNC_WORKERS = ASYNC.integer("asyncWorkers");

  /** Logarithm of the places of a block. */
  public static final String ASYNC_SHIFT = ASYNC.integer("asyncShift");

  public static final String ASYNC_BLOCKS = ASYNC.integer("asyncBlocks");

  /** Entries of a bucket's map, a power of two. */
  public static final String ASYNC_RING = ASYNC.integer("asyncRing");

  /** Places that all workers together may take before they look again. */
  public static final String ASYNC_SLACK = ASYNC.integer("asyncSlack");

  /** Fewest items that a worker is given where there are more. */
  public static final String ASYNC_GRAIN = ASYNC.integer("asyncGrain");

  /** Items that a worker keeps to itself, of what it finds. */
  public static final String ASYNC_KEEP = ASYNC.integer("asyncKeep");

  /** Whether vertices that were put off count as active. */
  public static final String ASYNC_FAR = ASYNC.integer("asyncFar");

  public static final String ASYNC_TAKEN = ASYNC.integer("asyncTaken");
  public static final String ASYNC_DYNAMIC = ASYNC.integer("asyncDynamic");
  public static final String ASYNC_PATIENCE = ASYNC.integer("asyncPatience");

  /** Idle workers do not make buckets wider than this. */
  public static final String ASYNC_WIDEST = ASYNC.real("asyncWidest");

  /** Of a bucket, at first. */
  public static final String ASYNC_WIDTH = ASYNC.real("asyncWidth");

  // … of residuals.
  /** Whether what a launch begins with says what its values grew by; else it takes what it got. */
  public static final String RESIDUALS_BEGIN = RESIDUALS.integer("residualsBegin");

  // … by blocks that own the vertices.
  /** See {@link TileLayout}. */
  public static final String TILE_STATE = TILES.pointer("unsigned long long", "tileState");

  /** Of each 32 rows, who owns them, and where they are of his. */
  public static final String TILE_PLACES = TILES.pointer(BITMAP, "tilePlaces");

  /** The rows of each owner: which 32. */
  public static final String TILE_ROWS = TILES.pointer(INTS, "tileRows");

  /** Vertices that others have improved, of each owner: a bit each … */
  public static final String TILE_INBOX = TILES.pointer("unsigned", "tileInbox");

  /** … and a bit for each 32 words of these. */
  public static final String TILE_SUMS = TILES.pointer("unsigned", "tileSums");

  /** Edges of the graph, and of each side. */
  public static final String TILE_EDGES = TILES.integer("tileEdges");

  /** Edges of a vertex at most. */
  public static final String TILE_LONGEST = TILES.integer("tileLongest");

  public static final String TILE_OWNERS = TILES.integer("tileOwners");

  /** Words of the bitmaps of an owner. */
  public static final String TILE_WORDS = TILES.integer("tileWords");

  // Places in a block's shared memory, and the bytes of all.
  public static final String TILE_NEAR = TILES.integer("tileNear");
  public static final String TILE_FAR = TILES.integer("tileFar");
  public static final String TILE_POSTS = TILES.integer("tilePosts");
  public static final String TILE_BYTES = TILES.integer("tileBytes");

  /** Logarithm of the lanes that walk a vertex together. */
  public static final String TILE_GROUP = TILES.integer("tileGroup");

  public static final String TILE_PATIENCE = TILES.integer("tilePatience");

  /** What is worse than the best by no more than this is walked. */
  public static final String TILE_WIDTH = TILES.real("tileWidth");

  // Of a part of a graph.
  /** Edges and items that are walked, of what is found, before the rest waits. */
  public static final String ASYNC_WORK = HORIZON.integer("asyncWork");

  /** What a lane walks at most before it counts it for all. */
  public static final String ASYNC_STEP = HORIZON.integer("asyncStep");

  // Supersteps that push what the program's own function merges.
  /** Merged messages, {@link DelegateLayout#words} for each vertex. */
  public static final String SLOT_WORDS = DELEGATE.pointer("unsigned long long", "slotWords");

  /** Whether a slot has anything, and who has its lock. */
  public static final String SLOT_STATE = DELEGATE.pointer("unsigned", "slotState");

  /** Counters, see {@link DelegateLayout}. */
  public static final String DELEGATE_STATE =
      DELEGATE.pointer("unsigned long long", "delegateState");

  /** A bit for each place of each server's ring. */
  public static final String DELEGATE_BITS = DELEGATE.pointer("unsigned", "delegateBits");

  /** The places of the rings. */
  public static final String DELEGATE_MESSAGES =
      DELEGATE.pointer("unsigned long long", "delegateMessages");

  /** Places of a ring. */
  public static final String DELEGATE_RING = DELEGATE.integer("delegateRing");

  /** Messages that a client's warp collects. */
  public static final String DELEGATE_STAGED = DELEGATE.integer("delegateStaged");

  /** Whether a client's warp merges messages of one receiver that it has at the same time. */
  public static final String DELEGATE_COMBINES = DELEGATE.integer("delegateCombines");

  /** Rounds of a server in which nothing happens, behind which it gives up. */
  public static final String DELEGATE_PATIENCE = DELEGATE.integer("delegatePatience");

  /** Blocks of the launch that merge. */
  public static final String SERVERS = DELEGATE.integer("servers");

  // Of programs whose messages have arrays that lanes share.
  /** Messages of rows on their way to the lane that applies them. */
  public static final PerColumn GATHERED = FEATURES.arrays("gathered", FrameField::message);

  // Borders that move.
  /** Where the rows begin that are computed, with borders that move. */
  public static final String FIRST_ROW = BORDERS.integer("firstRow");

  /** … and where they end. */
  public static final String END_ROW = BORDERS.integer("endRow");

  /** Rows of a section of which the active ones are counted. */
  public static final String SECTION_ROWS = BORDERS.integer("sectionRows");

  public static final String COUNTED_SHIFT = BORDERS.integer("countedShift");

  /** Bitmap of what is counted, a bit for 1 << countedShift rows. */
  public static final String COUNTED = BORDERS.pointer(BITMAP, "counted");

  public static final String SECTION_COUNTS = BORDERS.pointer("int", "sectionCounts");

  // Of launches of several supersteps that walk rows.
  /** See {@link org.sparkgpugraph.engine.device.settings.OutlineLayout}. */
  public static final String OUTLINE_STATE = OUTLINE.pointer("unsigned long long", "outlineState");

  /** What each superstep did, an entry each. */
  public static final String OUTLINE_RING = OUTLINE.pointer("unsigned long long", "outlineRing");

  /** Supersteps of a launch at most. */
  public static final String OUTLINE_SUPERSTEPS = OUTLINE.integer("outlineSupersteps");

  /** No more supersteps behind one that leaves less work than that … */
  public static final String OUTLINE_LEAST = OUTLINE.integer("outlineLeast");

  /** … or more than that. */
  public static final String OUTLINE_MOST = OUTLINE.integer("outlineMost");

  /** Slots of the tables of hubs, where the most frequent message is looked for. */
  public static final String OUTLINE_SLOTS = OUTLINE.integer("outlineSlots");

  /** The first superstep at which the aggregate that ends the run is looked at. */
  public static final String STOP_FIRST = OUTLINE.integer("stopFirst");

  /** Every so-many-th from there on; 0: no aggregate ends the run. */
  public static final String STOP_EVERY = OUTLINE.integer("stopEvery");

  /** Which aggregate. */
  public static final String STOP_AGGREGATE = OUTLINE.integer("stopAggregate");

  /** It ends the run when it is this or less. */
  public static final String STOP_BOUND = OUTLINE.real("stopBound");

  // Of gathers that read hot vertices first.
  /** The other ends of the edges that are gathered, by rank. */
  public static final String HOT_NEIGHBOURS = HOT.pointer(INTS, "hotNeighbours");

  /** The vertex of each rank, and how many of them an edge ends at. */
  public static final String HOT_VERTICES = HOT.pointer(INTS, "hotVertices");

  /** The rank of each vertex; -1: no edge ends there. Null: gathers leave no values by rank. */
  public static final String HOT_RANKS = HOT.pointer(INTS, "hotRanks");

  /** Values by rank. */
  public static final PerColumn HOT_VALUE = HOT.arrays("hotValue", FrameField::state);

  /** The same of the next superstep. */
  public static final PerColumn HOT_NEXT = HOT.arrays("hotNext", FrameField::state);

  /** Values of each column that are in shared memory. */
  public static final String HOT_NEAR = HOT.integer("hotNear");

  // Of programs that tell hubs of other executors partial messages.
  /** The first slot of each row. */
  public static final String TOLD_OFFSETS = TOLD_MEMBERS.pointer(INTS, "toldOffsets");

  /** Slots with a message. */
  public static final String TOLD_HAS = TOLD_MEMBERS.pointer("const unsigned char", "toldHas");

  /** Messages of slots. */
  public static final PerColumn TOLD = TOLD_MEMBERS.arrays("told", FrameField::message);

  /** Slots whose vertices are candidates of a sparse superstep. */
  public static final String TOLD_CAME = TOLD_MEMBERS.pointer("const unsigned char", "toldCame");

  /** The vertex of each slot. */
  public static final String TOLD_ROWS = TOLD_MEMBERS.pointer(INTS, "toldRows");

  /** Rows that are gathered to be told, or slots that are filled, or looked at. */
  public static final String PARTIAL_ROWS = TOLD_MEMBERS.integer("partialRows");

  /** Their pieces. */
  public static final String PARTIAL_PIECES = TOLD_MEMBERS.integer("partialPieces");

  /** The first piece of each row. */
  public static final String PARTIAL_FIRST = TOLD_MEMBERS.pointer(INTS, "partialFirst");

  /** Rows that come to a message. */
  public static final String MERGED_HAS = TOLD_MEMBERS.pointer("unsigned char", "mergedHas");

  /** These messages. */
  public static final PerColumn MERGED = TOLD_MEMBERS.arrays("merged", FrameField::message);

  /** The first edge of each piece. */
  public static final String PARTIAL_OFFSETS = TOLD_MEMBERS.pointer(INTS, "partialOffsets");

  /** The hub of each piece. */
  public static final String PARTIAL_TARGETS = TOLD_MEMBERS.pointer(INTS, "partialTargets");

  // An outbox.
  public static final String MEMBERS = OUTBOX.pointer(BITMAP, "members");
  public static final String RANKS = OUTBOX.pointer(INTS, "ranks");
  public static final String COUNTS = OUTBOX.pointer("int", "counts");
  public static final String POSITIONS = OUTBOX.pointer("int", "positions");
  public static final String FLAGS = OUTBOX.pointer("unsigned char", "flags");

  /** Updated values of an outbox, by state column. */
  public static final PerColumn VALUE = new PerColumn("value");

  private FrameField() {}

  private static List<ColumnType> aggregates(LiftedProgram program) {
    int count = Math.max(program.aggregates().size(), program.finalAggregates().size());
    return Collections.nCopies(count, Kind.DOUBLE);
  }

  private static List<ColumnType> message(LiftedProgram program) {
    return program.message().columns();
  }

  private static List<ColumnType> state(LiftedProgram program) {
    return program.state().columns();
  }

  /**
   * The struct of a program's kernels.
   *
   * @param pushing how supersteps may push; null: they do not
   * @param permissive whether the computed rows are between borders
   * @param features whether lanes share the arrays of messages
   * @param partialMessages whether hubs are told partial messages
   */
  static FrameLayout frame(
      LiftedProgram program,
      Pushing pushing,
      boolean permissive,
      boolean features,
      boolean partialMessages) {
    FrameLayout frame = new FrameLayout("Frame");
    ALL.addTo(frame, program);
    if (program.mergesByMode()) {
      MODE.addTo(frame, program);
    }
    if (pushing != null) {
      PUSH.addTo(frame, program);
    }
    if (pushing != null && pushing.mode().isProgram()) {
      DELEGATE.addTo(frame, program);
    }
    if (permissive) {
      BORDERS.addTo(frame, program);
    }
    if (features) {
      FEATURES.addTo(frame, program);
    }
    if (partialMessages) {
      TOLD_MEMBERS.addTo(frame, program);
    }
    return frame;
  }

  /** A frame with what launches of several supersteps that walk rows have beside it. */
  static FrameLayout outlined(FrameLayout frame, LiftedProgram program) {
    FrameLayout outlined = new FrameLayout(frame);
    OUTLINE.addTo(outlined, program);
    return outlined;
  }

  /** A frame with what gathers that read hot vertices first have beside it. */
  static FrameLayout hot(FrameLayout frame, LiftedProgram program) {
    FrameLayout hot = new FrameLayout(frame);
    HOT.addTo(hot, program);
    return hot;
  }

  /**
   * A frame with what launches that relax without supersteps have beside it.
   *
   * @param parts whether partitions exchange what changed
   */
  static FrameLayout relaxing(
      FrameLayout frame, LiftedProgram program, Pushing pushing, boolean parts) {
    FrameLayout relaxing = new FrameLayout(frame);
    ASYNC.addTo(relaxing, program);
    FrameMembers values = parts ? HORIZON : TILES;
    (pushing.spreadsResiduals() ? RESIDUALS : values).addTo(relaxing, program);
    return relaxing;
  }

  /**
   * The names by which kernels that know some columns of the messages only know the members of a
   * frame.
   *
   * @param kept those columns, of all, in the order in which the kernels number them
   */
  static UnaryOperator<String> knowing(List<Integer> kept, int columns) {
    Map<String, String> names = new HashMap<>();
    for (PerColumn member : List.of(INITIAL_MESSAGE, EMPTY_MESSAGE, PARTIAL, GATHERED)) {
      for (int c = 0; c < columns; c++) {
        int known = kept.indexOf(c);
        names.put(member.of(c), known < 0 ? member.prefix() + "Unknown" + c : member.of(known));
      }
    }
    return name -> names.getOrDefault(name, name);
  }

  /**
   * The struct of an outbox.
   *
   * @param shipped state columns that travel
   */
  static FrameLayout outbox(LiftedProgram program, List<Integer> shipped) {
    FrameLayout box = new FrameLayout("Outbox");
    OUTBOX.addTo(box, program);
    for (int c : shipped) {
      box.pointer(VALUE.of(c), CTypes.memory(program.state().columns().get(c).kind()));
    }
    return box;
  }

  /**
   * Members of which there is one for each column of a table.
   *
   * @param prefix of their names
   */
  public record PerColumn(String prefix) {
    /** The member of a column. */
    public String of(int column) {
      return prefix + column;
    }
  }
}
