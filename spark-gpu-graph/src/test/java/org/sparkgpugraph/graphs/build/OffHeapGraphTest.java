package org.sparkgpugraph.graphs.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.graphs.RandomBlocks;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder.Options;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.DirectMemory;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.MappedMemory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.NullValueException;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.StoredEdgeBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/** Graphs whose edges are off the heap against the same ones on it. */
@Tag("any-spark")
class OffHeapGraphTest {
  @TempDir private Path directory;

  /** Heap without a bound, and edges off it; with room for some passes of a sort at a time. */
  private record Memory(EdgeMemory edges, long room) implements BuildMemory {
    @Override
    public Reservation begin() {
      return new Reservation() {
        @Override
        public void acquire(long bytes) {}

        @Override
        public boolean hasRoom(long bytes) {
          return bytes < room;
        }

        @Override
        public void release(long bytes) {}

        @Override
        public void close() {}
      };
    }
  }

  private static List<EdgeBlock> stored(List<EdgeBlock> blocks, EdgeMemory memory, int room) {
    List<EdgeBlock> stored = new ArrayList<>();
    StoredEdgeBlock last = null;
    for (EdgeBlock block : blocks) {
      for (int from = 0; from < block.size(); ) {
        if (last == null || last.isFull() || !last.takes(block)) {
          last = new StoredEdgeBlock(memory, StoredEdgeBlock.kind(block), room);
          stored.add(last);
        }
        from = last.add(block, from);
      }
    }
    return stored;
  }

  @Test
  void equalThoseOnTheHeap() {
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      RandomBlocks.Ids ids = RandomBlocks.Ids.values()[random.nextInt(5)];
      RandomBlocks.Form form = RandomBlocks.Form.values()[random.nextInt(3)];
      int vertices = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(300);
      int count = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(5000);
      boolean values = random.nextInt(3) == 0;
      RandomBlocks blocks =
          new RandomBlocks(random, ids, form, vertices, count, random.nextBoolean(), values);
      int partitions = random.nextBoolean() ? 1 : 1 + random.nextInt(4);
      ValueType type = values ? new ValueType.Scalar(Kind.DOUBLE) : null;
      EdgeMemory memory =
          seed % 3 == 0
              ? new MappedMemory(List.of(directory))
              : new DirectMemory(DirectMemory.Budget.of(1L << 30, "none"));
      boolean waitsThere = !values && random.nextBoolean();
      List<EdgeBlock> edges =
          waitsThere ? stored(blocks.edges, memory, 1 + random.nextInt(2000)) : blocks.edges;
      String what =
          "seed %s: %s, %s, %s partitions, %s, %s"
              .formatted(seed, ids, form, partitions, values ? "values" : "", edges.size());
      ExecutorGraph wanted =
          ExecutorGraphBuilder.build(
              blocks.edges, blocks.vertices, new Options(partitions, 2, type, RowsMade.NOW));
      ExecutorGraph found =
          ExecutorGraphBuilder.build(
              edges,
              blocks.vertices,
              new Options(
                  partitions,
                  1 + random.nextInt(3),
                  type,
                  RowsMade.NOW,
                  new Memory(memory, random.nextBoolean() ? Long.MAX_VALUE : 1 << 21)));
      try {
        check(wanted, found);
        check(wanted.reversed(), found.reversed());
        check(
            wanted.masked(id -> id % 3 != 0, (source, destination) -> source <= destination),
            found.masked(id -> id % 3 != 0, (source, destination) -> source <= destination));
      } catch (Throwable e) {
        throw new AssertionError(what, e);
      }
    }
  }

  private static void check(ExecutorGraph wanted, ExecutorGraph found) {
    assertThat(found.ids().size()).isEqualTo(wanted.ids().size());
    assertThat(found.edgeCount()).isEqualTo(wanted.edgeCount());
    assertThat(found.partitions()).hasSameSizeAs(wanted.partitions());
    for (int p = 0; p < wanted.partitions().size(); p++) {
      GraphPartition some = wanted.partitions().get(p);
      GraphPartition other = found.partitions().get(p);
      assertThat(other.originalIds()).isEqualTo(some.originalIds());
      assertThat(other.present()).isEqualTo(some.present());
      for (boolean in : new boolean[] {true, false}) {
        check(some.edges(in), other.edges(in));
        check(some.edgeValues(in), other.edgeValues(in));
        check(some.transpose(in), other.transpose(in));
        assertThat(other.degrees(in)).isEqualTo(some.degrees(in));
      }
    }
  }

  private static void check(Csr wanted, Csr found) {
    assertThat(found.onHeap()).isFalse();
    assertThat(found.offsets()).isEqualTo(wanted.offsets());
    int[] neighbours = new int[found.edges()];
    found.neighbours(0, neighbours.length, neighbours, 0);
    assertThat(neighbours).isEqualTo(wanted.neighbours());
    assertThat(found.bytes()).isEqualTo(4L * found.offsets().length);
  }

  private static void check(Columns wanted, Columns found) {
    if (wanted == null) {
      assertThat(found).isNull();
      return;
    }
    assertThat(found.onHeap()).isFalse();
    assertThat(found.bytes()).isZero();
    for (int c = 0; c < wanted.width(); c++) {
      Object copy = Array.newInstance(double.class, found.length());
      found.copy(c, 0, found.length(), copy, 0);
      assertThat(copy).isEqualTo(wanted.array(c));
    }
  }

  /**
   * Edges that wait there have no values; where these are nothing but null that does not matter.
   */
  @Test
  void valuesOfEdgesThatWaitThereAreNull() {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(1), RandomBlocks.Ids.DENSE, RandomBlocks.Form.INT, 20, 100, false, false);
    EdgeMemory memory = new MappedMemory(List.of(directory));
    List<EdgeBlock> edges = stored(blocks.edges, memory, 30);
    ValueType number = new ValueType.Scalar(Kind.DOUBLE);
    assertThatThrownBy(
            () -> ExecutorGraphBuilder.build(edges, null, new Options(1, 1, number, RowsMade.NOW)))
        .isInstanceOf(NullValueException.class);
    ExecutorGraph found =
        ExecutorGraphBuilder.build(
            edges, null, new Options(3, 1, null, RowsMade.NOW, new Memory(memory, 1 << 21)));
    assertThatThrownBy(() -> found.loadEdgeValues(number, edges))
        .isInstanceOf(NullValueException.class);
  }

  /** What a graph is masked with is the heap's for a while only. */
  @Test
  void aMaskGivesBackWhatItMoves() {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(1), RandomBlocks.Ids.DENSE, RandomBlocks.Form.INT, 20, 100, false, false);
    AtomicLong kept = new AtomicLong();
    EdgeMemory memory = new MappedMemory(List.of(directory));
    BuildMemory counting =
        new BuildMemory() {
          @Override
          public EdgeMemory edges() {
            return memory;
          }

          @Override
          public Reservation begin() {
            return new Reservation() {
              @Override
              public void acquire(long bytes) {
                kept.addAndGet(bytes);
              }

              @Override
              public boolean hasRoom(long bytes) {
                return true;
              }

              @Override
              public void release(long bytes) {
                kept.addAndGet(-bytes);
              }

              @Override
              public void close() {}
            };
          }
        };
    ExecutorGraph graph =
        ExecutorGraphBuilder.build(
            blocks.edges, null, new Options(1, 1, null, RowsMade.NOW, counting));
    kept.set(0);
    ExecutorGraph masked = graph.masked(null, (source, destination) -> true);
    assertThat(masked.edgeCount()).isEqualTo(100);
    int vertices = (int) graph.ids().size();
    assertThat(kept).hasValue(8 * vertices + vertices / 8 + 4 * vertices + 4 * (vertices + 1));
  }

  @Test
  void whoNeedsThemOnTheHeapIsToldSo() {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(1), RandomBlocks.Ids.DENSE, RandomBlocks.Form.INT, 20, 100, false, true);
    ExecutorGraph graph =
        ExecutorGraphBuilder.build(
            blocks.edges,
            null,
            new Options(
                1,
                1,
                new ValueType.Scalar(Kind.DOUBLE),
                RowsMade.NOW,
                new Memory(new MappedMemory(List.of(directory)), Long.MAX_VALUE)));
    GraphPartition partition = graph.partitions().get(0);
    assertThatThrownBy(() -> partition.inEdges().neighbours())
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageStartingWith("the neighbours of 100 edges are off the heap")
        .hasMessageContaining("spark.gpugraph.memory.edges = heap");
    assertThatThrownBy(() -> partition.inEdgeValues().doubles(0))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageStartingWith("the values of 100 edges are off the heap");
  }
}
