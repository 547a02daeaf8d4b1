package org.sparkgpugraph.runtime.observe;

import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.run.SuperstepStats;

/** Counts what an {@link EngineRun} does in the metrics of this executor. */
public final class RunMeter {
  private final EngineRun run;
  private final RunMetrics.Meter meter;
  private final long fullBytes;
  private long kernelNanos;

  /**
   * @param meter of the run, which may begin again with another {@link EngineRun}
   * @param graph the executor graph that the run works on
   */
  public RunMeter(
      RunMetrics.Meter meter, EngineRun run, ExecutorGraph graph, LiftedProgram program) {
    this.meter = meter;
    this.run = run;
    this.fullBytes = FullExchange.bytes(graph, FunctionTraits.shippedBytes(program));
  }

  /**
   * To be called when a superstep has ended.
   *
   * @param stats what it did on this executor, with what was told to others
   */
  public void superstep(SuperstepStats stats) {
    long nanos = stats.nanos();
    if (run.deviceTimings().isPresent()) {
      long now = run.deviceTimings().get().kernelNanos();
      nanos = now - kernelNanos;
      kernelNanos = now;
    }
    // Superstep 0 needs no exchange, whatever is exchanged later.
    meter.superstep(stats, stats.superstep() == 0 ? 0 : fullBytes, nanos);
  }
}
