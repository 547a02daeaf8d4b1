package org.sparkgpugraph.graphs.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.GraphInvariants;
import org.sparkgpugraph.graphs.LocalShards;
import org.sparkgpugraph.graphs.RandomBlocks;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilderTest;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.NullValueException;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.program.ir.Kind;

/** The union of the shards is the graph that one executor would hold. */
@Tag("any-spark")
public class ShardBuilderTest {
  /** Half of the cases have in-edges that can be merged, a quarter out-edges. */
  private static final RandomBlocks.Order[] ORDERS = {
    RandomBlocks.Order.BY_SOURCE,
    RandomBlocks.Order.BY_SOURCE,
    RandomBlocks.Order.BY_DESTINATION,
    RandomBlocks.Order.ANY
  };

  /** Edges a vertex with which the few blocks of a shard are merged if their sources ascend. */
  private static final int EDGES_TO_MERGE = 40;

  /** One random case. */
  private static final class Case {
    final Random random;
    final RandomBlocks blocks;
    final boolean values;
    final boolean outEdges;
    final List<List<EdgeBlock>> partitions;
    final List<EdgeBlock> ordered;
    final LocalShards shards;

    Case(int seed, RandomBlocks.Ids ids, boolean values, boolean valuesNow) {
      random = new Random(seed);
      this.values = values;
      RandomBlocks.Form form = RandomBlocks.Form.values()[random.nextInt(3)];
      RandomBlocks.Order order = ORDERS[random.nextInt(4)];
      boolean sorted = order != RandomBlocks.Order.ANY;
      int vertices = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(sorted ? 20 : 60);
      int edges = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(300);
      if (sorted) {
        edges += EDGES_TO_MERGE * vertices;
      }
      blocks =
          new RandomBlocks(random, ids, form, order, vertices, edges, random.nextBoolean(), values);
      outEdges = random.nextBoolean();
      partitions = grouped(blocks.edges, random);
      ordered = new ArrayList<>();
      partitions.forEach(ordered::addAll);
      EdgeSample sample = EdgeSample.empty();
      for (int p = 0; p < partitions.size(); p++) {
        sample = sample.merge(EdgeSample.of(partitions.get(p).iterator(), seed * 1000L + p));
      }
      assertThat(sample.edges()).isEqualTo(edges == 0 ? 0 : count(ordered));
      IdRanges ranges = sample.split(1 + random.nextInt(7), outEdges);
      VertexOwners owners =
          seed / 2 % 2 == 0 ? ranges : LocalShards.scattered(ordered, ranges, random);
      shards =
          new LocalShards(
              owners,
              new ShardBuilder.Options(
                  1 + random.nextInt(3),
                  1 + random.nextInt(2),
                  valuesNow ? LocalShards.DOUBLE : null,
                  outEdges,
                  blocks.vertices != null),
              random);
      if (sorted) {
        shards.sendLargeParcels();
      }
      shards.build(partitions, blocks.vertices);
      shards.connect();
    }

    /** Some source partitions consist of several blocks. */
    private static List<List<EdgeBlock>> grouped(List<EdgeBlock> blocks, Random random) {
      List<List<EdgeBlock>> partitions = new ArrayList<>();
      for (EdgeBlock block : blocks) {
        if (partitions.isEmpty() || random.nextBoolean()) {
          partitions.add(new ArrayList<>());
        }
        partitions.get(partitions.size() - 1).add(block);
      }
      return partitions;
    }

    ExecutorGraph whole() {
      return ExecutorGraphBuilder.build(
          ordered,
          blocks.vertices,
          new ExecutorGraphBuilder.Options(1, 1, values ? LocalShards.DOUBLE : null));
    }
  }

  private static long count(List<EdgeBlock> blocks) {
    return blocks.stream().mapToLong(EdgeBlock::size).sum();
  }

  private static void forSeeds(int count, Consumer<Integer> test) {
    for (int seed = 0; seed < count; seed++) {
      try {
        test.accept(seed);
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(RandomBlocks.Ids.class)
  void unionOfShardsIsTheGraph(RandomBlocks.Ids ids) {
    PhaseTimes.start();
    forSeeds(
        60,
        seed -> {
          boolean values = seed % 2 == 0;
          Case c = new Case(seed, ids, values, values);
          assertUnion(c.shards, c.whole(), c.outEdges);
          assertGhosts(c);
        });
    assertThat(ExecutorGraphBuilderTest.merged())
        .as("rows that were made without sorting")
        .isGreaterThan(60);
  }

  /** Large enough that several threads take part, with windows and parcels of the usual size. */
  @ParameterizedTest
  @EnumSource(RandomBlocks.Form.class)
  void threadsAndSizesDoNotChangeTheResult(RandomBlocks.Form form) {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(9),
            RandomBlocks.Ids.GAPS,
            form,
            RandomBlocks.Order.values()[form.ordinal()],
            3000,
            400_000,
            true,
            true);
    IdRanges ranges = EdgeSample.of(blocks.edges.iterator(), 9).split(2, true);
    LocalShards shards = null;
    for (int threads : new int[] {1, 4}) {
      List<ShardBuilder> builders = new ArrayList<>();
      ShardBuilder.Options options =
          new ShardBuilder.Options(1, threads, LocalShards.DOUBLE, true, true);
      for (int s = 0; s < ranges.shards(); s++) {
        builders.add(new ShardBuilder(s, ranges, options));
      }
      EdgeRouter router = new EdgeRouter(ranges, true, LocalShards.DOUBLE);
      for (int p = 0; p < blocks.edges.size(); p++) {
        router
            .route(p, List.of(blocks.edges.get(p)).iterator())
            .forEachRemaining(parcel -> builders.get(parcel.shard()).add(parcel));
      }
      for (int p = 0; p < blocks.vertices.size(); p++) {
        router
            .routeVertices(p, blocks.vertices.get(p), null)
            .forEachRemaining(parcel -> builders.get(parcel.shard()).add(parcel));
      }
      LocalShards made = new LocalShards(ranges, options, new Random(threads));
      builders.forEach(b -> made.graphs.add(b.build()));
      made.connect();
      if (shards != null) {
        for (int s = 0; s < ranges.shards(); s++) {
          assertSameArrays(
              shards.graphs.get(s).partitions().get(0), made.graphs.get(s).partitions().get(0));
        }
      }
      shards = made;
    }
    ExecutorGraph whole =
        ExecutorGraphBuilder.build(
            blocks.edges,
            blocks.vertices,
            new ExecutorGraphBuilder.Options(1, 2, LocalShards.DOUBLE));
    GraphPartition all = whole.partitions().get(0);
    for (ExecutorGraph graph : shards.graphs) {
      GraphPartition part = graph.partitions().get(0);
      assertRows(
          part, part.inEdges(), part.inEdgeValues(), all.inEdges(), all.inEdgeValues(), whole);
      assertRows(
          part, part.outEdges(), part.outEdgeValues(), all.outEdges(), all.outEdgeValues(), whole);
    }
  }

  /** The rows of a shard's partition are a contiguous piece of those of the whole graph. */
  private static void assertRows(
      GraphPartition part,
      Csr rows,
      Columns values,
      Csr allRows,
      Columns allValues,
      ExecutorGraph whole) {
    int first = (int) whole.ids().dense(part.originalId(0));
    int from = allRows.offsets()[first];
    int to = allRows.offsets()[first + part.stored()];
    int[] offsets = Arrays.copyOfRange(allRows.offsets(), first, first + part.stored() + 1);
    assertThat(Arrays.stream(rows.offsets()).map(o -> o + from).toArray()).isEqualTo(offsets);
    long[] originals = part.originalIds();
    assertThat(
            Arrays.stream(rows.neighbours())
                .map(n -> (int) whole.ids().dense(originals[n]))
                .toArray())
        .isEqualTo(Arrays.copyOfRange(allRows.neighbours(), from, to));
    assertThat(values.doubles(0)).isEqualTo(Arrays.copyOfRange(allValues.doubles(0), from, to));
  }

  private static void assertSameArrays(GraphPartition a, GraphPartition b) {
    assertThat(b.ghostIds()).isEqualTo(a.ghostIds());
    assertThat(b.inEdges().offsets()).isEqualTo(a.inEdges().offsets());
    assertThat(b.inEdges().neighbours()).isEqualTo(a.inEdges().neighbours());
    assertThat(b.inEdgeValues().doubles(0)).isEqualTo(a.inEdgeValues().doubles(0));
    assertThat(b.outEdges().offsets()).isEqualTo(a.outEdges().offsets());
    assertThat(b.outEdges().neighbours()).isEqualTo(a.outEdges().neighbours());
    assertThat(b.outEdgeValues().doubles(0)).isEqualTo(a.outEdgeValues().doubles(0));
  }

  /** A shard is built from the same parcels again, asks again, and all answer again. */
  @Test
  void handshakeMayBeRepeated() {
    forSeeds(
        20,
        seed -> {
          Case c = new Case(seed, RandomBlocks.Ids.GAPS, false, false);
          int lost = c.random.nextInt(c.shards.owners.shards());
          List<ShardBuilder> again =
              c.shards.builders(c.partitions, c.blocks.vertices, c.shards.options);
          ExecutorGraph rebuilt = again.get(lost).build();
          for (int p = 0; p < rebuilt.partitions().size(); p++) {
            GraphPartition old = c.shards.graphs.get(lost).partitions().get(p);
            assertThat(rebuilt.partitions().get(p).inEdges().neighbours())
                .isEqualTo(old.inEdges().neighbours());
            assertThat(rebuilt.partitions().get(p).ghostIds()).isEqualTo(old.ghostIds());
          }
          c.shards.graphs.set(lost, rebuilt);
          c.shards.connect();
          c.shards.connect();
          assertUnion(c.shards, c.whole(), c.outEdges);
        });
  }

  @Test
  void edgeValuesCanBeLoadedLater() {
    forSeeds(
        40,
        seed -> {
          Case c = new Case(seed, RandomBlocks.Ids.values()[seed % 5], true, false);
          ShardBuilder.Options o = c.shards.options;
          List<ShardBuilder> builders =
              c.shards.builders(
                  c.partitions,
                  null,
                  new ShardBuilder.Options(
                      1, o.threads(), LocalShards.DOUBLE, o.outEdges(), false));
          for (int s = 0; s < builders.size(); s++) {
            ExecutorGraph graph = c.shards.graphs.get(s);
            assertThat(graph.edgeType()).isNull();
            builders.get(s).loadEdgeValues(graph);
            assertThat(graph.edgeType()).isEqualTo(LocalShards.DOUBLE);
          }
          assertUnion(c.shards, c.whole(), c.outEdges);
        });
  }

  @Test
  void maskedShardsAreTheMaskedGraph() {
    forSeeds(
        40,
        seed -> {
          Case c = new Case(seed, RandomBlocks.Ids.values()[seed % 5], true, true);
          java.util.function.LongPredicate vertices = seed % 3 == 0 ? null : id -> (id & 3) != 0;
          EdgePredicate edges = seed % 4 == 0 ? null : (s, d) -> (3 * s + d & 4) == 0;
          c.shards.graphs.replaceAll(g -> g.masked(vertices, edges));
          c.shards.connect();
          assertUnion(c.shards, c.whole().masked(vertices, edges), c.outEdges);
          EdgePredicate fewer = (s, d) -> s <= d;
          c.shards.graphs.replaceAll(g -> g.masked(null, fewer));
          c.shards.connect();
          assertUnion(c.shards, c.whole().masked(vertices, edges).masked(null, fewer), c.outEdges);
        });
  }

  @Test
  void reversedShardsAreTheReversedGraph() {
    forSeeds(
        60,
        seed -> {
          Case c = new Case(seed, RandomBlocks.Ids.values()[seed % 5], true, true);
          if (!c.outEdges && c.shards.owners.shards() > 1) {
            for (ExecutorGraph graph : c.shards.graphs) {
              assertThatThrownBy(graph::reversed)
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("load the graph with out-edges");
              assertThatThrownBy(() -> graph.partitions().get(0).outEdges())
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("load the graph with out-edges");
            }
          } else {
            c.shards.graphs.replaceAll(ExecutorGraph::reversed);
            assertUnion(c.shards, c.whole().reversed(), true);
            c.shards.graphs.replaceAll(g -> g.masked(null, (s, d) -> (s + d & 1) == 0));
            c.shards.connect();
            assertUnion(
                c.shards, c.whole().reversed().masked(null, (s, d) -> (s + d & 1) == 0), true);
          }
        });
  }

  @Test
  void ghostsGetAttributes() {
    forSeeds(
        40,
        seed -> {
          Case c = new Case(seed, RandomBlocks.Ids.values()[seed % 5], false, false);
          for (int round = 0; round < 3; round++) {
            int factor = 3 + round;
            List<Columns> tables =
                c.shards.graphs.stream().map(g -> attributes(g, factor)).toList();
            if (round == 0) {
              c.shards.connect(tables);
            } else {
              c.shards.tell(tables);
            }
            for (int s = 0; s < tables.size(); s++) {
              VertexIds ids = c.shards.graphs.get(s).ids();
              for (int v = 0; v < ids.size(); v++) {
                assertThat(tables.get(s).longs(0)[v]).isEqualTo(ids.original(v) * factor);
                assertThat(tables.get(s).booleans(1)[v]).isEqualTo(ids.original(v) % 3 == 0);
              }
            }
          }
        });
  }

  /** Those of held vertices; the others are zero. */
  private static Columns attributes(ExecutorGraph graph, int factor) {
    Columns table =
        Columns.allocate(List.of(Kind.LONG, Kind.BOOLEAN), Math.toIntExact(graph.ids().size()));
    for (int v = (int) graph.firstHeld(); v < graph.endHeld(); v++) {
      table.longs(0)[v] = graph.ids().original(v) * factor;
      table.booleans(1)[v] = graph.ids().original(v) % 3 == 0;
    }
    return table;
  }

  @Test
  void vertexParcelsKeepTheLayout() {
    forSeeds(
        30,
        seed -> {
          Random random = new Random(seed);
          int size = random.nextInt(50);
          int capacity = 2 * size;
          long[] ids = random.longs(size).distinct().toArray();
          int[] slots = random.ints(0, Math.max(1, capacity)).distinct().limit(size).toArray();
          double[] values = random.doubles(capacity).toArray();
          VertexBlock block = new VertexBlock(size, ids, slots, capacity, values);
          IdRanges ranges = new IdRanges(-5_000_000_000_000_000L, 0, 0, 1L << 60);
          Map<Long, List<Object>> expected = new HashMap<>();
          for (int i = 0; i < size; i++) {
            expected.put(ids[i], List.of(slots[i], values[slots[i]]));
          }
          Map<Long, List<Object>> found = new HashMap<>();
          int parcel = 1 + random.nextInt(20);
          new EdgeRouter(ranges, false, null, BuildMemory.Reservation.NONE, 100, parcel)
              .routeVertices(7, block, LocalShards.DOUBLE)
              .forEachRemaining(
                  p -> {
                    assertThat(p.sourcePartition()).isEqualTo(7);
                    VertexBlock part = p.vertices();
                    assertThat(part.size()).isBetween(1, parcel);
                    assertThat(part.capacity()).isEqualTo(capacity);
                    for (int i = 0; i < part.size(); i++) {
                      assertThat(ranges.shardOf(part.ids()[i])).isEqualTo(p.shard());
                      found.put(part.ids()[i], List.of(part.slot(i), p.values().doubles(0)[i]));
                    }
                  });
          assertThat(found).isEqualTo(expected);
        });
  }

  @Test
  void parcelsAreBoundedAndRoutedOnce() {
    forSeeds(
        40,
        seed -> {
          Case c = new Case(seed, RandomBlocks.Ids.values()[seed % 5], false, false);
          long routed = 0;
          for (int p = 0; p < c.partitions.size(); p++) {
            var parcels =
                c.shards.router(c.shards.options).route(p, c.partitions.get(p).iterator());
            int next = 0;
            while (parcels.hasNext()) {
              EdgeParcel parcel = parcels.next();
              assertThat(parcel.sequence()).isEqualTo(next++);
              assertThat(parcel.edges()).isBetween(0, c.shards.parcelEdges);
              routed += parcel.edges();
            }
          }
          long expected = 0;
          VertexOwners ranges = c.shards.owners;
          for (EdgeBlock block : c.ordered) {
            for (int i = 0; i < block.size(); i++) {
              boolean same =
                  ranges.shardOf(block.source(i)) == ranges.shardOf(block.destination(i));
              expected += c.outEdges && !same ? 2 : 1;
            }
          }
          assertThat(routed).isEqualTo(expected);
        });
  }

  @Test
  void whatIsMissingOrTwiceIsRefused() {
    IntEdgeBlock block = new IntEdgeBlock(4, new int[] {0, 1, 2, 3}, new int[] {3, 2, 1, 0}, null);
    IdRanges ranges = new IdRanges(2);
    LocalShards shards =
        new LocalShards(ranges, new ShardBuilder.Options(1, 1, null, false, false), new Random(1));
    shards.build(List.of(List.of(block)), null);
    ExecutorGraph graph = shards.graphs.get(0);
    assertThatThrownBy(graph::exports).hasMessageContaining("connect the shards");
    assertThatThrownBy(graph::imports).hasMessageContaining("connect the shards");
    assertThatThrownBy(graph::vertexCount).hasMessageContaining("connect the shards");
    assertThatThrownBy(() -> graph.partitions().get(0).outDegree(0))
        .hasMessageContaining("connect the shards");
    assertThatThrownBy(() -> graph.partitions().get(0).inDegree(2))
        .hasMessageContaining("connect the shards");
    assertThatThrownBy(() -> graph.masked(id -> true, null))
        .hasMessageContaining("connect the shards");
    assertThatThrownBy(() -> graph.loadEdgeValues(LocalShards.DOUBLE, List.of(block)))
        .hasMessageContaining("ShardBuilder");
    GhostHandshake shake = new GhostHandshake(graph, 1);
    List<GhostRequest> requests = new ArrayList<>();
    new GhostHandshake(shards.graphs.get(1), 1).requests().forEachRemaining(requests::add);
    assertThat(requests).hasSize(2).allMatch(r -> r.home() == 0 && r.reader() == 1);
    assertThatThrownBy(() -> shake.answer(requests.subList(0, 1).iterator(), null))
        .hasMessageContaining("the one behind it is missing");
    assertThatThrownBy(() -> shake.answer(requests.subList(1, 2).iterator(), null))
        .hasMessageContaining("the one before it is missing");
    assertThatThrownBy(
            () -> shake.answer(List.of(requests.get(0), requests.get(0)).iterator(), null))
        .hasMessageContaining("came twice");
    GhostHandshake other = new GhostHandshake(shards.graphs.get(1), 1);
    assertThatThrownBy(() -> other.answer(requests.iterator(), null))
        .hasMessageContaining("came to shard 1");
    List<GhostReply> replies = new ArrayList<>();
    shake.answer(requests.iterator(), null).forEachRemaining(replies::add);
    assertThat(replies).hasSize(2);
    assertThatThrownBy(() -> other.accept(replies.subList(0, 0).iterator(), null))
        .hasMessageContaining("a reply is missing");
    assertThatThrownBy(() -> other.accept(replies.subList(0, 1).iterator(), null))
        .hasMessageContaining("missing");
    assertThatThrownBy(() -> shake.accept(replies.iterator(), null))
        .hasMessageContaining("came to shard 0");
    assertThatThrownBy(
            () -> other.accept(replies.iterator(), Columns.allocate(List.of(Kind.INT), 4)))
        .hasMessageContaining("no attributes");
    assertThat(other.isConnected()).isFalse();
    other.accept(replies.iterator(), null);
    ShardBuilder builder = new ShardBuilder(0, ranges, shards.options);
    List<EdgeParcel> parcels = new ArrayList<>();
    new EdgeRouter(ranges, false, null)
        .route(0, List.of(block).iterator())
        .forEachRemaining(parcels::add);
    EdgeParcel mine = parcels.stream().filter(p -> p.shard() == 0).findFirst().orElseThrow();
    builder.add(mine);
    assertThatThrownBy(() -> builder.add(mine)).hasMessageContaining("came twice");
    assertThatThrownBy(() -> new ShardBuilder(1, ranges, shards.options).add(mine))
        .hasMessageContaining("came to shard 1");
    assertThatThrownBy(
            () ->
                new GhostHandshake(
                    ExecutorGraphBuilder.build(
                        List.of(block), null, new ExecutorGraphBuilder.Options(1, 1, null))))
        .hasMessageContaining("no shard");
  }

  @Test
  void aTableOfOwnersCountsWithTheGraph() {
    GlobalEdgeBlock block =
        new GlobalEdgeBlock(3, new long[] {3, 4, 900}, new long[] {5, 900, 3}, null);
    List<GlobalEdgeBlock> edges = List.of(block);
    IdRanges ranges = new IdRanges(new long[] {5});
    VertexOwners table = LocalShards.scattered(edges, ranges, new Random(1));
    VertexOwners unsaid =
        new VertexOwners() {
          @Override
          public int shards() {
            return table.shards();
          }

          @Override
          public int shardOf(long id) {
            return table.shardOf(id);
          }

          @Override
          public boolean ascending() {
            return table.ascending();
          }
        };
    assertThat(table.bytes()).isPositive();
    assertThat(bytes(edges, table)).isEqualTo(bytes(edges, unsaid) + table.bytes());
  }

  private static long bytes(List<GlobalEdgeBlock> edges, VertexOwners owners) {
    LocalShards shards =
        new LocalShards(owners, new ShardBuilder.Options(1, 1, null, false, false), new Random(1));
    shards.build(List.of(List.copyOf(edges)), null);
    return shards.graphs.get(1).bytes();
  }

  @Test
  void nullEdgeValueNamesTheEdge() {
    GlobalEdgeBlock block =
        new GlobalEdgeBlock(2, new long[] {3, 4}, new long[] {5, 6}, new Object[] {1.0, null});
    EdgeRouter router = new EdgeRouter(new IdRanges(5), false, LocalShards.DOUBLE);
    assertThatThrownBy(() -> router.route(0, List.of(block).iterator()).next())
        .isInstanceOf(NullValueException.class)
        .hasMessageContaining("edge 4->6");
  }

  /** Ghosts by brute force: far ends of the edges that a partition holds, no others. */
  private static void assertGhosts(Case c) {
    boolean whole = c.shards.owners.shards() == 1;
    for (ExecutorGraph graph : c.shards.graphs) {
      for (GraphPartition partition : graph.partitions()) {
        long[] originals = partition.originalIds();
        TreeSet<Long> held = new TreeSet<>();
        Arrays.stream(originals).limit(partition.stored()).forEach(held::add);
        TreeSet<Long> ghosts = new TreeSet<>();
        for (EdgeBlock block : c.ordered) {
          for (int i = 0; i < block.size(); i++) {
            if (held.contains(block.destination(i))) {
              ghosts.add(block.source(i));
            }
            if ((c.outEdges || whole) && held.contains(block.source(i))) {
              ghosts.add(block.destination(i));
            }
          }
        }
        ghosts.removeAll(held);
        assertThat(Arrays.stream(originals).skip(partition.stored()).boxed())
            .containsExactlyElementsOf(
                ghosts.stream().sorted(Comparator.comparingInt(c.shards.owners::shardOf)).toList());
      }
    }
  }

  // ---- the comparison -------------------------------------------------------------------------

  /** Checks everything about shards against the graph that one executor holds, by original ids. */
  public static void assertUnion(LocalShards shards, ExecutorGraph whole, boolean outEdges) {
    boolean out = outEdges || shards.owners.shards() == 1;
    GraphPartition all = whole.partitions().get(0);
    List<Long> held = new ArrayList<>();
    long edges = 0;
    long vertices = 0;
    for (ExecutorGraph graph : shards.graphs) {
      GraphInvariants.check(graph, out);
      assertThat(graph.vertexCount()).isEqualTo(whole.vertexCount());
      assertThat(graph.edgeType()).isEqualTo(whole.edgeType());
      edges += graph.edgeCount();
      vertices += graph.heldVertices();
      for (GraphPartition partition : graph.partitions()) {
        assertPartition(partition, all, whole.ids(), out);
        for (int local = 0; local < partition.stored(); local++) {
          held.add(partition.originalId(local));
        }
      }
    }
    assertThat(edges).isEqualTo(whole.edgeCount());
    assertThat(vertices).isEqualTo(whole.vertexCount());
    long[] expected =
        Arrays.stream(all.originalIds())
            .boxed()
            .sorted(Comparator.comparingInt(shards.owners::shardOf))
            .mapToLong(Long::longValue)
            .toArray();
    assertThat(held.stream().mapToLong(Long::longValue).toArray())
        .as("held vertices of all shards, in order")
        .isEqualTo(expected);
    for (int s = 0; s < shards.graphs.size(); s++) {
      ExecutorGraph graph = shards.graphs.get(s);
      for (long dense = graph.firstHeld(); dense < graph.endHeld(); dense++) {
        assertThat(shards.owners.shardOf(graph.ids().original(dense))).isEqualTo(s);
      }
    }
    assertLists(shards);
  }

  private static void assertPartition(
      GraphPartition partition, GraphPartition all, VertexIds ids, boolean out) {
    TreeSet<Long> farEnds = new TreeSet<>();
    for (int local = 0; local < partition.stored() + partition.ghosts(); local++) {
      int dense = (int) ids.dense(partition.originalId(local));
      String name = "vertex " + partition.originalId(local);
      assertThat(GraphInvariants.isPresent(partition, local))
          .as(name)
          .isEqualTo(GraphInvariants.isPresent(all, dense));
      assertThat(partition.inDegree(local)).as(name).isEqualTo(all.inDegree(dense));
      assertThat(partition.outDegree(local)).as(name).isEqualTo(all.outDegree(dense));
      if (local < partition.stored()) {
        List<List<Object>> row =
            row(partition, partition.inEdges(), partition.inEdgeValues(), local);
        assertThat(row).as(name).isEqualTo(row(all, all.inEdges(), all.inEdgeValues(), dense));
        row.forEach(edge -> farEnds.add((Long) edge.get(0)));
        if (out) {
          row = row(partition, partition.outEdges(), partition.outEdgeValues(), local);
          assertThat(row).as(name).isEqualTo(row(all, all.outEdges(), all.outEdgeValues(), dense));
          row.forEach(edge -> farEnds.add((Long) edge.get(0)));
        }
      }
    }
    long[] originals = partition.originalIds();
    for (int local = 0; local < partition.stored(); local++) {
      farEnds.remove(originals[local]);
    }
    // Masking leaves ghosts without edges.
    assertThat(Arrays.stream(originals).skip(partition.stored()).boxed()).containsAll(farEnds);
  }

  private static List<List<Object>> row(
      GraphPartition partition, Csr csr, Columns values, int row) {
    List<List<Object>> edges = new ArrayList<>();
    for (int e = csr.offsets()[row]; e < csr.offsets()[row + 1]; e++) {
      edges.add(
          List.of(
              partition.originalId(csr.neighbours()[e]),
              values == null ? "none" : values.get(0, e)));
    }
    return edges;
  }

  /** The k-th export of A to B is the k-th import of B from A, and names the same vertices. */
  private static void assertLists(LocalShards shards) {
    for (int reader = 0; reader < shards.graphs.size(); reader++) {
      ExecutorGraph at = shards.graphs.get(reader);
      int peers = shards.graphs.size();
      int imports = 0;
      for (int home = 0; home < peers; home++) {
        ExecutorGraph from = shards.graphs.get(home);
        List<BoundaryList> sent = of(from.exports(), reader);
        List<BoundaryList> taken = of(at.imports(), home);
        imports += taken.size();
        assertThat(sent).hasSameSizeAs(taken);
        for (int k = 0; k < sent.size(); k++) {
          BoundaryList a = sent.get(k);
          BoundaryList b = taken.get(k);
          assertThat(a.home()).isEqualTo(b.home());
          assertThat(a.reader()).isEqualTo(b.reader());
          assertThat(a.homeVertices()).isEqualTo(b.homeVertices()).isNotEmpty().isSorted();
          assertThat(a.firstGhost()).isEqualTo(-1);
          for (int i = 0; i < a.size(); i++) {
            assertThat(at.partitions().get(b.reader()).originalId(b.firstGhost() + i))
                .isEqualTo(from.partitions().get(a.home()).originalId(a.homeVertices()[i]));
          }
        }
      }
      assertThat(at.imports()).hasSize(imports).isSortedAccordingTo(ShardBuilderTest::compare);
      assertThat(at.exports()).isSortedAccordingTo(ShardBuilderTest::compare);
    }
  }

  private static int compare(RemoteBoundary a, RemoteBoundary b) {
    return Arrays.compare(
        new int[] {a.peer(), a.list().home(), a.list().reader()},
        new int[] {b.peer(), b.list().home(), b.list().reader()});
  }

  private static List<BoundaryList> of(List<RemoteBoundary> lists, int peer) {
    return lists.stream().filter(l -> l.peer() == peer).map(RemoteBoundary::list).toList();
  }
}
