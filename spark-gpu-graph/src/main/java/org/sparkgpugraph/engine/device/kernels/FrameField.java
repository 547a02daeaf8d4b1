package org.sparkgpugraph.engine.device.kernels;

/**
 * Members of the struct that the kernels of a program get for a partition, and of the struct of an
 * outbox: named here for the host, {@code f.…} in {@code sgg/*.cuh}. Which of them a program has,
 * and their types, {@link ProgramKernels} says. Memory of a plan is known by the same names.
 */
public final class FrameField {
  // The partition and the superstep.
  /** Rows that are held. */
  public static final String STORED = "stored";

  /** Held rows and ghosts. */
  public static final String LOCALS = "locals";

  public static final String VERTEX_COUNT = "vertexCount";
  public static final String SUPERSTEP = "superstep";

  /** Where the rows begin that are computed, with borders that move. */
  public static final String FIRST_ROW = "firstRow";

  /** … and where they end. */
  public static final String END_ROW = "endRow";

  /** Rows of a section of which the active ones are counted. */
  public static final String SECTION_ROWS = "sectionRows";

  public static final String COUNTED_SHIFT = "countedShift";

  /** Bitmap of what is counted, a bit for 1 << countedShift rows. */
  public static final String COUNTED = "counted";

  public static final String SECTION_COUNTS = "sectionCounts";

  // Structure: rows by destination, rows by source, and what they reach.
  public static final String IN_OFFSETS = "inOffsets";
  public static final String IN_SOURCES = "inSources";
  public static final String OUT_OFFSETS = "outOffsets";
  public static final String OUT_DESTINATIONS = "outDestinations";
  public static final String IN_TRANSPOSE_OFFSETS = "inTransposeOffsets";
  public static final String IN_TRANSPOSE_TARGETS = "inTransposeTargets";
  public static final String OUT_TRANSPOSE_OFFSETS = "outTransposeOffsets";
  public static final String OUT_TRANSPOSE_TARGETS = "outTransposeTargets";

  /** The transposes' rows are groups of 1 << groupShift vertices. */
  public static final String GROUP_SHIFT = "groupShift";

  public static final String IDS = "ids";
  public static final String IN_DEGREES = "inDegrees";
  public static final String OUT_DEGREES = "outDegrees";

  /** Bitmap of the vertices that exist; null: all. */
  public static final String PRESENT = "present";

  /** Lanes of a virtual warp. */
  public static final String WIDTH = "width";

  // Activity: bitmaps of rows.
  public static final String ACTIVE = "active";
  public static final String NEXT_ACTIVE = "nextActive";

  /** What an active vertex reaches, a bit for a group. */
  public static final String CANDIDATES = "candidates";

  public static final String RAN = "ran";

  /** Edges that an active vertex selects. */
  public static final String ACTIVE_COST = "activeCost";

  // Hubs and their chunks.
  /** Rows of more edges are hubs. */
  public static final String HUB_DEGREE = "hubDegree";

  public static final String HUB_COUNT = "hubCount";
  public static final String CHUNK_COUNT = "chunkCount";

  /** Chunks that the launch of the rows gathers. */
  public static final String FUSED_CHUNKS = "fusedChunks";

  /** Words of rows that a warp takes at a time. */
  public static final String PIECE_WORDS = "pieceWords";

  public static final String HUB_ROWS = "hubRows";
  public static final String HUB_FIRST_CHUNK = "hubFirstChunk";

  /** Chunks that are done. */
  public static final String HUB_ARRIVED = "hubArrived";

  /** Sides with a selected edge, two of each hub. */
  public static final String HUB_SELECTED = "hubSelected";

  public static final String CHUNK_HUB = "chunkHub";
  public static final String CHUNK_BEGIN = "chunkBegin";
  public static final String CHUNK_END = "chunkEnd";
  public static final String CHUNK_SIDE = "chunkSide";

  /** Chunks that left a message. */
  public static final String PARTIAL_HAS = "partialHas";

  /** Where a hub's table of counts begins. */
  public static final String MODE_FIRST = "modeFirst";

  public static final String MODE_CAPACITY = "modeCapacity";
  public static final String MODE_KEYS = "modeKeys";
  public static final String MODE_COUNTS = "modeCounts";
  public static final String MODE_CHUNK_LABELS = "modeChunkLabels";
  public static final String MODE_CHUNK_COUNTS = "modeChunkCounts";
  public static final String MODE_FIRST_CHUNK = "modeFirstChunk";
  public static final String MODE_END_CHUNK = "modeEndChunk";

  // What the host is told.
  /** See {@link StatusWord}. */
  public static final String STATUS = "status";

  public static final String AGGREGATE_PARTIALS = "aggregatePartials";
  public static final String PARTIAL_SLOTS = "partialSlots";

  // Updates of boundary vertices.
  public static final String OUTBOXES = "outboxes";
  public static final String OUTBOX_COUNT = "outboxCount";

  /** Whether each update has a place of its own. */
  public static final String FIXED_SLOTS = "fixedSlots";

  public static final String SHIP_ACTIVITY = "shipActivity";

  /** Bitmap of what readers elsewhere have not been told. */
  public static final String CHANGED = "changed";

  /** The outbox that is filled behind the superstep. */
  public static final String COLLECTED = "collected";

  public static final String COLLECT_COUNTS = "collectCounts";

  /** Whether all of a list is told. */
  public static final String COLLECTS_ALL = "collectsAll";

  public static final String INBOX = "inbox";
  public static final String INBOX_COUNT = "inboxCount";
  public static final String INBOX_FIXED_SLOTS = "inboxFixedSlots";
  public static final String FIRST_GHOST = "firstGhost";
  public static final String GHOST_OF = "ghostOf";

  // Supersteps that push.
  public static final String QUEUE = "queue";
  public static final String NEXT_QUEUE = "nextQueue";
  public static final String QUEUE_CAPACITY = "queueCapacity";

  /** See {@link QueueWord}. */
  public static final String QUEUE_STATE = "queueState";

  /** See {@link RingWord}. */
  public static final String RING = "ring";

  /** Bitmap of slots that got a message. */
  public static final String TOUCHED = "touched";

  public static final String TOUCHED_ROWS = "touchedRows";

  /** Who is put off, one of two lists. */
  public static final String FAR_0 = "far0";

  /** … and the other. */
  public static final String FAR_1 = "far1";

  public static final String FAR_BITS = "farBits";

  /** How far above the least value one may be. */
  public static final String BUCKET = "bucket";

  /** Supersteps of a launch at most. */
  public static final String ROUNDS = "rounds";

  public static final String LEAST_WORK = "leastWork";
  public static final String MOST_WORK = "mostWork";

  /** Whether rows of who may become active are loaded ahead. */
  public static final String PREFETCHES = "prefetches";

  // An outbox.
  public static final String MEMBERS = "members";
  public static final String RANKS = "ranks";
  public static final String COUNTS = "counts";
  public static final String POSITIONS = "positions";
  public static final String FLAGS = "flags";

  // One for each column.
  /** Values from outside. */
  public static final PerColumn CAPTURE = new PerColumn("capture");

  public static final PerColumn AGGREGATE = new PerColumn("aggregate");
  public static final PerColumn INITIAL_MESSAGE = new PerColumn("initialMessage");
  public static final PerColumn EMPTY_MESSAGE = new PerColumn("emptyMessage");

  /** Values of the edges in rows by destination. */
  public static final PerColumn IN_EDGE = new PerColumn("inEdge");

  /** … and by source. */
  public static final PerColumn OUT_EDGE = new PerColumn("outEdge");

  public static final PerColumn ATTRIBUTE = new PerColumn("attribute");

  /** Current values. */
  public static final PerColumn STATE = new PerColumn("state");

  /** Values of the next superstep. */
  public static final PerColumn NEXT = new PerColumn("next");

  public static final PerColumn RESULT = new PerColumn("result");

  /** Messages of chunks. */
  public static final PerColumn PARTIAL = new PerColumn("partial");

  /** Messages of supersteps that push. */
  public static final PerColumn SLOT = new PerColumn("slot");

  /** Updated values of an outbox, by state column. */
  public static final PerColumn VALUE = new PerColumn("value");

  private FrameField() {}

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
