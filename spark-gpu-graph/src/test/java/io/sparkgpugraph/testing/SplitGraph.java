package io.sparkgpugraph.testing;

import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.graph.EdgeBlock;
import io.sparkgpugraph.graph.EdgePredicate;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.graph.RemoteBoundary;
import io.sparkgpugraph.graph.VertexIds;
import io.sparkgpugraph.program.ValueType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * A shard of a graph that was built as a whole: some of its partitions, in its numbering. What is
 * between partitions of two shards are remote boundaries.
 */
public final class SplitGraph implements ExecutorGraph {
  private final ExecutorGraph whole;
  private final int shards;
  private final int shard;
  private final List<GraphPartition> partitions = new ArrayList<>();
  private final List<BoundaryList> boundaries = new ArrayList<>();
  private final List<RemoteBoundary> exports = new ArrayList<>();
  private final List<RemoteBoundary> imports = new ArrayList<>();

  private SplitGraph(ExecutorGraph whole, int shards, int shard) {
    this.whole = whole;
    this.shards = shards;
    this.shard = shard;
    int each = each();
    for (int p = 0; p < each; p++) {
      partitions.add(renumbered(whole.partitions().get(shard * each + p), p));
    }
    for (BoundaryList list : whole.boundaries()) {
      int home = list.home() / each;
      int reader = list.reader() / each;
      BoundaryList renumbered =
          new BoundaryList(
              list.home() % each,
              list.reader() % each,
              list.homeVertices(),
              home == shard && reader != shard ? -1 : list.firstGhost());
      if (home == shard && reader == shard) {
        boundaries.add(renumbered);
      } else if (home == shard) {
        exports.add(new RemoteBoundary(reader, renumbered));
      } else if (reader == shard) {
        imports.add(new RemoteBoundary(home, renumbered));
      }
    }
    Comparator<RemoteBoundary> order =
        Comparator.<RemoteBoundary>comparingInt(RemoteBoundary::peer)
            .thenComparingInt(b -> b.list().home())
            .thenComparingInt(b -> b.list().reader());
    exports.sort(order);
    imports.sort(order);
  }

  /** The shards of a graph whose partitions can be shared out evenly. */
  public static List<ExecutorGraph> of(ExecutorGraph whole, int shards) {
    List<ExecutorGraph> all = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      all.add(new SplitGraph(whole, shards, shard));
    }
    return all;
  }

  private int each() {
    if (whole.partitions().size() % shards != 0) {
      throw new IllegalArgumentException(
          whole.partitions().size() + " partitions for " + shards + " shards");
    }
    return whole.partitions().size() / shards;
  }

  private static GraphPartition renumbered(GraphPartition partition, int index) {
    return (GraphPartition)
        Proxy.newProxyInstance(
            GraphPartition.class.getClassLoader(),
            new Class<?>[] {GraphPartition.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("index")) {
                return index;
              }
              try {
                return method.invoke(partition, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public VertexIds ids() {
    return whole.ids();
  }

  @Override
  public long vertexCount() {
    return whole.vertexCount();
  }

  @Override
  public long heldVertices() {
    long held = 0;
    for (GraphPartition partition : partitions) {
      long[] present = partition.present();
      for (int v = 0; v < partition.stored(); v++) {
        held += present == null || (present[v >>> 6] >>> v & 1) != 0 ? 1 : 0;
      }
    }
    return held;
  }

  @Override
  public long edgeCount() {
    return partitions.stream().mapToLong(p -> p.inEdges().edges()).sum();
  }

  @Override
  public List<? extends GraphPartition> partitions() {
    return partitions;
  }

  @Override
  public int partitionOf(long dense) {
    return whole.partitionOf(dense) - shard * each();
  }

  @Override
  public List<BoundaryList> boundaries() {
    return boundaries;
  }

  @Override
  public List<RemoteBoundary> exports() {
    return exports;
  }

  @Override
  public List<RemoteBoundary> imports() {
    return imports;
  }

  @Override
  public ValueType edgeType() {
    return whole.edgeType();
  }

  @Override
  public void loadEdgeValues(ValueType type, List<? extends EdgeBlock> blocks) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ExecutorGraph reversed() {
    return new SplitGraph(whole.reversed(), shards, shard);
  }

  @Override
  public ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges) {
    return new SplitGraph(whole.masked(vertices, edges), shards, shard);
  }

  @Override
  public long bytes() {
    return partitions.stream().mapToLong(GraphPartition::bytes).sum();
  }
}
