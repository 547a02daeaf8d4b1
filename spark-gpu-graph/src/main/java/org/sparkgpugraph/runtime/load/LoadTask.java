package org.sparkgpugraph.runtime.load;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.cluster.TaskGpus;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.LoadMarks;
import org.sparkgpugraph.runtime.held.Needs;

/**
 * What a load job does on the executors that will hold the graph.
 *
 * @param key of the graph
 * @param before key of the same graph as it was held until now; null: it was not
 * @param owners which shard holds which vertices
 * @param source what the source delivers
 * @param how how shards are built
 * @param wanted what is to be there afterwards
 * @param attributesOfSource whether vertex attributes are the source's; otherwise a shard that is
 *     built gets zeros, which are to be replaced
 * @param anew shards that are built anew of what the source has, whatever is held of them; they
 *     keep their attributes
 */
public record LoadTask(
    String key,
    String before,
    VertexOwners owners,
    Source source,
    How how,
    Needs wanted,
    boolean attributesOfSource,
    List<Integer> anew)
    implements Serializable {
  private static final Logger LOG = LoggerFactory.getLogger(LoadTask.class);

  /**
   * What the source delivers.
   *
   * @param vertexType type of the vertex attributes
   * @param edgeType type of the edge attributes
   * @param edgesCached whether Spark keeps the arrays of its edges in memory as they are
   * @param vertexPartitions partitions of its vertices; −1: it delivers no vertices, they are the
   *     ends of the edges
   * @param endsToo whether the ends of the edges are vertices beside those that it delivers
   */
  public record Source(
      ValueType vertexType,
      ValueType edgeType,
      boolean edgesCached,
      int vertexPartitions,
      boolean endsToo)
      implements Serializable {
    static Source of(GraphSource source) {
      return new Source(
          source.vertexType(),
          source.edgeType(),
          source.edgesCached(),
          source.vertices() == null ? -1 : source.vertices().getNumPartitions(),
          source.endsToo());
    }

    /** Whether it delivers vertices. */
    boolean hasVertices() {
      return vertexPartitions >= 0;
    }
  }

  /**
   * How shards are built.
   *
   * @param engine which engine programs will ask for
   * @param device what the configuration says about GPUs
   * @param partitions graph partitions to cut each shard into; 0: one per device of the task
   * @param threads to build with
   * @param once whether the graph is loaded for what runs next alone, and freed then
   */
  public record How(
      EngineChoice engine, DeviceConf device, int partitions, int threads, boolean once)
      implements Serializable {}

  /** The same for a graph that is held under another key. */
  LoadTask from(String heldKey) {
    return new LoadTask(key, heldKey, owners, source, how, wanted, attributesOfSource, anew);
  }

  /** The same with shards that are built anew. */
  LoadTask anew(List<Integer> shards) {
    return new LoadTask(
        key, before, owners, source, how, wanted, attributesOfSource, new ArrayList<>(shards));
  }

  /** What is held of a shard already; null: nothing. */
  HeldGraph held(int shard) {
    if (ExecutorRegistry.holds(key(shard))) {
      return ExecutorRegistry.graph(key(shard));
    }
    String old = before == null ? null : GraphHandle.key(before, shard, owners.shards());
    return old != null && ExecutorRegistry.holds(old) ? ExecutorRegistry.graph(old) : null;
  }

  /**
   * Whether out-edges travel to the shards of their sources: the only shard makes them of the
   * in-edges.
   */
  boolean routesOutEdges() {
    return wanted.outEdges() && owners.shards() > 1;
  }

  /** Type of the edge values that are wanted; null: none. */
  ValueType edgeValues() {
    return wanted.edgeValues() ? source.edgeType() : null;
  }

  /**
   * The most of this JVM's heap that was in use since the load began here, whose shard is built.
   */
  long heapPeak() {
    return LoadMarks.heapPeak(key, owners.shards() == 1);
  }

  /** Bytes of the values that are wanted of an edge. */
  long valueBytes() {
    return wanted.edgeValues() ? source.edgeType().bytes() : 0;
  }

  /** Whether vertex attributes travel. */
  boolean routesAttributes() {
    return wanted.attributes() && attributesOfSource;
  }

  /** Key of a shard. */
  String key(int shard) {
    return GraphHandle.key(key, shard, owners.shards());
  }

  /**
   * When the task that runs makes the rows of its shard. Where they wait for a program on the CPU
   * edges are let go of when the first rows of any kind are made; until then edges of the graph's
   * own count beside the rows that will be made, so those wait only where both fit. Values that had
   * to be copied beside somebody else's would be there twice, so with these rows do not wait.
   *
   * @param edges of the shard
   * @param owned whether the arrays that these are in are kept for the graph alone
   * @param copied whether values have to be copied out of those arrays
   */
  public RowsMade rowsMade(long edges, boolean owned, boolean copied) {
    // The edges themselves are reserved.
    long perEdge = Integer.BYTES + valueBytes();
    boolean host = how.once() && (owned ? ExecutorRegistry.fits(perEdge * edges) : !copied);
    RowsMade made =
        ExecutorRegistry.engines()
            .rowsMade(how.engine(), how.device(), TaskGpus.addresses(), edges, host);
    return owned && made != RowsMade.NOW ? RowsMade.LATER_OF_OWN : made;
  }

  /** Says in the log when a graph has fewer partitions than it was to be cut into. */
  void tellPartitions(ExecutorGraph graph) {
    if (graph.partitions().size() < how.partitions()) {
      LOG.warn(
          "{} is cut into {} partitions, not {} ({}): there are no more vertices",
          key,
          graph.partitions().size(),
          how.partitions(),
          GpuGraphConf.PARTITIONS.key());
    }
  }

  /** Into how many partitions the task that runs cuts its shard: one per memory. */
  int partitionsHere() {
    return how.partitions() > 0
        ? how.partitions()
        : ExecutorRegistry.engines().deviceCount(how.engine(), how.device(), TaskGpus.addresses());
  }
}
