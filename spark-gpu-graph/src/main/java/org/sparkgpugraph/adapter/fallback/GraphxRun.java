package org.sparkgpugraph.adapter.fallback;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.run.RunSummary;

/**
 * What a run on GraphX gives.
 *
 * @param graph the result, persisted and materialised
 * @param summary the supersteps; null when GraphX's own Pregel ran, which does not tell. Edges
 *     evaluated and boundary updates are not counted (0)
 * @param <R> vertex attribute
 * @param <ED> edge attribute
 */
public record GraphxRun<R, ED>(Graph<R, ED> graph, RunSummary summary) {}
