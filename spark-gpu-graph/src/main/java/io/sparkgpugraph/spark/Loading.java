package io.sparkgpugraph.spark;

import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.EdgeBlock;
import io.sparkgpugraph.graph.EdgePredicate;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.ExecutorGraphBuilder;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.graph.ValueCodec;
import io.sparkgpugraph.graph.VertexBlock;
import io.sparkgpugraph.program.ValueType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.spark.SparkEnv;

/** The executor's side of a load job. */
final class Loading {
  private Loading() {}

  /** Where this task runs, as Spark names it in a preferred location. */
  static String location() {
    return Executors.location(SparkEnv.get().blockManager().blockManagerId());
  }

  /** What came through a shuffle, in the order of the source. */
  static ExecutorRegistry.Staging stage(Iterator<LoadTask.Parcel> parcels) {
    List<LoadTask.Parcel> all = new ArrayList<>();
    parcels.forEachRemaining(all::add);
    all.sort(
        Comparator.comparingInt(LoadTask.Parcel::partition)
            .thenComparingInt(LoadTask.Parcel::sequence));
    Map<Integer, List<EdgeBlock>> edges = new TreeMap<>();
    Map<Integer, List<VertexBlock>> vertices = new TreeMap<>();
    for (LoadTask.Parcel parcel : all) {
      if (parcel.edges() != null) {
        edges.computeIfAbsent(parcel.partition(), p -> new ArrayList<>()).add(parcel.edges());
      } else {
        vertices.computeIfAbsent(parcel.partition(), p -> new ArrayList<>()).add(parcel.vertices());
      }
    }
    ExecutorRegistry.Staging staging = new ExecutorRegistry.Staging();
    edges.forEach(staging::edges);
    vertices.forEach(staging::vertices);
    return staging;
  }

  /**
   * Builds the staged graph, or adds to the one that is held, and registers it. The staged blocks
   * stay where they are: Spark may try the task again.
   */
  static GraphHandle build(LoadTask task, ExecutorRegistry.Staging staging, String location) {
    List<EdgeBlock> edges = staging.edges();
    List<VertexBlock> vertices = task.vertices() ? staging.vertices() : null;
    ExecutorGraph graph;
    Columns attributes = null;
    if (ExecutorRegistry.holds(task.key())) {
      HeldGraph held = ExecutorRegistry.graph(task.key());
      graph = held.graph();
      attributes = held.attributes();
      if (task.edgeValues() && graph.edgeType() == null) {
        graph.loadEdgeValues(task.edgeType(), edges);
      }
    } else {
      graph =
          ExecutorGraphBuilder.build(
              edges,
              vertices,
              new ExecutorGraphBuilder.Options(
                  task.partitions(), task.threads(), task.edgeValues() ? task.edgeType() : null));
    }
    List<VertexLayout> layouts =
        task.vertices()
            ? vertices.stream().map(block -> VertexLayout.of(block, graph.ids())).toList()
            : List.of();
    if (task.attributes() && attributes == null) {
      attributes = attributes(task.vertexType(), graph, vertices, layouts);
    }
    ExecutorRegistry.putGraph(task.key(), new HeldGraph(graph, layouts, attributes));
    return new GraphHandle(
        task.key(),
        Collections.singletonList(location),
        graph.vertexCount(),
        graph.edgeCount(),
        graph.bytes(),
        graph.partitions().size(),
        layouts.size(),
        task.attributes(),
        task.edgeValues());
  }

  /**
   * Holds a graph once more under another key, with other vertex attributes.
   *
   * @param missing attribute of the vertices that the blocks do not name
   */
  static void replaceAttributes(
      String key, String newKey, ValueType type, Object missing, List<VertexBlock> blocks) {
    HeldGraph held = ExecutorRegistry.graph(key);
    int size = Math.toIntExact(held.graph().ids().size());
    Columns attributes = Columns.allocate(type.columns(), size);
    attributes.fill(0, size, Messages.columns(type, missing));
    ValueCodec codec = ValueCodec.of(type);
    for (VertexBlock block : blocks) {
      int[] rows = new int[block.size()];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = (int) held.graph().ids().dense(block.ids()[i]);
        if (!isVertex(held.graph(), rows[i])) {
          throw new IllegalArgumentException(
              "there is a value for vertex " + block.ids()[i] + ", which the graph does not have");
        }
      }
      codec.read(
          block.values(),
          block.slots(),
          0,
          block.size(),
          attributes,
          rows,
          i -> "vertex " + block.ids()[i]);
    }
    ExecutorRegistry.putGraph(newKey, new HeldGraph(held.graph(), held.layouts(), attributes));
  }

  /** Holds a graph once more under another key, with a result as its vertex attributes. */
  static void adoptResult(String key, String newKey, String resultKey) {
    HeldGraph held = ExecutorRegistry.graph(key);
    HeldResult result = ExecutorRegistry.result(resultKey);
    if (result.ids() != held.graph().ids()) {
      throw new IllegalArgumentException(
          "the values belong to another graph; use withVertices(values.toPairs(), ...)");
    }
    // A result of a masked graph may be adopted by a graph that is masked further, not by a larger.
    for (long dense = 0; result.present() != null && dense < result.ids().size(); dense++) {
      if (!result.has((int) dense) && isVertex(held.graph(), dense)) {
        throw new IllegalArgumentException(
            "there is no value for vertex "
                + result.ids().original(dense)
                + ": the values belong to a masked graph; use withVertices(values.toPairs(), …)");
      }
    }
    ExecutorRegistry.putGraph(newKey, new HeldGraph(held.graph(), held.layouts(), result.values()));
  }

  /** Makes a smaller graph under another key. */
  static GraphHandle mask(
      GraphHandle handle, String newKey, LongPredicate vertices, EdgePredicate edges) {
    HeldGraph held = ExecutorRegistry.graph(handle.key());
    ExecutorGraph graph = held.graph().masked(vertices, edges);
    ExecutorRegistry.putGraph(newKey, new HeldGraph(graph, held.layouts(), held.attributes()));
    return new GraphHandle(
        newKey,
        handle.locations(),
        graph.vertexCount(),
        graph.edgeCount(),
        graph.bytes(),
        handle.partitions(),
        handle.vertexPartitions(),
        handle.hasAttributes(),
        handle.hasEdgeValues());
  }

  /** Vertex attributes by dense id; ends of edges that are no vertices get zeros. */
  private static Columns attributes(
      ValueType type, ExecutorGraph graph, List<VertexBlock> blocks, List<VertexLayout> layouts) {
    Columns attributes = Columns.allocate(type.columns(), Math.toIntExact(graph.ids().size()));
    if (blocks == null) {
      throw new IllegalArgumentException(
          "the program reads vertex attributes, but the graph was loaded from edges alone");
    }
    ValueCodec codec = ValueCodec.of(type);
    for (int p = 0; p < blocks.size(); p++) {
      VertexBlock block = blocks.get(p);
      codec.read(
          block.values(),
          block.slots(),
          0,
          block.size(),
          attributes,
          layouts.get(p).rows(),
          i -> "vertex " + block.ids()[i]);
    }
    return attributes;
  }

  static boolean contains(ExecutorGraph graph, long id) {
    return isVertex(graph, graph.ids().dense(id));
  }

  private static boolean isVertex(ExecutorGraph graph, long dense) {
    if (dense < 0) {
      return false;
    }
    GraphPartition partition = graph.partitions().get(graph.partitionOf(dense));
    long local = dense - partition.firstVertex();
    long[] present = partition.present();
    return present == null || (present[(int) (local >>> 6)] >>> local & 1) != 0;
  }
}
