package org.sparkgpugraph.runtime.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.vector.Updates;
import org.sparkgpugraph.vector.Vectors;

/** Change-driven runs, beside the run of the same program that evaluates every edge. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class DeltaTest {
  private static final int STEPS = 6;

  /** A rank, and how it is spread. */
  public record Rank(double rank, int outDegree) implements Serializable {}

  /** What is known of a vertex, and what it believes. */
  public record Labels(float[] seed, float[] belief) implements Serializable {}

  /** A number, and one that stays. */
  public record Count(long value, int inDegree) implements Serializable {}

  private final JavaSparkContext sc;

  DeltaTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  /** Sets how a program is run. */
  private interface Mode {
    <S, A, R> PregelBuilder<Double, Double, S, A, R> on(
        PregelBuilder<Double, Double, S, A, R> program);
  }

  private static final Mode PLAIN =
      new Mode() {
        @Override
        public <S, A, R> PregelBuilder<Double, Double, S, A, R> on(
            PregelBuilder<Double, Double, S, A, R> program) {
          return program;
        }
      };

  private static Mode deltas(double epsilon) {
    return new Mode() {
      @Override
      public <S, A, R> PregelBuilder<Double, Double, S, A, R> on(
          PregelBuilder<Double, Double, S, A, R> program) {
        return program.deltas(epsilon);
      }
    };
  }

  private static RunOptions options(EngineChoice engine) {
    return RunOptions.DEFAULT
        .withEngine(engine)
        .withFallback(RunOptions.Fallback.NEVER)
        .withPartitions(3);
  }

  private Graph<Double, Double> graph(RandomGraphs.Shape shape, long seed) {
    Random random = new Random(seed);
    TestGraph<Double, Double> graph =
        RandomGraphs.of(shape, seed)
            .withAttributes(random, r -> r.nextInt(64) / 8.0, r -> (1 + r.nextInt(8)) / 64.0);
    return graph.toGraphx(sc, 2, Double.class, Double.class);
  }

  private static PregelBuilder<Double, Double, Rank, Double, Rank> ranks(
      Graph<Double, Double> graph, Mode mode, int steps, RunOptions options) {
    return mode.on(
        GpuPregel.on(graph, Double.class, Double.class)
            .state((id, attribute, in, out) -> new Rank(1.0, out))
            .everyVertex(0.0)
            .initialMessage(0.0)
            .maxIterations(steps)
            .vertexProgram((id, value, sum) -> new Rank(0.15 + 0.85 * sum, value.outDegree()))
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr().rank() / edge.srcAttr().outDegree()))
            .mergeMessage(Double::sum)
            .options(options));
  }

  /** Beliefs spread both ways. */
  private static PregelBuilder<Double, Double, Labels, float[], Labels> labels(
      Graph<Double, Double> graph, Mode mode, int length, int steps, RunOptions options) {
    return mode.on(
        GpuPregel.on(graph, Double.class, Double.class)
            .state(
                (id, attribute, in, out) -> {
                  float[] seed = new float[length];
                  seed[(int) Math.floorMod(id, (long) length)] = 1 + (float) (double) attribute;
                  return new Labels(seed, seed.clone());
                })
            .everyVertex(new float[length])
            .initialMessage(new float[length])
            .maxIterations(steps)
            .vertexProgram(
                (id, value, sum) ->
                    new Labels(value.seed(), Vectors.axpy(0.03125f, sum, value.seed())))
            .sendMessage(
                edge -> {
                  float weight = (float) (double) edge.attr();
                  edge.sendToDst(Vectors.scale(weight, edge.srcAttr().belief()));
                  edge.sendToSrc(Vectors.scale(weight, edge.dstAttr().belief()));
                })
            .mergeMessage(Vectors::add)
            .options(options));
  }

  /** Whole numbers, sent by some edges only, with a value of the receiver's that stays. */
  private static PregelBuilder<Double, Double, Count, Long, Count> counts(
      Graph<Double, Double> graph, Mode mode, int steps, RunOptions options) {
    return mode.on(
        GpuPregel.on(graph, Double.class, Double.class)
            .state((id, attribute, in, out) -> new Count(id % 7, in))
            .everyVertex(0L)
            .initialMessage(0L)
            .maxIterations(steps)
            .vertexProgram((id, value, sum) -> new Count(id % 7 + sum % 100, value.inDegree()))
            .sendMessage(
                edge -> {
                  if (edge.srcAttr().value() % 3 > 0) {
                    edge.sendToDst(edge.srcAttr().value() + edge.dstAttr().inDegree());
                  }
                  if (edge.dstAttr().value() % 2 != 0 && edge.attr() > 0.03) {
                    edge.sendToSrc(edge.dstAttr().value() * 3);
                  }
                })
            .mergeMessage(Long::sum)
            .options(options));
  }

  /** Adds to the first array of two, one of which is changed before it is sent. */
  private static PregelBuilder<Double, Double, double[], double[], double[]> flows(
      Graph<Double, Double> graph, Mode mode, int length, int steps, RunOptions options) {
    return mode.on(
        GpuPregel.on(graph, Double.class, Double.class)
            .state((id, attribute, in, out) -> new double[length])
            .everyVertex(new double[length])
            .initialMessage(new double[length])
            .maxIterations(steps)
            .vertexProgram(
                (id, value, sum) -> {
                  double[] next = sum.clone();
                  next[0] = 1 + next[length - 1] / 16;
                  return next;
                })
            .sendMessage(
                edge -> {
                  double[] sent = edge.dstAttr().clone();
                  Updates.addScaledTo(sent, edge.attr() - 1, edge.dstAttr());
                  edge.sendToSrc(sent);
                })
            .mergeMessage(
                (a, b) -> {
                  for (int i = 0; i < a.length; i++) {
                    a[i] += b[i];
                  }
                  return a;
                })
            .options(options));
  }

  private static List<Object> numbers(Object value) {
    List<Object> numbers = new ArrayList<>();
    if (value instanceof Rank rank) {
      numbers.add(rank.rank());
    } else if (value instanceof Count count) {
      numbers.add(count.value());
    } else if (value instanceof Labels labels) {
      numbers.addAll(numbers(labels.belief()));
    } else {
      for (int i = 0; i < Array.getLength(value); i++) {
        numbers.add(Array.get(value, i));
      }
    }
    return numbers;
  }

  private static void same(String what, Graph<?, ?> found, Graph<?, ?> expected) {
    Map<Long, Object> values = new TreeMap<>(Compare.vertices(found));
    Compare.vertices(expected)
        .forEach(
            (id, value) -> {
              List<Object> there = numbers(value);
              List<Object> here = numbers(values.get(id));
              for (int i = 0; i < there.size(); i++) {
                String at = what + ", vertex " + id + ", number " + i;
                if (there.get(i) instanceof Long) {
                  assertThat(here.get(i)).as(at).isEqualTo(there.get(i));
                } else {
                  double number = ((Number) there.get(i)).doubleValue();
                  double bound = there.get(i) instanceof Float ? 1e-4 : 1e-9;
                  assertThat(((Number) here.get(i)).doubleValue())
                      .as(at)
                      .isCloseTo(number, within(bound * (1 + Math.abs(number))));
                }
              }
            });
    assertThat(values).hasSize(Compare.vertices(expected).size());
  }

  private void check(EngineChoice engine, RandomGraphs.Shape shape, int length) {
    Graph<Double, Double> graph = graph(shape, 40 + shape.ordinal());
    RunOptions here = options(engine);
    RunOptions there = options(EngineChoice.CPU);
    String what = engine + ", " + shape + ", " + length + ": ";
    Mode deltas = deltas(0);
    same(
        what + "ranks",
        ranks(graph, deltas, STEPS, here).run(),
        ranks(graph, PLAIN, STEPS, there).run());
    same(
        what + "counts",
        counts(graph, deltas, STEPS, here).run(),
        counts(graph, PLAIN, STEPS, there).run());
    same(
        what + "labels",
        labels(graph, deltas, length, STEPS, here).run(),
        labels(graph, PLAIN, length, STEPS, there).run());
    same(
        what + "flows",
        flows(graph, deltas, length, STEPS, here).run(),
        flows(graph, PLAIN, length, STEPS, there).run());
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void everyChangeToldGivesWhatAllEdgesGive(EngineChoice engine) {
    check(engine, RandomGraphs.Shape.SKEWED, 5);
    check(engine, RandomGraphs.Shape.PARALLEL, 1);
    check(engine, RandomGraphs.Shape.BIPARTITE_HUBS, 33);
    check(engine, RandomGraphs.Shape.UNIFORM, 16);
  }

  @ParameterizedTest
  @EnumSource
  void graphsOfEveryShape(RandomGraphs.Shape shape) {
    check(EngineChoice.CPU, shape, 3);
  }

  @Test
  @Tag("gpu")
  void aGpuGivesWhatAllEdgesGive() {
    check(EngineChoice.CUDA, RandomGraphs.Shape.SKEWED, 16);
    check(EngineChoice.CUDA, RandomGraphs.Shape.PARALLEL, 1);
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void executorsExchangeDifferences(EngineChoice engine) {
    Graph<Double, Double> graph = graph(RandomGraphs.Shape.SKEWED, 78);
    RunOptions there = options(EngineChoice.CPU);
    RunOptions here = options(engine).withExecutors(3);
    same(
        "ranks of 3 executors",
        ranks(graph, deltas(0), STEPS, here).run(),
        ranks(graph, PLAIN, STEPS, there).run());
    same(
        "labels of 3 executors",
        labels(graph, deltas(0), 5, STEPS, here).run(),
        labels(graph, PLAIN, 5, STEPS, there).run());
  }

  /** The sums and what was told are state: they come back with the values. */
  @Test
  void aRunGoesOnAfterAnExecutorIsLost() {
    Graph<Double, Double> graph = graph(RandomGraphs.Shape.SKEWED, 79);
    Graph<?, ?> expected = ranks(graph, PLAIN, STEPS, options(EngineChoice.CPU)).run();
    AtomicInteger losses = new AtomicInteger();
    RunObserver losing =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            if (stats.superstep() == 3 && losses.getAndIncrement() == 0) {
              ExecutorRegistry.dropShard(ExecutorRegistry.shards().iterator().next());
            }
          }
        };
    RunOptions options = options(EngineChoice.CPU).withExecutors(3).withObserver(losing);
    same("ranks after a loss", ranks(graph, deltas(0), STEPS, options).run(), expected);
    assertThat(losses).as("superstep 3 ran again").hasValue(2);
  }

  /** Adds up the edges evaluated, and counts supersteps. */
  private static final class Counter implements RunObserver {
    private long edges;
    private int supersteps;

    @Override
    public synchronized void superstepEnded(SuperstepStats stats) {
      edges += stats.edgesEvaluated();
      supersteps++;
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void ranksAreWithinTheBound(EngineChoice engine) {
    double epsilon = 0.01;
    Graph<Double, Double> graph = graph(RandomGraphs.Shape.SKEWED, 77);
    Map<Long, Rank> found =
        Compare.vertices(ranks(graph, deltas(epsilon), 1000, options(engine)).run());
    Map<Long, Double> sums = new HashMap<>();
    Map<Long, Double> slopes = new HashMap<>();
    for (Edge<Double> edge : graph.edges().toJavaRDD().collect()) {
      Rank from = found.get(edge.srcId());
      sums.merge(edge.dstId(), from.rank() / from.outDegree(), Double::sum);
      slopes.merge(edge.dstId(), 1.0 / from.outDegree(), Double::sum);
    }
    boolean isOff = false;
    for (Map.Entry<Long, Rank> vertex : found.entrySet()) {
      double rank = vertex.getValue().rank();
      double exact = 0.15 + 0.85 * sums.getOrDefault(vertex.getKey(), 0.0);
      double bound = 0.85 * epsilon * slopes.getOrDefault(vertex.getKey(), 0.0) + 1e-9;
      assertThat(rank).as("vertex " + vertex.getKey()).isCloseTo(exact, within(bound));
      isOff |= Math.abs(rank - exact) > 1e-6;
    }
    assertThat(isOff).as("some changes were too small to be told").isTrue();
  }

  @Test
  void fewerEdgesAreEvaluated() {
    Graph<Double, Double> graph = graph(RandomGraphs.Shape.SKEWED, 77);
    long edges = graph.edges().count();
    Counter counter = new Counter();
    ranks(graph, deltas(1e-3), 1000, options(EngineChoice.CPU).withObserver(counter)).run();
    // Every edge in every superstep but the last, which sends nothing.
    long all = edges * (counter.supersteps - 1);
    assertThat(counter.supersteps).isBetween(5, 200);
    assertThat(2 * counter.edges).as(counter.edges + " of " + all + " edges").isLessThan(all);
  }

  @Test
  void epsilonIsAFiniteNumberThatIsNotNegative() {
    Graph<Double, Double> graph = graph(RandomGraphs.Shape.UNIFORM, 1);
    for (double epsilon : new double[] {-1e-9, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> ranks(graph, deltas(epsilon), 3, RunOptions.DEFAULT))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("deltas(" + epsilon + ")");
    }
  }

  /** A program of one number, with a part in the place of what deltas allow. */
  private PregelBuilder<Double, Double, Double, Double, Double> numbers(RunOptions options) {
    return GpuPregel.on(graph(RandomGraphs.Shape.UNIFORM, 1), Double.class, Double.class)
        .state((id, attribute, in, out) -> attribute)
        .initialMessage(0.0)
        .vertexProgram((id, value, sum) -> 1 + sum / 64)
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Double::sum)
        .options(options)
        .deltas(1e-3);
  }

  private static void refused(
      PregelBuilder<?, ?, ?, ?, ?> program, String function, String... words) {
    assertThatThrownBy(program::run)
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining(function)
        .hasMessageContainingAll(words)
        .hasMessageContaining("DeltaTest");
  }

  @Test
  void aProgramOfAnotherFormIsRefusedWithTheReason() {
    // Whatever the fallback is: stock GraphX knows no differences.
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    refused(
        numbers(options).mergeMessage((a, b) -> Math.max(a, b)), "mergeMessage", "[MAX]", "sums");
    refused(
        numbers(options).vertexProgram((id, value, sum) -> value / 2 + sum / 64),
        "vertexProgram",
        "the vertex's value");
    refused(
        numbers(options)
            .vertexProgram((id, value, sum, context) -> sum / (1 + context.superstep())),
        "vertexProgram",
        "superstep");
    refused(
        numbers(options).sendMessage(edge -> edge.sendToDst(edge.srcAttr() - edge.dstAttr())),
        "sendMessage",
        "destination",
        "its sender");
  }

  @Test
  void settingsThatContradictAreRefused() {
    RunOptions options = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    assertThatThrownBy(() -> numbers(options).activeWhen((id, before, after) -> true).run())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("activeWhen");
    assertThatThrownBy(() -> numbers(options).everyVertex(1.0).run())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("initialMessage");
    assertThatThrownBy(() -> numbers(RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX)).run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stock GraphX");
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void aValueWithoutDifferencesEndsTheRun(EngineChoice engine) {
    assertThatThrownBy(
            () -> numbers(options(engine)).vertexProgram((id, value, sum) -> 1 / (sum - sum)).run())
        .hasMessageContaining("deltas")
        .hasMessageContaining("infinite or NaN")
        .hasMessageContaining("vertex ");
  }

  @Test
  void explainSaysThatDifferencesAreSent() {
    assertThat(numbers(options(EngineChoice.CPU)).explain()).contains("change-driven");
  }
}
