package org.sparkgpugraph.graphs.hub;

import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/**
 * Layouts of graphs with hubs: kept as long as the graph that they are made from, so that its runs
 * make them once, on whatever engine. Thread-safe.
 */
public final class HubLayouts {
  // An executor graph equals itself only, and no layout names it.
  private static final Map<ExecutorGraph, Map<Integer, HubLayout>> MADE = new WeakHashMap<>();

  private HubLayouts() {}

  /** The layout of a graph, made now if it is not there; see {@link HubLayout#of}. */
  public static synchronized HubLayout of(ExecutorGraph graph, int inEdges) {
    return MADE.computeIfAbsent(graph, g -> new TreeMap<>())
        .computeIfAbsent(inEdges, hubs -> HubLayout.of(graph, hubs));
  }
}
