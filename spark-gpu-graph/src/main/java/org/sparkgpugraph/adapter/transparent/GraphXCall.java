package org.sparkgpugraph.adapter.transparent;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.sparkgpugraph.runtime.conf.ConfigEntry;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;

/** What of GraphX asks the hook: methods of its objects, and the key that switches them. */
public enum GraphXCall {
  PREGEL("Pregel", GpuGraphConf.TRANSPARENT_PREGEL, "apply"),
  PAGE_RANK(
      "lib.PageRank",
      GpuGraphConf.TRANSPARENT_PAGE_RANK,
      "run",
      "runWithOptions",
      "runWithOptionsWithPreviousPageRank",
      "runUntilConvergence",
      "runUntilConvergenceWithOptions"),
  PARALLEL_PERSONALIZED_PAGE_RANK(
      "lib.PageRank",
      GpuGraphConf.TRANSPARENT_PARALLEL_PERSONALIZED,
      "runParallelPersonalizedPageRank"),
  CONNECTED_COMPONENTS(
      "lib.ConnectedComponents", GpuGraphConf.TRANSPARENT_CONNECTED_COMPONENTS, "run"),
  STRONGLY_CONNECTED_COMPONENTS(
      "lib.StronglyConnectedComponents",
      GpuGraphConf.TRANSPARENT_STRONGLY_CONNECTED_COMPONENTS,
      "run"),
  SHORTEST_PATHS("lib.ShortestPaths", GpuGraphConf.TRANSPARENT_SHORTEST_PATHS, "run"),
  LABEL_PROPAGATION("lib.LabelPropagation", GpuGraphConf.TRANSPARENT_LABEL_PROPAGATION, "run"),
  // Not runPreCanonicalized: on graphs that it is not meant for it counts something else.
  TRIANGLE_COUNT("lib.TriangleCount", GpuGraphConf.TRANSPARENT_TRIANGLE_COUNT, "run"),
  SVD_PLUS_PLUS("lib.SVDPlusPlus", GpuGraphConf.TRANSPARENT_SVD_PLUS_PLUS, "run");

  private static final String GRAPHX = "org.apache.spark.graphx.";

  private final String object;
  private final ConfigEntry<Boolean> key;
  private final Set<String> methods;

  GraphXCall(String object, ConfigEntry<Boolean> key, String... methods) {
    this.object = object;
    this.key = key;
    this.methods = Set.of(methods);
  }

  /** The key that says whether it may be taken over. */
  ConfigEntry<Boolean> key() {
    return key;
  }

  /** The methods' object as users write it, {@code lib.PageRank}. */
  String object() {
    return object;
  }

  /** The objects whose classes are changed, as users write them, each once. */
  static List<String> objects() {
    return Arrays.stream(values()).map(call -> call.object).distinct().toList();
  }

  /** Name of an object's class. */
  static String className(String object) {
    return GRAPHX + object + "$";
  }

  /** The call that a method of an object is; null: none. */
  static GraphXCall of(String object, String method) {
    return Arrays.stream(values())
        .filter(call -> call.object.equals(object) && call.methods.contains(method))
        .findFirst()
        .orElse(null);
  }

  /** The calls that a configuration takes over, and those it leaves, for the log. */
  static String list(GpuGraphConf conf, boolean takenOver) {
    return Arrays.stream(values())
        .filter(call -> conf.get(call.key) == takenOver)
        .map(call -> takenOver ? call.object : call.key.toString())
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
