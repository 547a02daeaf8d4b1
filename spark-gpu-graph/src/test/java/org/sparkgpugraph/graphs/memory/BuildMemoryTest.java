package org.sparkgpugraph.graphs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.GraphInvariants;
import org.sparkgpugraph.graphs.RandomBlocks;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.rows.PushRows;
import org.sparkgpugraph.graphs.shard.EdgeParcel;
import org.sparkgpugraph.graphs.shard.EdgeRouter;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/** What builds reserve of the heap. */
@Tag("any-spark")
class BuildMemoryTest {
  private static final ValueType DOUBLE = new ValueType.Scalar(Kind.DOUBLE);

  /** Memory with a bound that knows what is reserved, and what was at most. */
  private static final class Bounded implements BuildMemory {
    private final long bound;
    private long reserved;
    private long most;
    private final AtomicInteger open = new AtomicInteger();

    Bounded(long bound) {
      this.bound = bound;
    }

    private synchronized boolean take(long bytes, boolean keep) {
      if (reserved + bytes > bound) {
        return false;
      }
      reserved += keep ? bytes : 0;
      most = Math.max(most, reserved);
      return true;
    }

    @Override
    public Reservation begin() {
      open.incrementAndGet();
      return new Reservation() {
        private long mine;
        private boolean closed;

        @Override
        public synchronized void acquire(long bytes) {
          if (!take(bytes, true)) {
            throw new IllegalStateException("no room for " + bytes);
          }
          mine += bytes;
        }

        @Override
        public boolean hasRoom(long bytes) {
          return take(bytes, false);
        }

        @Override
        public synchronized void release(long bytes) {
          assertThat(bytes).as("given back").isBetween(0L, mine);
          mine -= bytes;
          take(-bytes, true);
        }

        @Override
        public synchronized void close() {
          take(-mine, true);
          mine = 0;
          open.addAndGet(closed ? 0 : -1);
          closed = true;
        }
      };
    }

    void assertNothingLeft() {
      assertThat(reserved).isZero();
      assertThat(open).hasValue(0);
    }
  }

  private static ExecutorGraphBuilder.Options options(
      int partitions, ValueType type, RowsMade rows, BuildMemory memory) {
    return new ExecutorGraphBuilder.Options(partitions, 3, type, rows, memory);
  }

  private static RandomBlocks blocks(Random random, RandomBlocks.Ids ids) {
    return new RandomBlocks(
        random,
        ids,
        RandomBlocks.Form.values()[random.nextInt(3)],
        random.nextBoolean() ? RandomBlocks.Order.ANY : RandomBlocks.Order.BY_SOURCE,
        40,
        1500,
        random.nextBoolean(),
        true);
  }

  /** Whatever is built, and whatever is made of it later. */
  @Test
  void allThatIsReservedIsGivenBackWhetherABuildSucceedsOrNot() {
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      RandomBlocks.Ids ids =
          RandomBlocks.Ids.values()[random.nextInt(RandomBlocks.Ids.values().length)];
      RandomBlocks blocks = blocks(random, ids);
      int partitions = 1 + random.nextInt(3);
      ValueType type = random.nextBoolean() ? DOUBLE : null;
      RowsMade rows = RowsMade.values()[random.nextInt(RowsMade.values().length)];
      Bounded enough = new Bounded(Long.MAX_VALUE);
      use(blocks, options(partitions, type, rows, enough));
      enough.assertNothingLeft();
      assertThat(enough.most).as("seed " + seed).isPositive();
      int refused = 0;
      for (int part = 0; part < 8; part++) {
        Bounded less = new Bounded(enough.most * part / 8);
        try {
          use(blocks, options(partitions, type, rows, less));
        } catch (IllegalStateException e) {
          assertThat(e).hasMessageStartingWith("no room for ");
          refused++;
        }
        less.assertNothingLeft();
      }
      assertThat(refused).as("seed " + seed).isPositive();
    }
  }

  private static void use(RandomBlocks blocks, ExecutorGraphBuilder.Options options) {
    ExecutorGraph graph = ExecutorGraphBuilder.build(blocks.edges, blocks.vertices, options);
    for (GraphPartition partition : graph.partitions()) {
      PushRows.of(partition).csr().neighbours();
      partition.inEdges().neighbours();
      partition.outEdges().neighbours();
      partition.inTranspose().neighbours();
      partition.originalIds();
      if (graph.edgeType() != null) {
        partition.outEdgeValues().array(0);
      }
    }
    graph.masked(id -> id % 3 != 0, (from, to) -> true);
    if (graph.edgeType() == null) {
      graph.loadEdgeValues(DOUBLE, blocks.edges);
    }
  }

  /** Edges are let go of by nobody while rows are made: both arrays are there, and the buckets. */
  @Test
  void whatIsReservedIsWhatABuildTakes() {
    int edges = 1 << 20;
    int vertices = 1 << 15;
    List<EdgeBlock> blocks = List.of(block(edges, vertices, false));
    Bounded memory = new Bounded(Long.MAX_VALUE);
    ExecutorGraphBuilder.build(blocks, null, options(1, null, RowsMade.NOW, memory));
    // 8 bytes an edge to sort, 4 of the result, and little for threads and vertices.
    assertThat(memory.most).isBetween(12L * edges, 12L * edges + 8L * (1 << 20));
    Bounded values = new Bounded(Long.MAX_VALUE);
    List<EdgeBlock> weighted = List.of(block(edges, vertices, true));
    ExecutorGraphBuilder.build(weighted, null, options(1, DOUBLE, RowsMade.NOW, values));
    // 16 bytes an edge to sort, which carries its value, 12 of the result.
    assertThat(values.most).isBetween(28L * edges, 28L * edges + 12L * (1 << 20));
  }

  @Test
  void whereMemoryIsShortValuesAreCarriedInSeveralPasses() {
    int edges = 1 << 21;
    List<EdgeBlock> blocks = List.of(block(edges, 1 << 15, true));
    Bounded enough = new Bounded(Long.MAX_VALUE);
    GraphPartition expected =
        ExecutorGraphBuilder.build(blocks, null, options(1, DOUBLE, RowsMade.NOW, enough))
            .partitions()
            .get(0);
    Bounded less = new Bounded(24L * edges);
    assertThat(enough.most).isGreaterThan(less.bound);
    GraphPartition found =
        ExecutorGraphBuilder.build(blocks, null, options(1, DOUBLE, RowsMade.NOW, less))
            .partitions()
            .get(0);
    assertThat(found.inEdges().neighbours()).isEqualTo(expected.inEdges().neighbours());
    assertThat(found.inEdgeValues().doubles(0)).isEqualTo(expected.inEdgeValues().doubles(0));
    less.assertNothingLeft();
  }

  @Test
  void whereMemoryIsShortRowsAreSortedInSeveralPasses() {
    int edges = 1 << 22;
    List<EdgeBlock> blocks = List.of(block(edges, 1 << 15, false));
    for (int partitions : new int[] {1, 3}) {
      Bounded enough = new Bounded(Long.MAX_VALUE);
      ExecutorGraph expected =
          ExecutorGraphBuilder.build(blocks, null, options(partitions, null, RowsMade.NOW, enough));
      // In one pass 13 bytes an edge, or with three partitions a little less than 8.
      Bounded less = new Bounded((partitions == 1 ? 10L : 7L) * edges);
      assertThat(enough.most).isGreaterThan(less.bound);
      ExecutorGraph graph =
          ExecutorGraphBuilder.build(blocks, null, options(partitions, null, RowsMade.NOW, less));
      for (int p = 0; p < partitions; p++) {
        Csr rows = graph.partitions().get(p).inEdges();
        assertThat(rows.offsets()).isEqualTo(expected.partitions().get(p).inEdges().offsets());
        assertThat(rows.neighbours())
            .isEqualTo(expected.partitions().get(p).inEdges().neighbours());
      }
      less.assertNothingLeft();
    }
    assertThatThrownBy(
            () ->
                ExecutorGraphBuilder.build(
                    blocks, null, options(1, null, RowsMade.NOW, new Bounded(4L * edges))))
        .hasMessageStartingWith("no room for ");
  }

  /** Of edges in the order of their sources: fewer counters, then the way of all others. */
  @Test
  void whereMemoryIsShortAscendingRowsAreMadeWithLess() {
    int edges = 1 << 22;
    EdgeBlock few = ascending(block(edges, 1 << 20, false), false);
    Bounded enough = new Bounded(Long.MAX_VALUE);
    ExecutorGraph expected =
        ExecutorGraphBuilder.build(List.of(few), null, options(1, null, RowsMade.NOW, enough));
    // Three threads have 4 MB of counters each.
    Bounded less = new Bounded(enough.most - (6 << 20));
    assertSameRows(
        expected,
        ExecutorGraphBuilder.build(List.of(few), null, options(1, null, RowsMade.NOW, less)));
    less.assertNothingLeft();
    EdgeBlock mapped = ascending(block(edges, 1 << 15, false), true);
    expected =
        ExecutorGraphBuilder.build(
            List.of(mapped), null, options(1, null, RowsMade.NOW, BuildMemory.UNBOUNDED));
    // With rows looked up 8 bytes an edge; in several passes less.
    Bounded least = new Bounded(7L * edges + (4 << 20) - (1 << 19));
    assertSameRows(
        expected,
        ExecutorGraphBuilder.build(List.of(mapped), null, options(1, null, RowsMade.NOW, least)));
    least.assertNothingLeft();
  }

  private static void assertSameRows(ExecutorGraph expected, ExecutorGraph graph) {
    Csr rows = graph.partitions().get(0).inEdges();
    assertThat(rows.offsets()).isEqualTo(expected.partitions().get(0).inEdges().offsets());
    assertThat(rows.neighbours()).isEqualTo(expected.partitions().get(0).inEdges().neighbours());
    assertThat(graph.partitions().get(0).outDegree(7))
        .isEqualTo(expected.partitions().get(0).outDegree(7));
  }

  /**
   * The same edges, sources ascending.
   *
   * @param mapped whether through a dictionary
   */
  private static EdgeBlock ascending(EdgeBlock block, boolean mapped) {
    long[] sorted = new long[block.size()];
    Arrays.setAll(sorted, e -> block.source(e) << 32 | block.destination(e));
    Arrays.sort(sorted);
    int[] sources = Arrays.stream(sorted).mapToInt(e -> (int) (e >>> 32)).toArray();
    int[] destinations = Arrays.stream(sorted).mapToInt(e -> (int) e).toArray();
    return mapped
        ? new LocalEdgeBlock(
            sorted.length, sources, destinations, LongStream.range(0, 1 << 15).toArray(), null)
        : new IntEdgeBlock(sorted.length, sources, destinations, null);
  }

  /** On the way to several executors. */
  @Test
  void whereMemoryIsShortFewerEdgesAreRoutedAtATime() {
    int edges = 1 << 20;
    IdRanges ranges = new IdRanges(1 << 14);
    List<EdgeBlock> blocks = List.of(block(edges, 1 << 15, false));
    long[] routed = new long[2];
    for (int i = 0; i < 2; i++) {
      Bounded memory = new Bounded(i == 0 ? Long.MAX_VALUE : 10L * edges);
      try (BuildMemory.Reservation reserved = memory.begin()) {
        Iterator<EdgeParcel> parcels =
            new EdgeRouter(ranges, false, null, reserved).route(0, blocks.iterator());
        while (parcels.hasNext()) {
          routed[i] += parcels.next().edges();
        }
        assertThat(memory.reserved).isZero();
      }
      memory.assertNothingLeft();
      assertThat(memory.most).isEqualTo(i == 0 ? 28L * edges : 7L * edges);
    }
    assertThat(routed).containsOnly(edges);
  }

  private static EdgeBlock block(int edges, int vertices, boolean weighted) {
    Random random = new Random(3);
    int[] sources = random.ints(edges, 0, vertices).toArray();
    int[] destinations = random.ints(edges, 0, vertices).toArray();
    return new IntEdgeBlock(
        edges, sources, destinations, weighted ? random.doubles(edges).toArray() : null);
  }

  @Test
  void aGraphHasNoMorePartitionsThanVertices() {
    List<EdgeBlock> blocks = new ArrayList<>();
    blocks.add(new IntEdgeBlock(4, new int[] {0, 1, 2, 3}, new int[] {1, 2, 3, 0}, null));
    ExecutorGraph graph =
        ExecutorGraphBuilder.build(
            blocks, null, options(1 << 16, null, RowsMade.NOW, BuildMemory.UNBOUNDED));
    assertThat(graph.partitions()).hasSize(4);
    GraphInvariants.check(graph);
    ExecutorGraph empty =
        ExecutorGraphBuilder.build(
            List.of(), null, options(7, null, RowsMade.NOW, BuildMemory.UNBOUNDED));
    assertThat(empty.partitions()).hasSize(1);
  }
}
