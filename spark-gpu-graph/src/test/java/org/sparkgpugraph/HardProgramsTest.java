package org.sparkgpugraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.Tuple2;

/** Programs that are lifted, but hard on those who make code of them. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class HardProgramsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Graph<Long, Long> graph;
  private final List<RunReport> reports = new ArrayList<>();

  HardProgramsTest(JavaSparkContext context) {
    graph =
        new TestGraph<>(
                "five vertices",
                new long[] {1, 2, 3, 4, 5},
                List.of(10L, 21L, 32L, 43L, 54L),
                new long[] {1, 2, 3, 3, 5},
                new long[] {2, 3, 1, 4, 1},
                List.of(1L, 2L, 3L, 4L, 5L))
            .toGraphx(context, 2, Long.class, Long.class);
  }

  // Each calls the one before it twice: 4096 times the first one.
  private static long f0(long x) {
    return x * 31 ^ (x >>> 7);
  }

  private static long f1(long x) {
    return f0(x) + f0(x * 3 + 1);
  }

  private static long f2(long x) {
    return f1(x) + f1(x * 3 + 2);
  }

  private static long f3(long x) {
    return f2(x) + f2(x * 3 + 3);
  }

  private static long f4(long x) {
    return f3(x) + f3(x * 3 + 4);
  }

  private static long f5(long x) {
    return f4(x) + f4(x * 3 + 5);
  }

  private static long f6(long x) {
    return f5(x) + f5(x * 3 + 6);
  }

  private static long f7(long x) {
    return f6(x) + f6(x * 3 + 7);
  }

  private static long f8(long x) {
    return f7(x) + f7(x * 3 + 8);
  }

  private static long f9(long x) {
    return f8(x) + f8(x * 3 + 9);
  }

  private static long f10(long x) {
    return f9(x) + f9(x * 3 + 10);
  }

  private static long f11(long x) {
    return f10(x) + f10(x * 3 + 11);
  }

  private static long f12(long x) {
    return f11(x) + f11(x * 3 + 12);
  }

  private PregelBuilder<Long, Long, Long, Long, Long> with(VertexProgram<Long, Long> function) {
    return GpuPregel.on(graph, Long.class, Long.class)
        .initialMessage(7L)
        .maxIterations(3)
        .vertexProgram(function)
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr() + edge.attr()))
        .mergeMessage(Math::max);
  }

  /** More code than a method of the JVM can have, although it can be lifted. */
  private PregelBuilder<Long, Long, Long, Long, Long> tooLarge() {
    return with((id, x, y) -> f12(x) + y);
  }

  private RunOptions observed() {
    return RunOptions.DEFAULT.withObserver(
        new RunObserver() {
          @Override
          public void finished(RunReport report) {
            reports.add(report);
          }
        });
  }

  private Map<Long, Long> run(
      PregelBuilder<Long, Long, Long, Long, Long> program, RunOptions options) {
    Graph<Long, Long> result =
        assertTimeoutPreemptively(LIMIT, () -> program.options(options).run());
    Map<Long, Long> values = new TreeMap<>();
    for (Tuple2<Object, Long> pair : result.vertices().toJavaRDD().collect()) {
      values.put((Long) pair._1(), pair._2());
    }
    return values;
  }

  private static RunOptions always() {
    return RunOptions.DEFAULT.withFallback(RunOptions.Fallback.ALWAYS);
  }

  @Test
  void whatTheJvmDoesNotTakeRunsOnStockGraphX() {
    assertThat(run(tooLarge(), observed())).isEqualTo(run(tooLarge(), always()));
    assertThat(reports).extracting(RunReport::engine).containsExactly("graphx");
  }

  @Test
  void whatTheJvmDoesNotTakeIsRefusedWhereItMayNotRunElsewhere() {
    RunOptions never = RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER);
    for (RunOptions options : List.of(never, never.withEngine(EngineChoice.CPU))) {
      assertThatThrownBy(() -> tooLarge().options(options).run())
          .isInstanceOf(NotLiftableException.class)
          .hasMessageStartingWith("vertexProgram at " + HardProgramsTest.class.getName() + ".f0:")
          .hasMessageContaining("the JVM does not take the code that is generated from it");
    }
    assertThatThrownBy(() -> tooLarge().runVertices()).isInstanceOf(NotLiftableException.class);
    try (ResidentGraph<Long, Long> resident = GpuPregel.load(graph, Long.class, Long.class)) {
      String explained = tooLarge().explain();
      assertThat(explained)
          .startsWith("engine: stock GraphX, because the program cannot be lifted\n")
          .contains("! vertexProgram at " + HardProgramsTest.class.getName())
          .contains("the JVM does not take");
    }
  }

  @Test
  void slowCodeSaysSo() {
    try (ResidentGraph<Long, Long> resident = GpuPregel.load(graph, Long.class, Long.class)) {
      String explained =
          GpuPregel.on(resident)
              .initialMessage(7L)
              .vertexProgram((id, x, y) -> f8(x) + y)
              .sendMessage(edge -> edge.sendToDst(edge.srcAttr() + edge.attr()))
              .mergeMessage(Math::max)
              .explain();
      assertThat(explained).contains("slow: its largest method has");
    }
    VertexProgram<Long, Long> slow = (id, x, y) -> f8(x) + y;
    assertThat(run(with(slow), RunOptions.DEFAULT)).isEqualTo(run(with(slow), always()));
  }

  private static long choose(long x, long y) {
    return switch ((int) (x % 24)) {
      case 0 -> 3;
      case 1 -> y;
      case 2, 3, 5, 7, 11, 13, 17, 19, 23 -> x + y;
      case 4 -> 19;
      case 6 -> x >>> 3;
      case 8 -> 80;
      case 9 -> 91;
      case 10 -> y - 1;
      case 12 -> 12;
      case 14 -> 140;
      case 15 -> 151;
      case 16 -> 162;
      case 18 -> 180;
      case -7 -> -70;
      case -1 -> x ^ y;
      default -> x * 5;
    };
  }

  @Test
  void switchesRunOnEveryEngine() {
    VertexProgram<Long, Long> function = (id, x, y) -> choose(x, y);
    Map<Long, Long> expected = run(with(function), always());
    assertThat(run(with(function), RunOptions.DEFAULT.withEngine(EngineChoice.CPU)))
        .isEqualTo(expected);
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    assertThat(run(with(function), RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED)))
        .isEqualTo(expected);
  }

  @Test
  void whatIsDeclaredMonotoneIsNotContradicted() {
    String explained =
        GpuPregel.on(graph, Long.class, Long.class)
            .initialMessage(Long.MAX_VALUE)
            .vertexProgram((id, x, y) -> Math.min(x, y))
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr() + edge.attr()))
            .mergeMessage(Math::min)
            .monotone()
            .explain();
    assertThat(explained)
        .contains("updated in place because the program is declared monotone")
        .contains("note: monotone() is believed, not proved: ")
        .doesNotContain("not monotone");
  }
}
