package org.sparkgpugraph.benchmarks.cluster;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;

/**
 * Which threads of which process were at work when in a superstep, put together from when they
 * waited: a line for each time that a thread woke up and went to sleep again, in the order in which
 * they woke. Of all supersteps the medians are told, and one superstep as it was.
 */
final class SuperstepTimeline {
  /** Work that is too short for a line of its own. */
  private static final long SHORTEST_NANOS = 20_000;

  private final List<Long> ends;
  private final List<List<Work>> supersteps = new ArrayList<>();

  /**
   * A time in which a thread worked.
   *
   * @param at when it began, in nanoseconds since the superstep before ended
   * @param nanos how long it took
   * @param woke what it had waited in before
   * @param sleeps what it waited in behind
   * @param fileNanos of it in files
   * @param fileBytes that went to files and came from them
   */
  private record Work(
      String process,
      String thread,
      long at,
      long nanos,
      String woke,
      String sleeps,
      long fileNanos,
      long fileBytes) {}

  /** Which works of different supersteps are the same. */
  private record Key(String process, String thread, String woke, String sleeps, int turn) {}

  /**
   * @param ends those of at least two supersteps
   */
  SuperstepTimeline(WaitRecording.Recorded recorded) {
    ends = recorded.ends();
    for (int i = 1; i < ends.size(); i++) {
      supersteps.add(new ArrayList<>());
    }
    Map<String, List<ThreadWait>> threads = new LinkedHashMap<>();
    for (ThreadWait wait : recorded.waits()) {
      threads
          .computeIfAbsent(wait.process() + " " + wait.thread(), key -> new ArrayList<>())
          .add(wait);
    }
    threads.values().forEach(this::add);
    supersteps.forEach(works -> works.sort(Comparator.comparingLong(Work::at)));
  }

  private void add(List<ThreadWait> ofThread) {
    List<ThreadWait> waits =
        ofThread.stream()
            .filter(wait -> !wait.isFile())
            .sorted(Comparator.comparingLong(ThreadWait::from))
            .toList();
    List<ThreadWait> files = ofThread.stream().filter(ThreadWait::isFile).toList();
    for (int i = 1; i < waits.size(); i++) {
      ThreadWait before = waits.get(i - 1);
      ThreadWait behind = waits.get(i);
      long from = before.to();
      long nanos = behind.from() - from;
      int superstep = superstep(from);
      if (superstep < 0 || nanos < SHORTEST_NANOS) {
        continue;
      }
      List<ThreadWait> within =
          files.stream().filter(f -> f.from() >= from && f.to() <= behind.from()).toList();
      supersteps
          .get(superstep)
          .add(
              new Work(
                  before.process(),
                  before.name(),
                  from - ends.get(superstep),
                  nanos,
                  before.where(),
                  behind.where(),
                  within.stream().mapToLong(f -> f.to() - f.from()).sum(),
                  within.stream().mapToLong(ThreadWait::bytes).sum()));
    }
  }

  /** The one in which a time lies; negative: none. */
  private int superstep(long time) {
    for (int i = 1; i < ends.size(); i++) {
      if (time >= ends.get(i - 1) && time < ends.get(i)) {
        return i - 1;
      }
    }
    return -1;
  }

  /** Prints both. */
  void print(PrintStream out) {
    List<Double> lengths = new ArrayList<>();
    for (int i = 1; i < ends.size(); i++) {
      lengths.add((ends.get(i) - ends.get(i - 1)) / 1e6);
    }
    double median = Medians.median(lengths);
    out.printf(
        Locale.ROOT,
        "%nTimeline: medians of %d supersteps; the median one takes %.2f ms. A thread woke at 'ms',"
            + " worked for 'works', and waited again.%n",
        lengths.size(),
        median);
    out.print(medians());
    int typical = 0;
    for (int i = 1; i < lengths.size(); i++) {
      if (Math.abs(lengths.get(i) - median) < Math.abs(lengths.get(typical) - median)) {
        typical = i;
      }
    }
    out.printf(Locale.ROOT, "%nOne of them, which took %.2f ms:%n", lengths.get(typical));
    TextTable table = table();
    for (Work work : supersteps.get(typical)) {
      table.add(
          row(
              List.of(work),
              new Key(work.process(), work.thread(), work.woke(), work.sleeps(), 0)));
    }
    out.print(table);
  }

  private static TextTable table() {
    return new TextTable("ms", "works", "process", "thread", "woke from", "waits in", "files");
  }

  private TextTable medians() {
    Map<Key, List<Work>> same = new HashMap<>();
    for (List<Work> works : supersteps) {
      Map<Key, Integer> turns = new HashMap<>();
      for (Work work : works) {
        Key first = new Key(work.process(), work.thread(), work.woke(), work.sleeps(), 0);
        int turn = turns.merge(first, 1, Integer::sum);
        same.computeIfAbsent(
                new Key(work.process(), work.thread(), work.woke(), work.sleeps(), turn),
                key -> new ArrayList<>())
            .add(work);
      }
    }
    Map<Double, List<Key>> ordered = new TreeMap<>();
    same.forEach(
        (key, works) -> {
          // What is in few supersteps is no part of one.
          if (works.size() * 2 > supersteps.size()) {
            double at = Medians.median(works.stream().map(Work::at).toList());
            ordered.computeIfAbsent(at, none -> new ArrayList<>()).add(key);
          }
        });
    TextTable table = table();
    for (List<Key> keys : ordered.values()) {
      for (Key key : keys) {
        table.add(row(same.get(key), key));
      }
    }
    return table;
  }

  private static List<String> row(List<Work> works, Key key) {
    double bytes = Medians.median(works.stream().map(Work::fileBytes).toList());
    double fileMillis = Medians.median(works.stream().map(Work::fileNanos).toList()) / 1e6;
    return List.of(
        millis(Medians.median(works.stream().map(Work::at).toList())),
        millis(Medians.median(works.stream().map(Work::nanos).toList())),
        key.process(),
        key.thread(),
        key.woke(),
        key.sleeps(),
        bytes == 0 ? "" : String.format(Locale.ROOT, "%.0f bytes, %.2f ms", bytes, fileMillis));
  }

  private static String millis(double nanos) {
    return String.format(Locale.ROOT, "%.2f", nanos / 1e6);
  }
}
