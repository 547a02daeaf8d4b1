package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.ResidentArrays;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/** Rows that a device makes against those that the host makes of the same edges. */
@Timeout(120)
abstract class DeviceRowsSuite {
  /** Values of 8, 4 and 1 byte. */
  public record Value(long number, int hash, boolean odd) {}

  private static final long SEED = 20261122;

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice();

  /** Edges of the longest row. */
  abstract int longest();

  /** Edges while they are drawn. */
  static final class Edges {
    final Random random = new Random(SEED);
    private final List<int[]> edges = new ArrayList<>();

    void add(int source, int destination) {
      edges.add(new int[] {source, destination});
    }

    /** The edges in any order, in blocks of every kind; `vertices` ids are known to the first. */
    List<EdgeBlock> blocks(int vertices, boolean values) {
      List<EdgeBlock> blocks = new ArrayList<>();
      for (int e = edges.size() - 1; e > 0; e--) {
        Collections.swap(edges, e, random.nextInt(e + 1));
      }
      int first = edges.size() / 3;
      int second = edges.size() / 2;
      // Dictionaries in no order, and one that no edge uses all of.
      blocks.add(local(0, first, vertices, values));
      blocks.add(local(first, second, vertices + 7, values));
      int size = edges.size() - second;
      blocks.add(
          new GlobalEdgeBlock(
              size,
              edges.stream().skip(second).mapToLong(e -> id(e[0])).toArray(),
              edges.stream().skip(second).mapToLong(e -> id(e[1])).toArray(),
              values ? values(second, size) : null));
      return blocks;
    }

    private LocalEdgeBlock local(int from, int to, int known, boolean values) {
      int[] at = new int[known];
      long[] dictionary = new long[known];
      List<Integer> order = new ArrayList<>();
      for (int v = 0; v < known; v++) {
        order.add(v);
      }
      Collections.shuffle(order, random);
      for (int l = 0; l < known; l++) {
        at[order.get(l)] = l;
        dictionary[l] = id(order.get(l));
      }
      List<int[]> part = edges.subList(from, to);
      return new LocalEdgeBlock(
          to - from,
          part.stream().mapToInt(e -> at[e[0]]).toArray(),
          part.stream().mapToInt(e -> at[e[1]]).toArray(),
          dictionary,
          values ? values(from, to - from) : null);
    }

    private static Value[] values(int first, int size) {
      Value[] values = new Value[size];
      Arrays.setAll(
          values,
          i -> new Value(first + i, (first + i) * 0x9E3779B9, Integer.bitCount(i) % 2 == 1));
      return values;
    }

    static long id(int vertex) {
      return 5L * vertex - 40;
    }
  }

  private static ExecutorGraph graph(List<EdgeBlock> blocks, int vertices, RowsMade rows) {
    boolean values = blocks.get(0).values() != null;
    long[] ids = new long[vertices];
    Arrays.setAll(ids, Edges::id);
    return ExecutorGraphBuilder.buildWith(
        blocks,
        List.of(new VertexBlock(ids, null)),
        new ExecutorGraphBuilder.Options(1, 2, values ? ValueType.of(Value.class) : null, rows));
  }

  @Test
  void rowsOfEveryLengthAreThoseOfTheHost() {
    int[] degrees = {0, 1, 31, 32, 33, 1000, longest(), 0, 2, 0};
    int senders = 3000;
    Edges edges = new Edges();
    for (int row = 0; row < degrees.length; row++) {
      for (int e = 0; e < degrees[row]; e++) {
        // Few of them send most; the long rows have parallel edges.
        edges.add((int) (senders * Math.pow(edges.random.nextDouble(), 3)), senders + 3 * row);
      }
    }
    edges.add(senders + 1, senders + 1);
    edges.add(senders + 1, senders + 1);
    int vertices = senders + 3 * degrees.length + 50;
    check(edges.blocks(vertices, true), vertices, false);
    check(edges.blocks(vertices, false), vertices, false);
  }

  @Test
  void smallGraphsAreThoseOfTheHost() {
    for (boolean values : new boolean[] {false, true}) {
      check(new Edges().blocks(0, values), 0, true);
      check(new Edges().blocks(1, values), 1, true);
      check(new Edges().blocks(70, values), 70, true);
      Edges loops = new Edges();
      for (int e = 0; e < 5; e++) {
        loops.add(0, 0);
      }
      check(loops.blocks(1, values), 1, true);
    }
    // Dense ids as they are, without a dictionary.
    int[] sources = {0, 3, 3, 1, 2, 3};
    int[] destinations = {2, 2, 1, 2, 0, 3};
    check(List.of(new IntEdgeBlock(6, sources, destinations, null)), 0, true);
  }

  /**
   * @param again whether rows are made again once they were evicted
   */
  private void check(List<EdgeBlock> blocks, int vertices, boolean again) {
    ExecutorGraph host = graph(blocks, vertices, RowsMade.NOW);
    try (Device device = openDevice()) {
      ExecutorGraph graph = graph(blocks, vertices, RowsMade.LATER);
      try (DeviceHoldings on = new DeviceHoldings(device)) {
        GraphPartition expected = host.partitions().get(0);
        GraphPartition actual = graph.partitions().get(0);
        // Out-edges first: in-edges are made for them.
        on.rows().ready(actual.outEdges(), 0);
        assertSame(on, actual.outEdges(), actual.outEdgeValues(), expected, false);
        on.rows().ready(actual.inEdges(), 0);
        assertSame(on, actual.inEdges(), actual.inEdgeValues(), expected, true);
        assertThat(actual.degrees(true)).isEqualTo(expected.degrees(true));
        assertThat(actual.degrees(false)).isEqualTo(expected.degrees(false));
        assertThat(UnsortedEdges.of(actual).loaded()).as("sorted by the host").isNotNull();
        if (again) {
          long held = on.resident().bytes();
          on.resident().evict(Long.MAX_VALUE, List.of());
          assertThat(device.allocatedBytes()).isZero();
          on.rows().ready(actual.outEdges(), 0);
          assertThat(on.resident().bytes()).isEqualTo(held);
          assertSame(on, actual.inEdges(), actual.inEdgeValues(), expected, true);
          assertSame(on, actual.outEdges(), actual.outEdgeValues(), expected, false);
        }
        // The host's own are the same.
        assertHost(actual, expected);
        assertThat(UnsortedEdges.of(actual).loaded()).isNull();
        on.release(graph);
        assertThat(device.allocatedBytes()).isZero();
      }
      assertThat(device.allocatedBytes()).isZero();
    }
    assertHost(graph(blocks, vertices, RowsMade.LATER_OF_OWN).partitions().get(0), host);
  }

  private static void assertHost(GraphPartition actual, ExecutorGraph expected) {
    assertHost(actual, expected.partitions().get(0));
  }

  static void assertHost(GraphPartition actual, GraphPartition expected) {
    for (boolean in : new boolean[] {false, true}) {
      Csr rows = in ? actual.inEdges() : actual.outEdges();
      Csr others = in ? expected.inEdges() : expected.outEdges();
      assertThat(rows.offsets()).isEqualTo(others.offsets());
      assertThat(rows.neighbours()).isEqualTo(others.neighbours());
      Columns values = in ? actual.inEdgeValues() : actual.outEdgeValues();
      Columns otherValues = in ? expected.inEdgeValues() : expected.outEdgeValues();
      for (int c = 0; otherValues != null && c < otherValues.width(); c++) {
        assertThat(values.array(c)).isEqualTo(otherValues.array(c));
      }
    }
  }

  /** Compares what is on a device. */
  static void assertSame(
      DeviceHoldings on, Csr rows, Columns values, GraphPartition expected, boolean in) {
    Csr others = in ? expected.inEdges() : expected.outEdges();
    Columns otherValues = in ? expected.inEdgeValues() : expected.outEdgeValues();
    assertThat(rows.offsets()).as("offsets").isEqualTo(others.offsets());
    int[] neighbours = new int[others.edges()];
    download(on, rows.neighboursKey(), neighbours);
    assertThat(neighbours).as("neighbours, in-edges: %s", in).isEqualTo(others.neighbours());
    assertThat(values == null).isEqualTo(otherValues == null);
    for (int c = 0; values != null && c < values.width(); c++) {
      Kind kind = values.kinds().get(c).kind();
      Object found = Array.newInstance(kind.primitive(), others.edges());
      download(on, values.key(c), found);
      assertThat(found).as("values of column %d", c).isEqualTo(otherValues.array(c));
    }
  }

  private static void download(DeviceHoldings on, Object key, Object into) {
    assertThat(on.resident().contains(key)).as("made on the device").isTrue();
    try (ResidentArrays.Use use = on.resident().use(key, "test")) {
      int count = Array.getLength(into);
      if (count > 0) {
        on.device().download(use.memory(), 0, into, 0, count);
      }
    }
  }
}
