package org.sparkgpugraph.engine.device.run;

import java.util.stream.IntStream;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.settings.StopLayout;
import org.sparkgpugraph.engine.device.settings.StopSettings;

/**
 * Which supersteps of a run let rows stop early ({@code sgg/stopping.cuh}): those that would gather
 * more than {@link StopSettings} say, when most active vertices say the best that any does. A graph
 * of one partition is asked for that behind each superstep, which costs no wait; parts of a graph
 * before one that would gather, when their ghosts know who is active. Rows that are sorted by an
 * edge value stop whatever active vertices say.
 */
final class EarlyStops {
  /** Of a run whose rows never stop. */
  static final EarlyStops NEVER = new EarlyStops(null, StopSettings.NEVER, 0, 0, false, false);

  /** Part of a graph that is walked in no time. */
  private static final double LEAST_WALKED = 1 / 8.0;

  /**
   * Part of a graph from which on it takes longer to walk sorted rows, one a lane, than to gather
   * all: 44 instead of 128 edges a nanosecond of an H200.
   */
  private static final double MOST_WALKED = 1 / 3.0;

  private final DeviceTeam team;
  private final StopSettings settings;
  private final double size;
  private final int partitions;
  private final boolean asksFirst;
  private final boolean sorted;
  private boolean heard;

  /** Whether active vertices said different things when they were asked last. */
  private boolean missed;

  private boolean near;

  /** Edges that the last superstep walked whose rows stopped early. */
  private long walked;

  /** Whether sorted rows of this graph do not stop early enough. */
  private boolean idle;

  private boolean stopped;
  private long supersteps;
  private int searches;

  /**
   * @param size vertices and edges of the graph
   * @param asksFirst whether active vertices are asked before a superstep
   * @param sorted whether rows are sorted by an edge value
   */
  EarlyStops(
      DeviceTeam team,
      StopSettings settings,
      double size,
      int partitions,
      boolean asksFirst,
      boolean sorted) {
    this.team = team;
    this.settings = settings;
    this.size = size;
    this.partitions = partitions;
    this.asksFirst = asksFirst;
    this.sorted = sorted;
  }

  /** Queues, behind a superstep, the search for what active vertices say next. */
  void ask(DevicePartition partition, StopLayout.Behind behind) {
    if (settings.stops() && asksFirst == (behind == StopLayout.Behind.BEGUN)) {
      partition.bound(behind);
    }
  }

  /** Whether a superstep that would gather has to be begun, and active vertices asked, first. */
  boolean asksFirst() {
    return settings.stops() && asksFirst && !heard;
  }

  /**
   * A superstep is done; what was found behind it is told.
   *
   * @param work active vertices and edges of theirs before it
   * @param edges that it walked
   */
  void stepped(DevicePartition.Mode mode, long work, long edges) {
    stopped = mode == DevicePartition.Mode.STOPPING;
    supersteps += stopped ? 1 : 0;
    walked = edges;
    idle =
        idle
            || stopped
                && sorted
                && edges > LEAST_WALKED * size
                && edges > Math.min(work, MOST_WALKED * size);
    near = false;
    heard = false;
    if (settings.stops() && !asksFirst) {
      hear();
    }
  }

  /** Takes what was found, once that is done. */
  void hear() {
    heard = true;
    long attaining = sum(StatusWord.ATTAINING);
    near =
        sorted
            ? attaining > 0 && !idle && team.word(0, StatusWord.BOUND) != StopLayout.UNKNOWN
            : attaining > 0 && attaining >= sum(StatusWord.OTHERS);
    missed = !near;
    for (int p = 0; near && p < partitions; p++) {
      boolean all = team.word(p, StatusWord.OTHERS) == 0;
      team.partition(p).stopAt(team.word(p, StatusWord.BOUND), all);
    }
  }

  private long sum(StatusWord word) {
    return IntStream.range(0, partitions).mapToLong(p -> team.word(p, word)).sum();
  }

  /** Nothing is known of what comes next: values were restored. */
  void forget() {
    near = false;
    heard = false;
    missed = false;
    stopped = false;
  }

  /** Whether rows of the next superstep stop early if it gathers. */
  boolean now() {
    return near;
  }

  /**
   * The most work that the next superstep pushes.
   *
   * @param limit the same where rows do not stop early
   */
  long limit(long limit) {
    return near || asksFirst() && !missed
        ? Math.min(limit, stopped ? until() : part(settings.from()))
        : limit;
  }

  /** As many edges as were walked last are pushed as soon. */
  private long until() {
    return sorted ? Math.max(part(settings.until()), walked) : part(settings.until());
  }

  /**
   * Whether rows that are sorted were walked so far that it took longer than to push, or to gather
   * all of them: values are far apart, and rows have few edges each.
   */
  boolean gainsNothing() {
    return idle;
  }

  /**
   * The most work that a launch of several supersteps that push goes on with: it ends where rows
   * might stop, unless they did not when that was asked last.
   */
  long launchLimit(long limit) {
    return settings.stops() && !missed ? Math.min(limit, part(settings.from())) : limit;
  }

  /** Whether supersteps that push and those whose rows stop early may follow in one launch. */
  boolean maySearch() {
    return settings.stops() && !asksFirst && !sorted;
  }

  /** With more work than this behind a superstep of a search that pushed rows may stop early. */
  long searchFrom() {
    return part(settings.from());
  }

  /** … and with more than this behind one whose rows stopped early they may again. */
  long searchUntil() {
    return part(settings.until());
  }

  /**
   * A search has ended, in which rows stopped early in so many supersteps; nothing is known of what
   * comes next.
   */
  void searched(long stopping) {
    forget();
    supersteps += stopping;
    searches++;
  }

  /** Searches so far. */
  int searches() {
    return searches;
  }

  private long part(double share) {
    return (long) (share * size);
  }

  /** Supersteps in which rows stopped early. */
  long supersteps() {
    return supersteps;
  }
}
