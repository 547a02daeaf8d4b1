package org.sparkgpugraph.engine.device.partition;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.QueueWord;
import org.sparkgpugraph.engine.device.kernels.RingWord;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.memory.EdgeBounds;
import org.sparkgpugraph.engine.device.settings.LaunchSize;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.StopLayout;
import org.sparkgpugraph.run.LaneUse;

/**
 * The queue of active vertices of a partition whose supersteps push, and the launches of those. The
 * kernels leave what they counted in a ring with an entry per superstep.
 */
public final class PushQueue implements AutoCloseable {
  static final String KERNEL = "push_loop";

  /**
   * What a superstep did.
   *
   * @param activated vertices that are active in the next superstep …
   * @param putOff … and those that are in a later one
   * @param told updates that it told devices it meets
   * @param nanos the device's clock at its end
   * @param lanes how well lanes were used
   */
  public record Step(
      long edges,
      long ran,
      long activated,
      long activeEdges,
      long putOff,
      long told,
      long nanos,
      LaneUse lanes) {
    /**
     * Of a superstep that walked rows.
     *
     * @param words where its {@link StatusWord}s are, from a byte on
     */
    static Step of(ByteBuffer words, int at, long nanos) {
      ToLongFunction<StatusWord> word = which -> words.getLong(at + which.offset());
      long edges = word.applyAsLong(StatusWord.EDGES);
      return new Step(
          edges,
          word.applyAsLong(StatusWord.RAN),
          word.applyAsLong(StatusWord.ACTIVATED),
          word.applyAsLong(StatusWord.ACTIVE_EDGES),
          0,
          0,
          nanos,
          LaneUse.counted(
              edges + word.applyAsLong(StatusWord.AGAIN),
              word.applyAsLong(StatusWord.EDGE_LANES),
              word.applyAsLong(StatusWord.ROWS),
              word.applyAsLong(StatusWord.ROW_LANES)));
    }

    /**
     * Of a superstep that pushed.
     *
     * @param words where its {@link RingWord}s are, from a byte on
     * @param evaluations of an edge, of one direction each, where both of its ends are active
     */
    static Step pushed(ByteBuffer words, int at, int evaluations) {
      ToLongFunction<RingWord> word = which -> words.getLong(at + which.offset());
      long edges = word.applyAsLong(RingWord.EDGES);
      return new Step(
          (edges + evaluations - 1) / evaluations,
          word.applyAsLong(RingWord.RAN),
          word.applyAsLong(RingWord.ACTIVATED),
          word.applyAsLong(RingWord.ACTIVE_EDGES),
          word.applyAsLong(RingWord.FAR),
          word.applyAsLong(RingWord.TOLD),
          word.applyAsLong(RingWord.NANOS),
          LaneUse.counted(
              edges,
              word.applyAsLong(RingWord.EDGE_LANES),
              word.applyAsLong(RingWord.ROWS),
              word.applyAsLong(RingWord.ROW_LANES)));
    }

    /** With updates that the host told behind it. */
    public Step telling(long updates) {
      return new Step(edges, ran, activated, activeEdges, putOff, told + updates, nanos, lanes);
    }

    /** Of the same superstep on two devices. */
    public Step plus(Step other) {
      return new Step(
          edges + other.edges,
          ran + other.ran,
          activated + other.activated,
          activeEdges + other.activeEdges,
          putOff + other.putOff,
          told + other.told,
          nanos,
          lanes.plus(other.lanes));
    }
  }

  private final KernelLauncher launcher;

  /** Launches the kernel of supersteps; it may be another module's. */
  private KernelLauncher walker;

  private final FrameLayout.Frame frame;
  private final PushSettings settings;
  private final int rows;
  private final int ghosts;
  private final DeviceMemory state;
  private final DeviceMemory ring;

  /** Null where there is no kernel for searches. */
  private final SearchRing searches;

  private final PinnedMemory told;
  private DeviceMemory queue;
  private DeviceMemory nextQueue;

  /** Bitmap of receivers; null where empty slots show who got none. */
  private DeviceMemory touched;

  /** Null where atomic operations merge. */
  private final Delegation delegation;

  private final DeviceMemory farBits;
  private final double edgeValue;
  private final int evaluations;
  private boolean known;

  /** Whether all that send stand in the queue, ghosts too. */
  private boolean selected;

  private boolean putOff;

  /** Whether state and ring are 0, as a search that selects needs them. */
  private boolean cleared;

  /** Null where readers are told by the host. */
  private Meeting meeting;

  private boolean meets;

  /**
   * @param frame of the partition
   * @param memory of a member of the frame
   * @param rows held vertices
   * @param ghosts vertices behind them that push, too
   * @param edgeValue the mean of the edge values that are sent
   * @param evaluations of an edge, of one direction each, where both of its ends are active
   * @param delegation how the program's own function merges messages, closed with this; null: it
   *     does not
   */
  PushQueue(
      KernelLauncher launcher,
      FrameLayout.Frame frame,
      PushSettings settings,
      DeviceAllocations memory,
      int partition,
      int rows,
      int ghosts,
      double edgeValue,
      int evaluations,
      Delegation delegation) {
    this.delegation = delegation;
    this.edgeValue = edgeValue;
    this.evaluations = evaluations;
    farBits = memory.find(partition, FrameField.FAR_BITS);
    this.launcher = launcher;
    walker = launcher;
    this.frame = frame;
    this.settings = settings;
    this.rows = rows;
    this.ghosts = ghosts;
    touched = memory.find(partition, FrameField.TOUCHED);
    state = memory.get(partition, FrameField.QUEUE_STATE);
    ring = memory.get(partition, FrameField.RING);
    queue = memory.get(partition, FrameField.QUEUE);
    nextQueue = memory.get(partition, FrameField.NEXT_QUEUE);
    DeviceMemory entries = memory.find(partition, FrameField.SEARCH_RING);
    searches = entries == null ? null : new SearchRing(launcher.device(), entries);
    told = launcher.device().allocatePinned((int) (state.bytes() + ring.bytes()));
  }

  /**
   * Who walks the edges of active vertices from now on.
   *
   * @param by launches kernels of another module in the same stream; null: of the run's own one
   */
  void walkBy(KernelLauncher by) {
    walker = by == null ? launcher : by;
  }

  /** Other supersteps come in between: the queue is made anew before the next one that pushes. */
  void forget() {
    known = false;
    selected = false;
    putOff = false;
  }

  /**
   * Readers here are told more behind the last launch: ghosts may be active, which are not in the
   * queue.
   */
  void tellsMore() {
    selected = false;
  }

  /** Lets supersteps of several devices meet from now on, where {@link #launch} says so. */
  void meet(Meeting with) {
    meeting = with;
  }

  /** Whether vertices may be put off; their bits say which. */
  boolean putsOff() {
    return farBits != null && putOff;
  }

  /**
   * Whether supersteps with so much work are bounded by barriers, not by memory: a block for each
   * multiprocessor runs them.
   */
  boolean isSmall(long work) {
    return work <= small();
  }

  private long small() {
    return settings.threadWork() * LaunchSize.BLOCK * multiprocessors();
  }

  private int multiprocessors() {
    return meeting == null ? launcher.multiprocessors() : meeting.multiprocessors();
  }

  /**
   * Queues the making of a queue of all vertices that send.
   *
   * @param bounds of the edge values that messages depend on; null: on none
   * @param edges how many there are
   * @param limit with more work than this, theirs and of the edges they walk, they are too many,
   *     and it ends before all are there
   */
  void select(EdgeBounds bounds, long edges, long limit) {
    DeviceStream stream = launcher.stream();
    frame.set(FrameField.MOST_WORK, limit);
    frame.set(FrameField.QUEUE, queue);
    cleared = false;
    stream.fill(state, 0, state.bytes(), (byte) 0);
    if (bounds != null) {
      bound(bounds, edges, stream);
    }
    launcher.launch("push_worst_start", 1, frame);
    launcher.launch("push_worst", launcher.blocks("push_worst", rows, 1), frame);
    launcher.launch("push_senders", launcher.blocks("push_senders", all(), 1), frame);
    stream.download(state, 0, told, 0, (int) state.bytes());
    known = true;
    selected = true;
  }

  private void bound(EdgeBounds bounds, long edges, DeviceStream stream) {
    int at = QueueWord.LEAST_EDGE.offset();
    if (bounds.isKnown()) {
      bounds.write(told.buffer(), at);
      stream.upload(told, at, state, at, 2 * Long.BYTES);
    } else {
      launcher.launch("push_edges_start", 1, frame);
      launcher.launch("push_edges", launcher.blocks("push_edges", edges, 1), frame);
    }
  }

  /** Keeps the bounds of edge values that {@link #select} has found, once it is done. */
  void found(EdgeBounds bounds) {
    bounds.found(told.buffer(), QueueWord.LEAST_EDGE.offset());
  }

  private long all() {
    return (long) rows + ghosts;
  }

  /** What a {@link #search} that selects begins with is 0: a kernel has seen to that. */
  void initialised() {
    cleared = searches != null;
  }

  /** Empties the slots of messages, where there are some, before they are used first. */
  void emptySlots() {
    if (touched != null) {
      launcher.stream().fill(touched, 0, touched.bytes(), (byte) 0);
      launcher.launch("push_reset", launcher.blocks("push_reset", rows, 1), frame);
      touched = null;
    }
  }

  /** Number of senders plus their edges, or more than the limit, once {@link #select} is done. */
  long selectedWork() {
    return told.buffer().getLong(QueueWord.WORK.offset());
  }

  /** Makes queue and state ready for a launch whose first superstep pushes. */
  private void ready(DeviceStream stream) {
    queues();
    cleared = false;
    emptySlots();
    if (!known) {
      stream.fill(state, 0, state.bytes(), (byte) 0);
      launcher.launch("frontier", launcher.blocks("frontier", all(), 1), frame);
    } else {
      // Rounds and arrivals.
      stream.fill(state, QueueWord.ROUNDS.offset(), 2L * Long.BYTES, (byte) 0);
      if (ghosts > 0 && !selected) {
        launcher.launch("frontier_ghosts", launcher.blocks("frontier_ghosts", ghosts, 1), frame);
      }
    }
    selected = false;
  }

  private void queues() {
    frame.set(FrameField.QUEUE, queue);
    frame.set(FrameField.NEXT_QUEUE, nextQueue);
    frame.set(FrameField.QUEUE_CAPACITY, queue.bytes() / 8);
  }

  /**
   * Queues supersteps.
   *
   * @param rounds how many at most
   * @param work active vertices and edges of theirs, of the first
   * @param limit no more supersteps behind one that leaves more than that
   * @param ordered whether vertices may be put off: activity is not read between these supersteps
   * @param meets whether readers are on devices that do the same now, and are told behind each
   */
  void launch(int rounds, long work, long limit, boolean ordered, boolean meets) {
    DeviceStream stream = launcher.stream();
    // Another superstep evaluates the edges of all: nothing was put off behind it.
    if (farBits != null && !putOff) {
      stream.fill(farBits, 0, farBits.bytes(), (byte) 0);
    }
    putOff = true;
    ready(stream);
    stream.fill(ring, 0, 8L * RingWord.COUNT * rounds, (byte) 0);
    int each = multiprocessors();
    long small = small();
    int blocks;
    long least = 0;
    long most = limit;
    if (work <= settings.blockWork()) {
      blocks = 1;
      most = Math.min(limit, 4 * settings.blockWork());
    } else if (work <= small) {
      blocks = each;
      least = settings.blockWork() / 4;
      most = Math.min(limit, 2 * small);
    } else {
      blocks = walker.resident(KERNEL);
      least = small / 2;
    }
    if (delegation != null) {
      blocks = delegation.begin(stream, blocks, walker.resident(KERNEL));
    }
    if (meets) {
      // Supersteps of few by many blocks cost less than another launch.
      least = 0;
    }
    frame.set(FrameField.ROUNDS, rounds);
    frame.box(FrameField.BUCKET, ordered ? settings.bucket() * edgeValue : 0.0);
    frame.set(FrameField.PREFETCHES, blocks <= each ? 1 : 0);
    frame.set(FrameField.LEAST_WORK, least);
    frame.set(FrameField.MOST_WORK, most);
    this.meets = meets;
    if (meets) {
      meeting.begin();
    }
    walker.launchCooperative(KERNEL, blocks, frame);
    if (delegation != null) {
      delegation.end(stream);
    }
    stream.download(state, 0, told, 0, (int) state.bytes());
    stream.download(ring, 0, told, (int) state.bytes(), 8 * RingWord.COUNT * rounds);
  }

  /**
   * Queues supersteps of a search: the first one pushes, in others rows may stop early.
   *
   * @param selects whether it begins with all that send anything, if these have no more work than
   *     the limit: else nothing is done
   * @param rounds how many at most, no more than {@link SearchRing#MOST}
   * @param from with more work than this behind one that pushed rows may stop early …
   * @param until … and with more than this behind one whose rows stopped early they may again
   * @param limit no more supersteps behind one that leaves more work than this, if rows do not stop
   */
  void search(boolean selects, int rounds, long from, long until, long limit) {
    DeviceStream stream = launcher.stream();
    if (!selects) {
      ready(stream);
    } else {
      queues();
      if (!cleared) {
        stream.fill(state, 0, state.bytes(), (byte) 0);
      }
    }
    if (!cleared) {
      searches.clear(stream, rounds);
    }
    cleared = false;
    frame.set(FrameField.SEARCH_SELECTS, selects ? 1 : 0);
    frame.set(FrameField.ROUNDS, rounds);
    frame.set(FrameField.LEAST_WORK, small() / 2);
    frame.set(FrameField.MOST_WORK, limit);
    frame.set(FrameField.SEARCH_FROM, from);
    frame.set(FrameField.SEARCH_UNTIL, until);
    frame.set(FrameField.PREFETCHES, 0);
    int blocks = Math.min(StopLayout.SEARCH_BLOCKS, launcher.resident(ProgramKernels.SEARCH));
    launcher.launchCooperative(ProgramKernels.SEARCH, blocks, frame);
    searches.download(stream, rounds);
  }

  /**
   * What the last {@link #search} did, once it is done: its supersteps; none where those that send
   * have more work than it was for.
   */
  List<SearchRing.Step> searched() {
    List<SearchRing.Step> steps = searches.steps(evaluations);
    if (steps.stream().filter(step -> !step.stopped()).count() % 2 != 0) {
      swapQueues();
    }
    known = !steps.isEmpty() && !steps.get(steps.size() - 1).stopped();
    return steps;
  }

  /** What a search is told by and tells; null where there is no kernel for searches. */
  SearchRing searches() {
    return searches;
  }

  /** What the last launch did, once it is done: its supersteps, at least one. */
  List<Step> finish() {
    if (delegation != null) {
      delegation.finish();
    }
    ByteBuffer words = told.buffer();
    int rounds = (int) words.getLong(QueueWord.ROUNDS.offset());
    List<Step> steps = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      int at = (int) state.bytes() + 8 * RingWord.COUNT * round;
      steps.add(Step.pushed(words, at, evaluations));
    }
    if (rounds % 2 != 0) {
      swapQueues();
    }
    known = true;
    if (meets) {
      // Ghosts are in the queue, too.
      selected = true;
      meeting.end(rounds, words.getLong(QueueWord.ALONE.offset()) != 0);
    }
    return steps;
  }

  private void swapQueues() {
    DeviceMemory filled = nextQueue;
    nextQueue = queue;
    queue = filled;
  }

  @Override
  public void close() {
    if (delegation != null) {
      delegation.close();
    }
    if (searches != null) {
      searches.close();
    }
    told.close();
  }
}
