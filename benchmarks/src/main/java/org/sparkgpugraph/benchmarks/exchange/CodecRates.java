package org.sparkgpugraph.benchmarks.exchange;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.UpdateCodec;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Measures packing and unpacking of boundary updates on one core: nanoseconds and bytes per update
 * of one list, medians over the runs; CPU time of the one thread, so that a busy machine does not
 * matter much.
 *
 * <pre>CodecRates [updates = 1000000] [runs = 15]</pre>
 */
public final class CodecRates {
  private static final UpdateCodec.Header HEADER = new UpdateCodec.Header(1, 2, 3, 4);
  private static final long SEED = 42;

  private CodecRates() {}

  /** What a list looks like; each like a superstep of an algorithm. */
  private enum Case {
    /** Every vertex, doubles that spread over some powers of two. */
    PAGERANK(Kind.DOUBLE, 1),
    /** Every vertex, single precision. */
    PAGERANK_FLOATS(Kind.FLOAT, 1),
    /** Every second vertex: positions as a bitmap. */
    PAGERANK_HALF(Kind.DOUBLE, 0.5),
    /** Few: positions as gaps. */
    PAGERANK_FEW(Kind.DOUBLE, 0.02),
    /** Labels of 22 bits at random places. */
    COMPONENTS(Kind.LONG, 0.6),
    /** Labels, nearly all the same. */
    COMPONENTS_LATE(Kind.LONG, 0.3),
    /** One level. */
    BFS(Kind.INT, 0.4),
    /** Whole distances as doubles. */
    SSSP(Kind.DOUBLE, 0.4);

    private final Kind kind;
    private final double density;

    Case(Kind kind, double density) {
      this.kind = kind;
      this.density = density;
    }

    RefinedUpdates updates(int count) {
      Random random = new Random(SEED);
      RefinedUpdates updates = new RefinedUpdates(List.of(kind));
      for (int position = 0; updates.count() < count; position++) {
        if (random.nextDouble() < density) {
          updates.add(position, true, true);
        }
      }
      Object column = updates.values().array(0);
      for (int i = 0; i < count; i++) {
        set(column, i, random);
      }
      return updates;
    }

    private void set(Object column, int row, Random random) {
      switch (this) {
        case PAGERANK, PAGERANK_HALF, PAGERANK_FEW ->
            ((double[]) column)[row] = 0.15 + Math.exp(2 * random.nextGaussian());
        case PAGERANK_FLOATS ->
            ((float[]) column)[row] = (float) (0.15 + Math.exp(2 * random.nextGaussian()));
        case COMPONENTS -> ((long[]) column)[row] = random.nextInt(1 << 22);
        case COMPONENTS_LATE ->
            ((long[]) column)[row] = random.nextInt(50) == 0 ? random.nextInt(1 << 22) : 3;
        case BFS -> ((int[]) column)[row] = 4;
        case SSSP -> ((double[]) column)[row] = 300 + random.nextInt(200);
      }
    }
  }

  /** Runs it and prints a table. */
  public static void main(String[] args) {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int runs = args.length > 1 ? Integer.parseInt(args[1]) : 15;
    TextTable table = new TextTable("updates like", "encoding", "pack ns", "unpack ns", "bytes");
    for (int round = 0; round < 2; round++) {
      for (Case each : Case.values()) {
        RefinedUpdates updates = each.updates(count);
        for (UpdateEncoding encoding : UpdateEncoding.values()) {
          List<String> row = measure(each, updates, encoding, runs);
          // The first round compiles, with all cases mixed as in an executor.
          if (round > 0) {
            table.add(row);
          }
        }
      }
    }
    System.out.print(table);
  }

  private static List<String> measure(
      Case each, RefinedUpdates updates, UpdateEncoding encoding, int runs) {
    UpdateCodec codec = new UpdateCodec(List.of(each.kind), encoding);
    List<Double> pack = new ArrayList<>();
    List<Double> unpack = new ArrayList<>();
    List<byte[]> records = List.of();
    long[] sum = new long[1];
    for (int run = 0; run < runs; run++) {
      long start = cpu();
      records = codec.encode(HEADER, List.of(updates));
      long packed = cpu();
      sum[0] = 0;
      for (byte[] record : records) {
        codec.decode(record, HEADER, (list, read) -> sum[0] += read.count());
      }
      pack.add((packed - start) / (double) updates.count());
      unpack.add((cpu() - packed) / (double) updates.count());
    }
    if (sum[0] != updates.count()) {
      throw new IllegalStateException(sum[0] + " updates of " + updates.count() + " were read");
    }
    long bytes = records.stream().mapToLong(record -> record.length).sum();
    return List.of(
        each.name().toLowerCase(Locale.ROOT),
        encoding.name().toLowerCase(Locale.ROOT),
        number(Medians.median(pack)),
        number(Medians.median(unpack)),
        number(bytes / (double) updates.count()));
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
