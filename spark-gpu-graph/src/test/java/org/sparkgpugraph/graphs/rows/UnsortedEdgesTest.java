package org.sparkgpugraph.graphs.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.GraphInvariants;
import org.sparkgpugraph.graphs.RandomBlocks;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder.Options;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/** Rows of edges that wait, in whatever order somebody asks for them. */
@Tag("any-spark")
class UnsortedEdgesTest {
  private static final ValueType DOUBLE = new ValueType.Scalar(Kind.DOUBLE);
  private static final List<RowsMade> LATER =
      List.of(RowsMade.LATER, RowsMade.LATER_ON_HOST, RowsMade.LATER_OF_OWN);

  /** What may be asked of a partition. */
  private enum Ask {
    PUSH,
    PUSH_VALUES,
    IN,
    OUT,
    OUT_VALUES,
    DEGREES,
    OUT_OFFSETS;

    void of(GraphPartition p) {
      switch (this) {
        case PUSH -> PushRows.of(p).csr().neighbours();
        case PUSH_VALUES -> PushRows.of(p).values();
        case IN -> p.inEdges().neighbours();
        case OUT -> p.outEdges().neighbours();
        case OUT_VALUES -> {
          if (p.outEdgeValues() != null) {
            p.outEdgeValues().array(0);
          }
        }
        case DEGREES -> p.degrees(false);
        default -> p.outEdges().offsets();
      }
    }
  }

  private static ExecutorGraph build(RandomBlocks blocks, boolean values, RowsMade rows) {
    return ExecutorGraphBuilder.build(
        blocks.edges, blocks.vertices, new Options(1, 2, values ? DOUBLE : null, rows));
  }

  private static RandomBlocks blocks(Random random, boolean values) {
    return new RandomBlocks(
        random,
        RandomBlocks.Ids.values()[random.nextInt(5)],
        RandomBlocks.Form.values()[random.nextInt(3)],
        RandomBlocks.Order.values()[random.nextInt(3)],
        random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(60),
        random.nextInt(random.nextBoolean() ? 40 : 3_000),
        random.nextBoolean(),
        values);
  }

  @Test
  void rowsAreTheSameInWhateverOrderTheyAreAskedFor() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      boolean values = random.nextBoolean();
      RandomBlocks blocks = blocks(random, values);
      RowsMade rows = LATER.get(random.nextInt(LATER.size()));
      ExecutorGraph now = build(blocks, values, RowsMade.NOW);
      ExecutorGraph later = build(blocks, values, rows);
      List<Ask> order = new ArrayList<>(List.of(Ask.values()));
      Collections.shuffle(order, random);
      try {
        GraphPartition expected = now.partitions().get(0);
        GraphPartition actual = later.partitions().get(0);
        for (Ask ask : order) {
          ask.of(actual);
          assertThat(later.bytes())
              .isGreaterThanOrEqualTo(
                  UnsortedEdges.of(actual).bytes(false) + UnsortedEdges.of(actual).bytes(true));
          if (random.nextInt(3) == 0) {
            assertPush(actual, expected);
          }
        }
        assertPush(actual, expected);
        assertRows(actual, expected);
        assertThat(actual.degrees(false)).isEqualTo(expected.degrees(false));
        assertThat(PushRows.of(actual).areAtHand()).isTrue();
        assertThat(PushRows.of(later.reversed().partitions().get(0)).csr())
            .isSameAs(actual.inEdges());
        GraphInvariants.check(later);
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed + ", " + rows + ", " + order, e);
      }
    }
  }

  private static void assertRows(GraphPartition actual, GraphPartition expected) {
    assertThat(actual.inEdges().offsets()).isEqualTo(expected.inEdges().offsets());
    assertThat(actual.inEdges().neighbours()).isEqualTo(expected.inEdges().neighbours());
    assertThat(actual.outEdges().offsets()).isEqualTo(expected.outEdges().offsets());
    assertThat(actual.outEdges().neighbours()).isEqualTo(expected.outEdges().neighbours());
    if (expected.inEdgeValues() != null) {
      assertThat(actual.inEdgeValues().doubles(0)).isEqualTo(expected.inEdgeValues().doubles(0));
      assertThat(actual.outEdgeValues().doubles(0)).isEqualTo(expected.outEdgeValues().doubles(0));
    }
  }

  /** In each row the same pairs of neighbour and value. */
  private static void assertPush(GraphPartition actual, GraphPartition expected) {
    Csr push = PushRows.of(actual).csr();
    Columns values = PushRows.of(actual).values();
    Columns expectedValues = expected.outEdgeValues();
    assertThat(PushRows.of(actual).csr()).isSameAs(push);
    assertThat(PushRows.of(actual).values()).isSameAs(values);
    assertThat(values == null).isEqualTo(expectedValues == null);
    assertThat(push.offsets()).isEqualTo(expected.outEdges().offsets());
    for (int row = 0; row < push.rows(); row++) {
      assertThat(pairs(push, values, row))
          .isEqualTo(pairs(expected.outEdges(), expectedValues, row));
    }
  }

  /** Values are integers below 1000. */
  private static long[] pairs(Csr csr, Columns values, int row) {
    return IntStream.range(csr.offsets()[row], csr.offsets()[row + 1])
        .mapToLong(
            e ->
                (long) csr.neighbours()[e] << 32
                    | (values == null ? 0 : (long) values.doubles(0)[e]))
        .sorted()
        .toArray();
  }

  /** A hub, ends of parallel edges among them, in GraphX's layout. */
  private static RandomBlocks large() {
    return new RandomBlocks(
        new Random(8),
        RandomBlocks.Ids.NEGATIVE,
        RandomBlocks.Form.LOCAL,
        RandomBlocks.Order.BY_SOURCE,
        50,
        300_000,
        false,
        true);
  }

  @Test
  void bytesAreThoseOfTheArraysThatAreKept() {
    RandomBlocks blocks = large();
    long edges = 300_000;
    long copies = edges * 4;
    long doubles = edges * 8;
    for (RowsMade rows : LATER) {
      boolean owned = rows == RowsMade.LATER_OF_OWN;
      boolean kept = rows == RowsMade.LATER;
      ExecutorGraph graph = build(blocks, true, rows);
      GraphPartition partition = graph.partitions().get(0);
      UnsortedEdges unsorted = UnsortedEdges.of(partition);
      final long vertices = partition.stored();
      final long maps =
          unsorted.loaded().blocks().stream().mapToLong(b -> 4L * b.map().length).sum();
      assertThat(unsorted.loaded().values().get(0).array(0))
          .as("values that are such as programs read")
          .isSameAs(blocks.edges.get(0).values());
      final long bare = graph.bytes() - maps - (owned ? 2 * copies + doubles : 0);
      assertThat(bare).isEqualTo(graph.ids().bytes());
      assertThat(PushRows.of(partition).areAtHand()).isTrue();

      PushRows.of(partition).csr();
      long push = 4 * (vertices + 1) + copies + doubles;
      assertThat(graph.bytes()).isEqualTo(bare + push + (kept ? maps : 0));
      assertThat(unsorted.loaded() != null).as("%s: still there", rows).isEqualTo(kept);
      partition.degrees(false);
      assertThat(graph.bytes()).isEqualTo(bare + push + (kept ? maps : 0) + 4 * vertices);

      partition.inEdges().neighbours();
      assertThat(graph.bytes()).isEqualTo(bare + 2 * push + 4 * vertices);
      assertThat(partition.hasTranspose(true)).isFalse();
      assertThat(PushRows.of(partition).areAtHand()).isTrue();
    }
  }

  /** Rows by destination that were made first leave nothing to push along but a sort. */
  @Test
  void edgesThatWereSortedHaveNoPushEdgesUntilTheyAreTurned() {
    for (RowsMade rows : RowsMade.values()) {
      GraphPartition partition = build(large(), true, rows).partitions().get(0);
      partition.inEdges().neighbours();
      assertThat(PushRows.of(partition).areAtHand()).isFalse();
      assertThat(PushRows.of(partition).csr()).isSameAs(partition.outEdges());
      assertThat(PushRows.of(partition).values()).isSameAs(partition.outEdgeValues());
      partition.outEdges().neighbours();
      assertThat(PushRows.of(partition).areAtHand()).isTrue();
      assertThat(PushRows.of(partition).csr()).isSameAs(partition.outEdges());
    }
  }

  /** A program that needs them comes behind one that pushed without. */
  @Test
  void valuesThatComeLaterAreInTheOrderOfTheRows() {
    RandomBlocks blocks = large();
    GraphPartition expected = build(blocks, true, RowsMade.NOW).partitions().get(0);
    for (RowsMade rows : RowsMade.values()) {
      ExecutorGraph graph = build(blocks, false, rows);
      GraphPartition partition = graph.partitions().get(0);
      PushRows.of(partition).csr();
      assertThat(PushRows.of(partition).values()).isNull();
      graph.loadEdgeValues(DOUBLE, blocks.edges);
      assertPush(partition, expected);
      assertRows(partition, expected);
    }
  }

  @Test
  void boxesAreCopied() {
    GlobalEdgeBlock block =
        new GlobalEdgeBlock(
            3, new long[] {1, 1, 2}, new long[] {7, 5, 1}, new Object[] {1.0, 2.0, 3.0});
    ExecutorGraph graph =
        ExecutorGraphBuilder.build(List.of(block), null, new Options(1, 1, DOUBLE, RowsMade.LATER));
    GraphPartition partition = graph.partitions().get(0);
    assertThat(UnsortedEdges.of(partition).valueBytes(false)).isEqualTo(3 * 8);
    assertThat(PushRows.of(partition).csr().neighbours()).containsExactly(3, 2, 0);
    assertThat(PushRows.of(partition).values().doubles(0)).containsExactly(1.0, 2.0, 3.0);
  }

  @Test
  void threadsThatAskAtOnceGetTheSameRows() throws Exception {
    RandomBlocks blocks = large();
    GraphPartition expected = build(blocks, true, RowsMade.NOW).partitions().get(0);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 6; round++) {
        RowsMade rows = LATER.get(round % LATER.size());
        GraphPartition partition = build(blocks, true, rows).partitions().get(0);
        List<Callable<Object>> asks = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
          asks.add(
              () ->
                  List.of(
                      PushRows.of(partition).csr().neighbours(), PushRows.of(partition).values()));
        }
        asks.add(() -> partition.inEdges().neighbours());
        asks.add(() -> partition.outEdges().neighbours());
        Collections.rotate(asks, round);
        List<Object> found = new ArrayList<>();
        for (Future<Object> answer : threads.invokeAll(asks)) {
          found.add(answer.get());
        }
        for (Object answer : found) {
          if (answer instanceof List<?> pushed) {
            assertThat(pushed.get(0)).isSameAs(PushRows.of(partition).csr().neighbours());
            assertThat(pushed.get(1)).isSameAs(PushRows.of(partition).values());
          }
        }
        assertPush(partition, expected);
        assertRows(partition, expected);
      }
    } finally {
      threads.shutdown();
    }
  }
}
