package org.sparkgpugraph.graphs.hub;

import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.GraphView;
import org.sparkgpugraph.graphs.model.PartitionView;

/**
 * A graph as engines walk it that send hubs partial messages: without the in-edges of hubs whose
 * sources other executor graphs hold ({@link PartedRows}). Vertices, ghosts, degrees and what
 * travels are the graph's, and so are transposes, with all edges: whom a vertex reaches does not
 * depend on who sends it a message. A run makes it for itself, so nobody has it reversed or masked.
 */
public final class HubGraph extends GraphView<ExecutorGraph> {
  private final HubLayout layout;
  private final List<Partition> partitions;

  public HubGraph(ExecutorGraph graph, HubLayout layout) {
    super(graph);
    this.layout = layout;
    partitions =
        IntStream.range(0, graph.partitions().size())
            .mapToObj(
                p -> {
                  GraphPartition partition = graph.partitions().get(p);
                  return new Partition(partition, layout.partedRows(partition));
                })
            .toList();
  }

  /** Who sends whom partial messages. */
  public HubLayout layout() {
    return layout;
  }

  @Override
  public List<Partition> partitions() {
    return partitions;
  }

  @Override
  public ExecutorGraph reversed() {
    throw new UnsupportedOperationException("a graph whose hubs are sent partial messages");
  }

  @Override
  public ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges) {
    throw new UnsupportedOperationException("a graph whose hubs are sent partial messages");
  }

  /** A partition of it. */
  public static final class Partition extends PartitionView {
    private final PartedRows rows;

    private Partition(GraphPartition whole, PartedRows rows) {
      super(whole);
      this.rows = rows;
    }

    /** Its in-edges in their two parts. */
    public PartedRows rows() {
      return rows;
    }

    @Override
    public Csr edges(boolean in) {
      return in ? rows.others() : super.edges(false);
    }

    @Override
    public Columns edgeValues(boolean in) {
      return in ? rows.otherValues(whole()) : super.edgeValues(false);
    }
  }
}
