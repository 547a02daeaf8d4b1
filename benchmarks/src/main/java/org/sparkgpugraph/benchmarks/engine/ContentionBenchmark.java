package org.sparkgpugraph.benchmarks.engine;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.RunCounts;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
      split = ",",
      description =
          "Senders that are active behind the first superstep; several are compared; default"
              + " 131072.")
  private List<Integer> actives = List.of(1 << 17);

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

  @Option(
      names = "--share",
      paramLabel = "PART",
      description =
          "Part of all vertices and edges up to which it does so in a superstep; default 0.125.")
  private double share = DelegateSettings.DEFAULT.share();

  @Option(
      names = "--hub-degree",
      paramLabel = "N",
      split = ",",
      description =
          "Rows of more edges than this are gathered by several warps, in more ways to compare:"
              + " short lists of long rows leave warps idle else; 0: no such way; default 0.")
  private List<Integer> hubDegrees = List.of(0);

  @Option(names = "--supersteps", paramLabel = "N", description = "Of a run; default 12.")
  private int supersteps = 12;

  @Option(names = "--runs", paramLabel = "N", description = "Behind one to warm up; default 3.")
  private int runs = 3;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Where the measurements go as JSON, an object per line; a new file.")
  private Path json;

  @Spec private CommandSpec spec;

  private final PrintStream out;

  /** A message, the least of which is the one with the least length, then the least sender. */
  public record Route(long length, long from, long stops, long mark, long end)
      implements Serializable {}

  /** One way to merge. */
  private record Way(String title, KernelChoice kernel, DeviceSettings how) {}

  /**
   * A graph, and what a superstep of it has to do.
   *
   * @param receivers vertices that share the messages
   * @param active senders that are active
   * @param messages of a superstep, which are as many active edges
   * @param reached rows that a message ends in
   * @param walked edges of those rows: what a gather of them walks; one of all rows walks all edges
   * @param longest edges of the longest row
   */
  private record Case(
      ExecutorGraph graph,
      int receivers,
      int active,
      long messages,
      long reached,
      long walked,
      int longest) {}

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
  public Integer call() throws IOException {
    boolean some = senders > 0 && degree > 0 && runs > 0 && supersteps > 1;
    if (!some || actives.stream().anyMatch(active -> active < 1 || active > senders)) {
      out.printf(
          "--senders %d, --degree %d and --runs %d must be at least 1, --supersteps %d at least 2,"
              + " --active %s 1 to the senders%n",
          senders, degree, runs, supersteps, commas(actives));
      return 2;
    }
    if (receivers.stream().anyMatch(count -> count < 1)) {
      out.printf("--receivers %s must be at least 1%n", commas(receivers));
      return 2;
    }
    List<Way> ways;
    try {
      ways = ways();
    } catch (IllegalArgumentException e) {
      out.println(
          "--blocks, --servers, --staged, --reach, --share or --hub-degree: " + e.getMessage());
      return 2;
    }
    boolean right = true;
    RunCounts.newJson(json, spec);
    try (Device device = BenchmarkEngines.device(engine);
        DeviceEngine on = new DeviceEngine(engine, device, DeviceSettings.DEFAULT)) {
      out.println(device.properties().name());
      for (int count : receivers) {
        for (int active : actives) {
          right &= measure(on, graph(count, active), ways);
        }
      }
    }
    return right ? 0 : 1;
  }

  private static String commas(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private List<Way> ways() {
    DelegateSettings own = DelegateSettings.DEFAULT;
    List<Way> ways = new ArrayList<>();
    ways.add(way("gathered, all rows", KernelChoice.DENSE, own));
    ways.add(way("gathered, rows that are reached", KernelChoice.SPARSE, own));
    for (int hubs : hubDegrees) {
      if (hubs != 0) {
        String title = "gathered, all rows, by several warps from " + hubs;
        DeviceSettings how = DeviceSettings.DEFAULT.withHubs(hubs, 2 * hubs);
        ways.add(new Way(title, KernelChoice.DENSE, how));
      }
    }
    DelegateSettings rule = own.withReach(reach).withShare(share);
    ways.add(way("as auto chooses by rows of " + reach, KernelChoice.AUTO, rule));
    for (int count : blocks) {
      String all = count == 0 ? "all blocks" : count + " blocks";
      DelegateSettings how = own.withBlocks(count);
      ways.add(way("locks, " + all, KernelChoice.DELEGATED, how.withLocks()));
      for (int merging : count == 0 ? servers : List.of(0)) {
        for (int collected : count == 0 && merging == 0 ? staged : List.of(0)) {
          for (boolean combines : new boolean[] {true, false}) {
            String title = "servers: " + (merging == 0 ? "a quarter" : merging) + " of " + all;
            String kept = collected == 0 ? "" : ", " + collected + " collected";
            ways.add(
                way(
                    title + kept + (combines ? "" : ", not combined"),
                    KernelChoice.DELEGATED,
                    how.withServers(merging).withStaged(collected).withCombines(combines)));
          }
        }
      }
    }
    return ways;
  }

  private static Way way(String title, KernelChoice kernel, DelegateSettings how) {
    PushSettings push = PushSettings.DEFAULT.withDelegate(how);
    return new Way(title, kernel, DeviceSettings.DEFAULT.withPush(push));
  }

  private boolean measure(DeviceEngine on, Case what, List<Way> ways) {
    out.printf(
        Locale.ROOT,
        "%n%d receivers, %d of %d senders active, %.2f M messages a superstep to %d rows of %.2f M"
            + " edges, of %.2f M, the longest of %d%n",
        what.receivers,
        what.active,
        senders,
        what.messages / 1e6,
        what.reached,
        what.walked / 1e6,
        what.graph.edgeCount() / 1e6,
        what.longest);
    boolean right = true;
    Columns reference = null;
    for (Way way : ways) {
      List<Long> nanos = new ArrayList<>();
      Columns values = null;
      for (int run = -1; run < runs; run++) {
        List<Long> times = run < 0 ? new ArrayList<>() : nanos;
        values = run(on.with(way.how), what.graph, way.kernel, times);
      }
      reference = reference == null ? values : reference;
      boolean same = equal(reference, values);
      right &= same;
      double median = Medians.median(nanos);
      out.printf(
          Locale.ROOT,
          "  %-48s %10.3f ms, %8.1f M messages a second%s%n",
          way.title,
          median / 1e6,
          what.messages * 1e3 / median,
          same ? "" : ", WRONG");
      emit(what, way, median / 1e6, same);
    }
    on.release(what.graph);
    return right;
  }

  private void emit(Case what, Way way, double ms, boolean same) {
    if (json != null) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("receivers", what.receivers);
      fields.put("active", what.active);
      fields.put("messages", what.messages);
      fields.put("edges", what.graph.edgeCount());
      fields.put("vertices", what.graph.vertexCount());
      fields.put("reached", what.reached);
      fields.put("walked", what.walked);
      fields.put("longest", what.longest);
      fields.put("way", way.title);
      fields.put("ms", ms);
      fields.put("right", same);
      new BenchmarkReport(out, json).emit(fields);
    }
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
  private Case graph(int count, int active) {
    int edges = Math.addExact(Math.multiplyExact(senders, degree), active);
    int[] sources = new int[edges];
    int[] destinations = new int[edges];
    double[] weights = new double[edges];
    SplittableRandom random = new SplittableRandom(42);
    int[] rows = new int[count];
    boolean[] hears = new boolean[count];
    int e = 0;
    for (int s = 0; s < senders; s++) {
      for (int d = 0; d < degree; d++) {
        sources[e] = count + s;
        int row = random.nextInt(count);
        rows[row]++;
        hears[row] |= s < active;
        destinations[e] = row;
        weights[e++] = random.nextInt(1, 256);
      }
    }
    for (int s = 0; s < active; s++) {
      sources[e] = count + s;
      destinations[e] = count + (s + 1) % active;
      weights[e++] = random.nextInt(1, 256);
    }
    ExecutorGraph graph =
        BenchmarkGraphs.build(
            List.of(new IntEdgeBlock(edges, sources, destinations, weights)), null, Kind.DOUBLE, 1);
    // The active senders have a row of one edge each.
    long reached = active;
    long walked = active;
    int longest = 1;
    for (int row = 0; row < count; row++) {
      reached += hears[row] ? 1 : 0;
      walked += hears[row] ? rows[row] : 0;
      longest = Math.max(longest, rows[row]);
    }
    return new Case(graph, count, active, active * (degree + 1L), reached, walked, longest);
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
