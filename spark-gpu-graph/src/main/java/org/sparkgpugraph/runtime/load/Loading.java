package org.sparkgpugraph.runtime.load;

import java.util.List;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.StoredEdgeBlock;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.held.EdgeHomes;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.HeapReservation;
import org.sparkgpugraph.runtime.held.HeldAttributes;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.ShardPiece;
import org.sparkgpugraph.runtime.held.Staging;
import org.sparkgpugraph.runtime.held.VertexLayout;
import org.sparkgpugraph.runtime.observe.LoadProgress;

/** The executor's side of jobs that load a graph or make another one of it. */
public final class Loading {
  private static final Logger LOG = LoggerFactory.getLogger(Loading.class);

  private Loading() {}

  /**
   * Builds the staged graph, or adds to the one that is held, and registers it. The staged blocks
   * stay where they are: Spark may try the task again.
   */
  static ShardPiece build(LoadTask task, Staging staging) {
    try (Workers workers = new Workers(task.how().threads())) {
      return built(task, staging, workers);
    } catch (OutOfMemoryError e) {
      // What was built so far is free again, so that the executor lives on.
      throw ExecutorRegistry.exhausted(task.key(), e);
    } finally {
      ExecutorRegistry.reserve(task.key(), 0);
    }
  }

  private static ShardPiece built(LoadTask task, Staging staging, Workers workers) {
    long start = System.nanoTime();
    List<VertexBlock> vertices = task.source().hasVertices() ? staging.vertices(workers) : null;
    PhaseTimes.ended("load: blocks of the vertices", start);
    ExecutorGraph graph;
    Columns attributes = null;
    if (ExecutorRegistry.holds(task.key())) {
      HeldGraph held = ExecutorRegistry.graph(task.key());
      graph = held.graph();
      attributes = held.attributes();
      if (task.wanted().edgeValues() && graph.edgeType() == null) {
        staging.onHost("their values are wanted beside a graph that is held");
        graph.loadEdgeValues(task.source().edgeType(), staging.edges());
      }
    } else {
      graph = made(task, staging, vertices);
      task.tellPartitions(graph);
    }
    start = System.nanoTime();
    List<VertexLayout> layouts =
        task.source().hasVertices() ? VertexLayout.of(vertices, graph.ids(), workers) : List.of();
    start = PhaseTimes.ended("load: layout of the vertices", start);
    if (task.wanted().attributes() && attributes == null) {
      attributes = HeldAttributes.read(task.source().vertexType(), graph, vertices);
      start = PhaseTimes.ended("load: vertex attributes", start);
    }
    HeldGraph held = new HeldGraph(graph, layouts, attributes, true, task.heapPeak());
    ExecutorRegistry.putGraph(task.key(), held);
    PhaseTimes.ended("load: kept", start);
    return ShardPiece.of(held, staging.whyOnHost());
  }

  /** Of so many edges: each has fewer than an index can count, also where they are uneven. */
  static int leastPartitions(long edges) {
    return edges <= GraphPartition.MAX_EDGES
        ? 1
        : Math.toIntExact(edges / (GraphPartition.MAX_EDGES / 2) + 1);
  }

  /**
   * Builds the staged graph: on the heap, and where that turns out to have no room for it once more
   * with its edges off it, where they may be there.
   */
  private static ExecutorGraph made(LoadTask task, Staging staging, List<VertexBlock> vertices) {
    List<EdgeBlock> staged = staging.edges();
    long count = staged.stream().mapToLong(EdgeBlock::size).sum();
    LoadProgress.allRead(task.key(), count);
    if (DeviceEdgeBlock.areAll(staged)) {
      try {
        return TableLoading.graph(task, staged);
      } catch (TableLoading.RefusedException e) {
        LOG.info("{} edges on the GPU go through the host: {}", count, e.getMessage());
        staging.onHost(e.getMessage());
      }
      staged = staging.edges();
    }
    EdgeMemory home = EdgeHomes.forced();
    EdgeMemory beyond = home == null ? EdgeHomes.beyondHeap() : null;
    if (home == null && StoredEdgeBlock.isAmong(staged)) {
      home = beyond;
    }
    if (home != null) {
      return made(task, staging, staging.moved(home), vertices, RowsMade.NOW, home);
    }
    RowsMade rows =
        task.rowsMade(
            count,
            // A cached GraphX graph keeps its own arrays.
            !task.source().edgesCached()
                || !staged.stream().allMatch(LocalEdgeBlock.class::isInstance),
            task.wanted().edgeValues() && areCopied(task.source().edgeType(), staged));
    // Nothing here may keep blocks from being collected that are moved.
    staged = null;
    if (beyond == null) {
      return made(task, staging, staging.edges(), vertices, rows, null);
    }
    return HeapFirst.made(
        task.key(),
        () -> {
          if (rows == RowsMade.NOW) {
            checkRows(task, task.key(), count);
          }
          return made(task, staging, staging.edges(), vertices, rows, null);
        },
        () -> made(task, staging, staging.moved(beyond), vertices, RowsMade.NOW, beyond));
  }

  /** Refuses rows whose edges alone the heap has no room for, before they are begun. */
  static void checkRows(LoadTask task, String key, long count) {
    try (HeapReservation rows = new HeapReservation(key, false)) {
      rows.acquire((Integer.BYTES + task.valueBytes()) * count);
    }
  }

  /** Builds it once, of edges of the staging, and reserves what it takes. */
  private static ExecutorGraph made(
      LoadTask task,
      Staging staging,
      List<EdgeBlock> edges,
      List<VertexBlock> vertices,
      RowsMade rows,
      EdgeMemory home) {
    long count = edges.stream().mapToLong(EdgeBlock::size).sum();
    ExecutorGraphBuilder.Options options =
        new ExecutorGraphBuilder.Options(
            Math.max(task.partitionsHere(), leastPartitions(count)),
            task.how().threads(),
            task.edgeValues(),
            rows,
            ExecutorRegistry.memory(task.key(), home));
    ExecutorGraph graph =
        task.source().endsToo()
            ? ExecutorGraphBuilder.buildWith(edges, vertices, options)
            : ExecutorGraphBuilder.build(edges, vertices, options);
    if (rows == RowsMade.LATER_OF_OWN) {
      // The graph keeps their arrays, which count with it.
      staging.kept();
    }
    long attributes =
        task.wanted().attributes()
            ? Columns.bytes(task.source().vertexType().columns(), graph.ids().size())
            : 0;
    ExecutorRegistry.reserve(task.key(), graph.bytes() + attributes);
    return graph;
  }

  private static boolean areCopied(ValueType type, List<EdgeBlock> edges) {
    ValueCodec codec = ValueCodec.of(type);
    return edges.stream().anyMatch(b -> codec.view(b.values(), b.size()) == null);
  }

  /** Makes a smaller graph under another key. */
  static HeldGraph mask(String key, String newKey, LongPredicate vertices, EdgePredicate edges) {
    HeldGraph held = ExecutorRegistry.graph(key);
    ExecutorGraph graph = held.graph().masked(vertices, edges);
    HeldGraph masked =
        new HeldGraph(
            graph, held.layouts(), held.attributes(), held.outEdges(), held.loadHeapPeak());
    ExecutorRegistry.putGraph(newKey, masked);
    return masked;
  }

  /**
   * Makes a masked graph anew from one that was loaded again.
   *
   * @param key of that one
   * @param before key of the masked one as it was, whose attributes stay where it is still held
   * @param maskedKey of the masked one from now on
   * @param type of attributes that are not the source's; null: they are, or there are none
   */
  static HeldGraph maskAgain(
      String key, String before, String maskedKey, GraphLoader.Mask mask, ValueType type) {
    HeldGraph whole = ExecutorRegistry.graph(key);
    ExecutorGraph graph = whole.graph().masked(mask.vertices(), mask.edges());
    Columns attributes = whole.attributes();
    if (type != null) {
      attributes =
          ExecutorRegistry.holds(before)
              ? HeldAttributes.carryOver(ExecutorRegistry.graph(before), graph)
              : HeldAttributes.allocate(type, graph);
    }
    HeldGraph masked =
        new HeldGraph(graph, whole.layouts(), attributes, whole.outEdges(), whole.loadHeapPeak());
    ExecutorRegistry.putGraph(maskedKey, masked);
    return masked;
  }
}
