package org.sparkgpugraph.benchmarks.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.engine.SentMessages;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.program.LiftedProgram;

/**
 * Measures how long the host takes to find which partial messages hubs do not have yet: row by row
 * on one thread, as the CPU engine does for each list, and by several threads, as runs on devices
 * do. In turns; medians over the runs, of which as many again come before to warm up.
 *
 * <pre>PartialMessageRates [rows = 300000] [threads = 2] [runs = 31]</pre>
 */
public final class PartialMessageRates {
  private static final long SEED = 42;

  private PartialMessageRates() {}

  /** Runs it and prints a table. */
  public static void main(String[] args) {
    int rows = args.length > 0 ? Integer.parseInt(args[0]) : 300_000;
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    int runs = args.length > 2 ? Integer.parseInt(args[2]) : 31;
    LiftedProgram program = BenchmarkPrograms.pageRank(0.85).program();
    TextTable table = new TextTable("rows that change", "row by row ms", threads + " threads ms");
    for (double share : new double[] {1, 0.1, 0}) {
      List<String> row =
          new ArrayList<>(List.of(String.format(Locale.ROOT, "%.0f %%", 100 * share)));
      measure(program, rows, share, threads, runs)
          .forEach(
              (way, millis) -> row.add(String.format(Locale.ROOT, "%.3f", Medians.median(millis))));
      table.add(row);
    }
    System.out.print(table);
  }

  private static Map<String, List<Double>> measure(
      LiftedProgram program, int rows, double share, int threads, int runs) {
    boolean[] isSent = new boolean[rows];
    Arrays.fill(isSent, true);
    Columns messages = Columns.allocate(program.message().columns(), rows);
    RefinedUpdates updates = new RefinedUpdates(program.message().columns());
    SentMessages byOne = new SentMessages(program, rows);
    SentMessages byAll = new SentMessages(program, rows);
    SentMessages.Collector collector = byAll.new Collector(0, rows);
    Random random = new Random(SEED);
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    try (Workers workers = new Workers(threads)) {
      for (int run = -runs; run < runs; run++) {
        change(messages, share, random);
        long start = System.nanoTime();
        updates.clear();
        for (int row = 0; row < rows; row++) {
          byOne.add(row, row, isSent[row], messages, updates);
        }
        byOne.pack(0, messages, updates);
        long one = System.nanoTime();
        int found = updates.count();
        long second = System.nanoTime();
        collector.collect(isSent, messages, updates, workers);
        long all = System.nanoTime();
        if (updates.count() != found) {
          throw new IllegalStateException(updates.count() + " rows instead of " + found);
        }
        if (run >= 0) {
          millis.computeIfAbsent("one", k -> new ArrayList<>()).add((one - start) / 1e6);
          millis.computeIfAbsent("all", k -> new ArrayList<>()).add((all - second) / 1e6);
        }
      }
    }
    return millis;
  }

  private static void change(Columns messages, double share, Random random) {
    double[] sums = (double[]) messages.array(0);
    for (int row = 0; row < sums.length; row++) {
      if (random.nextDouble() < share) {
        sums[row] = random.nextDouble();
      }
    }
  }
}
