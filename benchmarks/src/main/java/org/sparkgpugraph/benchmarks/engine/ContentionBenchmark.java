package org.sparkgpugraph.benchmarks.engine;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Records of five longs from many senders to few receivers and many (Wang 2020, section 4.6):
 * merged where rows are gathered, under a lock of each receiver, and by servers. Every result is
 * compared with that of the gathered one.
 *
 * <p>Exit status: 0; 1 when a result differs; 2 when the arguments are wrong.
 */
@Command(
    name = "ContentionBenchmark",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Measures how records are merged that no atomic operation merges.",
    description = {
      "",
      "Times are medians over the supersteps of all runs behind the first superstep, by the device's"
          + " clock.",
      ""
    })
public final class ContentionBenchmark implements Callable<Integer> {
  @Option(names = "--engine", paramLabel = "NAME", description = "cuda (default) or emulated.")
  private String engine = "cuda";

  @Option(
      names = "--receivers",
      paramLabel = "N",
      split = ",",
      description =
          "How many vertices share the messages; default 1,10,100,1000,10000,100000,1000000.")
  private List<Integer> receivers = List.of(1, 10, 100, 1000, 10_000, 100_000, 1_000_000);

  @Option(names = "--senders", paramLabel = "N", description = "Senders; default 1048576.")
  private int senders = 1 << 20;

  @Option(
      names = "--active",
      paramLabel = "N",
      description = "Senders that are active behind the first superstep; default 131072.")
  private int active = 1 << 17;

  @Option(names = "--degree", paramLabel = "N", description = "Messages of a sender; default 8.")
  private int degree = 8;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      split = ",",
      description =
          "Thread blocks of a launch that pushes, clients and servers; 0: all that the device holds."
              + " Several are compared; default 2,17,133,0.")
  private List<Integer> blocks = List.of(2, 17, 133, 0);

  @Option(
      names = "--servers",
      paramLabel = "N",
      split = ",",
      description =
          "How many of them merge; 0: a quarter. Several are compared where all blocks are taken;"
              + " default 0,16,64,128.")
  private List<Integer> servers = List.of(0, 16, 64, 128);

  @Option(
      names = "--staged",
      paramLabel = "N",
      split = ",",
      description =
          "Messages that a warp collects before it sends them, at least 32; 0: as many as fit."
              + " Several are compared where servers are 0 and all blocks are taken; default 0,32.")
  private List<Integer> staged = List.of(0, 32);

  @Option(
      names = "--reach",
      paramLabel = "N",
      description =
          "Mean length of the row that an edge is gathered in, from which on --kernel auto has servers"
              + " merge, in one more way to compare; default 64.")
  private int reach = 64;

  @Option(names = "--supersteps", paramLabel = "N", description = "Of a run; default 12.")
  private int supersteps = 12;

  @Option(names = "--runs", paramLabel = "N", description = "Behind one to warm up; default 3.")
  private int runs = 3;

  private final PrintStream out;

  /** A message, the least of which is the one with the least length, then the least sender. */
  public record Route(long length, long from, long stops, long mark, long end)
      implements Serializable {}

  /** One way to merge. */
  private record Way(String title, KernelChoice kernel, DelegateSettings how) {}

  private ContentionBenchmark(PrintStream out) {
    this.out = out;
  }

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    System.exit(execute(System.out, args));
  }

  static int execute(PrintStream out, String... args) {
    PrintWriter writer = new PrintWriter(out, true);
    return new CommandLine(new ContentionBenchmark(out))
        .setOut(writer)
        .setErr(writer)
        .execute(args);
  }

  @Override
  public Integer call() {
    if (senders < 1 || active < 1 || active > senders || degree < 1 || supersteps < 2 || runs < 1) {
      out.printf(
          "--senders %d, --degree %d and --runs %d must be at least 1, --supersteps %d at least 2,"
              + " --active %d 1 to the senders%n",
          senders, degree, runs, supersteps, active);
      return 2;
    }
    List<Way> ways;
    try {
      ways = ways();
    } catch (IllegalArgumentException e) {
      out.println("--blocks, --servers, --staged or --reach: " + e.getMessage());
      return 2;
    }
    boolean right = true;
    try (Device device = BenchmarkEngines.devices(engine, 1).get(0);
        DeviceEngine on = new DeviceEngine(engine, device, DeviceSettings.DEFAULT)) {
      out.println(device.properties().name());
      for (int count : receivers) {
        right &= measure(on, count, ways);
      }
    }
    return right ? 0 : 1;
  }

  private List<Way> ways() {
    DelegateSettings own = DelegateSettings.DEFAULT;
    List<Way> ways = new ArrayList<>();
    ways.add(new Way("gathered, all rows", KernelChoice.DENSE, own));
    ways.add(new Way("gathered, rows that are reached", KernelChoice.SPARSE, own));
    ways.add(
        new Way("as auto chooses by rows of " + reach, KernelChoice.AUTO, own.withReach(reach)));
    for (int count : blocks) {
      String all = count == 0 ? "all blocks" : count + " blocks";
      DelegateSettings how = own.withBlocks(count);
      ways.add(new Way("locks, " + all, KernelChoice.DELEGATED, how.withLocks()));
      for (int merging : count == 0 ? servers : List.of(0)) {
        for (int collected : count == 0 && merging == 0 ? staged : List.of(0)) {
          for (boolean combines : new boolean[] {true, false}) {
            String title = "servers: " + (merging == 0 ? "a quarter" : merging) + " of " + all;
            String kept = collected == 0 ? "" : ", " + collected + " collected";
            ways.add(
                new Way(
                    title + kept + (combines ? "" : ", not combined"),
                    KernelChoice.DELEGATED,
                    how.withServers(merging).withStaged(collected).withCombines(combines)));
          }
        }
      }
    }
    return ways;
  }

  private boolean measure(DeviceEngine on, int count, List<Way> ways) {
    ExecutorGraph graph = graph(count);
    out.printf(
        Locale.ROOT,
        "%n%d receivers, %d of %d senders active, %.2f M messages a superstep%n",
        count,
        active,
        senders,
        active * (degree + 1L) / 1e6);
    boolean right = true;
    Columns reference = null;
    for (Way way : ways) {
      PushSettings push = PushSettings.DEFAULT.withDelegate(way.how);
      DeviceSettings settings = DeviceSettings.DEFAULT.withPush(push);
      List<Long> nanos = new ArrayList<>();
      Columns values = null;
      for (int run = -1; run < runs; run++) {
        values = run(on.with(settings), graph, way.kernel, run < 0 ? new ArrayList<>() : nanos);
      }
      reference = reference == null ? values : reference;
      boolean same = equal(reference, values);
      right &= same;
      nanos.sort(null);
      double median = nanos.get(nanos.size() / 2);
      out.printf(
          Locale.ROOT,
          "  %-48s %10.3f ms, %8.1f M messages a second%s%n",
          way.title,
          median / 1e6,
          active * (degree + 1L) * 1e3 / median,
          same ? "" : ", WRONG");
    }
    on.release(graph);
    return right;
  }

  private Columns run(DeviceEngine on, ExecutorGraph graph, KernelChoice kernel, List<Long> nanos) {
    RunSettings settings =
        new RunSettings(
            new Object[] {0L, 0L, 0L, 0L, 0L},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            supersteps,
            false,
            kernel,
            1,
            null);
    ProgramInstance program = program();
    Columns attributes =
        Columns.allocate(
            program.program().attribute().columns(), graph.partitions().get(0).stored());
    try (EngineRun run = on.open(graph, program, List.of(attributes), settings)) {
      RunSummary summary =
          SuperstepLoop.run(engine, run, settings, graph.vertexCount(), List.of(), stats -> {});
      List<SuperstepStats> all = summary.supersteps();
      for (SuperstepStats stats : all.subList(2, all.size())) {
        nanos.add(stats.times().kernelNanos());
      }
      return run.values(0);
    }
  }

  private static boolean equal(Columns a, Columns b) {
    for (int c = 0; c < a.kinds().size(); c++) {
      if (!Arrays.equals(a.longs(c), b.longs(c))) {
        return false;
      }
    }
    return true;
  }

  /** Receivers first; the active senders hear from each other, and stay active by that. */
  private ExecutorGraph graph(int count) {
    int edges = Math.addExact(Math.multiplyExact(senders, degree), active);
    int[] sources = new int[edges];
    int[] destinations = new int[edges];
    double[] weights = new double[edges];
    SplittableRandom random = new SplittableRandom(42);
    int e = 0;
    for (int s = 0; s < senders; s++) {
      for (int d = 0; d < degree; d++) {
        sources[e] = count + s;
        destinations[e] = random.nextInt(count);
        weights[e++] = random.nextInt(1, 256);
      }
    }
    for (int s = 0; s < active; s++) {
      sources[e] = count + s;
      destinations[e] = count + (s + 1) % active;
      weights[e++] = random.nextInt(1, 256);
    }
    return BenchmarkGraphs.build(
        List.of(new IntEdgeBlock(edges, sources, destinations, weights)), null, Kind.DOUBLE, 1);
  }

  private static ProgramInstance program() {
    StateFunction<Double, Route> state =
        (id, attribute, in, out) -> new Route(id * 0x9e3779b97f4a7c15L >>> 44, id, 0, id * 31, id);
    VertexProgram<Route, Route> vertexProgram =
        (id, value, message) ->
            new Route(
                (value.length() * 31 + message.length()) & 0xfffff,
                message.from(),
                value.stops() + 1,
                value.mark() ^ message.mark(),
                message.end());
    SendMessage<Route, Double, Route> send =
        edge -> {
          Route own = edge.srcAttr();
          edge.sendToDst(
              new Route(
                  own.length() + (long) (double) edge.attr(),
                  edge.srcId(),
                  own.stops(),
                  own.mark(),
                  own.end()));
        };
    MergeMessage<Route> merge =
        (a, b) ->
            a.length() < b.length() || a.length() == b.length() && a.from() <= b.from() ? a : b;
    return ProgramLifter.lift(
        new ProgramSource(
            new ValueType.Scalar(Kind.DOUBLE),
            new ValueType.Scalar(Kind.DOUBLE),
            null,
            state,
            vertexProgram,
            send,
            merge,
            null,
            List.of(),
            List.of(),
            null));
  }
}
