package org.sparkgpugraph.benchmarks.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.RunCounts;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/**
 * Runs of an operator one after the other, of a graph that one executor holds, and what those took
 * that were measured: from opening it to its values, milliseconds.
 */
final class OperatorRuns {
  private final List<Double> run = new ArrayList<>();
  private final List<Double> kernels = new ArrayList<>();
  private final List<Double> copies = new ArrayList<>();
  private final List<List<PhaseTimes.Phase>> phases = new ArrayList<>();
  private List<Round> rounds = List.of();
  private Columns results;

  private OperatorRuns() {}

  /**
   * Runs it.
   *
   * @param opened done when a run is open
   * @param ended gets the phases of each run
   */
  static OperatorRuns of(
      RunCounts counts,
      GraphOperator operator,
      ExecutorGraph graph,
      Engine engine,
      Runnable opened,
      Consumer<List<PhaseTimes.Phase>> ended) {
    OperatorRuns runs = new OperatorRuns();
    for (int i = -counts.warmUps(); i < counts.runs(); i++) {
      runs.measure(operator, graph, engine, opened, ended, i >= 0);
    }
    return runs;
  }

  private void measure(
      GraphOperator operator,
      ExecutorGraph graph,
      Engine engine,
      Runnable opened,
      Consumer<List<PhaseTimes.Phase>> ended,
      boolean counts) {
    int threads = Runtime.getRuntime().availableProcessors();
    rounds = new ArrayList<>();
    PhaseTimes.start();
    long start = System.nanoTime();
    try (OperatorRun open = operator.open(new OperatorInput(graph, null, engine, threads, 0, 1))) {
      opened.run();
      do {
        rounds.add(open.round(rounds.size(), List.of()));
      } while (rounds.get(rounds.size() - 1).more());
      results = open.results();
      if (counts) {
        run.add((System.nanoTime() - start) / 1e6);
        kernels.add(open.deviceNanos().kernels() / 1e6);
        copies.add(open.deviceNanos().transfers() / 1e6);
      }
    }
    List<PhaseTimes.Phase> told = PhaseTimes.stop();
    if (counts) {
      phases.add(told);
    }
    ended.accept(told);
  }

  /** Median of a whole run. */
  double runMillis() {
    return Medians.median(run);
  }

  /** Median of what kernels took on a device. */
  double kernelMillis() {
    return Medians.median(kernels);
  }

  /** Median of what copies to a device and back took. */
  double copyMillis() {
    return Medians.median(copies);
  }

  /** Phases of each measured run. */
  List<List<PhaseTimes.Phase>> phases() {
    return phases;
  }

  /** Rounds of the last run. */
  List<Round> rounds() {
    return rounds;
  }

  /** Values that the last run found. */
  Columns results() {
    return results;
  }
}
