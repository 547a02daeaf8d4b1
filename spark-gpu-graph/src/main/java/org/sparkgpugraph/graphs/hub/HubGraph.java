package org.sparkgpugraph.graphs.hub;

import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.GraphView;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.run.EdgeBytes;

/**
 * A graph as engines walk it that tell hubs partial messages: without the in-edges of hubs whose
 * sources other executor graphs hold ({@link PartedRows}). Vertices, ghosts, degrees and what
 * travels are the graph's. A run makes it for itself, so nobody has it reversed or masked.
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

  /** Who tells whom. */
  public HubLayout layout() {
    return layout;
  }

  @Override
  public List<Partition> partitions() {
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

  @Override
  public List<RemoteBoundary> exports() {
    return graph().exports();
  }

  @Override
  public List<RemoteBoundary> imports() {
    return graph().imports();
  }

  @Override
  public ExecutorGraph reversed() {
    throw new UnsupportedOperationException("a graph whose hubs are told partial messages");
  }

  @Override
  public ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges) {
    throw new UnsupportedOperationException("a graph whose hubs are told partial messages");
  }

  @Override
  public boolean hasOutEdges() {
    return graph().hasOutEdges();
  }

  /** A partition of it. */
  public static final class Partition implements GraphPartition {
    private final GraphPartition whole;
    private final PartedRows rows;

    private Partition(GraphPartition whole, PartedRows rows) {
      this.whole = whole;
      this.rows = rows;
    }

    /** The partition with all of its edges. */
    public GraphPartition whole() {
      return whole;
    }

    /** Its in-edges in their two parts. */
    public PartedRows rows() {
      return rows;
    }

    @Override
    public int index() {
      return whole.index();
    }

    @Override
    public long firstVertex() {
      return whole.firstVertex();
    }

    @Override
    public int stored() {
      return whole.stored();
    }

    @Override
    public int ghosts() {
      return whole.ghosts();
    }

    @Override
    public long[] ghostIds() {
      return whole.ghostIds();
    }

    @Override
    public long originalId(int local) {
      return whole.originalId(local);
    }

    @Override
    public long[] originalIds() {
      return whole.originalIds();
    }

    @Override
    public void originalIds(int first, int count, long[] into) {
      whole.originalIds(first, count, into);
    }

    @Override
    public long[] present() {
      return whole.present();
    }

    @Override
    public Csr edges(boolean in) {
      return in ? rows.others() : whole.edges(false);
    }

    @Override
    public Columns edgeValues(boolean in) {
      return in ? rows.otherValues(whole) : whole.edgeValues(false);
    }

    /**
     * {@inheritDoc}
     *
     * <p>All edges: whom a vertex reaches does not depend on who tells it.
     */
    @Override
    public Csr transpose(boolean in) {
      return whole.transpose(in);
    }

    @Override
    public boolean hasTranspose(boolean in) {
      return whole.hasTranspose(in);
    }

    @Override
    public int degree(int local, boolean in) {
      return whole.degree(local, in);
    }

    @Override
    public int[] degrees(boolean in) {
      return whole.degrees(in);
    }

    @Override
    public long bytes() {
      return whole.bytes();
    }

    @Override
    public EdgeBytes edgeBytes() {
      return whole.edgeBytes();
    }
  }
}
