package org.sparkgpugraph.runtime.load;

import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.held.Needs;

/**
 * A resident graph as a job sees it.
 *
 * @param reversed whether every edge is turned round
 */
public record GraphView(ResidentState state, boolean reversed) {
  /** The same graph with its edges as they were loaded. */
  public GraphView forward() {
    return new GraphView(state, false);
  }

  /**
   * Loads a source.
   *
   * @param edgeValues whether to load edge values, if there are any, now rather than when a program
   *     first reads them
   * @param once whether the graph is loaded for what runs next alone, and closed then: what that
   *     may not need waits until it does
   */
  public static GraphView load(
      GraphSource source, RunOptions options, boolean edgeValues, boolean once) {
    boolean values = edgeValues && !source.edgeType().columns().isEmpty();
    // What is told hubs is gathered where their in-edges come from.
    RunConf conf = RunConf.of(source.sc(), options);
    boolean hubs =
        conf.exchange().hubs().inEdges() > 0
            && (conf.engine() == EngineChoice.CPU || conf.engine() == EngineChoice.AUTO);
    return new GraphView(
        ResidentState.load(source, options, new Needs(false, values, hubs), once), false);
  }
}
