package org.sparkgpugraph.runtime.load;

import java.util.List;
import java.util.function.LongPredicate;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.Workers;
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
import org.sparkgpugraph.runtime.held.HeldAttributes;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.ShardPiece;
import org.sparkgpugraph.runtime.held.Staging;
import org.sparkgpugraph.runtime.held.VertexLayout;
import org.sparkgpugraph.runtime.observe.LoadProgress;

/** The executor's side of jobs that load a graph or make another one of it. */
public final class Loading {
  /** What an edge takes of the heap, at least, to become one of a row there. */
  private static final double SORTED_BYTES = 5.5;

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
    List<EdgeBlock> edges = staging.edges();
    List<VertexBlock> vertices = task.source().hasVertices() ? staging.vertices(workers) : null;
    PhaseTimes.ended("load: blocks of the vertices", start);
    ExecutorGraph graph;
    Columns attributes = null;
    if (ExecutorRegistry.holds(task.key())) {
      HeldGraph held = ExecutorRegistry.graph(task.key());
      graph = held.graph();
      attributes = held.attributes();
      if (task.wanted().edgeValues() && graph.edgeType() == null) {
        graph.loadEdgeValues(task.source().edgeType(), edges);
      }
    } else {
      long count = edges.stream().mapToLong(EdgeBlock::size).sum();
      LoadProgress.allRead(task.key(), count);
      RowsMade asked =
          task.rowsMade(
              count,
              // A cached GraphX graph keeps its own arrays.
              !task.source().edgesCached()
                  || !edges.stream().allMatch(LocalEdgeBlock.class::isInstance),
              task.wanted().edgeValues() && areCopied(task.source().edgeType(), edges));
      EdgeMemory home = home(task, edges, count, asked);
      RowsMade rows = home == null ? asked : RowsMade.NOW;
      if (home != null && !task.wanted().edgeValues()) {
        edges = staging.moved(home);
      }
      ExecutorGraphBuilder.Options options =
          new ExecutorGraphBuilder.Options(
              Math.max(task.partitionsHere(), leastPartitions(count)),
              task.how().threads(),
              task.wanted().edgeValues() ? task.source().edgeType() : null,
              rows,
              ExecutorRegistry.memory(task.key(), home));
      graph =
          task.source().endsToo()
              ? ExecutorGraphBuilder.buildWith(edges, vertices, options)
              : ExecutorGraphBuilder.build(edges, vertices, options);
      task.tellPartitions(graph);
      if (rows == RowsMade.LATER_OF_OWN) {
        // The graph keeps their arrays, which count with it.
        staging.kept();
      }
      long attributeBytes =
          task.wanted().attributes()
              ? Columns.bytes(task.source().vertexType().columns(), graph.ids().size())
              : 0;
      ExecutorRegistry.reserve(task.key(), graph.bytes() + attributeBytes);
    }
    start = System.nanoTime();
    List<VertexLayout> layouts =
        task.source().hasVertices() ? VertexLayout.of(vertices, graph.ids(), workers) : List.of();
    start = PhaseTimes.ended("load: layout of the vertices", start);
    if (task.wanted().attributes() && attributes == null) {
      attributes = HeldAttributes.read(task.source().vertexType(), graph, vertices);
      start = PhaseTimes.ended("load: vertex attributes", start);
    }
    HeldGraph held = new HeldGraph(graph, layouts, attributes, true);
    ExecutorRegistry.putGraph(task.key(), held);
    PhaseTimes.ended("load: kept", start);
    return ShardPiece.of(held);
  }

  /** Of so many edges: each has fewer than an index can count, also where they are uneven. */
  static int leastPartitions(long edges) {
    return edges <= GraphPartition.MAX_EDGES
        ? 1
        : Math.toIntExact(edges / (GraphPartition.MAX_EDGES / 2) + 1);
  }

  /** Where the graph's edges are; null: on the heap. */
  private static EdgeMemory home(LoadTask task, List<EdgeBlock> edges, long count, RowsMade rows) {
    EdgeMemory forced = EdgeHomes.forced();
    // Rows with values are made on the heap in any case, and rows that wait may be made by a GPU.
    boolean fits =
        task.wanted().edgeValues()
            || rows != RowsMade.NOW
            || ExecutorRegistry.fits((long) (SORTED_BYTES * count));
    boolean waitElsewhere = edges.stream().anyMatch(StoredEdgeBlock.class::isInstance);
    return forced == null && (waitElsewhere || !fits) ? EdgeHomes.beyondHeap() : forced;
  }

  private static boolean areCopied(ValueType type, List<EdgeBlock> edges) {
    ValueCodec codec = ValueCodec.of(type);
    return edges.stream().anyMatch(b -> codec.view(b.values(), b.size()) == null);
  }

  /** Makes a smaller graph under another key. */
  static HeldGraph mask(String key, String newKey, LongPredicate vertices, EdgePredicate edges) {
    HeldGraph held = ExecutorRegistry.graph(key);
    ExecutorGraph graph = held.graph().masked(vertices, edges);
    HeldGraph masked = new HeldGraph(graph, held.layouts(), held.attributes(), held.outEdges());
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
    HeldGraph masked = new HeldGraph(graph, whole.layouts(), attributes, whole.outEdges());
    ExecutorRegistry.putGraph(maskedKey, masked);
    return masked;
  }
}
