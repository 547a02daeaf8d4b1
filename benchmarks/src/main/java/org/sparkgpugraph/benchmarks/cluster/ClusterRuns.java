package org.sparkgpugraph.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.run.ExecutorMemory;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.run.SuperstepTimes;

/**
 * The measured runs of one algorithm over executors. Of every quantity the median over the runs is
 * told; superstep 0, in which the run is opened, is left out of the times of supersteps.
 */
final class ClusterRuns {
  private final List<Run> runs = new ArrayList<>();

  /**
   * One run.
   *
   * @param report of the library
   * @param steps superstep 0 and all others
   * @param wallNanos of all supersteps but superstep 0, seen from the driver
   * @param shuffledBytes written for shuffles, compressed
   */
  private record Run(
      RunReport report, List<SuperstepStats> steps, List<Long> wallNanos, long shuffledBytes) {
    SuperstepTimes times() {
      return steps.subList(1, steps.size()).stream()
          .map(SuperstepStats::times)
          .reduce(SuperstepTimes.NONE, SuperstepTimes::plus);
    }

    double wall() {
      return wallNanos.stream().mapToLong(Long::longValue).sum();
    }

    long edges() {
      return steps.stream().skip(1).mapToLong(SuperstepStats::edgesEvaluated).sum();
    }
  }

  /** Hears when the supersteps of a run end. */
  static final class Watch implements RunObserver {
    private final boolean live;
    private final List<SuperstepStats> steps = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();

    /**
     * @param live whether supersteps are heard of as they end; otherwise, when one executor of a
     *     cluster runs them all, when the run has ended, and its own clock is taken
     */
    Watch(boolean live) {
      this.live = live;
    }

    @Override
    public void superstepEnded(SuperstepStats stats) {
      if (!steps.isEmpty() && stats.superstep() <= steps.get(steps.size() - 1).superstep()) {
        throw new IllegalStateException(
            "the run was set back to superstep " + stats.superstep() + ": it cannot be measured");
      }
      ends.add(System.nanoTime());
      steps.add(stats);
    }

    private List<Long> wallNanos() {
      List<Long> nanos = new ArrayList<>();
      for (int i = 1; i < steps.size(); i++) {
        nanos.add(live ? ends.get(i) - ends.get(i - 1) : steps.get(i).nanos());
      }
      return nanos;
    }
  }

  /** Adds a run that has ended. */
  void add(RunReport report, Watch watch, long shuffledBytes) {
    runs.add(new Run(report, List.copyOf(watch.steps), watch.wallNanos(), shuffledBytes));
  }

  private double median(ToDoubleFunction<Run> quantity) {
    return Medians.median(runs.stream().map(quantity::applyAsDouble).toList());
  }

  /** Milliseconds per superstep, the mean over a run's. */
  private double perStep(ToDoubleFunction<Run> nanos) {
    return median(
        run ->
            run.wallNanos().isEmpty()
                ? 0
                : nanos.applyAsDouble(run) / run.wallNanos().size() / 1e6);
  }

  /** Number of supersteps behind superstep 0; exchanges, where local supersteps are not seen. */
  int supersteps() {
    return (int) median(run -> run.wallNanos().size());
  }

  /** The median superstep. */
  double medianStepMillis() {
    return median(run -> run.wallNanos().isEmpty() ? 0 : Medians.median(run.wallNanos()) / 1e6);
  }

  /** The mean superstep, of which the following are parts. */
  double stepMillis() {
    return perStep(Run::wall);
  }

  /** Kernels, on the CPU the engine, of the slowest executor. */
  double kernelMillis() {
    return perStep(run -> run.times().kernelNanos());
  }

  /** From GPU to GPU inside the slowest executor. */
  double hubMillis() {
    return perStep(run -> run.times().hubNanos());
  }

  /** Packing and unpacking what travels between executors, in the slowest one. */
  double codecMillis() {
    return perStep(run -> run.times().codecNanos());
  }

  /** Between its engine and what is packed, in the slowest executor. */
  double stagingMillis() {
    return perStep(run -> run.times().stagingNanos());
  }

  /** What the slowest executor did beside these. */
  double hostMillis() {
    return perStep(
        run -> {
          SuperstepTimes t = run.times();
          long told = t.codecNanos() + t.stagingNanos();
          return Math.max(0, t.shardNanos() - t.kernelNanos() - t.hubNanos() - told);
        });
  }

  /** Shuffle and Spark: what is left when the slowest executor's work is taken away. */
  double sparkMillis() {
    return perStep(run -> Math.max(0, run.wall() - run.times().shardNanos()));
  }

  /** From the graph to the result's columns. */
  double runSeconds() {
    return median(run -> run.report().runSeconds());
  }

  /** Boundary updates of a run, inside executors and between them. */
  double updates() {
    return median(run -> run.steps().stream().mapToLong(SuperstepStats::boundaryUpdates).sum());
  }

  /** Bytes of these. */
  double exchangedBytes() {
    return median(run -> run.steps().stream().mapToLong(SuperstepStats::boundaryBytes).sum());
  }

  /** Bytes that Spark wrote for the shuffles of a run. */
  double shuffledBytes() {
    return median(Run::shuffledBytes);
  }

  /** Edges evaluated per second of the supersteps. */
  double edgesPerSecond() {
    return median(run -> run.wall() == 0 ? 0 : run.edges() * 1e9 / run.wall());
  }

  /** What the last run says of its engine and devices. */
  String engine() {
    return last().engine() + ": " + last().reason();
  }

  private RunReport last() {
    return runs.get(runs.size() - 1).report();
  }

  /** Bytes of an executor's memory at the end of the last run, of the one that has most. */
  long most(ToLongFunction<ExecutorMemory> bytes) {
    return last().memory().stream().mapToLong(bytes).max().orElse(0);
  }
}
