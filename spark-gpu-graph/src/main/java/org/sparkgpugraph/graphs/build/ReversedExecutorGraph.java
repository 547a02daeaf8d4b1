package org.sparkgpugraph.graphs.build;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.GraphView;
import org.sparkgpugraph.graphs.model.PartitionView;
import org.sparkgpugraph.graphs.rows.RowsElsewhere;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;

/**
 * A graph with every edge turned round: the two CSRs of each partition change places. Ghosts are
 * the far ends of edges in both directions, so boundary lists stay.
 */
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

  private static final class ReversedPartition extends PartitionView
      implements UnsortedEdges.Holder {
    ReversedPartition(GraphPartition whole) {
      super(whole);
    }

    @Override
    public Csr edges(boolean in) {
      return whole().edges(!in);
    }

    @Override
    public Columns edgeValues(boolean in) {
      return whole().edgeValues(!in);
    }

    @Override
    public Csr transpose(boolean in) {
      return whole().transpose(!in);
    }

    @Override
    public boolean hasTranspose(boolean in) {
      return whole().hasTranspose(!in);
    }

    @Override
    public UnsortedEdges unsorted() {
      return UnsortedEdges.of(whole());
    }

    @Override
    public List<RowsElsewhere> elsewhere() {
      return RowsElsewhere.of(whole());
    }

    @Override
    public boolean isTurned() {
      return true;
    }

    @Override
    public int degree(int local, boolean in) {
      return whole().degree(local, !in);
    }

    @Override
    public int[] degrees(boolean in) {
      return whole().degrees(!in);
    }
  }
}
