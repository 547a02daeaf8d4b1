package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.WholeMerge;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/** Rows of every length, with few labels and with many, on any device and on the CPU engine. */
abstract class ModeRowsSuite {
  private static final long[] SPECIAL = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 0, 1L << 32, -2};

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice();

  /** Edges of the longest row. */
  abstract int longest();

  static ProgramInstance program() {
    StateFunction<Long, Long> state = (id, label, in, out) -> label;
    VertexProgram<Long, Long> vertex = (id, label, message) -> message;
    SendMessage<Long, Object, Long> send =
        edge -> {
          edge.sendToDst(edge.srcAttr());
          edge.sendToSrc(edge.dstAttr());
        };
    return ProgramLifter.lift(
        new SourceBuilder()
            .attribute(ValueType.of(Long.class))
            .edge(ValueType.of(Object.class))
            .message(ValueType.of(Long.class))
            .initialState(state)
            .vertexProgram(vertex)
            .send(send)
            .merge(WholeMerge.MODE)
            .build());
  }

  /** Edges of a graph while they are drawn. */
  private static final class Edges {
    final Random random = new Random(7);
    final List<Integer> sources = new ArrayList<>();
    final List<Integer> destinations = new ArrayList<>();
    int rows;

    /** A row of some edges, in and out, to the senders [from, to). */
    void row(int degree, int from, int to, int in) {
      int row = rows++;
      for (int i = 0; i < degree; i++) {
        int sender = from + (degree <= to - from ? i : random.nextInt(to - from));
        boolean incoming = random.nextInt(4) < in;
        sources.add(incoming ? sender : row);
        destinations.add(incoming ? row : sender);
      }
    }

    SimpleGraph graph(int n, int... cuts) {
      long[] ids = new long[n];
      Arrays.setAll(ids, v -> 3L * v - 5);
      List<Integer> order = new ArrayList<>();
      for (int e = 0; e < sources.size(); e++) {
        order.add(e);
      }
      Collections.shuffle(order, random);
      return new SimpleGraph(
          ids,
          null,
          order.stream().mapToInt(sources::get).toArray(),
          order.stream().mapToInt(destinations::get).toArray(),
          null,
          cuts);
    }
  }

  @Test
  void rowsOfEveryLengthGetTheirMostFrequentLabel() {
    int longest = longest();
    int[] degrees = {0, 1, 3, 31, 32, 33, 192, 193, 1000, 1536, 1537, longest};
    // Senders: `longest` with labels of their own, 600 with one of three labels, 60 with special
    // ones.
    int first = 4 * degrees.length;
    int few = first + longest;
    int special = few + 600;
    int n = special + 60;
    Edges edges = new Edges();
    for (int degree : degrees) {
      edges.row(degree, first, few, 2);
      edges.row(degree, few, special, 4);
      edges.row(degree, special, n, 0);
      edges.row(degree, few - Math.min(500, longest), n, 2);
    }
    // A loop counts twice, and so does a pair of opposite edges.
    edges.sources.addAll(List.of(1, few, 5, few + 1, 5));
    edges.destinations.addAll(List.of(1, 5, few, 5, few + 1));
    Columns labels = Columns.allocate(List.of(Kind.LONG), n);
    for (int v = 0; v < n; v++) {
      labels.longs(0)[v] =
          v < few ? v * 0x9E3779B97F4A7C15L : v < special ? v % 3 - 1 : SPECIAL[v % SPECIAL.length];
    }
    for (int[] cuts : new int[][] {{}, {20, first + 11}}) {
      SimpleGraph graph = edges.graph(n, cuts);
      long[] expected = expected(graph, labels.longs(0));
      CpuEngine cpu = new CpuEngine();
      assertThat(run(cpu, graph, labels)).as("on the CPU").isEqualTo(expected);
      try (Device device = openDevice()) {
        DeviceSettings settings = DeviceSettings.DEFAULT.withReserve(0);
        try (DeviceEngine engine = new DeviceEngine("emulated", device, settings)) {
          assertThat(run(engine, graph, labels)).as("on %s", device).isEqualTo(expected);
        }
        if (cuts.length == 0) {
          // Small chunks: several batches of tables.
          DeviceSettings small = settings.withHubs(40, 8);
          try (DeviceEngine engine = new DeviceEngine("emulated", device, small)) {
            assertThat(run(engine, graph, labels)).as("batches, %s", device).isEqualTo(expected);
          }
        }
        assertThat(device.allocatedBytes()).isZero();
      }
    }
  }

  static RunSettings settings() {
    return new RunSettings(
        null,
        new Object[] {77L},
        ActiveDirection.EITHER,
        Gather.ACTIVE,
        1,
        false,
        KernelChoice.AUTO,
        2,
        null);
  }

  private static long[] run(Engine engine, SimpleGraph graph, Columns labels) {
    long[] found = new long[graph.ids.length];
    try (EngineRun run = engine.open(graph, program(), graph.split(labels), settings())) {
      run.initialise();
      run.step(new double[0]);
      int at = 0;
      for (SimpleGraph.Partition partition : graph.partitions()) {
        System.arraycopy(run.values(partition.index()).longs(0), 0, found, at, partition.stored());
        at += partition.stored();
      }
    }
    return found;
  }

  private static long[] expected(SimpleGraph graph, long[] labels) {
    List<Map<Long, Integer>> counts = new ArrayList<>();
    for (int v = 0; v < labels.length; v++) {
      counts.add(new HashMap<>());
    }
    for (int e = 0; e < graph.sources.length; e++) {
      int s = graph.sources[e];
      int d = graph.destinations[e];
      counts.get(d).merge(labels[s], 1, Integer::sum);
      counts.get(s).merge(labels[d], 1, Integer::sum);
    }
    long[] expected = new long[labels.length];
    for (int v = 0; v < labels.length; v++) {
      long best = 77;
      int most = 0;
      for (Map.Entry<Long, Integer> entry : counts.get(v).entrySet()) {
        if (entry.getValue() > most || entry.getValue() == most && entry.getKey() < best) {
          most = entry.getValue();
          best = entry.getKey();
        }
      }
      expected[v] = best;
    }
    return expected;
  }
}
