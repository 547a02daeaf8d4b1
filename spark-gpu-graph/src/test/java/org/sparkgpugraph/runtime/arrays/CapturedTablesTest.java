package org.sparkgpugraph.runtime.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import scala.collection.mutable.HashMap;
import scala.collection.mutable.HashSet;

/** Programs that look things up in large captured arrays, maps and sets, as jobs. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class CapturedTablesTest {
  /** What stock GraphX gives, by the number of entries. */
  private static final Map<Integer, Map<Long, Integer>> STOCK = new TreeMap<>();

  private final Graph<Integer, Integer> graph;

  CapturedTablesTest(JavaSparkContext sc) {
    graph =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 5)
            .withAttributes(new Random(5), r -> r.nextInt(100), r -> r.nextInt(9))
            .toGraphx(sc, 2, Integer.class, Integer.class);
  }

  private static RunOptions options(EngineChoice engine) {
    return RunOptions.DEFAULT.withEngine(engine).withFallback(RunOptions.Fallback.NEVER);
  }

  /** Costs of what is sent, by edge and sender, and what is added to those who are known. */
  private Map<Long, Integer> run(
      EngineChoice engine, int[] costs, HashMap<Long, Integer> known, HashSet<Long> closed) {
    int mask = costs.length - 1;
    return Compare.vertices(
        GpuPregel.on(graph, Integer.class, Integer.class)
            .initialMessage(0)
            .maxIterations(4)
            .vertexProgram(
                (id, value, message) ->
                    Math.max(value, message) + (known.contains(id) ? known.apply(id) : 0))
            .sendMessage(
                edge -> {
                  if (!closed.contains(edge.dstId())) {
                    edge.sendToDst(costs[edge.srcAttr() * 31 + edge.attr() & mask] + 1);
                  }
                })
            .mergeMessage(Math::max)
            .options(options(engine))
            .run());
  }

  private static int[] costs(int length) {
    int[] costs = new int[length];
    Arrays.setAll(costs, i -> i * 7 % 101);
    return costs;
  }

  private static HashMap<Long, Integer> known(int size) {
    HashMap<Long, Integer> known = new HashMap<>();
    for (long id = -size / 2; id < size / 2; id++) {
      known.put(id * 3, (int) (id % 17));
    }
    return known;
  }

  private static HashSet<Long> closed(int size) {
    HashSet<Long> closed = new HashSet<>();
    for (long id = 0; id < size; id++) {
      closed.add(id * 5);
    }
    return closed;
  }

  /** Small ones, such as go with tasks, and such as go by a broadcast. */
  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void tablesGiveWhatGraphxGives(EngineChoice engine) {
    for (int size : new int[] {4, 1024, 1 << 18}) {
      int[] costs = costs(size);
      HashMap<Long, Integer> known = known(size);
      HashSet<Long> closed = closed(size);
      // What takes the time is stock GraphX, which sends all of it with each task.
      Map<Long, Integer> expected =
          STOCK.computeIfAbsent(size, s -> run(EngineChoice.GRAPHX, costs, known, closed));
      assertThat(run(engine, costs, known, closed)).as("%s entries", size).isEqualTo(expected);
    }
  }

  @Test
  @Tag("gpu")
  void aGpuGivesWhatGraphxGives() {
    tablesGiveWhatGraphxGives(EngineChoice.CUDA);
  }

  @Test
  void whatIsChangedBetweenRunsIsReadAnew() {
    int[] costs = costs(1024);
    HashMap<Long, Integer> known = known(1000);
    HashSet<Long> closed = closed(1000);
    Map<Long, Integer> before = run(EngineChoice.CPU, costs, known, closed);
    Arrays.setAll(costs, i -> 1000 - i % 11);
    known.put(0L, 12345);
    closed.clear();
    Map<Long, Integer> after = run(EngineChoice.CPU, costs, known, closed);
    assertThat(after)
        .isNotEqualTo(before)
        .isEqualTo(run(EngineChoice.GRAPHX, costs, known, closed));
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED", "GRAPHX"})
  void whatIsNotInTheTableEndsTheRun(EngineChoice engine) {
    int[] costs = costs(1000);
    HashMap<Long, Integer> known = known(1000);
    assertThatThrownBy(() -> sending(engine, value -> costs[value + 950]))
        .hasStackTraceContaining("java.lang.ArrayIndexOutOfBoundsException");
    assertThatThrownBy(() -> sending(engine, value -> costs[-1 - value]))
        .hasStackTraceContaining("java.lang.ArrayIndexOutOfBoundsException");
    assertThatThrownBy(() -> sending(engine, value -> known.apply(value * 3L + 1)))
        .hasStackTraceContaining("java.util.NoSuchElementException");
  }

  @FunctionalInterface
  private interface Message extends java.io.Serializable {
    int of(int value);
  }

  private void sending(EngineChoice engine, Message message) {
    Compare.vertices(
        GpuPregel.on(graph, Integer.class, Integer.class)
            .initialMessage(0)
            .maxIterations(3)
            .vertexProgram((id, value, told) -> Math.max(value, told))
            .sendMessage(edge -> edge.sendToDst(message.of(edge.srcAttr())))
            .mergeMessage(Math::max)
            .options(options(engine))
            .run());
  }

  @Test
  void tablesThatAreTooLargeAreRefused() {
    byte[] bytes = new byte[70 << 20];
    assertThatThrownBy(() -> sending(EngineChoice.CPU, value -> bytes[value]))
        .hasMessageContaining("a captured byte[] of 73400320 entries, 293601280 bytes")
        .hasMessageContaining("may take 268435456 together")
        .hasMessageContaining("make it an attribute of the vertices or edges");
    // Each of them is small enough.
    byte[] some = new byte[40 << 20];
    byte[] others = new byte[40 << 20];
    assertThatThrownBy(() -> sending(EngineChoice.CPU, value -> some[value] + others[value]))
        .hasMessageContaining("a captured byte[] of 41943040 entries");
  }
}
