package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.StopSettings;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/** Supersteps whose rows stop early, on any device: the values are those of a sequential Pregel. */
abstract class EarlyStopsSuite {
  /** All that would gather stop, whatever is active. */
  private static final StopSettings ALWAYS = new StopSettings(0, 0);

  /**
   * Opens devices, or skips the test with the reason.
   *
   * @param seed of the order in which emulated ones run their lanes and blocks
   * @param most how many at most
   * @return at least one
   */
  abstract List<Device> openDevices(int seed, int most);

  /**
   * A program that spreads the least or the largest value.
   *
   * @param worst the value of vertices that have not heard anything
   * @param stops whether rows may stop early
   */
  private record Spreading(
      String name, Kind kind, ProgramInstance program, Object worst, boolean stops) {}

  private static <V> ProgramInstance lift(
      Class<V> value,
      VertexProgram<V, V> vertexProgram,
      SendMessage<V, Double, V> send,
      MergeMessage<V> merge) {
    return ProgramLifter.lift(
        new SourceBuilder()
            .attribute(ValueType.of(value))
            .edge(ValueType.of(Double.class))
            .message(ValueType.of(value))
            .vertexProgram(vertexProgram)
            .send(send)
            .merge(merge)
            .build());
  }

  private static List<Spreading> programs() {
    VertexProgram<Integer, Integer> nearer = (id, own, message) -> Math.min(own, message);
    SendMessage<Integer, Double, Integer> levels =
        e -> {
          if (e.srcAttr() != Integer.MAX_VALUE && e.srcAttr() + 1 < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + 1);
          }
        };
    SendMessage<Integer, Double, Integer> bothEnds =
        e -> {
          if (e.srcAttr() < Integer.MAX_VALUE && e.srcAttr() + 1 < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + 1);
          }
          if (e.dstAttr() < Integer.MAX_VALUE && e.dstAttr() + 1 < e.srcAttr()) {
            e.sendToSrc(e.dstAttr() + 1);
          }
        };
    VertexProgram<Long, Long> larger = (id, own, message) -> Math.max(own, message);
    SendMessage<Long, Double, Long> backwards =
        e -> {
          if (e.dstAttr() > e.srcAttr()) {
            e.sendToSrc(e.dstAttr());
          }
        };
    VertexProgram<Float, Float> fewer = (id, own, message) -> Math.min(own, message);
    SendMessage<Float, Double, Float> halves =
        e -> {
          if (e.srcAttr() * 0.5f < e.dstAttr()) {
            e.sendToDst(e.srcAttr() * 0.5f);
          }
        };
    VertexProgram<Double, Double> more = (id, own, message) -> Math.max(own, message);
    SendMessage<Double, Double, Double> fades =
        e -> {
          if (e.srcAttr() - 1 > e.dstAttr()) {
            e.sendToDst(e.srcAttr() - 1);
          }
        };
    VertexProgram<Double, Double> shorter = (id, own, message) -> Math.min(own, message);
    SendMessage<Double, Double, Double> paths =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
        };
    Integer far = Integer.MAX_VALUE;
    Double below = Double.NEGATIVE_INFINITY;
    return List.of(
        new Spreading(
            "levels", Kind.INT, lift(Integer.class, nearer, levels, Math::min), far, true),
        new Spreading(
            "levels both ways",
            Kind.INT,
            lift(Integer.class, nearer, bothEnds, Math::min),
            far,
            true),
        new Spreading(
            "largest of all behind",
            Kind.LONG,
            lift(Long.class, larger, backwards, Math::max),
            Long.MIN_VALUE,
            true),
        new Spreading(
            "halves of negative numbers",
            Kind.FLOAT,
            lift(Float.class, fewer, halves, Math::min),
            Float.POSITIVE_INFINITY,
            true),
        new Spreading(
            "what fades", Kind.DOUBLE, lift(Double.class, more, fades, Math::max), below, true),
        new Spreading(
            "paths",
            Kind.DOUBLE,
            lift(Double.class, shorter, paths, Math::min),
            Double.POSITIVE_INFINITY,
            false));
  }

  /** Sources where nothing was heard yet have values of a few levels; the others the worst. */
  private static Columns values(Spreading of, SimpleGraph graph, Random random, int every) {
    int from = random.nextInt(every);
    return column(
        of.kind(),
        graph.ids.length,
        of.worst(),
        v -> v % every == from ? (of.kind() == Kind.FLOAT ? -8 : 3) + random.nextInt(2) : Double.NaN);
  }

  private static Columns column(Kind kind, int rows, Object none, IntToDoubleFunction value) {
    Columns columns = Columns.allocate(List.of(kind), rows);
    for (int v = 0; v < rows; v++) {
      double x = value.applyAsDouble(v);
      boolean is = !Double.isNaN(x);
      switch (kind) {
        case INT -> columns.ints(0)[v] = is ? (int) x : (Integer) none;
        case LONG -> columns.longs(0)[v] = is ? (long) x : (Long) none;
        case FLOAT -> columns.floats(0)[v] = is ? (float) x : (Float) none;
        default -> columns.doubles(0)[v] = is ? x : (Double) none;
      }
    }
    return columns;
  }

  /** Hubs of which most in-neighbours are of a late level, so that warps walk far. */
  private static SimpleGraph hubs(Random random) {
    List<int[]> edges = new ArrayList<>();
    int n = 3000;
    for (int hub = 0; hub < 3; hub++) {
      for (int v = 10; v < n; v++) {
        edges.add(new int[] {v, hub});
      }
    }
    for (int v = 3; v < n - 1; v++) {
      if (random.nextInt(40) != 0) {
        edges.add(new int[] {v, v + 1 + random.nextInt(Math.min(60, n - 1 - v))});
      }
    }
    for (int v = 20; v < n; v += 1 + random.nextInt(30)) {
      edges.add(new int[] {random.nextInt(3), v});
    }
    return graph(n, edges);
  }

  private static SimpleGraph graph(int n, List<int[]> edges) {
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    int[] sources = edges.stream().mapToInt(e -> e[0]).toArray();
    int[] destinations = edges.stream().mapToInt(e -> e[1]).toArray();
    Columns values = column(Kind.DOUBLE, sources.length, 1.0, e -> 1 + e % 7);
    return new SimpleGraph(ids, null, sources, destinations, values);
  }

  private static SimpleGraph valued(SimpleGraph graph, Random random) {
    Columns values =
        column(Kind.DOUBLE, graph.sources.length, 1.0, e -> 1 + random.nextInt(9));
    return new SimpleGraph(graph.ids, graph.present, graph.sources, graph.destinations, values);
  }

  private static RunSettings settings(Spreading of) {
    return new RunSettings(
        new Object[] {of.worst()},
        null,
        ActiveDirection.EITHER,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        true,
        KernelChoice.AUTO,
        1,
        null);
  }

  private static DeviceSettings device(StopSettings stops) {
    return DeviceSettings.DEFAULT
        .withReserve(0)
        .withPush(new PushSettings(1, 20, 1, 1, 7).withStops(stops));
  }

  /**
   * Degrees around the sizes of warps and of what lanes walk themselves, hubs, holes, ends, and
   * parts of a graph, on one device and on several.
   */
  @Test
  void valuesAreThoseOfASequentialPregel() {
    int seed = 0;
    for (Spreading program : programs()) {
      for (int shape = 0; shape < 5; shape++) {
        Random random = new Random(++seed);
        SimpleGraph graph =
            switch (shape) {
              case 0 -> valued(RandomSimpleGraphs.degrees(random, 1000, 0), random);
              case 1 -> valued(RandomSimpleGraphs.of(random, 700, 4, false, false, 1), random);
              case 2 -> valued(RandomSimpleGraphs.of(random, 300, 3, true, true, 1), random);
              case 3 -> valued(RandomSimpleGraphs.of(random, 900, 4, true, seed % 2 == 0, 3), random);
              default -> hubs(random);
            };
        Columns values = values(program, graph, random, 1 + graph.ids.length / 3);
        IrPregelOracle oracle =
            IrPregelOracle.ended(graph, program.program(), values, settings(program));
        long stopped = 0;
        for (StopSettings stops :
            List.of(ALWAYS, StopSettings.DEFAULT, new StopSettings(0.3, 0.01))) {
          String what = program.name() + ", seed " + seed + ", " + stops;
          stopped += run(seed, device(stops), program, graph, values, oracle, what);
        }
        if (!program.stops()) {
          assertThat(stopped).as(program.name()).isZero();
        } else if (shape != 2) {
          assertThat(stopped).as(program.name() + ", seed " + seed).isPositive();
        }
      }
    }
  }

  /** Returns the supersteps in which rows stopped early. */
  private long run(
      int seed,
      DeviceSettings how,
      Spreading program,
      SimpleGraph graph,
      Columns values,
      IrPregelOracle oracle,
      String what) {
    return run(seed, how, program, graph, values, oracle, what, step -> {});
  }

  private long run(
      int seed,
      DeviceSettings how,
      Spreading program,
      SimpleGraph graph,
      Columns values,
      IrPregelOracle oracle,
      String what,
      Consumer<SuperstepStats> steps) {
    RunSettings settings = settings(program);
    List<Device> devices = openDevices(seed, seed % 2 == 0 ? 1 : graph.partitions().size());
    try {
      List<DeviceEngine> engines =
          devices.stream().map(device -> new DeviceEngine("any", device, how)).toList();
      try (DeviceEngine engine = DeviceEngine.over(engines);
          DeviceRun run =
              engine.open(graph, program.program(), graph.split(values), settings)) {
        SuperstepLoop.run("any", run, settings, graph.ids.length, List.of(), steps::accept);
        oracle.check(run, what);
        return run.stopped();
      }
    } finally {
      devices.forEach(Device::close);
    }
  }

  /** A search in which most vertices are reached in one superstep looks at few of the edges. */
  @Test
  void rowsThatHeardTheBoundAreNotWalkedFurther() {
    int n = 4000;
    Random random = new Random(3);
    List<int[]> edges = new ArrayList<>();
    for (int v = 1; v <= n / 2; v++) {
      edges.add(new int[] {0, v});
    }
    for (int v = n / 2 + 1; v < n; v++) {
      for (int e = 0; e < 60; e++) {
        edges.add(new int[] {1 + random.nextInt(n / 2), v});
      }
    }
    SimpleGraph graph = graph(n, edges);
    Spreading levels = programs().get(0);
    Columns values = column(Kind.INT, n, Integer.MAX_VALUE, v -> v == 0 ? 0 : Double.NaN);
    IrPregelOracle oracle =
        IrPregelOracle.ended(graph, levels.program(), values, settings(levels));
    List<Long> evaluated = new ArrayList<>();
    for (StopSettings stops : List.of(ALWAYS, StopSettings.NEVER)) {
      DeviceSettings how =
          DeviceSettings.DEFAULT
              .withReserve(0)
              .withPush(PushSettings.DEFAULT.withStops(stops));
      List<Long> steps = new ArrayList<>();
      long stopped =
          run(
              1,
              how,
              levels,
              graph,
              values,
              oracle,
              stops.toString(),
              step -> steps.add(step.edgesEvaluated()));
      assertThat(stopped > 0).as(stops.toString()).isEqualTo(stops.stops());
      evaluated.add(steps.stream().mapToLong(Long::longValue).sum());
    }
    assertThat(evaluated.get(0)).as("edges looked at").isLessThan(evaluated.get(1) / 4);
  }
}
