package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SpreadingCase;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * The first superstep of programs whose messages depend on edge values leaves out who sends
 * nothing, on any device: against a sequential Pregel, superstep by superstep.
 */
abstract class SendersSuite {
  private static final int VERTICES = 600;

  /**
   * Opens a device, or skips the test with the reason.
   *
   * @param seed of the order in which an emulated one runs its lanes and blocks
   */
  abstract Device openDevice(int seed);

  /**
   * A search from some vertices.
   *
   * @param unreached the value of all others
   * @param sends whether its first superstep is left to who sends something
   * @param reached a value of the others, by a random number from 0 to 1
   * @param edge an edge value, likewise
   */
  record Search(
      String name,
      Kind kind,
      Kind edgeKind,
      ProgramInstance program,
      double unreached,
      boolean sends,
      DoubleUnaryOperator reached,
      DoubleUnaryOperator edge) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Search paths(String name, boolean sends, DoubleUnaryOperator edge) {
    VertexProgram<Double, Double> nearer = (id, own, message) -> Math.min(own, message);
    SendMessage<Double, Double, Double> send =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
        };
    return new Search(
        name,
        Kind.DOUBLE,
        Kind.DOUBLE,
        SpreadingCase.lift(Double.class, Double.class, nearer, send, Math::min),
        Double.POSITIVE_INFINITY,
        sends,
        x -> Math.round(10 * x),
        edge);
  }

  private static Search ints(String name, int unreached, boolean sends, DoubleUnaryOperator edge) {
    VertexProgram<Integer, Integer> nearer = (id, own, message) -> Math.min(own, message);
    SendMessage<Integer, Integer, Integer> send =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
        };
    return new Search(
        name,
        Kind.INT,
        Kind.INT,
        SpreadingCase.lift(Integer.class, Integer.class, nearer, send, Math::min),
        unreached,
        sends,
        x -> 10 * x,
        edge);
  }

  private static List<Search> searches() {
    VertexProgram<Float, Float> surer = (id, own, message) -> Math.max(own, message);
    SendMessage<Float, Float, Float> reliable =
        e -> {
          if (e.srcAttr() * e.attr() > e.dstAttr()) {
            e.sendToDst(e.srcAttr() * e.attr());
          }
        };
    VertexProgram<Long, Long> more = (id, own, message) -> Math.max(own, message);
    SendMessage<Long, Integer, Long> left =
        e -> {
          if (e.srcAttr() - e.attr() > e.dstAttr()) {
            e.sendToDst(e.srcAttr() - e.attr());
          }
          if (e.dstAttr() - e.attr() > e.srcAttr()) {
            e.sendToSrc(e.dstAttr() - e.attr());
          }
        };
    return List.of(
        paths("paths", true, x -> 1 + 9 * x),
        paths("some edges' values are no numbers", true, x -> x < 0.1 ? Double.NaN : 9 * x),
        paths("some edges are infinite", false, x -> x < 0.1 ? Double.NEGATIVE_INFINITY : x),
        ints("integers", 1 << 30, true, x -> 1 + 9 * x),
        ints("edges that make who is unreached a sender", 1 << 30, false, x -> 9 * x - 3),
        ints("integers that overflow", Integer.MAX_VALUE, false, x -> 9 * x),
        new Search(
            "reliable paths",
            Kind.FLOAT,
            Kind.FLOAT,
            SpreadingCase.lift(Float.class, Float.class, surer, reliable, Math::max),
            0,
            true,
            x -> 0.5 + x / 2,
            x -> 0.1 + 0.8 * x),
        new Search(
            "what is left, to both ends",
            Kind.LONG,
            Kind.INT,
            SpreadingCase.lift(Long.class, Integer.class, more, left, Math::max),
            -1,
            true,
            x -> 20 + 100 * x,
            x -> 1 + 9 * x));
  }

  private static Columns column(Kind kind, int rows, IntToDoubleFunction value) {
    Columns columns = Columns.allocate(List.of(kind), rows);
    for (int v = 0; v < rows; v++) {
      switch (kind) {
        case INT -> columns.ints(0)[v] = (int) value.applyAsDouble(v);
        case LONG -> columns.longs(0)[v] = (long) value.applyAsDouble(v);
        case FLOAT -> columns.floats(0)[v] = (float) value.applyAsDouble(v);
        default -> columns.doubles(0)[v] = value.applyAsDouble(v);
      }
    }
    return columns;
  }

  /** Each search twice on a graph, the second time with what is known of its edges' values. */
  @Test
  void whoSendsNothingIsLeftOut() {
    int seed = 0;
    for (Search search : searches()) {
      Random random = new Random(++seed);
      // Missing vertices have zeros, from where the paths would be the shortest.
      boolean holes = search.unreached() <= 0;
      SimpleGraph shape = RandomSimpleGraphs.of(random, VERTICES, 3, false, holes, 1);
      Columns edges =
          column(
              search.edgeKind(),
              shape.sources.length,
              e -> search.edge().applyAsDouble(random.nextDouble()));
      SimpleGraph graph =
          new SimpleGraph(shape.ids, shape.present, shape.sources, shape.destinations, edges);
      Columns attributes =
          column(
              search.kind(),
              VERTICES,
              v ->
                  v % 150 == 3 && (shape.present == null || shape.present[v])
                      ? search.reached().applyAsDouble(random.nextDouble())
                      : search.unreached());
      try (Device device = openDevice(seed);
          DeviceEngine engine =
              new DeviceEngine("any", device, DeviceSettings.DEFAULT.withReserve(0))) {
        check(engine, search, graph, attributes);
        check(engine, search, graph, attributes);
      }
    }
  }

  /**
   * The least and the largest edge value make messages that improve nothing, and values between
   * them one that has overflown and does.
   */
  @Test
  void anOverflowBetweenTheBoundsIsNoticed() {
    VertexProgram<Integer, Integer> nearer = (id, own, message) -> Math.min(own, message);
    SendMessage<Integer, Integer, Integer> send =
        e -> {
          int sum = e.srcAttr() + (Integer.MIN_VALUE + 4) + e.attr();
          if (sum < e.dstAttr()) {
            e.sendToDst(sum);
          }
        };
    Search search =
        new Search(
            "an overflow",
            Kind.INT,
            Kind.INT,
            SpreadingCase.lift(Integer.class, Integer.class, nearer, send, Math::min),
            -20,
            false,
            x -> -20,
            x -> 16);
    Random random = new Random(5);
    SimpleGraph shape = RandomSimpleGraphs.of(random, VERTICES, 1, false, false, 1);
    int[] values = {0, 16, Integer.MAX_VALUE};
    Columns edges = column(Kind.INT, shape.sources.length, e -> values[e % 3]);
    SimpleGraph graph =
        new SimpleGraph(shape.ids, shape.present, shape.sources, shape.destinations, edges);
    try (Device device = openDevice(1);
        DeviceEngine engine =
            new DeviceEngine("any", device, DeviceSettings.DEFAULT.withReserve(0))) {
      check(engine, search, graph, column(Kind.INT, VERTICES, v -> -20));
    }
  }

  private static final RunSettings ONE_SUPERSTEP =
      new RunSettings(
          null, null, ActiveDirection.EITHER, Gather.ACTIVE, 1, false, KernelChoice.AUTO, 1, null);

  static void check(DeviceEngine engine, Search search, SimpleGraph graph, Columns attributes) {
    IrPregelOracle oracle = new IrPregelOracle(graph, search.program(), attributes, ONE_SUPERSTEP);
    oracle.initialise();
    oracle.step();
    List<SuperstepStats> steps = new ArrayList<>();
    try (DeviceRun run =
        engine.open(graph, search.program(), graph.split(attributes), ONE_SUPERSTEP)) {
      SuperstepLoop.run("any", run, ONE_SUPERSTEP, VERTICES, List.of(), steps::add);
      SuperstepStats first = steps.get(1);
      String what = search + ": " + first;
      assertThat(first.verticesRun()).as(what).isEqualTo(oracle.ran);
      if (search.sends()) {
        assertThat(first.kernel().pushes()).as(what).isTrue();
        assertThat(first.edgesEvaluated()).as(what).isLessThan(graph.sources.length / 2);
        assertThat(first.verticesRun()).as(what).isPositive();
      } else {
        assertThat(first.kernel()).as(what).isEqualTo(KernelChoice.DENSE);
      }
      Columns values = run.values(0);
      for (int v = 0; v < VERTICES; v++) {
        if (graph.present == null || graph.present[v]) {
          assertThat(values.get(0, v)).as("%s: vertex %s", what, v).isEqualTo(oracle.values[v][0]);
        }
      }
    }
  }
}
