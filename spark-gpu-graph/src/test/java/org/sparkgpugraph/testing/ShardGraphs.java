package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.EdgeBytes;

/**
 * Presents the partitions of one graph as the executor graphs of several shards: each has some of
 * the partitions, and the others are elsewhere. Numbers vertices as a shard does: those that it
 * holds and its ghosts, ascending.
 */
public final class ShardGraphs {
  private ShardGraphs() {}

  /**
   * Splits a graph.
   *
   * @param graph a whole graph
   * @param cuts first partition of each shard but the first, ascending
   */
  public static List<ExecutorGraph> split(ExecutorGraph graph, int... cuts) {
    int partitions = graph.partitions().size();
    int[] shardOf = new int[partitions];
    int[] localOf = new int[partitions];
    List<ExecutorGraph> shards = new ArrayList<>();
    for (int s = 0; s <= cuts.length; s++) {
      int from = s == 0 ? 0 : cuts[s - 1];
      int to = s == cuts.length ? partitions : cuts[s];
      for (int p = from; p < to; p++) {
        shardOf[p] = s;
        localOf[p] = p - from;
      }
    }
    for (int s = 0; s <= cuts.length; s++) {
      shards.add(new Shard(graph, s, shardOf, localOf));
    }
    return shards;
  }

  private static final class Shard implements ExecutorGraph {
    private final ExecutorGraph whole;
    private final int number;
    private final int[] shardOf;
    private final int[] localOf;
    private final long[] known;
    private final List<Part> parts = new ArrayList<>();
    private final List<BoundaryList> boundaries = new ArrayList<>();
    private final List<RemoteBoundary> exports = new ArrayList<>();
    private final List<RemoteBoundary> imports = new ArrayList<>();
    private ExecutorGraph reversed;

    Shard(ExecutorGraph whole, int number, int[] shardOf, int[] localOf) {
      this.whole = whole;
      this.number = number;
      this.shardOf = shardOf;
      this.localOf = localOf;
      TreeSet<Long> ids = new TreeSet<>();
      for (GraphPartition partition : whole.partitions()) {
        if (shardOf[partition.index()] == number) {
          for (int v = 0; v < partition.stored(); v++) {
            ids.add(partition.firstVertex() + v);
          }
          Arrays.stream(partition.ghostIds()).forEach(ids::add);
        }
      }
      known = ids.stream().mapToLong(Long::longValue).toArray();
      long first = -1;
      for (GraphPartition partition : whole.partitions()) {
        if (shardOf[partition.index()] == number) {
          first = first < 0 ? rank(partition.firstVertex()) : first;
          parts.add(new Part(partition, localOf[partition.index()], first));
          first += partition.stored();
        }
      }
      for (BoundaryList list : whole.boundaries()) {
        int home = localOf[list.home()];
        int reader = localOf[list.reader()];
        int homeShard = shardOf[list.home()];
        int readerShard = shardOf[list.reader()];
        if (homeShard == number && readerShard == number) {
          boundaries.add(new BoundaryList(home, reader, list.homeVertices(), list.firstGhost()));
        } else if (homeShard == number) {
          exports.add(
              new RemoteBoundary(
                  readerShard, new BoundaryList(home, reader, list.homeVertices(), -1)));
        } else if (readerShard == number) {
          imports.add(
              new RemoteBoundary(
                  homeShard,
                  new BoundaryList(home, reader, list.homeVertices(), list.firstGhost())));
        }
      }
      Comparator<RemoteBoundary> order =
          Comparator.comparingInt(RemoteBoundary::peer)
              .thenComparingInt(b -> b.list().home())
              .thenComparingInt(b -> b.list().reader());
      exports.sort(order);
      imports.sort(order);
    }

    private long rank(long dense) {
      int at = Arrays.binarySearch(known, dense);
      return at < 0 ? -at - 1 : at;
    }

    @Override
    public VertexIds ids() {
      return new VertexIds() {
        @Override
        public long size() {
          return known.length;
        }

        @Override
        public long original(long dense) {
          return whole.ids().original(known[(int) dense]);
        }

        @Override
        public long dense(long original) {
          long found = whole.ids().dense(original);
          int at = found < 0 ? -1 : Arrays.binarySearch(known, found);
          return at < 0 ? -1 : at;
        }

        @Override
        public long bytes() {
          return 8L * known.length;
        }
      };
    }

    @Override
    public long vertexCount() {
      return whole.vertexCount();
    }

    @Override
    public long heldVertices() {
      long count = 0;
      for (Part part : parts) {
        long[] present = part.present();
        for (int v = 0; v < part.stored(); v++) {
          count += present == null ? 1 : present[v >>> 6] >>> v & 1;
        }
      }
      return count;
    }

    @Override
    public long edgeCount() {
      return parts.stream().mapToLong(p -> p.inEdges().edges()).sum();
    }

    @Override
    public List<? extends GraphPartition> partitions() {
      return parts;
    }

    @Override
    public int partitionOf(long dense) {
      for (Part part : parts) {
        if (dense >= part.first && dense < part.first + part.stored()) {
          return part.index;
        }
      }
      throw new IllegalArgumentException("dense id " + dense + " is not held");
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
      throw new UnsupportedOperationException("load them into the whole graph");
    }

    @Override
    public synchronized ExecutorGraph reversed() {
      if (reversed == null) {
        reversed = new Shard(whole.reversed(), number, shardOf, localOf);
      }
      return reversed;
    }

    @Override
    public ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges) {
      return new Shard(whole.masked(vertices, edges), number, shardOf, localOf);
    }

    @Override
    public long bytes() {
      return parts.stream().mapToLong(Part::bytes).sum() + 8L * known.length;
    }

    /** A partition under the numbers of its shard. */
    private final class Part implements GraphPartition {
      private final GraphPartition partition;
      private final int index;
      private final long first;
      private final long[] ghostIds;

      Part(GraphPartition partition, int index, long first) {
        this.partition = partition;
        this.index = index;
        this.first = first;
        ghostIds = Arrays.stream(partition.ghostIds()).map(Shard.this::rank).toArray();
      }

      @Override
      public int index() {
        return index;
      }

      @Override
      public long firstVertex() {
        return first;
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
        return ghostIds;
      }

      @Override
      public long originalId(int local) {
        return partition.originalId(local);
      }

      @Override
      public long[] present() {
        return partition.present();
      }

      @Override
      public Csr edges(boolean in) {
        return partition.edges(in);
      }

      @Override
      public Columns edgeValues(boolean in) {
        return partition.edgeValues(in);
      }

      @Override
      public Csr transpose(boolean in) {
        return partition.transpose(in);
      }

      @Override
      public int degree(int local, boolean in) {
        return partition.degree(local, in);
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
}
