package org.sparkgpugraph.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.run.EdgeBytes;
import org.sparkgpugraph.run.ExecutorMemory;
import org.sparkgpugraph.run.HeapUse;
import org.sparkgpugraph.runtime.event.GraphProgramRefused;
import org.sparkgpugraph.runtime.event.GraphResultCollected;
import org.sparkgpugraph.runtime.event.GraphRunEnded;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;
import org.sparkgpugraph.runtime.event.GraphRunStarted;
import org.sparkgpugraph.runtime.event.GraphSuperstep;

/** What is kept of runs, and how it is written. */
class ReportTest {
  private long now;

  private static GraphSuperstep superstep(String run, int last, int count, long active) {
    return new GraphSuperstep(
        run,
        last,
        count,
        "DENSE",
        1,
        active,
        count,
        1,
        1,
        8L * count,
        16,
        count * 0.01,
        count * 0.006,
        count * 0.003,
        count * 0.009,
        count * 0.002);
  }

  private static GraphRunStarted started(String run, String engine) {
    return new GraphRunStarted(run, "a.b.Program", engine, 10, 20, 30, 1, 1, 8, 0, 0.25, 0.5);
  }

  private static GraphRunEnded ended(String run) {
    return new GraphRunEnded(
        run, "cpu", "why", "CONVERGED", "", 3, 4, 5, 6, 7, 1.0, 0, 0.5, 0, 0.625, 0.9, 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aSeriesIsBoundedAndAddsUp(long seed) {
    Random random = new Random(seed);
    SuperstepSeries series = new SuperstepSeries();
    int next = 0;
    long peak = 0;
    while (next < 100_000) {
      int count = 1 + random.nextInt(1 + next / 1000);
      long active = random.nextInt(1_000_000);
      peak = Math.max(peak, active);
      next += count;
      series.add(superstep("run", next - 1, count, active));
      assertThat(series.stretches().size()).isLessThanOrEqualTo(SuperstepSeries.MOST);
    }
    List<Stretch> stretches = series.stretches();
    assertThat(stretches.size()).isGreaterThan(SuperstepSeries.MOST / 3);
    int at = 0;
    for (Stretch stretch : stretches) {
      assertThat(stretch.first()).isEqualTo(at);
      assertThat(stretch.last()).isEqualTo(at + stretch.supersteps() - 1);
      assertThat(stretch.each(stretch.kernel())).isEqualTo(0.006, within(1e-9));
      assertThat(stretch.each(stretch.exchange())).isEqualTo(0.003, within(1e-9));
      assertThat(stretch.each(stretch.host())).isEqualTo(0.001, within(1e-9));
      assertThat(stretch.each(stretch.spark())).isEqualTo(0.002, within(1e-9));
      at = stretch.last() + 1;
    }
    assertThat(at).isEqualTo(next);
    assertThat(stretches.stream().mapToLong(Stretch::edges).sum()).isEqualTo(next);
    assertThat(stretches.stream().mapToLong(Stretch::mostActive).max()).hasValue(peak);
  }

  @Test
  void whatIsDoneAgainCountsOnce() {
    SuperstepSeries series = new SuperstepSeries();
    for (int i = 0; i < 10; i++) {
      series.add(superstep("run", i, 1, 100));
    }
    for (int i = 4; i < 6; i++) {
      series.add(superstep("run", i, 1, 7));
    }
    assertThat(series.stretches())
        .extracting(Stretch::active)
        .containsExactly(100L, 100L, 100L, 100L, 7L, 7L);
  }

  /** Keeps all, by number. */
  private static final class Shelf implements Accounts.Shelf {
    private final Map<Long, RunAccount> runs = new TreeMap<>();
    private final Map<Long, Refusal> refusals = new TreeMap<>();
    private int puts;

    @Override
    public void put(RunAccount run) {
      runs.put(run.head().id(), run);
      puts++;
    }

    @Override
    public void remove(long run) {
      assertThat(runs.remove(run)).isNotNull();
    }

    @Override
    public void put(Refusal refusal) {
      refusals.put(refusal.id(), refusal);
    }

    @Override
    public void removeRefusal(long refusal) {
      assertThat(refusals.remove(refusal)).isNotNull();
    }
  }

  @Test
  void accountsAreWrittenNowAndThenAndAtTheEnd() {
    Shelf shelf = new Shelf();
    Accounts accounts = new Accounts(shelf, true, () -> now);
    accounts.take(started("run", "auto"));
    for (int i = 0; i < 300; i++) {
      now += 10_000_000;
      accounts.take(superstep("run", i, 1, 5));
    }
    assertThat(shelf.puts).isEqualTo(4);
    assertThat(shelf.runs.get(0L).head().state()).isEqualTo("running");
    accounts.take(ended("run"));
    accounts.take(new GraphResultCollected("run", 0.125, 0));
    RunHead head = shelf.runs.get(0L).head();
    assertThat(head.state()).isEqualTo("converged");
    assertThat(head.totalSeconds()).isEqualTo(1.875);
    assertThat(shelf.runs.get(0L).supersteps()).hasSize(300);
  }

  @Test
  void theOldestRunsAreForgotten() {
    Shelf shelf = new Shelf();
    Accounts accounts = new Accounts(shelf, false, () -> now);
    for (int run = 0; run < Accounts.MOST_RUNS + 5; run++) {
      accounts.take(started("run" + run, "auto"));
      accounts.take(ended("run" + run));
    }
    assertThat(shelf.runs).hasSize(Accounts.MOST_RUNS).doesNotContainKey(4L).containsKey(5L);
    // Those with many points take the place of many.
    for (int run = 0; run < 300; run++) {
      accounts.take(started("long" + run, "auto"));
      for (int i = 0; i < SuperstepSeries.MOST; i++) {
        accounts.take(superstep("long" + run, i, 1, 1));
      }
      accounts.take(ended("long" + run));
    }
    assertThat(shelf.runs).hasSize(Accounts.MOST_POINTS / SuperstepSeries.MOST);
    for (int i = 0; i < Accounts.MOST_RUNS + 3; i++) {
      accounts.take(new GraphProgramRefused("A.java:1", "run", "error", List.of("why"), 0));
    }
    assertThat(shelf.refusals).hasSize(Accounts.MOST_RUNS);
  }

  @Test
  void aFallbackKnowsWhyAndNobodyElseDoes() {
    Shelf shelf = new Shelf();
    Accounts accounts = new Accounts(shelf, false, () -> now);
    accounts.take(new GraphProgramRefused("A.java:1", "run", "graphx", List.of("strings"), 0));
    accounts.take(started("one", "graphx"));
    accounts.take(started("two", "graphx"));
    // No end is in the log.
    accounts.flush();
    assertThat(shelf.runs.get(0L).refused()).containsExactly("strings");
    assertThat(shelf.runs.get(1L).refused()).isEmpty();
  }

  @Test
  void aPageTellsHowLanesWereUsed() {
    Shelf shelf = new Shelf();
    Accounts accounts = new Accounts(shelf, true, () -> now);
    accounts.take(started("run", "cuda"));
    accounts.take(ended("run"));
    accounts.flush();
    assertThat(RunPage.html(shelf.runs.get(0L)))
        .contains("62.5 % of them evaluated edges, 90.0 % had a row");
  }

  private static GraphRunExecutor executor(int shard, ExecutorMemory memory) {
    return new GraphRunExecutor(
        "run", shard, shard + " on h", "cpu", 10, 20, 30, 0, 1, 0, List.of(), memory, 0);
  }

  @Test
  void aPageTellsTheMemoryOfThoseThatToldIt() {
    Shelf shelf = new Shelf();
    Accounts accounts = new Accounts(shelf, true, () -> now);
    accounts.take(started("run", "cpu"));
    accounts.take(executor(0, null));
    accounts.take(ended("run"));
    assertThat(RunPage.html(shelf.runs.get(0L))).doesNotContain("Memory of each executor");
    ExecutorMemory memory =
        new ExecutorMemory(
            "1 on h",
            new HeapUse(4_000_000_000L, 3_200_000_000L, 2_500_000_000L, 1_250_000_000L),
            new EdgeBytes(7_000, 80_000_000, 9_000_000_000L),
            100_000_000,
            123_000_000_000L);
    HeapUse heap = memory.heap();
    ExecutorMemory resident =
        new ExecutorMemory(
            "2 on h",
            new HeapUse(heap.most(), heap.forGraphs(), 0, 1),
            EdgeBytes.NONE,
            0,
            memory.diskFree());
    accounts.take(started("run", "cpu"));
    accounts.take(executor(0, null));
    accounts.take(executor(1, memory));
    accounts.take(executor(2, resident));
    accounts.take(ended("run"));
    String page = RunPage.html(shelf.runs.get(1L));
    assertThat(page)
        .contains("Memory of each executor")
        .contains(
            "<td>part 1, executor 1 on h</td><td class=\"r\">2.50 GB</td><td class=\"r\">1.25 GB</td>"
                + "<td class=\"r\">4 GB, 3.20 GB</td><td class=\"r\">7 kB</td>"
                + "<td class=\"r\">80 MB of 100 MB</td><td class=\"r\">9 GB, 123 GB free</td>")
        .contains("<td>part 2, executor 2 on h</td><td class=\"r\"></td><td class=\"r\">1 B</td>")
        .doesNotContain("<td>part 0");
  }

  @Test
  void eventsOfRunsWhoseBeginningIsNotThereAreIgnored() {
    Shelf shelf = new Shelf();
    Accounts accounts = new Accounts(shelf, true, () -> now);
    accounts.take(superstep("run", 1, 1, 1));
    accounts.take(ended("run"));
    accounts.take(new GraphResultCollected("run", 1, 0));
    accounts.take("something else");
    accounts.flush();
    assertThat(shelf.runs).isEmpty();
  }

  @Test
  void axesHaveRoundNumbers() {
    assertThat(Axis.linear(0).ticks()).containsExactly(0.0, 0.5, 1.0);
    assertThat(Axis.linear(97).ticks()).containsExactly(0.0, 50.0, 100.0);
    assertThat(Axis.linear(4).ticks()).containsExactly(0.0, 1.0, 2.0, 3.0, 4.0);
    Axis even = Axis.of(new double[] {0, 20, 100});
    assertThat(even.isLogarithmic()).isFalse();
    assertThat(even.place(50)).isEqualTo(0.5);
    Axis wide = Axis.of(new double[] {0, 1, 1_000_000});
    assertThat(wide.isLogarithmic()).isTrue();
    assertThat(wide.place(0)).isZero();
    assertThat(wide.place(1)).isEqualTo(1 / 7.0, within(1e-9));
    assertThat(wide.place(1_000_000)).isEqualTo(1);
    List<Double> ticks = new ArrayList<>(wide.ticks());
    assertThat(ticks).isSorted().startsWith(0.0).contains(1e6).hasSizeLessThan(8);
    // More decades than there is room for: the smallest stay above 0.
    Axis huge = Axis.of(new double[] {1e-30, 1e30});
    assertThat(huge.place(1e-30)).isBetween(0.001, 0.1);
  }

  @Test
  void aSuperstepThatStandsOutHidesNoOther() {
    SuperstepSeries series = new SuperstepSeries();
    for (int i = 0; i < 100; i++) {
      double seconds = i == 50 ? 30 : 0.01;
      series.add(
          new GraphSuperstep(
              "run", i, 1, "DENSE", 1, 1, 1, 1, 0, 0, 0, seconds, seconds, 0, seconds, 0));
    }
    StepChart chart = new StepChart(series.stretches(), Part.TIME, true, Quantity::seconds);
    assertThat(chart.cutOff()).isEqualTo(30);
    assertThat(chart.svg("time", "time")).contains(">20 ms<").doesNotContain(">30 s<");
    StepChart even =
        new StepChart(series.stretches().subList(0, 50), Part.TIME, true, Quantity::seconds);
    assertThat(even.cutOff()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "0.0000005, 0.50 µs",
    "0.00123, 1.23 ms",
    "0.5, 500 ms",
    "59.94, 59.9 s",
    "125, 2 min 05 s",
    "7322, 2 h 02 min"
  })
  void secondsReadWell(double seconds, String text) {
    assertThat(Quantity.seconds(seconds)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 B", "999, 999 B", "1536, 1.54 kB", "4000000000, 4 GB"})
  void bytesReadWell(long bytes, String text) {
    assertThat(Quantity.bytes(bytes)).isEqualTo(text);
  }

  @Test
  void whatOthersSayIsNoMarkup() {
    assertThat(new Markup().element("b", "<i>&\"'\u0001\uD800 é 𝔊", "title", "\"<").toString())
        .isEqualTo("<b title=\"&quot;&lt;\">&lt;i&gt;&amp;&quot;&#39;\uFFFD\uFFFD é 𝔊</b>");
    assertThat(RunsPage.missing("<script>")).doesNotContain("<script>");
  }
}
