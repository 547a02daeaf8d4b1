package org.sparkgpugraph.benchmarks.engine;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.vector.Norms;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Vectors;

/**
 * Prints the time of a superstep in which every vertex sums its in-neighbours' vectors of k floats,
 * with and without weights of edges (given ones, and dot products of both ends' vectors) and with
 * vertex programs that do more, normalising the sum by exponentials among them: on the CPU engine
 * beside hand-written loops over {@code float[n * k]}, on a device with lanes that share an edge
 * and without. Arguments are the R-MAT scale (20), the engine (cpu, cuda or emulated), the number
 * of threads (all cores) and the lengths (16 32 64 128); of a device a negative length tries other
 * constants for that many floats.
 */
public final class FeatureRates {
  /** Rounds of the hand-written loops and of the CPU engine, which take turns. */
  private static final int ROUNDS = 21;

  /** Rounds before these, while the JVM compiles: at least so many, and so long. */
  private static final int WARM_ROUNDS = 20;

  private static final long WARM_NANOS = 1_000_000_000;

  /** Rounds on a device, whose clock takes some milliseconds to rise. */
  private static final int DEVICE_ROUNDS = 101;

  /** Vertices that a thread of the hand-written loop takes at once. */
  private static final int BLOCK = 256;

  private final PrintStream out;
  private final ExecutorGraph graph;
  private final int threads;
  private int length;
  private float[] first;
  private float[] sums;

  private FeatureRates(PrintStream out, ExecutorGraph graph, int threads) {
    this.out = out;
    this.graph = graph;
    this.threads = threads;
  }

  /** Runs all measurements. */
  public static void main(String[] args) throws InterruptedException {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    String engine = args.length > 1 ? args[1] : "cpu";
    int threads =
        args.length > 2 ? Integer.parseInt(args[2]) : Runtime.getRuntime().availableProcessors();
    List<String> lengths =
        args.length > 3
            ? Arrays.asList(args).subList(3, args.length)
            : List.of("16", "32", "64", "128");
    ExecutorGraph graph = BenchmarkGraphs.rmat(scale, 16, 1, true);
    System.out.printf(
        "rmat %d: %d vertices, %d edges, %s, %d threads%n",
        scale, graph.vertexCount(), graph.edgeCount(), engine, threads);
    FeatureRates rates = new FeatureRates(System.out, graph, threads);
    if (engine.equals("cpu")) {
      for (String length : lengths) {
        rates.onCpu(Integer.parseInt(length));
      }
      return;
    }
    try (Device device = BenchmarkEngines.device(engine)) {
      out(device);
      for (String length : lengths) {
        int k = Integer.parseInt(length);
        if (k < 0) {
          rates.tune(device, engine, -k);
        } else {
          rates.onDevice(device, engine, k);
        }
      }
    }
  }

  private static void out(Device device) {
    System.out.println(device.properties().name());
  }

  private void begin(int k) {
    length = k;
    first = new float[graph.partitions().get(0).stored() * k];
    sums = new float[first.length];
    Random random = new Random(k);
    for (int i = 0; i < first.length; i++) {
      first[i] = random.nextInt(64) / 64f;
    }
  }

  private void onCpu(int k) throws InterruptedException {
    begin(k);
    for (Program program : programs()) {
      try (EngineRun run = open(new CpuEngine(), program)) {
        int rounds = 0;
        for (long start = System.nanoTime();
            rounds < WARM_ROUNDS || System.nanoTime() - start < WARM_NANOS;
            rounds++) {
          handWritten(program.hand());
          run.step(new double[0]);
        }
        double[] hand = new double[ROUNDS];
        double[] engine = new double[ROUNDS];
        double[] rates = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
          hand[i] = handWritten(program.hand()) / 1e6;
          engine[i] = run.step(new double[0]).nanos() / 1e6;
          rates[i] = hand[i] / engine[i];
        }
        double rate = median(rates);
        out.printf(
            "k = %-4d %-28s %8.2f ms, hand-written %-12s %8.2f ms: %.2f of its rate (%.2f to"
                + " %.2f)%n",
            k,
            program.name(),
            median(engine),
            program.hand(),
            median(hand),
            rate,
            rates[ROUNDS / 4],
            rates[ROUNDS - 1 - ROUNDS / 4]);
      }
    }
  }

  /** The median; sorts. */
  private static double median(double[] numbers) {
    Arrays.sort(numbers);
    return numbers[numbers.length / 2];
  }

  private void onDevice(Device device, String name, int k) {
    begin(k);
    for (Program program : programs()) {
      double[] times = new double[2];
      for (int i = 0; i < 2; i++) {
        DenseTuning tuning = DenseTuning.DEFAULT.withFeatures(i == 0);
        DeviceSettings settings = DeviceSettings.DEFAULT.withTuning(tuning);
        times[i] = time(new DeviceEngine(name, device, settings), program);
      }
      double bytes = graph.edgeCount() * (4.0 * k + 4);
      out.printf(
          "k = %-4d %-28s %8.4f ms shared by lanes, %6.0f GB/s asked for; %8.4f ms by a thread each:"
              + " %.2f times%n",
          k, program.name(), times[0], bytes / times[0] / 1e6, times[1], times[1] / times[0]);
    }
  }

  /** The first program with other constants than the policy's. */
  private void tune(Device device, String name, int k) {
    begin(k);
    for (int[] constants : new int[][] {{4, 4}, {8, 3}, {8, 4}}) {
      for (int degree : new int[] {128, 256, 512}) {
        for (int chunk : new int[] {512, 1024, 2048, 4096}) {
          DenseTuning tuning = DenseTuning.DEFAULT.withConstants(constants[0], 0, constants[1]);
          DeviceSettings settings =
              DeviceSettings.DEFAULT.withTuning(tuning).withHubs(degree, chunk);
          out.printf(
              "k = %-4d depth %d, %d blocks, hubs of %4d edges, chunks of %4d: %8.4f ms%n",
              k,
              constants[0],
              constants[1],
              degree,
              chunk,
              time(new DeviceEngine(name, device, settings), programs().get(0)));
        }
      }
    }
  }

  /** The hand-written loop that a program is beside: it knows nothing of vertex programs. */
  private enum Hand {
    SUM,
    WEIGHTED,
    DOT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record Program(String name, Hand hand, ProgramInstance instance) {}

  private List<Program> programs() {
    return List.of(
        program(
            "sum",
            Hand.SUM,
            (id, value, message) -> message,
            edge -> edge.sendToDst(edge.srcAttr())),
        program(
            "sum and axpy",
            Hand.SUM,
            (id, value, message) -> Vectors.axpy(0.5f, message, value),
            edge -> edge.sendToDst(edge.srcAttr())),
        program(
            "weighted sum",
            Hand.WEIGHTED,
            (id, value, message) -> message,
            edge -> edge.sendToDst(Vectors.scale((float) (double) edge.attr(), edge.srcAttr()))),
        program(
            "normalised sum",
            Hand.SUM,
            (id, value, message) -> normalised(message),
            edge -> edge.sendToDst(edge.srcAttr())),
        program(
            "dot product weight",
            Hand.DOT,
            (id, value, message) -> Norms.unitSum(message),
            edge ->
                edge.sendToDst(
                    Vectors.scale(
                        Reductions.dot(edge.srcAttr(), edge.dstAttr()), edge.srcAttr()))));
  }

  /** Probabilities in the ratio of exponentials, as soft labels and beliefs have them. */
  private static float[] normalised(float[] logarithms) {
    float most = Reductions.max(logarithms);
    float[] result = new float[logarithms.length];
    float total = 0;
    for (int i = 0; i < result.length; i++) {
      result[i] = (float) Math.exp(logarithms[i] - most);
      total += result[i];
    }
    for (int i = 0; i < result.length; i++) {
      result[i] /= total;
    }
    return result;
  }

  private Program program(
      String name,
      Hand hand,
      VertexProgram<float[], float[]> vertexProgram,
      SendMessage<float[], Double, float[]> send) {
    ValueType vector = new ValueType.Vector(Kind.FLOAT, length);
    MergeMessage<float[]> merge = Vectors::add;
    ProgramSource source =
        new ProgramSource(
            vector,
            new ValueType.Scalar(Kind.DOUBLE),
            vector,
            null,
            vertexProgram,
            send,
            merge,
            null,
            List.of(),
            List.of(),
            null);
    return new Program(name, hand, ProgramLifter.lift(source));
  }

  private EngineRun open(Engine engine, Program program) {
    RunSettings settings =
        new RunSettings(
            null,
            new Object[] {new float[length]},
            ActiveDirection.OUT,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            KernelChoice.AUTO,
            threads,
            null);
    GraphPartition partition = graph.partitions().get(0);
    ValueType type = program.instance().program().attribute();
    Columns attributes = Columns.allocate(type.columns(), partition.stored());
    System.arraycopy(first, 0, attributes.floats(0), 0, first.length);
    EngineRun run = engine.open(graph, program.instance(), List.of(attributes), settings);
    run.initialise();
    return run;
  }

  /** Milliseconds of a superstep's kernels on a device, the median. */
  private double time(DeviceEngine engine, Program program) {
    try (DeviceRun run = (DeviceRun) open(engine, program)) {
      double[] millis = new double[DEVICE_ROUNDS];
      long before = 0;
      for (int i = 0; i < millis.length; i++) {
        run.step(new double[0]);
        long kernels = run.timings().kernelNanos();
        millis[i] = (kernels - before) / 1e6;
        before = kernels;
      }
      return median(millis);
    }
  }

  // ---- the hand-written loops -----------------------------------------------------------------

  private long handWritten(Hand hand) throws InterruptedException {
    GraphPartition partition = graph.partitions().get(0);
    AtomicInteger taken = new AtomicInteger();
    long start = System.nanoTime();
    Thread[] team = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      team[t] =
          new Thread(
              () -> {
                int n = partition.stored();
                for (int from; (from = taken.getAndAdd(BLOCK)) < n; ) {
                  block(hand, partition, from, Math.min(n, from + BLOCK));
                }
              });
      team[t].start();
    }
    for (Thread thread : team) {
      thread.join();
    }
    return System.nanoTime() - start;
  }

  private void block(Hand hand, GraphPartition partition, int from, int to) {
    int[] offsets = partition.inEdges().offsets();
    int[] neighbours = partition.inEdges().neighbours();
    switch (hand) {
      case SUM -> sum(offsets, neighbours, first, sums, length, from, to);
      case WEIGHTED -> {
        double[] weights = partition.edgeValues(true).doubles(0);
        weighted(offsets, neighbours, weights, first, sums, length, from, to);
      }
      case DOT -> dot(offsets, neighbours, first, sums, length, from, to);
    }
  }

  private static void sum(
      int[] offsets, int[] neighbours, float[] values, float[] sums, int k, int from, int to) {
    for (int v = from; v < to; v++) {
      int at = v * k;
      Arrays.fill(sums, at, at + k, 0);
      int end = offsets[v + 1];
      for (int e = offsets[v]; e < end; e++) {
        int source = neighbours[e] * k;
        for (int i = 0; i < k; i++) {
          sums[at + i] += values[source + i];
        }
      }
    }
  }

  private static void weighted(
      int[] offsets,
      int[] neighbours,
      double[] weights,
      float[] values,
      float[] sums,
      int k,
      int from,
      int to) {
    for (int v = from; v < to; v++) {
      int at = v * k;
      Arrays.fill(sums, at, at + k, 0);
      int end = offsets[v + 1];
      for (int e = offsets[v]; e < end; e++) {
        int source = neighbours[e] * k;
        float weight = (float) weights[e];
        for (int i = 0; i < k; i++) {
          sums[at + i] += weight * values[source + i];
        }
      }
    }
  }

  private static void dot(
      int[] offsets, int[] neighbours, float[] values, float[] sums, int k, int from, int to) {
    for (int v = from; v < to; v++) {
      int at = v * k;
      Arrays.fill(sums, at, at + k, 0);
      int end = offsets[v + 1];
      for (int e = offsets[v]; e < end; e++) {
        int source = neighbours[e] * k;
        float weight = 0;
        for (int i = 0; i < k; i++) {
          weight += values[source + i] * values[at + i];
        }
        for (int i = 0; i < k; i++) {
          sums[at + i] += weight * values[source + i];
        }
      }
    }
  }
}
