package org.sparkgpugraph.graphs.build;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.GraphView;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.run.EdgeBytes;

/** A graph with every edge turned round: the two CSRs of each partition change places. */
public final class ReversedExecutorGraph extends GraphView<CsrExecutorGraph> {
  private final List<GraphPartition> partitions = new ArrayList<>();

  ReversedExecutorGraph(CsrExecutorGraph graph) {
    super(graph);
    for (GraphPartition partition : graph.partitions()) {
      partitions.add(new ReversedPartition(partition));
    }
  }

  /** The edges that are in-edges of this view. */
  @Override
  public long edgeCount() {
    return graph().storesOutEdges()
        ? partitions.stream().mapToLong(p -> p.inEdges().edges()).sum()
        : graph().edgeCount();
  }

  @Override
  public List<? extends GraphPartition> partitions() {
    return partitions;
  }

  @Override
  public int partitionOf(long dense) {
    return graph().partitionOf(dense);
  }

  @Override
  public List<BoundaryList> boundaries() {
    return graph().boundaries();
  }

  /** Ghosts are the far ends of edges in both directions, so nothing changes. */
  @Override
  public List<RemoteBoundary> exports() {
    return graph().exports();
  }

  @Override
  public List<RemoteBoundary> imports() {
    return graph().imports();
  }

  @Override
  public List<ExecutorGraph> views() {
    return graph().views();
  }

  @Override
  public ExecutorGraph reversed() {
    return graph();
  }

  @Override
  public ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges) {
    return graph().masked(vertices, edges == null ? null : (s, d) -> edges.test(d, s)).reversed();
  }

  private record ReversedPartition(GraphPartition partition)
      implements GraphPartition, UnsortedEdges.Holder {
    @Override
    public int index() {
      return partition.index();
    }

    @Override
    public long firstVertex() {
      return partition.firstVertex();
    }

    @Override
    public int stored() {
      return partition.stored();
    }

    @Override
    public int ghosts() {
      return partition.ghosts();
    }

    @Override
    public long[] ghostIds() {
      return partition.ghostIds();
    }

    @Override
    public long originalId(int local) {
      return partition.originalId(local);
    }

    @Override
    public long[] originalIds() {
      return partition.originalIds();
    }

    @Override
    public long[] present() {
      return partition.present();
    }

    @Override
    public Csr edges(boolean in) {
      return partition.edges(!in);
    }

    @Override
    public Columns edgeValues(boolean in) {
      return partition.edgeValues(!in);
    }

    @Override
    public Csr transpose(boolean in) {
      return partition.transpose(!in);
    }

    @Override
    public void originalIds(int first, int count, long[] into) {
      partition.originalIds(first, count, into);
    }

    @Override
    public boolean hasTranspose(boolean in) {
      return partition.hasTranspose(!in);
    }

    @Override
    public UnsortedEdges unsorted() {
      return UnsortedEdges.of(partition);
    }

    @Override
    public boolean isTurned() {
      return true;
    }

    @Override
    public int degree(int local, boolean in) {
      return partition.degree(local, !in);
    }

    @Override
    public long bytes() {
      return partition.bytes();
    }

    @Override
    public EdgeBytes edgeBytes() {
      return partition.edgeBytes();
    }
  }
}
