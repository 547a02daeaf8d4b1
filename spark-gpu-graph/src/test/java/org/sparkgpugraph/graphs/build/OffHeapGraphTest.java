package org.sparkgpugraph.graphs.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.graphs.LocalShards;
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
import org.sparkgpugraph.graphs.model.EdgeStores;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.NullValueException;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.shard.EdgeSample;
import org.sparkgpugraph.graphs.shard.ShardBuilder;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.EdgeBytes;

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

  private static List<EdgeBlock> stored(
      List<EdgeBlock> blocks, EdgeMemory memory, ValueType type, int expected) {
    List<EdgeBlock> stored = new ArrayList<>();
    EdgeStores stores = new EdgeStores(memory, type, expected);
    blocks.forEach(block -> stores.addTo(stored, block));
    stores.seal();
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
              ? new MappedMemory(List.of(directory), null)
              : new DirectMemory(DirectMemory.Budget.of(1L << 30, "none"));
      List<EdgeBlock> edges =
          random.nextBoolean()
              ? stored(blocks.edges, memory, type, 1 + random.nextInt(2000))
              : blocks.edges;
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
        checkBytes(wanted.edgeBytes(), found.edgeBytes(), seed % 3 == 0);
        check(wanted.reversed(), found.reversed());
        assertThat(found.reversed().edgeBytes()).isEqualTo(found.edgeBytes());
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

  /** Of the same arrays, all of them made. */
  private static void checkBytes(EdgeBytes wanted, EdgeBytes found, boolean mapped) {
    assertThat(wanted.offHeap() + wanted.mapped()).isZero();
    assertThat(mapped ? found.offHeap() : found.mapped()).isZero();
    assertThat(found.onHeap() + found.offHeap() + found.mapped()).isEqualTo(wanted.onHeap());
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
    assertThat(found.length()).isEqualTo(wanted.length());
    for (int c = 0; c < wanted.width(); c++) {
      assertThat(found.kinds()).isEqualTo(wanted.kinds());
      Object copy = Columns.newArray(wanted.kinds().get(c), found.length());
      found.copy(c, 0, found.length(), copy, 0);
      assertThat(copy).isEqualTo(wanted.array(c));
    }
  }

  private static final ValueType MANY =
      new ValueType.Row(
          List.of(Kind.BOOLEAN, Kind.INT, new ArrayType(Kind.FLOAT, 3), Kind.LONG, Kind.DOUBLE));

  /** The same edges with values of all kinds. */
  private static List<EdgeBlock> valued(List<EdgeBlock> blocks, Random random) {
    List<EdgeBlock> valued = new ArrayList<>();
    for (EdgeBlock block : blocks) {
      Columns values = Columns.allocate(MANY.columns(), block.size());
      long[] sources = new long[block.size()];
      long[] destinations = new long[block.size()];
      for (int i = 0; i < block.size(); i++) {
        sources[i] = block.source(i);
        destinations[i] = block.destination(i);
        values.booleans(0)[i] = random.nextBoolean();
        values.ints(1)[i] = random.nextInt();
        values.set(
            2, i, new float[] {random.nextFloat(), Float.NEGATIVE_INFINITY, random.nextInt()});
        values.longs(3)[i] = random.nextLong();
        values.doubles(4)[i] = random.nextDouble();
      }
      valued.add(new GlobalEdgeBlock(block.size(), sources, destinations, values));
    }
    return valued;
  }

  /** Values of several columns, with the edges, and loaded later; of heap graphs, too. */
  @Test
  void valuesOfAllKindsEqualThoseOnTheHeap() {
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      RandomBlocks blocks =
          new RandomBlocks(
              random,
              RandomBlocks.Ids.values()[seed % 5],
              RandomBlocks.Form.GLOBAL,
              random.nextInt(200),
              random.nextInt(3000),
              random.nextBoolean(),
              false);
      List<EdgeBlock> valued = valued(blocks.edges, random);
      EdgeMemory memory = new DirectMemory(DirectMemory.Budget.of(1L << 30, "none"));
      List<EdgeBlock> edges =
          random.nextBoolean() ? stored(valued, memory, MANY, 1 + random.nextInt(2000)) : valued;
      int partitions = random.nextBoolean() ? 1 : 1 + random.nextInt(4);
      BuildMemory away = new Memory(memory, random.nextBoolean() ? Long.MAX_VALUE : 1 << 21);
      try {
        ExecutorGraph wanted =
            ExecutorGraphBuilder.build(
                valued, blocks.vertices, new Options(partitions, 2, MANY, RowsMade.NOW));
        check(
            wanted,
            ExecutorGraphBuilder.build(
                edges, blocks.vertices, new Options(partitions, 2, MANY, RowsMade.NOW, away)));
        ExecutorGraph later =
            ExecutorGraphBuilder.build(
                edges, blocks.vertices, new Options(partitions, 2, null, RowsMade.NOW, away));
        later.loadEdgeValues(MANY, edges);
        check(wanted, later);
        check(
            wanted.masked(id -> id % 3 != 0, (source, destination) -> source <= destination),
            later.masked(id -> id % 3 != 0, (source, destination) -> source <= destination));
        ExecutorGraph onHeap =
            ExecutorGraphBuilder.build(
                valued,
                blocks.vertices,
                new Options(
                    partitions,
                    2,
                    null,
                    random.nextBoolean() ? RowsMade.NOW : RowsMade.LATER_OF_OWN));
        onHeap.loadEdgeValues(MANY, stored(valued, memory, MANY, 100));
        for (int p = 0; p < wanted.partitions().size(); p++) {
          Columns some = wanted.partitions().get(p).inEdgeValues();
          Columns other = onHeap.partitions().get(p).inEdgeValues();
          assertThat(other.onHeap()).isTrue();
          assertThat(other.arrays()).isEqualTo(some.arrays());
        }
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** Parcels wait off the heap from the start, or are moved there once some or all have come. */
  @Test
  void shardsEqualThoseOnTheHeap() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      boolean values = seed % 3 != 0;
      RandomBlocks blocks =
          new RandomBlocks(
              random,
              RandomBlocks.Ids.values()[seed % 5],
              RandomBlocks.Form.values()[random.nextInt(3)],
              random.nextInt(100),
              random.nextInt(1000),
              random.nextBoolean(),
              values);
      ValueType type = values ? LocalShards.DOUBLE : null;
      boolean out = random.nextBoolean();
      EdgeMemory memory =
          seed % 2 == 0
              ? new MappedMemory(List.of(directory), null)
              : new DirectMemory(DirectMemory.Budget.of(1L << 30, "none"));
      BuildMemory away = new Memory(memory, random.nextBoolean() ? Long.MAX_VALUE : 1 << 21);
      BuildMemory first = random.nextBoolean() ? away : BuildMemory.UNBOUNDED;
      int partitions = 1 + random.nextInt(3);
      boolean vertices = blocks.vertices != null;
      ShardBuilder.Options heap = new ShardBuilder.Options(partitions, 1, type, out, vertices);
      IdRanges ranges =
          EdgeSample.of(blocks.edges.iterator(), seed).split(1 + random.nextInt(4), out);
      List<List<EdgeBlock>> sources = blocks.edges.stream().map(List::of).toList();
      boolean later = values && random.nextBoolean();
      try {
        LocalShards wanted = new LocalShards(ranges, heap, new Random(seed));
        wanted.build(sources, blocks.vertices);
        LocalShards found = new LocalShards(ranges, heap, new Random(seed));
        ShardBuilder.Options how =
            new ShardBuilder.Options(
                partitions, 1 + random.nextInt(2), later ? null : type, out, vertices, first);
        List<ShardBuilder> builders = found.builders(sources, blocks.vertices, how);
        for (ShardBuilder builder : builders) {
          if (first != away) {
            builder.move(away);
          }
          found.graphs.add(builder.build());
        }
        if (later) {
          how = new ShardBuilder.Options(partitions, 1, type, out, vertices, first);
          builders = found.builders(sources, blocks.vertices, how);
          for (int s = 0; s < builders.size(); s++) {
            builders.get(s).loadEdgeValues(found.graphs.get(s));
          }
        }
        wanted.connect();
        found.connect();
        for (int s = 0; s < ranges.shards(); s++) {
          checkShard(wanted.graphs.get(s), found.graphs.get(s), out || ranges.shards() == 1);
        }
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static void checkShard(ExecutorGraph wanted, ExecutorGraph found, boolean out) {
    assertThat(found.edgeCount()).isEqualTo(wanted.edgeCount());
    assertThat(found.vertexCount()).isEqualTo(wanted.vertexCount());
    assertThat(found.partitions()).hasSameSizeAs(wanted.partitions());
    for (int p = 0; p < wanted.partitions().size(); p++) {
      GraphPartition some = wanted.partitions().get(p);
      GraphPartition other = found.partitions().get(p);
      assertThat(other.originalIds()).isEqualTo(some.originalIds());
      assertThat(other.present()).isEqualTo(some.present());
      for (boolean in : out ? new boolean[] {true, false} : new boolean[] {true}) {
        check(some.edges(in), other.edges(in));
        check(some.edgeValues(in), other.edgeValues(in));
        assertThat(other.degrees(in)).isEqualTo(some.degrees(in));
      }
    }
  }

  @Test
  void edgesThatWaitThereWithoutValuesAreRefusedWhereTheyAreRead() {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(1), RandomBlocks.Ids.DENSE, RandomBlocks.Form.INT, 20, 100, false, false);
    EdgeMemory memory = new MappedMemory(List.of(directory), null);
    ValueType number = new ValueType.Scalar(Kind.DOUBLE);
    List<EdgeBlock> edges = stored(blocks.edges, memory, number, 30);
    assertThatThrownBy(
            () -> ExecutorGraphBuilder.build(edges, null, new Options(1, 1, number, RowsMade.NOW)))
        .isInstanceOf(NullValueException.class);
    ExecutorGraph found =
        ExecutorGraphBuilder.build(
            edges, null, new Options(3, 1, null, RowsMade.NOW, new Memory(memory, 1 << 21)));
    assertThatThrownBy(() -> found.loadEdgeValues(number, edges))
        .isInstanceOf(NullValueException.class);
  }

  /** Of edges whose rows are of another pass, or partition, nothing is looked up. */
  @Test
  void rowsThatAreSortedInSeveralPassesAreTheSame() {
    for (int seed = 0; seed < 6; seed++) {
      Random random = new Random(seed);
      boolean values = seed % 3 == 0;
      RandomBlocks blocks =
          new RandomBlocks(
              random,
              RandomBlocks.Ids.values()[seed % 5],
              RandomBlocks.Form.values()[seed % 3],
              1 + random.nextInt(20_000),
              400_000,
              random.nextBoolean(),
              values);
      ValueType type = values ? new ValueType.Scalar(Kind.DOUBLE) : null;
      int partitions = 1 + seed % 3;
      EdgeMemory memory = new DirectMemory(DirectMemory.Budget.of(1L << 30, "none"));
      ExecutorGraph wanted =
          ExecutorGraphBuilder.build(
              blocks.edges, blocks.vertices, new Options(partitions, 2, type, RowsMade.NOW));
      ExecutorGraph found =
          ExecutorGraphBuilder.build(
              stored(blocks.edges, memory, type, 100_000),
              blocks.vertices,
              new Options(partitions, 1, type, RowsMade.NOW, new Memory(memory, 1 << 22)));
      try {
        check(wanted, found);
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** What a graph is masked with is the heap's for a while only. */
  @Test
  void aMaskGivesBackWhatItMoves() {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(1), RandomBlocks.Ids.DENSE, RandomBlocks.Form.INT, 20, 100, false, false);
    AtomicLong kept = new AtomicLong();
    EdgeMemory memory = new MappedMemory(List.of(directory), null);
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
                new Memory(new MappedMemory(List.of(directory), null), Long.MAX_VALUE)));
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
