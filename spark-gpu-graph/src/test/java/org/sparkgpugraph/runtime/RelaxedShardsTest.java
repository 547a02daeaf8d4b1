package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Shards that relax by delta-stepping on the CPU engine, as far as horizons chosen at random, give
 * what {@link PregelOracle} gives.
 */
@Tag("any-spark")
class RelaxedShardsTest {
  private static final TestProgram<Double, Double, Double, Double, Double> PATHS =
      PushedShardsTest.shortestPaths();
  private static final ProgramInstance LIFTED = ProgramLifter.lift(PATHS.source());

  /**
   * By its number: a lattice with holes, one with few vertices and many edges for each, one at
   * random, paths of ten vertices with a start each, one with fewer vertices than shards.
   */
  private static TestGraph<Double, Double> graph(int number, Random random) {
    int side = 5 + random.nextInt(20);
    int n = number % 5 == 0 ? side * side : number % 5 == 4 ? 2 : 30 + 10 * random.nextInt(20);
    List<long[]> edges = new ArrayList<>();
    if (number % 5 == 0) {
      for (int v = 0; v < n; v++) {
        for (int u : new int[] {v % side + 1 < side ? v + 1 : n, v + side}) {
          if (u < n && random.nextInt(8) > 0) {
            edges.add(new long[] {v, u});
            edges.add(new long[] {u, v});
          }
        }
      }
    } else if (number % 5 == 3) {
      for (int v = 0; v < n; v++) {
        edges.add(new long[] {v, v % 10 < 9 ? v + 1 : v});
      }
    } else {
      for (int e = 0; e < (number % 5 == 1 ? 20 : 3) * n; e++) {
        edges.add(new long[] {random.nextInt(n), random.nextInt(n)});
      }
    }
    List<Double> weights = new ArrayList<>();
    edges.forEach(edge -> weights.add((double) random.nextInt(50)));
    List<Double> attributes = new ArrayList<>(Collections.nCopies(n, Double.POSITIVE_INFINITY));
    for (int starts = random.nextInt(4); starts >= 0; starts--) {
      attributes.set(random.nextInt(n), (double) random.nextInt(300));
    }
    for (int v = 0; v < n && number % 5 == 3; v += 10) {
      // Further apart than buckets reach.
      attributes.set(v, (double) random.nextInt(1_000_000));
    }
    return new TestGraph<>(
        "graph " + number,
        LongStream.range(0, n).map(v -> 7 * v - 300).toArray(),
        attributes,
        edges.stream().mapToLong(edge -> 7 * edge[0] - 300).toArray(),
        edges.stream().mapToLong(edge -> 7 * edge[1] - 300).toArray(),
        weights);
  }

  /** Runs it over two to four shards; returns what was done between two exchanges, by shard. */
  private static List<List<SuperstepStats>> check(int seed, Engine engine) {
    return check(seed, engine, true);
  }

  /**
   * As above.
   *
   * @param far whether a horizon is never nearer than what one superstep walks
   */
  private static List<List<SuperstepStats>> check(int seed, Engine engine, boolean far) {
    Random random = new Random(seed);
    TestGraph<Double, Double> graph = graph(seed, random);
    int shards = 2 + random.nextInt(3);
    ShardedTrial trial =
        new ShardedTrial(
            shards,
            shards,
            seed % 3 == 0 ? KernelChoice.AUTO : KernelChoice.ASYNC,
            1 + random.nextInt(3),
            true,
            ExchangeMode.values()[random.nextInt(ExchangeMode.values().length)],
            UpdateEncoding.PACKED,
            List.of(1, 2, 1000).get(random.nextInt(3)),
            random.nextInt(3) == 0 ? random.nextInt(4) : -1,
            seed);
    String how = "seed " + seed + ", " + trial;
    PregelOracle.Run<Double> expected = PregelOracle.run(graph, PATHS);
    ShardedTrial.Run<Double> run = trial.run(List.of(engine), LIFTED, PATHS, graph);
    assertThat(run.inPlace()).as(how).isTrue();
    Compare.assertSame(expected.result(), run.result(), graph, PATHS, how);
    if (far && trial.restoreAfter() < 0) {
      // What is done between two exchanges is never less than a superstep.
      assertThat(run.epochs()).as(how).hasSizeLessThanOrEqualTo(expected.steps().size() + 1);
    }
    return run.parts();
  }

  @Test
  void shardsGiveWhatPregelGivesHoweverFarTheyGo() {
    int relaxed = 0;
    int left = 0;
    for (int seed = 0; seed < 150; seed++) {
      for (List<SuperstepStats> parts : check(seed, new CpuEngine())) {
        for (SuperstepStats part : parts) {
          relaxed += part.kernel() == KernelChoice.ASYNC ? 1 : 0;
          left += part.kernel() == KernelChoice.ASYNC && part.activeVertices() > 0 ? 1 : 0;
        }
      }
    }
    assertThat(relaxed).as("relaxations").isGreaterThan(500);
    assertThat(left).as("that left something behind their horizon").isGreaterThan(50);
  }

  /** Who was active and has not been looked at when the horizon is reached stays active, too. */
  @Test
  void horizonsWithinASuperstepLoseNobody() {
    Random random = new Random(1);
    Engine near =
        opening(
            new CpuEngine(),
            run ->
                proxy(
                    EngineRun.class,
                    run,
                    "mayRunAhead",
                    arguments -> new Object[] {arguments[0], 1L + random.nextInt(30)},
                    UnaryOperator.identity()));
    int left = 0;
    for (int seed = 0; seed < 60; seed++) {
      for (List<SuperstepStats> parts : check(seed, near, false)) {
        for (SuperstepStats part : parts) {
          left += part.kernel() == KernelChoice.ASYNC && part.activeVertices() > 0 ? 1 : 0;
        }
      }
    }
    assertThat(left).as("relaxations that left something behind their horizon").isGreaterThan(200);
  }

  // ---- mistakes -------------------------------------------------------------------------------

  @Test
  void whatIsNotToldOfAChangeIsFound() {
    isFound(
        "outgoing",
        told -> {
          ((List<?>) told).stream().limit(1).forEach(list -> ((RefinedUpdates) list).clear());
          return told;
        });
  }

  @Test
  void aGhostWhoseChangeIsNotTakenIsFound() {
    isFound("incoming", null);
  }

  /** Who waits behind the horizon is forgotten: the run may end before they push. */
  @Test
  void anEarlyEndIsFound() {
    isFound("step", stats -> ((SuperstepStats) stats).active(0));
  }

  /**
   * Expects that one of some runs fails or gives other values.
   *
   * @param method of a run that does something wrong
   * @param wrong makes its result wrong; null: it is not called
   */
  private static void isFound(String method, UnaryOperator<Object> wrong) {
    Engine mistaken =
        opening(
            new CpuEngine(),
            run -> proxy(EngineRun.class, run, method, UnaryOperator.identity(), wrong));
    for (int seed = 0; seed < 60; seed++) {
      try {
        check(seed, mistaken);
      } catch (AssertionError found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed");
  }

  /** An engine whose runs are replaced. */
  private static Engine opening(Engine engine, UnaryOperator<EngineRun> by) {
    return proxy(
        Engine.class, engine, "open", UnaryOperator.identity(), run -> by.apply((EngineRun) run));
  }

  private static <T> T proxy(
      Class<T> type,
      T of,
      String wrongMethod,
      UnaryOperator<Object[]> wrongArguments,
      UnaryOperator<Object> wrong) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              boolean is = method.getName().equals(wrongMethod);
              if (is && wrong == null) {
                return null;
              }
              try {
                Object result = method.invoke(of, is ? wrongArguments.apply(arguments) : arguments);
                return is ? wrong.apply(result) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
