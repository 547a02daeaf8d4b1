package org.sparkgpugraph.engine.cpu;

import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;
import org.sparkgpugraph.engine.cpu.frame.ItemBuckets;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.StartingVertices;
import org.sparkgpugraph.engine.cpu.frame.Tally;

/**
 * Relaxes a partition in order of priority, without supersteps, until nothing is left to say:
 * delta-stepping (Meyer and Sanders 2003) with buckets of each thread's own, as in the GAP
 * benchmark suite (Beamer, Asanović, Patterson 2015), and a width of buckets that changes as in
 * ADDS (Wang 2020, chapter 5).
 *
 * <p>In a round all threads walk the items of the first bucket that has any, each its own first,
 * then those of others. What a thread adds to that bucket meanwhile it walks itself, without the
 * others, as long as it is little (bucket fusion). Then all meet; the last one there moves the head
 * on, and walks rounds of a few items itself while the others wait. When all buckets of a window of
 * priorities are empty, the next window begins with the best that is left.
 *
 * <p>A part of a graph is relaxed as far as a bound of what is walked: then all that is left is put
 * into the next superstep's active vertices, as what there is no room for.
 *
 * <p>The values are those of pushed supersteps to the bit: of a program in place each is the least
 * (or largest) of the same finite set. No improvement is lost, since whoever improves a value adds
 * an item behind it, and an item is only dropped for one with a better value.
 */
final class DeltaStepping {
  private static final Logger LOG = LoggerFactory.getLogger(DeltaStepping.class);

  /** Words of the bitmap of active vertices that a thread looks at at a time. */
  private static final int WORDS = 256;

  /** Most items of one call into generated code, behind which a thread sees that it is stopped. */
  private static final int CALL = 64;

  /** Room for items: for each vertex, shared by all threads, and for each thread. */
  private static final int PLACES_PER_VERTEX = 2;

  private static final int PLACES_PER_THREAD = 1 << 16;

  private enum Task {
    /** To look at the vertices from which the run starts. */
    START,
    /** The same behind a new window, over which all items are dealt out. */
    SORT_AND_START,
    /** To deal all items out over a new window. */
    SORT,
    /** To walk the items of the first bucket. */
    WALK,
    END
  }

  /** One thread: its buckets, and what all may take of them. */
  private static final class Member {
    final Tally tally;
    final ItemBuckets buckets;
    final StartingVertices starting;
    final AtomicInteger taken = new AtomicInteger();
    long[] offered = {};
    int count;
    long[] spare = {};

    /** Items that it walked of its own, without the others. */
    long fused;

    Member(Tally tally, KernelFrame frame, long most) {
      this.tally = tally;
      buckets = new ItemBuckets(most, frame.nextActive);
      starting = new StartingVertices(buckets, frame.active);
      tally.buckets = buckets;
      tally.starting = starting;
    }

    /** Offers the items of a bucket to all. */
    int offer(int bucket) {
      count = buckets.size(bucket);
      long[] old = offered;
      offered = buckets.take(bucket, spare);
      spare = old;
      taken.set(0);
      return count;
    }
  }

  private final CpuKernel kernel;
  private final KernelFrame frame;
  private final WorkerTeam team;
  private final PriorityOptions options;
  private final BucketWidth width;
  private final Member[] members;
  private final RoundBarrier barrier;
  private final AtomicInteger looked = new AtomicInteger();
  private final int chunk;
  private final long bound;

  private Task task = Task.START;
  private double base = Double.NEGATIVE_INFINITY;
  private int head;

  /** Least priority of the vertices that have not begun yet; NaN when there are none. */
  private double leastLeft;

  private long fused;
  private long rounds;
  private long moves;
  private long windows;

  /**
   * @param frame whose active vertices begin, and whose next active ones are those for whose items
   *     there was no room
   * @param tallies of the members of the team
   * @param unit by which the options count the width of a bucket
   * @param bound edges and vertices behind which nothing else is walked, about
   */
  DeltaStepping(
      CpuKernel kernel,
      KernelFrame frame,
      WorkerTeam team,
      Tally[] tallies,
      PriorityOptions options,
      double unit,
      long bound) {
    this.bound = bound;
    this.kernel = kernel;
    this.frame = frame;
    this.team = team;
    this.options = options;
    width = new BucketWidth(options.width() * unit, options.dynamic(), tallies.length);
    members = new Member[tallies.length];
    long room = options.room();
    long most =
        (room > 0 ? room : places(frame.partition.stored(), members.length)) / members.length;
    for (int m = 0; m < members.length; m++) {
      members[m] = new Member(tallies[m], frame, most);
      members[m].starting.begin();
    }
    barrier = new RoundBarrier(team, members.length);
    chunk = members.length == 1 ? CALL : options.chunk();
  }

  /** Most items that all threads have room for. */
  static long places(long vertices, int threads) {
    return PLACES_PER_VERTEX * vertices + (long) PLACES_PER_THREAD * threads;
  }

  /** The part of a member, from the beginning to the end. */
  void run(int member) {
    Member own = members[member];
    do {
      switch (task) {
        case START -> start(own);
        case SORT_AND_START -> {
          own.buckets.window(base, width.get());
          start(own);
        }
        case SORT -> own.buckets.window(base, width.get());
        case WALK -> {
          walkOffered(member);
          walkOwn(own);
        }
        case END -> throw new IllegalStateException("there are no rounds behind the end");
      }
    } while (barrier.await(() -> next(member)) && task != Task.END);
  }

  private void start(Member own) {
    int words = frame.active.words.length;
    for (int from; (from = looked.getAndAdd(WORDS)) < words && !team.stopped(); ) {
      kernel.start(frame, own.tally, from, Math.min(words, from + WORDS));
    }
  }

  /** Walks what the members offer, a member's own first. */
  private void walkOffered(int member) {
    Tally tally = members[member].tally;
    for (int i = 0; i < members.length; i++) {
      Member of = members[(member + i) % members.length];
      while (of.taken.get() < of.count && !team.stopped()) {
        int from = of.taken.getAndAdd(chunk);
        if (from < of.count) {
          tally.buckets.walked = of.offered;
          relax(tally, from, Math.min(of.count, from + chunk));
        }
      }
    }
  }

  private void relax(Tally tally, int from, int to) {
    if (members.length == 1) {
      kernel.relaxAlone(frame, tally, from, to);
    } else {
      kernel.relax(frame, tally, from, to);
    }
  }

  /** Walks what a member has added to the first bucket itself, unless that is much. */
  private void walkOwn(Member own) {
    int most = members.length == 1 ? Integer.MAX_VALUE : options.fused();
    for (int count; (count = own.buckets.size(head)) > 0 && count <= most; ) {
      long[] items = own.buckets.take(head, own.spare);
      own.buckets.walked = items;
      for (int from = 0; from < count && !team.stopped(); from += CALL) {
        relax(own.tally, from, Math.min(count, from + CALL));
      }
      own.spare = items;
      own.fused += count;
      if (team.stopped()) {
        return;
      }
    }
  }

  // ---- between rounds, by the member that comes last ------------------------------------------

  private void next(int member) {
    looked.set(0);
    if (task == Task.START || task == Task.SORT_AND_START) {
      started();
    }
    do {
      task = decide();
      if (task != Task.WALK || !isShort()) {
        return;
      }
      walkOffered(member);
    } while (!team.stopped());
  }

  /** Whether so few items are offered that it takes longer to wake the others. */
  private boolean isShort() {
    long offers = 0;
    for (Member m : members) {
      offers += m.count;
    }
    return members.length > 1 && offers <= options.alone();
  }

  private void started() {
    leastLeft = Double.NaN;
    for (Member m : members) {
      double least = m.starting.leastLeft();
      if (!Double.isNaN(least) && !(least >= leastLeft)) {
        leastLeft = least;
      }
    }
  }

  private Task decide() {
    if (bound < Long.MAX_VALUE && walked() >= bound) {
      leave();
      return Task.END;
    }
    long filled = 0;
    for (Member m : members) {
      filled |= m.buckets.filled();
    }
    int first = Long.numberOfTrailingZeros(filled);
    if (first >= ItemBuckets.BEHIND) {
      return filled == 0 && !isAnyLeft() ? Task.END : nextWindow();
    }
    if (first > head) {
      moves++;
      if (resized(first)) {
        return Task.SORT;
      }
      head = first;
    }
    offer();
    return Task.WALK;
  }

  private long walked() {
    long sum = 0;
    for (Member m : members) {
      sum += m.tally.edges + m.tally.ran;
    }
    return sum;
  }

  /** Puts off whatever waits in buckets, or has not begun. */
  private void leave() {
    for (Member m : members) {
      m.buckets.spill();
    }
    frame.nextActive.addAll(frame.active);
  }

  /** Offers the items of the first bucket. */
  private void offer() {
    long items = -fused;
    fused = 0;
    for (Member m : members) {
      m.buckets.head(head);
      items += m.offer(head);
      fused += m.fused;
    }
    rounds++;
    width.round(items + fused);
  }

  /** Changes the width of buckets where it should, unless that takes longer than it spares. */
  private boolean resized(int first) {
    int by = change();
    if (by == 0 || pending() > width.items()) {
      return false;
    }
    base += first * width.get();
    width.change(by, added(), addedBehind());
    head = 0;
    return true;
  }

  private boolean isAnyLeft() {
    return !Double.isNaN(leastLeft);
  }

  private Task nextWindow() {
    moves++;
    windows++;
    int by = change();
    if (by != 0) {
      width.change(by, added(), addedBehind());
    }
    base = isAnyLeft() ? leastLeft : Double.POSITIVE_INFINITY;
    for (Member m : members) {
      base = Math.min(base, m.buckets.leastBehind());
    }
    head = 0;
    double end = base + ItemBuckets.BEHIND * width.get();
    if (!isAnyLeft() || leastLeft > base && leastLeft >= end) {
      return Task.SORT;
    }
    for (Member m : members) {
      m.starting.begin(leastLeft, end);
    }
    return Task.SORT_AND_START;
  }

  private int change() {
    return width.moved(added(), addedBehind());
  }

  private long added() {
    long sum = 0;
    for (Member m : members) {
      sum += m.buckets.added();
    }
    return sum;
  }

  private long addedBehind() {
    long sum = 0;
    for (Member m : members) {
      sum += m.buckets.addedBehind();
    }
    return sum;
  }

  private long pending() {
    long sum = 0;
    for (Member m : members) {
      sum += m.buckets.size();
    }
    return sum;
  }

  /** Tells the log what was done. */
  void tell() {
    LOG.debug(
        "relaxed in order of priority: {} items added, {} of them behind the window, {} rounds, {}"
            + " moves of the head, {} windows, {} changes of the width, which is {} at the end",
        added(),
        addedBehind(),
        rounds,
        moves,
        windows,
        width.changes(),
        width.get());
  }
}
