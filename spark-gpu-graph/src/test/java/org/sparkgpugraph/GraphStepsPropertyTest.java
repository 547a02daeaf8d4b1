package org.sparkgpugraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.function.VertexMap;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.StepScript;
import org.sparkgpugraph.testing.StepScript.Edges;
import org.sparkgpugraph.testing.TestGraph;

/**
 * Random sequences of maps on random graphs, folded and not, beside the maps one after the other.
 * Whole numbers, so that the order of sums does not matter.
 */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class GraphStepsPropertyTest {
  private static final int K = 3;

  /** A vertex. */
  public record Value(long x, long y, long n, long[] v) implements Serializable {}

  /** A message of two columns, each merged its own way. */
  public record Both(long sum, long most) implements Serializable {}

  private final JavaSparkContext sc;

  GraphStepsPropertyTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  // ---- maps -----------------------------------------------------------------------------------

  private static long[] times(long factor, long[] v) {
    long[] product = new long[v.length];
    for (int i = 0; i < v.length; i++) {
      product[i] = factor * v[i];
    }
    return product;
  }

  private static long[] plus(long[] a, long[] b) {
    long[] sum = new long[a.length];
    for (int i = 0; i < a.length; i++) {
      sum[i] = a[i] + b[i];
    }
    return sum;
  }

  /** An edge map of long messages. */
  private static Edges<Long, Value> numbers(Random random) {
    long c = 1 + random.nextInt(9);
    return switch (random.nextInt(6)) {
      case 0 -> Edges.of(e -> e.sendToDst(c * e.srcAttr().x() + e.attr()), Long::sum, 0L);
      case 1 -> Edges.of(e -> e.sendToSrc(e.dstAttr().y() - c * e.dstId()), Long::sum, c);
      case 2 ->
          Edges.of(
              e -> {
                if ((e.srcAttr().n() + c) % 3 == 0) {
                  e.sendToDst(e.srcAttr().y() + e.dstAttr().x());
                }
              },
              Math::max,
              -c);
      case 3 ->
          // No algebra that is known, but commutative and associative.
          Edges.of(
              e -> {
                e.sendToDst(e.srcAttr().n() + c);
                e.sendToSrc(e.dstAttr().x());
              },
              (a, b) -> a + b + a * b,
              c);
      case 4 ->
          Edges.of(
              e -> {
                e.sendToDst(e.srcAttr().v()[1] * e.attr());
                e.sendToDst(c);
              },
              Long::sum,
              1L);
      default -> Edges.of(e -> e.sendToDst(e.attr() * c), Long::sum, 0L);
    };
  }

  private static Edges<Long, Value> arrays(Random random) {
    long c = 1 + random.nextInt(9);
    return switch (random.nextInt(3)) {
      case 0 ->
          Edges.of(
              e -> e.sendToDst(times(e.attr(), e.srcAttr().v())),
              GraphStepsPropertyTest::plus,
              new long[K]);
      case 1 ->
          Edges.of(
              e -> {
                if (e.srcAttr().x() % 2 == 0) {
                  e.sendToDst(times(c, e.srcAttr().v()));
                }
                e.sendToSrc(e.dstAttr().v());
              },
              GraphStepsPropertyTest::plus,
              new long[] {c, 2, -c});
      default ->
          Edges.of(
              e -> e.sendToSrc(times(e.dstAttr().n(), e.srcAttr().v())),
              GraphStepsPropertyTest::plus,
              new long[] {c, c, c});
    };
  }

  private static Edges<Long, Value> pairs(Random random) {
    long c = 1 + random.nextInt(9);
    return Edges.of(
        e -> {
          if (e.attr() > c - 5) {
            e.sendToDst(new Both(e.srcAttr().x(), e.srcAttr().y() * c));
          }
        },
        (a, b) -> new Both(a.sum() + b.sum(), Math.max(a.most(), b.most())),
        new Both(c, -1L));
  }

  private static VertexMap<Value> alone(Random random) {
    long c = 1 + random.nextInt(9);
    return switch (random.nextInt(4)) {
      case 0 -> (id, v) -> new Value(v.x() * 3 + c, v.y(), v.n(), v.v());
      case 1 -> (id, v) -> v.y() % 2 == 0 ? new Value(v.x(), v.y() / 2 + id, v.n(), v.v()) : v;
      case 2 -> (id, v) -> new Value(v.x(), v.y(), v.n() + 1, times(c, v.v()));
      default -> (id, v) -> new Value(v.y(), v.x(), v.n(), v.v());
    };
  }

  private static VertexProgram<Value, Long> ofNumber(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> (id, v, sum) -> new Value(v.x() + sum, v.y(), v.n(), v.v());
      case 1 -> (id, v, sum) -> new Value(v.x(), sum, v.n(), v.v());
      default -> (id, v, sum) -> sum % 2 == 0 ? v : new Value(v.x(), v.y(), sum % 1000, v.v());
    };
  }

  private static VertexProgram<Value, long[]> ofArray(Random random) {
    return random.nextBoolean()
        ? (id, v, sum) -> new Value(v.x(), v.y(), v.n(), plus(v.v(), sum))
        : (id, v, sum) -> new Value(v.x() + sum[2], v.y(), v.n(), v.v());
  }

  private static void step(Random random, StepScript<Long, Value> to) {
    switch (random.nextInt(7)) {
      case 0 -> to.vertices(alone(random));
      case 1, 2 -> to.one(numbers(random), ofNumber(random));
      case 3 -> to.one(arrays(random), ofArray(random));
      case 4 ->
          to.one(
              pairs(random),
              (long id, Value v, Both b) -> new Value(v.x() + b.sum(), b.most(), v.n(), v.v()));
      case 5 ->
          to.two(
              numbers(random),
              numbers(random),
              (long id, Value v, Long a, Long b) -> new Value(a, v.y() + b, v.n(), v.v()));
      default ->
          to.two(
              arrays(random),
              numbers(random),
              (long id, Value v, long[] a, Long b) -> new Value(v.x(), v.y() + b, v.n(), a));
    }
  }

  /** Steps, some in loops, in which there may be others. */
  private static StepScript<Long, Value> script(Random random, int depth) {
    StepScript<Long, Value> script = new StepScript<>();
    int steps = 1 + random.nextInt(4);
    for (int i = 0; i < steps; i++) {
      if (depth < 2 && random.nextInt(4) == 0) {
        script.repeat(1 + random.nextInt(3), script(random, depth + 1));
      } else {
        step(random, script);
      }
    }
    return script;
  }

  // ---- runs -----------------------------------------------------------------------------------

  private static List<Long> numbers(Value value) {
    List<Long> numbers = new ArrayList<>(List.of(value.x(), value.y(), value.n()));
    Arrays.stream(value.v()).forEach(numbers::add);
    return numbers;
  }

  private static Map<Long, List<Long>> numbers(Map<Long, Value> values) {
    Map<Long, List<Long>> numbers = new TreeMap<>();
    values.forEach((id, value) -> numbers.put(id, numbers(value)));
    return numbers;
  }

  private static Value first(long id, Long attribute, int in, int out) {
    long[] v = new long[K];
    for (int i = 0; i < K; i++) {
      v[i] = id % 5 + i;
    }
    return new Value(attribute, in, out, v);
  }

  private void check(EngineChoice engine, long seed, int partitions, int executors) {
    Random random = new Random(seed);
    RandomGraphs.Shape[] shapes = RandomGraphs.Shape.values();
    TestGraph<Long, Long> graph =
        RandomGraphs.of(shapes[random.nextInt(shapes.length)], seed)
            .withAttributes(random, r -> (long) r.nextInt(50), r -> (long) r.nextInt(9) - 4);
    StepScript<Long, Value> script = script(random, 0);
    Map<Long, Integer> in = new HashMap<>();
    Map<Long, Integer> out = new HashMap<>();
    for (int e = 0; e < graph.sources().length; e++) {
      in.merge(graph.destinations()[e], 1, Integer::sum);
      out.merge(graph.sources()[e], 1, Integer::sum);
    }
    Map<Long, Value> values = new TreeMap<>();
    for (int i = 0; i < graph.ids().length; i++) {
      long id = graph.ids()[i];
      values.put(
          id,
          first(id, graph.attributes().get(i), in.getOrDefault(id, 0), out.getOrDefault(id, 0)));
    }
    Map<Long, List<Long>> expected = numbers(script.run(graph, values));
    for (List<Long> numbers : expected.values()) {
      for (int i = 0; i < numbers.size(); i++) {
        if (seed % 3 == 0 && i != 0 && i != 2 || seed % 3 == 1 && (i == 0 || i == 2)) {
          numbers.set(i, 0L);
        }
      }
    }
    RunOptions options = RunOptions.DEFAULT.withPartitions(partitions);
    try (ResidentGraph<Long, Long> resident =
        GpuPregel.loadWithEdgeAttributes(
            graph.toGraphx(sc, 2, Long.class, Long.class),
            Long.class,
            Long.class,
            executors > 1 ? options.withExecutors(executors) : options)) {
      for (boolean folds : new boolean[] {true, false}) {
        GraphSteps<Long, Long, Value, Value> steps =
            script
                .addTo(
                    GpuPregel.steps(resident)
                        .state(GraphStepsPropertyTest::first)
                        .withFolding(folds)
                        .options(RunOptions.DEFAULT.withEngine(engine)))
                .result(
                    // What nobody reads at the end need not be stored.
                    switch ((int) (seed % 3)) {
                      case 0 -> (id, x, v) -> new Value(v.x(), 0, v.n(), new long[K]);
                      case 1 -> (id, x, v) -> new Value(0, v.y(), 0, v.v());
                      default -> (id, x, v) -> v;
                    });
        // Told behind the run: before it, a device lacks what the run has loaded.
        Supplier<String> what =
            () ->
                "seed %d, %s, %s, %d partitions, %d executors, folds %s%n%s"
                    .formatted(
                        seed, engine, graph.name(), partitions, executors, folds, steps.explain());
        try (VertexResult<Value> result = steps.runVertices()) {
          assertThat(numbers(result.toPairs().collectAsMap())).as(what).isEqualTo(expected);
          int supersteps = result.report().summary().iterations();
          if (expected.isEmpty()) {
            assertThat(supersteps).as(what).isZero();
          } else if (folds) {
            assertThat(supersteps).as(what).isBetween(1, script.maps());
          } else {
            assertThat(supersteps).as(what).isEqualTo(script.maps());
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void theCpuGivesWhatOneMapAfterTheOtherGives(int block) {
    for (int seed = 8 * block; seed < 8 * block + 8; seed++) {
      check(EngineChoice.CPU, seed, 1 + seed % 3, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 101, 102, 103})
  void theEmulatedDeviceGivesWhatOneMapAfterTheOtherGives(int seed) {
    check(EngineChoice.EMULATED, seed, 1 + seed % 2, 1);
  }

  @ParameterizedTest
  @CsvSource({"CPU, 200", "CPU, 201", "CPU, 202", "CPU, 203", "EMULATED, 204"})
  void executorsGiveWhatOneMapAfterTheOtherGives(EngineChoice engine, int seed) {
    check(engine, seed, 2, 2);
  }

  @ParameterizedTest
  @Tag("gpu")
  @ValueSource(ints = {300, 301, 302, 303, 304, 305, 306, 307, 308, 309})
  void aGpuGivesWhatOneMapAfterTheOtherGives(int seed) {
    check(EngineChoice.CUDA, seed, 1 + seed % 2, 1);
  }
}
