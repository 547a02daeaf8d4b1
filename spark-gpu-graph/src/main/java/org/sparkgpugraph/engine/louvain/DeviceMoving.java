package org.sparkgpugraph.engine.louvain;

import java.util.Arrays;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.DeviceSession;

/**
 * {@link LocalMoving} and {@link LevelState} on a device ({@code sgg/louvain.cuh}), to the bit. The
 * first level takes the memory of all: 24 bytes a vertex and 0.3 an entry, and for the tables of
 * the hubs of a class 36 for each of their entries.
 */
final class DeviceMoving {
  private final DeviceSession session;
  private final FrameLayout.Frame frame;
  private final double gamma;
  private final DeviceMemory state;
  private final DeviceMemory counts;
  private final DeviceMemory room;
  private final DeviceMemory community;
  private final DeviceMemory best;
  private final DeviceMemory totals;

  /** Rows of each of {@link LouvainKernels#DECIDE}. */
  private final long[] kinds = new long[LouvainKernels.DECIDE.size()];

  private final long[] told = new long[LouvainKernels.STATE_WORDS];
  private DeviceMemory slotKeys;
  private DeviceMemory slotSums;
  private LevelMemory rows;
  private long whole;

  /** Twice the weight of the edges inside of communities. */
  private long inside;

  private long bestInside;

  /**
   * Takes the memory.
   *
   * @param state words that the kernels count in
   * @param size most vertices of a level
   * @param entries most entries of its rows
   */
  DeviceMoving(
      DeviceSession session,
      FrameLayout.Frame frame,
      LouvainTuning tuning,
      double gamma,
      DeviceMemory state,
      int size,
      long entries) {
    this.session = session;
    this.frame = frame;
    this.gamma = gamma;
    long hubs = entries / (tuning.warpRow() + 1) + 1;
    long chunks = entries / tuning.chunk() + hubs;
    community = ints("community", size, "communities");
    best = session.allocate(4L * size, "the best communities");
    ints("next", size, "moves");
    ints("queue", size, "vertices that decide");
    ints("warpRows", entries / (LouvainKernels.WARP + 1) + 1, "vertices of many neighbours");
    ints("hubs", hubs, "hubs");
    ints("hubChunks", hubs, "hubs");
    ints("chunkHubs", chunks, "parts of hubs");
    ints("chunkBests", chunks, "parts of hubs");
    longs("chunkScores", chunks, "parts of hubs");
    longs("hubSlots", hubs, "hubs");
    longs("hubOwn", hubs, "hubs");
    longs("hubKept", hubs, "hubs");
    totals = longs("totals", size, "totals of communities");
    set("active", session.allocate((size + 31L) / 32 * 4, "marks"));
    this.state = set("state", state);
    counts = longs("counts", LocalMoving.CLASSES * LouvainKernels.COUNTS, "counts");
    room = longs("room", LocalMoving.CLASSES + kinds.length, "counts");
    frame.set("gamma", Double.doubleToRawLongBits(gamma));
  }

  private DeviceMemory ints(String member, long count, String purpose) {
    return set(member, session.allocate(Integer.BYTES * count, purpose));
  }

  private DeviceMemory longs(String member, long count, String purpose) {
    return set(member, session.allocate(Long.BYTES * count, purpose));
  }

  private DeviceMemory set(String member, DeviceMemory memory) {
    frame.set(member, memory);
    return memory;
  }

  private void vertices(String kernel) {
    session.launch(kernel, rows.size(), 1, frame);
  }

  /**
   * Computes strengths of rows that have loops, once each.
   *
   * @param loops how often a loop counts
   * @return the sum of the weights of loops, as they are in strengths, and that of all strengths
   */
  long[] strengths(LevelMemory of, int loops) {
    rows = of;
    frame.set("loops", loops);
    session.timed(
        () -> {
          session.clear(state);
          if (of.ones()) {
            vertices(LouvainKernels.DEGREES);
            session.launch(LouvainKernels.LOOPS, of.entries(), 1, frame);
          } else {
            session.launch(LouvainKernels.STRENGTHS, of.size(), LouvainKernels.WARP, frame);
          }
        });
    tell();
    long inside = told[LouvainKernels.INSIDE];
    long all = of.ones() ? of.entries() + inside - inside / loops : told[LouvainKernels.MOVED];
    return new long[] {inside, all};
  }

  /**
   * Begins a level. The frame has the rows and strengths.
   *
   * @param level its number
   * @param wholeWeight sum of the strengths
   * @param insideNow twice the weight of what is inside of communities
   * @param together communities that vertices begin in; null: every one alone
   */
  void begin(LevelMemory of, int level, long wholeWeight, long insideNow, DeviceMemory together) {
    rows = of;
    whole = wholeWeight;
    inside = insideNow;
    frame.set("whole", whole).set("together", together);
    session.timed(
        () -> {
          vertices(LouvainKernels.BEGIN);
          vertices(LouvainKernels.MARK_ALL);
          if (together != null) {
            vertices(LouvainKernels.TOTALS);
          }
          squares();
        });
    tell();
    keep();
    classes(level);
  }

  private void squares() {
    session.clear(state);
    vertices(LouvainKernels.SQUARES);
  }

  /** Makes room for the tables of the hubs of each class. */
  private void classes(int level) {
    frame.set("salt", LocalMoving.salt(level));
    session.timed(
        () -> {
          session.clear(room);
          vertices(LouvainKernels.ROOM);
        });
    long[] found = new long[LocalMoving.CLASSES + kinds.length];
    session.download(room, found, found.length);
    System.arraycopy(found, LocalMoving.CLASSES, kinds, 0, kinds.length);
    long most = Arrays.stream(found, 0, LocalMoving.CLASSES).max().getAsLong();
    if (slotKeys == null || Integer.BYTES * most > slotKeys.bytes()) {
      if (slotKeys != null) {
        session.free(slotKeys);
        session.free(slotSums);
      }
      slotKeys = ints("slotKeys", most, "tables of hubs");
      slotSums = longs("slotSums", most, "tables of hubs");
    }
  }

  /**
   * Puts together again, of single vertices, the communities that a level has ended with: {@link
   * CommunityBounds}, one sweep. The frame has the vertices' parts then.
   *
   * @param level number that the classes are drawn by
   * @param outerTotals room for totals
   */
  void refine(int level, DeviceMemory outerTotals) {
    classes(level);
    session.timed(
        () -> {
          session.clear(outerTotals);
          frame.set("totals", outerTotals).set("together", best);
          vertices(LouvainKernels.TOTALS);
          frame.set("totals", totals).set("together", null);
          vertices(LouvainKernels.BEGIN);
          vertices(LouvainKernels.MARK_ALL);
          frame.set("outer", best).set("outerTotals", outerTotals);
          session.clear(counts);
          for (int c = 0; c < LocalMoving.CLASSES; c++) {
            frame.set("ofClass", c);
            vertices(LouvainKernels.QUEUE);
            decide();
            vertices(LouvainKernels.MOVE);
          }
        });
    frame.set("outer", null);
  }

  /** Communities are others, with the same weight inside. */
  void become(DeviceMemory names) {
    frame.set("together", names);
    session.timed(
        () -> {
          session.clear(totals);
          vertices(LouvainKernels.TOTALS);
          squares();
        });
    tell();
  }

  /** Communities in the best state. */
  DeviceMemory best() {
    return best;
  }

  /** Communities now. */
  DeviceMemory community() {
    return community;
  }

  private void tell() {
    session.download(state, told, told.length);
  }

  /** All vertices that are to decide do so, a class at a time, and move. */
  void sweep() {
    session.timed(
        () -> {
          session.clear(state);
          session.clear(counts);
          for (int c = 0; c < LocalMoving.CLASSES; c++) {
            frame.set("ofClass", c);
            vertices(LouvainKernels.QUEUE);
            decide();
            vertices(LouvainKernels.MARK);
            if (hubs()) {
              session.launch(LouvainKernels.MARK_HUBS, rows.entries(), 1, frame);
            }
            vertices(LouvainKernels.MOVE);
          }
          vertices(LouvainKernels.SQUARES);
        });
    tell();
    inside += told[LouvainKernels.INSIDE];
  }

  private boolean hubs() {
    return kinds[LouvainKernels.HUBS] > 0;
  }

  private void decide() {
    int[] lanes = {8, LouvainKernels.WARP, LouvainKernels.WARP};
    for (int kind = 0; kind < lanes.length; kind++) {
      // As many are of a class as of another, about; a few blocks more do no harm.
      long about = kinds[kind] / LocalMoving.CLASSES * 5 / 4 + Math.min(kinds[kind], 1024);
      session.launch(decide(kind), about, lanes[kind], frame);
    }
    if (hubs()) {
      session.launch(LouvainKernels.CLEAR, rows.entries(), 1, frame);
      session.launch(decide(LouvainKernels.HUBS), rows.entries(), 1, frame);
      session.launch(
          LouvainKernels.FINISH_HUBS, kinds[LouvainKernels.HUBS], LouvainKernels.WARP, frame);
    }
  }

  private String decide(int kind) {
    return LouvainKernels.of(LouvainKernels.DECIDE.get(kind), rows.ones());
  }

  /** Modularity behind the last sweep, or when the level began. */
  double modularity() {
    int first = LouvainKernels.SQUARES_FIRST;
    long low = told[first] + (told[first + 1] << 32);
    long carry = Long.compareUnsigned(low, told[first]) < 0 ? 1 : 0;
    long high = (told[first + 1] >>> 32) + told[first + 2] + (told[first + 3] << 32) + carry;
    return LevelState.modularity(inside, whole, gamma, high, low);
  }

  /** Vertices that moved in the last sweep. */
  long moved() {
    return told[LouvainKernels.MOVED];
  }

  /** Entries of rows that the last sweep looked at. */
  long lookedAt() {
    return told[LouvainKernels.LOOKED_AT];
  }

  long whole() {
    return whole;
  }

  long inside() {
    return inside;
  }

  /** This is the best state by now. */
  void keep() {
    bestInside = inside;
    session.copy(community, best);
  }

  /** Goes back to the best state; totals are not right any more. */
  void restore() {
    inside = bestInside;
    session.copy(best, community);
  }
}
