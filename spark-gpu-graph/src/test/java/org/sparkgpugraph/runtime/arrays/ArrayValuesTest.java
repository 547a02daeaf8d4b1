package org.sparkgpugraph.runtime.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.vector.Norms;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Updates;
import org.sparkgpugraph.vector.Vectors;

/** Programs whose values and messages are arrays, or have some. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class ArrayValuesTest {
  private static final int[] LENGTHS = {1, 2, 3, 5, 31, 32, 33, 64, 100, 128};

  /** Kernels are compiled for each length. */
  private static final int[] EMULATED_LENGTHS = {1, 3, 32, 33, 128};

  /** Factors of a vertex, with a bias. */
  public record Factors(double bias, float[] factors, int[] counts) implements Serializable {}

  /** What a vertex is told. */
  public record Told(float[] sum, int[] most, long count) implements Serializable {}

  private final JavaSparkContext sc;

  ArrayValuesTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  private static float[] floats(Random random, int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = random.nextInt(64) / 8f;
    }
    return values;
  }

  private static int[] ints(Random random, int length) {
    int[] values = new int[length];
    for (int i = 0; i < length; i++) {
      values[i] = random.nextInt(1000);
    }
    return values;
  }

  private static double[] doubles(Random random, int length) {
    double[] values = new double[length];
    for (int i = 0; i < length; i++) {
      values[i] = random.nextInt(64) / 8.0;
    }
    return values;
  }

  private static TestGraph<Object, Object> shape(long seed) {
    return RandomGraphs.of(
        seed % 2 == 0 ? RandomGraphs.Shape.SKEWED : RandomGraphs.Shape.PARALLEL, seed);
  }

  private static RunOptions options(EngineChoice engine) {
    return RunOptions.DEFAULT.withEngine(engine).withFallback(RunOptions.Fallback.NEVER);
  }

  /** Values as lists, which say whether they are equal. */
  private static Map<Long, Object> values(Graph<?, ?> result) {
    Map<Long, Object> lists = new TreeMap<>();
    Compare.vertices(result).forEach((id, value) -> lists.put(id, listed(value)));
    return lists;
  }

  private static Object listed(Object value) {
    if (value instanceof Factors factors) {
      return List.of(factors.bias(), listed(factors.factors()), listed(factors.counts()));
    } else if (!value.getClass().isArray()) {
      return value;
    }
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < Array.getLength(value); i++) {
      elements.add(Array.get(value, i));
    }
    return elements;
  }

  /** Sums of neighbours' vectors, which ONYX calls aggregation of features. */
  private Map<Long, Object> sums(EngineChoice engine, int length) {
    Random random = new Random(length);
    Graph<float[], Integer> graph =
        shape(length)
            .<float[], Integer>withAttributes(random, r -> floats(r, length), r -> 1 + r.nextInt(3))
            .toGraphx(sc, 2, float[].class, Integer.class);
    return values(
        GpuPregel.on(graph, float[].class, Integer.class)
            .initialMessage(new float[length])
            .maxIterations(3)
            .vertexProgram((id, value, message) -> Vectors.axpy(0.5f, message, value))
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
            .mergeMessage(Vectors::add)
            .options(options(engine))
            .run());
  }

  /** Sums in the array of the first message, weights on the edges that are arrays, too. */
  private Map<Long, Object> weighted(EngineChoice engine, int length) {
    Random random = new Random(length);
    Graph<double[], double[]> graph =
        shape(length + 1)
            .<double[], double[]>withAttributes(
                random, r -> doubles(r, length), r -> doubles(r, length))
            .toGraphx(sc, 2, double[].class, double[].class);
    return values(
        GpuPregel.on(graph, double[].class, double[].class)
            .initialMessage(new double[length])
            .maxIterations(2)
            .vertexProgram(
                (id, value, message) -> {
                  double[] next = value.clone();
                  Updates.addScaledTo(next, 0.125, message);
                  next[(int) Math.floorMod(id, (long) next.length)] += 1;
                  return next;
                })
            .sendMessage(
                edge -> {
                  edge.sendToDst(Vectors.multiply(edge.srcAttr(), edge.attr()));
                  edge.sendToSrc(edge.dstAttr().clone());
                })
            .mergeMessage(
                (a, b) -> {
                  for (int i = 0; i < a.length; i++) {
                    a[i] += b[i];
                  }
                  return a;
                })
            .options(options(engine))
            .run());
  }

  /**
   * Softmax of the sum of neighbours' vectors: a maximum, exponentials with their total, a
   * division.
   */
  private Map<Long, double[]> probabilities(EngineChoice engine, int length) {
    Random random = new Random(length);
    Graph<double[], Integer> graph =
        shape(length)
            .<double[], Integer>withAttributes(random, r -> doubles(r, length), r -> 1)
            .toGraphx(sc, 2, double[].class, Integer.class);
    Map<Long, double[]> found = new TreeMap<>();
    Compare.vertices(
            GpuPregel.on(graph, double[].class, Integer.class)
                .initialMessage(new double[length])
                .maxIterations(3)
                .vertexProgram(
                    (id, value, message) -> {
                      double[] next = Vectors.axpy(0.3, message, value);
                      double most = Reductions.max(next);
                      double total = 0;
                      for (int i = 0; i < next.length; i++) {
                        next[i] = Math.exp(next[i] - most);
                        total += next[i];
                      }
                      for (int i = 0; i < next.length; i++) {
                        next[i] /= total;
                      }
                      return next;
                    })
                .sendMessage(
                    edge ->
                        edge.sendToDst(
                            Vectors.scale(
                                Reductions.dot(edge.srcAttr(), edge.dstAttr()), edge.srcAttr())))
                .mergeMessage(Vectors::add)
                .options(options(engine))
                .run())
        .forEach((id, value) -> found.put(id, (double[]) value));
    return found;
  }

  /**
   * Sums over elements are taken in another order by lanes, and exponentials by another library.
   */
  @ParameterizedTest
  @ValueSource(ints = {3, 33})
  void probabilitiesAreTheSameButForRounding(int length) {
    Map<Long, double[]> expected = probabilities(EngineChoice.GRAPHX, length);
    for (EngineChoice engine : List.of(EngineChoice.CPU, EngineChoice.EMULATED)) {
      Map<Long, double[]> found = probabilities(engine, length);
      assertThat(found.keySet()).isEqualTo(expected.keySet());
      found.forEach(
          (id, values) ->
              assertThat(values)
                  .as("vertex %d of %s", id, engine)
                  .containsExactly(expected.get(id), Offset.offset(1e-9)));
    }
  }

  /** Arrays in records, of several lengths, and a state that is made of a number. */
  private Map<Long, Object> records(EngineChoice engine, int length) {
    Random random = new Random(length);
    Graph<Integer, Integer> graph =
        shape(length + 2)
            .<Integer, Integer>withAttributes(random, r -> r.nextInt(100), r -> r.nextInt(9))
            .toGraphx(sc, 2, Integer.class, Integer.class);
    return values(
        GpuPregel.on(graph, Integer.class, Integer.class)
            .state(
                (id, value, in, out) -> {
                  float[] factors = new float[length];
                  int[] counts = new int[2];
                  for (int i = 0; i < length; i++) {
                    factors[i] = (value * (i + 3)) % 17;
                  }
                  counts[0] = value;
                  return new Factors(value / 4.0, factors, counts);
                })
            .initialMessage(new Told(new float[length], new int[2], 0L))
            .maxIterations(3)
            .vertexProgram(
                (id, value, message) -> {
                  float[] next = Vectors.axpy(0.25f, message.sum(), value.factors());
                  double bias = value.bias() + Reductions.dot(next, message.sum()) % 8;
                  int[] counts = {
                    Math.max(value.counts()[1], message.most()[0]),
                    value.counts()[0] + (int) message.count()
                  };
                  return new Factors(bias, next, counts);
                })
            .sendMessage(
                edge -> {
                  if (edge.attr() > 1) {
                    float[] scaled = Vectors.scale(0.5f, edge.srcAttr().factors());
                    edge.sendToDst(new Told(scaled, edge.srcAttr().counts(), edge.attr()));
                  } else {
                    edge.sendToSrc(new Told(edge.dstAttr().factors(), edge.srcAttr().counts(), 1L));
                  }
                })
            .mergeMessage(
                (a, b) ->
                    new Told(
                        Vectors.add(a.sum(), b.sum()),
                        Vectors.max(b.most(), a.most()),
                        a.count() + b.count()))
            .options(options(engine))
            .run());
  }

  /** Which of two arrays goes on depends on what is in them; who is told something is active. */
  private Map<Long, Object> chosen(EngineChoice engine, int length) {
    Random random = new Random(length);
    Graph<int[], Integer> graph =
        shape(length + 3)
            .<int[], Integer>withAttributes(random, r -> ints(r, length), r -> r.nextInt(9))
            .toGraphx(sc, 2, int[].class, Integer.class);
    return values(
        GpuPregel.on(graph, int[].class, Integer.class)
            .initialMessage(new int[length])
            .maxIterations(20)
            .vertexProgram(
                (id, value, message) ->
                    value[value.length - 1] >= message[message.length - 1] ? value : message)
            .sendMessage(
                edge -> {
                  int last = edge.srcAttr().length - 1;
                  if (edge.srcAttr()[last] > edge.dstAttr()[last]) {
                    edge.sendToDst(edge.srcAttr());
                  }
                })
            .mergeMessage((a, b) -> smaller(a, b) ? b : a)
            .options(options(engine))
            .run());
  }

  /** Whether an array comes before another one in the order of a dictionary, from its end. */
  private static boolean smaller(int[] a, int[] b) {
    for (int i = a.length - 1; i >= 0; i--) {
      if (a[i] != b[i]) {
        return a[i] < b[i];
      }
    }
    return false;
  }

  private void check(EngineChoice engine, int... lengths) {
    for (int length : lengths) {
      check(engine, "sums of " + length, e -> sums(e, length));
      check(engine, "weighted " + length, e -> weighted(e, length));
      check(engine, "records of " + length, e -> records(e, length));
      check(engine, "chosen " + length, e -> chosen(e, length));
    }
  }

  private interface Program {
    Map<Long, Object> run(EngineChoice engine);
  }

  private static void check(EngineChoice engine, String name, Program program) {
    assertThat(program.run(engine)).as(name).isEqualTo(program.run(EngineChoice.GRAPHX));
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void arraysGiveWhatGraphxGives(EngineChoice engine) {
    check(engine, engine == EngineChoice.EMULATED ? EMULATED_LENGTHS : LENGTHS);
  }

  @Test
  @Tag("gpu")
  void aGpuGivesWhatGraphxGives() {
    // Each takes some seconds to compile.
    check(EngineChoice.CUDA, 1, 5, 33, 64, 128);
  }

  /** All aggregates as an array, of a superstep and in the end. */
  private Map<Long, Object> aggregates(EngineChoice engine) {
    return values(
        GpuPregel.on(graph(i -> new double[] {i, 2 * i + 1}), double[].class, Double.class)
            .everyVertex(0.0)
            .maxIterations(3)
            .vertexProgram(
                (id, value, sum, run) -> {
                  // In the first superstep there is no largest value yet.
                  if (run.superstep() == 1) {
                    return value;
                  }
                  double[] seen = run.aggregates();
                  seen[0] += value[0] + sum;
                  return seen;
                })
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr()[1] % 64))
            .mergeMessage(Double::sum)
            .aggregate("most", AggregateOperation.MAX, (id, before, after) -> after[0] % 1000)
            .aggregate("sum", AggregateOperation.SUM, (id, before, after) -> before[1] + id)
            .finalAggregate("least", AggregateOperation.MIN, (id, before, after) -> after[0])
            .finalAggregate("ids", AggregateOperation.SUM, (id, before, after) -> id)
            .finalAggregate("all", AggregateOperation.SUM, (id, before, after) -> after[1])
            .result(
                (id, attribute, value, run) ->
                    Vectors.axpy(value[0], run.aggregates(), new double[3]))
            .options(options(engine))
            .run());
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void aggregatesAreAnArray(EngineChoice engine) {
    Map<Long, Object> expected = aggregates(EngineChoice.GRAPHX);
    assertThat(expected.values().stream().distinct()).hasSizeGreaterThan(1);
    assertThat(aggregates(engine)).isEqualTo(expected);
  }

  @Test
  void aggregatesOfAProgramWithoutAnyAreRefused() {
    assertThatThrownBy(
            () ->
                GpuPregel.on(graph(i -> new double[3]), double[].class, Double.class)
                    .initialMessage(1.0)
                    .maxIterations(2)
                    .vertexProgram((id, value, message, run) -> run.aggregates())
                    .sendMessage(edge -> edge.sendToDst(1.0))
                    .mergeMessage(Double::sum)
                    .options(options(EngineChoice.CPU))
                    .run())
        .hasStackTraceContaining("aggregates() gives 1 to 1024 aggregates, the program has 0");
  }

  private Graph<double[], Double> graph(IntFunction<double[]> value) {
    int[] next = {0};
    TestGraph<Integer, Double> ring = TestGraph.ring(5, 1);
    return ring.<double[], Double>withAttributes(
            new Random(1), r -> value.apply(next[0]++), r -> 1.0)
        .toGraphx(sc, 1, double[].class, Double.class);
  }

  private static void run(Graph<double[], Double> graph, double[] initial) {
    values(
        GpuPregel.on(graph, double[].class, Double.class)
            .initialMessage(initial)
            .maxIterations(2)
            .vertexProgram((id, value, message) -> value)
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
            .mergeMessage(Vectors::add)
            .options(options(EngineChoice.CPU))
            .run());
  }

  @Test
  void arraysThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> run(graph(i -> new double[i == 3 ? 4 : 3]), new double[3]))
        .hasStackTraceContaining("is an array of 4 elements, but all have 3");
    assertThatThrownBy(() -> run(graph(i -> new double[0]), new double[3]))
        .hasStackTraceContaining("a double[] of 0 elements");
    assertThatThrownBy(() -> run(graph(i -> new double[1025]), new double[3]))
        .hasStackTraceContaining(
            "a double[] of 1025 elements; arrays that are values have 1 to 1024");
    assertThatThrownBy(() -> run(graph(i -> new double[4]), new double[3]))
        .hasStackTraceContaining(
            "the array here has 4 elements, but those of vertices or of the initial message have 3");
    assertThatThrownBy(() -> run(graph(i -> i == 2 ? null : new double[3]), new double[3]))
        .hasStackTraceContaining("null");
    assertThatThrownBy(
            () ->
                GpuPregel.on(graph(i -> new double[3]), double[].class, Double.class)
                    .initialMessage(1.0)
                    .maxIterations(2)
                    .vertexProgram(
                        (id, value, message) -> {
                          value[0] = message;
                          return value;
                        })
                    .sendMessage(edge -> edge.sendToDst(Norms.l1(edge.srcAttr())))
                    .mergeMessage(Double::sum)
                    .options(options(EngineChoice.CPU))
                    .run())
        .hasStackTraceContaining("changes an array that is a vertex's or an edge's value");
  }
}
