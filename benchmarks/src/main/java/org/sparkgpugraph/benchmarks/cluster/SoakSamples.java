package org.sparkgpugraph.benchmarks.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.sparkgpugraph.benchmarks.TextTable;

/** Samples of processes over time, and whether what they hold has grown. */
final class SoakSamples {
  /** The first samples of a process are of one that warms up: caches, pools and code. */
  private static final int WARM_UP = 2;

  /** Samples behind those from which growth can be told. */
  private static final int LEAST = 3;

  private final Map<String, List<ProcessSample>> byExecutor = new LinkedHashMap<>();

  /**
   * Something that must not grow.
   *
   * @param part by which share of itself it may vary
   * @param room by how much it may vary in any case
   */
  private record Quantity(
      String name, ToLongFunction<ProcessSample> of, double part, long room, long unit) {
    boolean hasGrown(long before, long after) {
      return after > before + Math.max(room, (long) (part * before));
    }
  }

  private static final List<Quantity> QUANTITIES =
      List.of(
          new Quantity("heap MB", ProcessSample::heapBytes, 0.1, 8 << 20, 1 << 20),
          new Quantity("direct MB", ProcessSample::directBytes, 0.1, 8 << 20, 1 << 20),
          new Quantity("threads", ProcessSample::threads, 0, 10, 1),
          new Quantity("descriptors", ProcessSample::descriptors, 0, 16, 1),
          // Spark loads 600 when it first writes an error down: Jackson, once.
          new Quantity("classes", ProcessSample::classes, 0, 800, 1),
          new Quantity("files", ProcessSample::files, 0, 64, 1),
          new Quantity("held", ProcessSample::held, 0, 0, 1),
          new Quantity("device KB", ProcessSample::deviceBytes, 0, 0, 1 << 10));

  void add(List<ProcessSample> samples) {
    samples.forEach(
        one -> byExecutor.computeIfAbsent(one.executor(), id -> new ArrayList<>()).add(one));
  }

  /** What has grown, in words; empty when nothing has. */
  List<String> grown() {
    List<String> grown = new ArrayList<>();
    byExecutor.forEach(
        (executor, samples) -> {
          if (samples.size() >= WARM_UP + LEAST) {
            for (Quantity quantity : QUANTITIES) {
              long before = warm(samples, quantity);
              long after = last(samples, quantity);
              if (quantity.hasGrown(before, after)) {
                grown.add(
                    "%s of %s grew from %d to %d"
                        .formatted(
                            quantity.name,
                            executor,
                            units(before, quantity),
                            units(after, quantity)));
              }
            }
          }
        });
    return grown;
  }

  /** The larger one of the first two samples of a warm process. */
  private static long warm(List<ProcessSample> samples, Quantity quantity) {
    return Math.max(
        quantity.of.applyAsLong(samples.get(WARM_UP)),
        quantity.of.applyAsLong(samples.get(WARM_UP - 1)));
  }

  /**
   * The smaller one of the last two samples: what was on its way out in one is gone in the other.
   */
  private static long last(List<ProcessSample> samples, Quantity quantity) {
    return Math.min(
        quantity.of.applyAsLong(samples.get(samples.size() - 1)),
        quantity.of.applyAsLong(samples.get(samples.size() - 2)));
  }

  private static long units(long value, Quantity quantity) {
    return (value + quantity.unit - 1) / quantity.unit;
  }

  /** A row for each process: warm, and at the end. */
  @Override
  public String toString() {
    List<String> head = new ArrayList<>(List.of("process", "samples"));
    QUANTITIES.forEach(quantity -> head.add(quantity.name));
    TextTable table = new TextTable(head.toArray(String[]::new));
    byExecutor.forEach(
        (executor, samples) -> {
          List<String> row = new ArrayList<>(List.of(executor, String.valueOf(samples.size())));
          for (Quantity quantity : QUANTITIES) {
            row.add(
                samples.size() <= WARM_UP
                    ? "-"
                    : String.format(
                        Locale.ROOT,
                        "%d -> %d",
                        units(warm(samples, quantity), quantity),
                        units(last(samples, quantity), quantity)));
          }
          table.add(row);
        });
    return table.toString();
  }
}
