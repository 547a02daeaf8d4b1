package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SpreadingCase;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.StopSettings;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Supersteps whose rows are sorted by an edge value and stop early, on any device: the values are
 * those of a sequential Pregel.
 */
abstract class SortedRowsStopSuite {
  private static final StopSettings ALWAYS =
      new StopSettings(0, 0).withSorting(StopSettings.Sorting.ALWAYS);

  private static final SendMessage<Integer, Integer, Integer> SUMS =
      e -> {
        if (e.srcAttr() + e.attr() < e.dstAttr()) {
          e.sendToDst(e.srcAttr() + e.attr());
        }
      };

  /**
   * Opens devices, or skips the test with the reason.
   *
   * @param seed of the order in which emulated ones run their lanes and blocks
   * @param most how many at most
   * @return at least one
   */
  abstract List<Device> openDevices(int seed, int most);

  /**
   * A program whose messages depend on an edge value.
   *
   * @param edge kind of the edge values
   * @param worst value of who has not heard anything
   * @param value of an edge, from a number in [0, 1)
   * @param sorts whether its rows can be sorted
   */
  private record Case(
      String name,
      Kind kind,
      Kind edge,
      ProgramInstance program,
      Object worst,
      DoubleUnaryOperator value,
      boolean sorts) {
    SpreadingCase spreading() {
      return new SpreadingCase(name, kind, program, worst, sorts);
    }
  }

  private static Case paths(String name, DoubleUnaryOperator value) {
    SendMessage<Double, Double, Double> send =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
        };
    return doubles(name, send, true, value, true);
  }

  private static Case doubles(
      String name,
      SendMessage<Double, Double, Double> send,
      boolean least,
      DoubleUnaryOperator value,
      boolean sorts) {
    ProgramInstance program =
        least
            ? SpreadingCase.lift(
                Double.class, Double.class, (id, own, m) -> Math.min(own, m), send, Math::min)
            : SpreadingCase.lift(
                Double.class, Double.class, (id, own, m) -> Math.max(own, m), send, Math::max);
    Object worst = least ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    return new Case(name, Kind.DOUBLE, Kind.DOUBLE, program, worst, value, sorts);
  }

  private static Case ints(
      String name,
      SendMessage<Integer, Integer, Integer> send,
      int worst,
      DoubleUnaryOperator value,
      boolean sorts) {
    return new Case(
        name,
        Kind.INT,
        Kind.INT,
        SpreadingCase.lift(
            Integer.class, Integer.class, (id, own, m) -> Math.min(own, m), send, Math::min),
        worst,
        value,
        sorts);
  }

  private static List<Case> cases() {
    SendMessage<Double, Double, Double> backwards =
        e -> {
          if (e.dstAttr() + e.attr() < e.srcAttr()) {
            e.sendToSrc(e.dstAttr() + e.attr());
          }
        };
    SendMessage<Double, Double, Double> bottleneck =
        e -> {
          if (Math.min(e.srcAttr() * 100, e.attr()) > e.dstAttr()) {
            e.sendToDst(Math.min(e.srcAttr() * 100, e.attr()));
          }
        };
    SendMessage<Double, Double, Double> steepest =
        e -> {
          if (Math.max(e.srcAttr() - 20, e.attr()) < e.dstAttr()) {
            e.sendToDst(Math.max(e.srcAttr() - 20, e.attr()));
          }
        };
    SendMessage<Double, Double, Double> left =
        e -> {
          if (e.srcAttr() - e.attr() > e.dstAttr()) {
            e.sendToDst(e.srcAttr() - e.attr());
          }
        };
    SendMessage<Double, Double, Double> negated =
        e -> {
          if (e.srcAttr() - -e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() - -e.attr());
          }
        };
    SendMessage<Double, Double, Double> both =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
          if (e.dstAttr() + e.attr() < e.srcAttr()) {
            e.sendToSrc(e.dstAttr() + e.attr());
          }
        };
    SendMessage<Double, Double, Double> products =
        e -> {
          if (e.srcAttr() * e.attr() > e.dstAttr()) {
            e.sendToDst(e.srcAttr() * e.attr());
          }
        };
    SendMessage<Float, Integer, Float> integers =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
        };
    SendMessage<Double, Long, Double> longs =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
        };
    SendMessage<Float, Float, Float> floats =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
        };
    SendMessage<Integer, Integer, Integer> further =
        e -> {
          if (e.srcAttr() + e.attr() + 1 < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr() + 1);
          }
        };
    SendMessage<Integer, Integer, Integer> less =
        e -> {
          if (e.srcAttr() - e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() - e.attr());
          }
        };
    return List.of(
        paths("paths", x -> 1 + Math.floor(9 * x)),
        paths("paths of all lengths", x -> Math.exp(20 * x)),
        paths("paths of small lengths", x -> x * x),
        paths("edges of one length", x -> 3),
        paths("edges without length", x -> x < 0.5 ? 0 : x < 0.6 ? -0.0 : Math.floor(8 * x)),
        paths("edges whose values are no numbers", x -> x < 0.2 ? Double.NaN : 9 * x),
        paths("no edge has a number", x -> Double.NaN),
        paths("infinite edges", x -> x < 0.2 ? Double.POSITIVE_INFINITY : 9 * x),
        doubles("paths backwards", backwards, true, x -> 1 + Math.floor(9 * x), true),
        doubles("the widest way", bottleneck, false, x -> Math.floor(1000 * x), true),
        doubles("the least slope", steepest, true, x -> Math.floor(90 * x) - 50, true),
        doubles("less than nothing", steepest, true, x -> -1 - Math.floor(90 * x), true),
        doubles("what is left", left, false, x -> 1 + Math.floor(9 * x), true),
        doubles("the opposite is taken away", negated, true, x -> 1 + Math.floor(9 * x), true),
        doubles("paths both ways", both, true, x -> 1 + Math.floor(9 * x), false),
        doubles("reliable ways", products, false, x -> 0.2 + 0.7 * x, false),
        new Case(
            "integers on the way to floats",
            Kind.FLOAT,
            Kind.INT,
            SpreadingCase.lift(
                Float.class, Integer.class, (id, own, m) -> Math.min(own, m), integers, Math::min),
            Float.POSITIVE_INFINITY,
            x -> Math.floor(100_000 * x),
            true),
        new Case(
            "longs on the way to doubles",
            Kind.DOUBLE,
            Kind.LONG,
            SpreadingCase.lift(
                Double.class, Long.class, (id, own, m) -> Math.min(own, m), longs, Math::min),
            Double.POSITIVE_INFINITY,
            x -> Math.floor(1e15 * x),
            true),
        new Case(
            "floats",
            Kind.FLOAT,
            Kind.FLOAT,
            SpreadingCase.lift(
                Float.class, Float.class, (id, own, m) -> Math.min(own, m), floats, Math::min),
            Float.POSITIVE_INFINITY,
            x -> 1 + 63 * x,
            true),
        ints("integers", SUMS, 1 << 30, x -> 1 + Math.floor(9 * x), true),
        ints("integers less than nothing", SUMS, 1 << 30, x -> x < 0.1 ? 0 : 9 * x, true),
        ints("integers and one more", further, 1 << 30, x -> 1 + Math.floor(9 * x), false),
        ints("integers that are taken away", less, 1 << 30, x -> -1 - Math.floor(9 * x), false));
  }

  private static SimpleGraph valued(SimpleGraph graph, Case program, Random random) {
    Columns values =
        SpreadingCase.column(
            program.edge(),
            graph.sources.length,
            Double.NaN,
            e -> program.value().applyAsDouble(random.nextDouble()));
    return new SimpleGraph(graph.ids, graph.present, graph.sources, graph.destinations, values);
  }

  /**
   * Degrees around the sizes of warps and of what lanes walk themselves, hubs, holes, ends; values
   * of all kinds and courses.
   */
  @Test
  void valuesAreThoseOfASequentialPregel() {
    int seed = 0;
    for (Case program : cases()) {
      long stopped = 0;
      // Of programs whose rows are not sorted one graph shows that they are not.
      for (int shape : program.sorts() ? new int[] {0, 1, 2, 4} : new int[] {1}) {
        Random random = new Random(++seed);
        SimpleGraph graph = valued(SpreadingCase.graph(shape, random), program, random);
        Columns values = program.spreading().values(graph, random);
        RunSettings settings = program.spreading().settings(1);
        IrPregelOracle oracle = IrPregelOracle.ended(graph, program.program(), values, settings);
        StopSettings usual = StopSettings.DEFAULT.withSorting(StopSettings.Sorting.ALWAYS);
        for (StopSettings stops : shape == 4 ? List.of(ALWAYS, usual) : List.of(ALWAYS)) {
          String what = program.name() + ", seed " + seed + ", " + stops;
          stopped +=
              run(
                  seed,
                  1,
                  EarlyStopsSuite.device(stops),
                  program,
                  graph,
                  values,
                  oracle,
                  what,
                  step -> {});
        }
      }
      boolean heard = !program.name().equals("no edge has a number");
      assertThat(stopped > 0).as(program.name()).isEqualTo(program.sorts() && heard);
    }
  }

  /**
   * Runs a case and checks its values.
   *
   * @param runs how many, one after the other
   * @param steps hears of each superstep
   * @return the supersteps of the last run in which rows stopped early
   */
  private long run(
      int seed,
      int runs,
      DeviceSettings how,
      Case program,
      SimpleGraph graph,
      Columns values,
      IrPregelOracle oracle,
      String what,
      Consumer<SuperstepStats> steps) {
    RunSettings settings = program.spreading().settings(1);
    List<Device> devices = openDevices(seed, 1);
    long stopped = 0;
    try (DeviceEngine engine = new DeviceEngine("any", devices.get(0), how)) {
      for (int i = 0; i < runs; i++) {
        try (DeviceRun run = engine.open(graph, program.program(), graph.split(values), settings)) {
          SuperstepLoop.run("any", run, settings, graph.ids.length, List.of(), steps::accept);
          oracle.check(run, what);
          stopped = run.stopped();
        }
      }
    } finally {
      devices.forEach(Device::close);
    }
    return stopped;
  }

  /**
   * Whoever is active would overflow over the largest edge value of all, which nobody of them has.
   */
  @Test
  void sumsThatMayOverflowBoundNothing() {
    int n = 600;
    Random random = new Random(5);
    List<int[]> edges = new ArrayList<>();
    for (int e = 0; e < 9 * n; e++) {
      edges.add(new int[] {random.nextInt(n), random.nextInt(n)});
    }
    edges.add(new int[] {n, n + 1});
    for (int largest : new int[] {9, Integer.MAX_VALUE}) {
      Case sums = ints("integers", SUMS, 1 << 30, x -> 1 + Math.floor(9 * x), true);
      SimpleGraph shape = SpreadingCase.graph(n + 2, edges);
      int last = edges.size() - 1;
      Columns lengths =
          SpreadingCase.column(
              Kind.INT, edges.size(), 0, e -> e == last ? largest : 1 + random.nextInt(9));
      SimpleGraph graph =
          new SimpleGraph(shape.ids, shape.present, shape.sources, shape.destinations, lengths);
      Columns values =
          SpreadingCase.column(
              Kind.INT, n + 2, 1 << 30, v -> v == 0 ? 7 : v == n ? -5 : Double.NaN);
      IrPregelOracle oracle =
          IrPregelOracle.ended(graph, sums.program(), values, sums.spreading().settings(1));
      String what = "largest edge value " + largest;
      long stopped =
          run(1, 1, EarlyStopsSuite.device(ALWAYS), sums, graph, values, oracle, what, step -> {});
      assertThat(stopped > 0).as(what).isEqualTo(largest == 9);
    }
  }

  /** Long rows of which few edges are light: these are looked at, on a graph that is run again. */
  @Test
  void fewEdgesAreWalkedOfAGraphThatIsRunAgain() {
    int n = 4000;
    Random random = new Random(3);
    List<int[]> edges = new ArrayList<>();
    for (int v = 1; v <= n / 2; v++) {
      edges.add(new int[] {0, v});
    }
    for (int v = n / 2 + 1; v < n; v++) {
      for (int e = 0; e < 300; e++) {
        edges.add(new int[] {1 + random.nextInt(n / 2), v});
      }
    }
    Case paths = paths("paths", x -> 1 + Math.floor(64 * x));
    SimpleGraph graph = valued(SpreadingCase.graph(n, edges), paths, random);
    Columns values =
        SpreadingCase.column(
            Kind.DOUBLE, n, Double.POSITIVE_INFINITY, v -> v == 0 ? 0 : Double.NaN);
    IrPregelOracle oracle =
        IrPregelOracle.ended(graph, paths.program(), values, paths.spreading().settings(1));
    List<Long> evaluated = new ArrayList<>();
    for (StopSettings.Sorting sorting :
        List.of(StopSettings.Sorting.AGAIN, StopSettings.Sorting.NEVER)) {
      for (int runs = 1; runs <= 2; runs++) {
        DeviceSettings how =
            DeviceSettings.DEFAULT
                .withReserve(0)
                .withPush(
                    PushSettings.DEFAULT.withStops(StopSettings.DEFAULT.withSorting(sorting)));
        List<Long> steps = new ArrayList<>();
        String what = sorting + ", " + runs + " runs";
        long stopped =
            run(
                1,
                runs,
                how,
                paths,
                graph,
                values,
                oracle,
                what,
                step -> steps.add(step.edgesEvaluated()));
        boolean sorted = sorting == StopSettings.Sorting.AGAIN && runs == 2;
        assertThat(stopped > 0).as(what).isEqualTo(sorted);
        if (runs == 2) {
          evaluated.add(
              steps.subList(steps.size() / 2, steps.size()).stream()
                  .mapToLong(Long::longValue)
                  .sum());
        }
      }
    }
    assertThat(evaluated.get(0)).as("edges looked at").isLessThan(evaluated.get(1) / 3);
  }

  /**
   * Rows of few edges whose values are far apart are walked to their ends: once, and never again.
   */
  @Test
  void whatGainsNothingIsNotDoneAgain() {
    int n = 3000;
    Random random = new Random(4);
    List<int[]> edges = new ArrayList<>();
    for (int e = 0; e < 8 * n; e++) {
      edges.add(new int[] {random.nextInt(n), random.nextInt(n)});
    }
    Case paths = paths("paths", x -> 1 + Math.floor(64 * x));
    SimpleGraph graph = valued(SpreadingCase.graph(n, edges), paths, random);
    Columns values =
        SpreadingCase.column(
            Kind.DOUBLE, n, Double.POSITIVE_INFINITY, v -> v == 0 ? 0 : Double.NaN);
    IrPregelOracle oracle =
        IrPregelOracle.ended(graph, paths.program(), values, paths.spreading().settings(1));
    DeviceSettings how =
        DeviceSettings.DEFAULT
            .withReserve(0)
            .withPush(
                PushSettings.DEFAULT.withStops(
                    new StopSettings(0.1, 0.05, StopSettings.Sorting.AGAIN)));
    long[] stopped = new long[4];
    for (int runs = 1; runs < stopped.length; runs++) {
      stopped[runs] = run(1, runs, how, paths, graph, values, oracle, runs + " runs", step -> {});
    }
    assertThat(stopped[1]).isZero();
    assertThat(stopped[2]).isOne();
    assertThat(stopped[3]).isZero();
  }
}
