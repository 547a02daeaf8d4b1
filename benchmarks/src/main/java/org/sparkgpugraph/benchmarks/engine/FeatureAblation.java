package org.sparkgpugraph.benchmarks.engine;

import java.io.PrintStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.function.ActiveWhen;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.delta.Deltas;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.vector.Vectors;

/**
 * ONYX's ablation: soft labels of k floats on an R-MAT graph until none moves by more than ε, with
 * and without lanes that share arrays (feature-aware), with every edge in every superstep and with
 * differences only (change-driven). Prints supersteps, edges evaluated and the time of the kernels
 * (of the supersteps on the CPU engine), the median of several runs.
 *
 * <pre>
 * FeatureAblation [scale = 18] [engine = cpu] [threads = all] [epsilon = 1e-3] [k = 1 2 4 … 128]
 * </pre>
 */
public final class FeatureAblation {
  private static final int ROUNDS = 3;
  private static final int MOST = 200;

  /** A vertex's labels, now and at the start. */
  public record Labels(float[] now, float[] first) implements Serializable {}

  /** What a run took. */
  private record Taken(int supersteps, long edges, double millis) {}

  private final PrintStream out;
  private final ExecutorGraph graph;
  private final int threads;
  private final double epsilon;

  private FeatureAblation(PrintStream out, ExecutorGraph graph, int threads, double epsilon) {
    this.out = out;
    this.graph = graph;
    this.threads = threads;
    this.epsilon = epsilon;
  }

  /** Runs it and prints a table. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 18;
    String name = args.length > 1 ? args[1] : "cpu";
    int threads =
        args.length > 2 ? Integer.parseInt(args[2]) : Runtime.getRuntime().availableProcessors();
    double epsilon = args.length > 3 ? Double.parseDouble(args[3]) : 1e-3;
    List<String> lengths =
        args.length > 4
            ? Arrays.asList(args).subList(4, args.length)
            : List.of("1", "2", "4", "8", "16", "32", "64", "128");
    ExecutorGraph graph = BenchmarkGraphs.rmat(scale, 16, 1, true);
    System.out.printf(
        Locale.ROOT,
        "rmat %d: %d vertices, %d edges, %s, epsilon %s%n",
        scale,
        graph.vertexCount(),
        graph.edgeCount(),
        name,
        epsilon);
    FeatureAblation ablation = new FeatureAblation(System.out, graph, threads, epsilon);
    if (name.equals("cpu")) {
      for (String length : lengths) {
        ablation.measure(Integer.parseInt(length), List.of(new CpuEngine()));
      }
    } else {
      try (Device device = BenchmarkEngines.device(name)) {
        System.out.println(device.properties().name());
        for (String length : lengths) {
          ablation.measure(
              Integer.parseInt(length),
              List.of(engine(name, device, false), engine(name, device, true)));
        }
      }
    }
  }

  private static Engine engine(String name, Device device, boolean shared) {
    DenseTuning tuning = DenseTuning.DEFAULT.withFeatures(shared);
    return new DeviceEngine(name, device, DeviceSettings.DEFAULT.withTuning(tuning));
  }

  /** The engines: with threads that have arrays of their own first. */
  private void measure(int k, List<Engine> engines) {
    double slowest = 0;
    for (boolean changes : new boolean[] {false, true}) {
      for (int i = 0; i < engines.size(); i++) {
        Taken[] taken = new Taken[ROUNDS];
        for (int round = -1; round < ROUNDS; round++) {
          Taken here = run(engines.get(i), k, changes);
          if (round >= 0) {
            taken[round] = here;
          }
        }
        Arrays.sort(taken, (a, b) -> Double.compare(a.millis, b.millis));
        Taken median = taken[ROUNDS / 2];
        slowest = slowest == 0 ? median.millis : slowest;
        out.printf(
            Locale.ROOT,
            "k = %-4d %-26s %-16s %3d supersteps, %7.1f M edges, %9.3f ms: %.2f times%n",
            k,
            engines.size() == 1 ? "CPU" : i == 0 ? "a thread an array" : "lanes share arrays",
            changes ? "change-driven" : "every edge",
            median.supersteps,
            median.edges / 1e6,
            median.millis,
            slowest / median.millis);
      }
    }
  }

  private Taken run(Engine engine, int k, boolean changes) {
    ProgramInstance program = program(k, changes);
    Object[] zeros = {new float[k]};
    RunSettings settings =
        new RunSettings(
            zeros,
            changes ? null : zeros,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            MOST,
            false,
            KernelChoice.AUTO,
            threads,
            null);
    Columns attributes =
        Columns.allocate(
            program.program().attribute().columns(), graph.partitions().get(0).stored());
    try (EngineRun run = engine.open(graph, program, List.of(attributes), settings)) {
      RunSummary summary =
          SuperstepLoop.run(
              engine.name(),
              run,
              settings,
              graph.vertexCount(),
              program.program().aggregates(),
              stats -> {});
      double nanos =
          run instanceof DeviceRun device
              ? device.timings().kernelNanos()
              : summary.supersteps().stream().mapToLong(SuperstepStats::nanos).sum();
      long edges = summary.supersteps().stream().mapToLong(SuperstepStats::edgesEvaluated).sum();
      return new Taken(summary.supersteps().size(), edges, nanos / 1e6);
    }
  }

  /** A sixteenth of the vertices has a label at the start; of the others all are as likely. */
  private ProgramInstance program(int k, boolean changes) {
    StateFunction<Double, Labels> state =
        (id, attribute, in, out) -> {
          float[] first = new float[k];
          boolean known = id % 16 == 0;
          for (int i = 0; i < k; i++) {
            first[i] = known ? (id / 16 % k == i ? 1 : 0) : 1f / k;
          }
          return new Labels(first, first);
        };
    VertexProgram<Labels, float[]> vertexProgram =
        (id, value, sum) -> {
          float total = 0;
          for (int i = 0; i < k; i++) {
            total += sum[i];
          }
          float share = total > 0 ? 0.8f / total : 0;
          float[] now = new float[k];
          for (int i = 0; i < k; i++) {
            now[i] = 0.2f * value.first()[i] + share * sum[i];
          }
          return new Labels(now, value.first());
        };
    SendMessage<Labels, Double, float[]> send =
        edge -> edge.sendToDst(Vectors.scale((float) (double) edge.attr(), edge.srcAttr().now()));
    MergeMessage<float[]> merge = Vectors::add;
    double most = epsilon;
    ActiveWhen<Labels> activeWhen =
        (id, before, after) -> {
          boolean moved = false;
          for (int i = 0; i < k; i++) {
            moved |= Math.abs(after.now()[i] - before.now()[i]) > most;
          }
          return moved;
        };
    ProgramInstance lifted =
        ProgramLifter.lift(
            new ProgramSource(
                new ValueType.Scalar(Kind.DOUBLE),
                new ValueType.Scalar(Kind.DOUBLE),
                new ValueType.Vector(Kind.FLOAT, k),
                state,
                vertexProgram,
                send,
                merge,
                changes ? null : activeWhen,
                List.of(),
                List.of(),
                null));
    return changes ? Deltas.apply(lifted, epsilon) : lifted;
  }
}
