package org.sparkgpugraph.runtime.load;

import java.io.Serializable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graph.model.ExecutorGraph;
import org.sparkgpugraph.graph.model.IdRanges;
import org.sparkgpugraph.graph.model.RowsMade;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.cluster.TaskGpus;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.Needs;

/**
 * What a load job does on the executors that will hold the graph.
 *
 * @param key of the graph
 * @param before key of the same graph as it was held until now; null: it was not
 * @param ranges which shard holds which vertices
 * @param vertexType type of the vertex attributes
 * @param edgeType type of the edge attributes
 * @param partitions graph partitions to cut each shard into; 0: one per device of the task
 * @param engine which engine programs will ask for
 * @param device what the configuration says about GPUs
 * @param edgesCached whether Spark keeps the arrays of the source's edges in memory as they are
 * @param threads threads to build with
 * @param vertexPartitions partitions of the source's vertices; −1: the source delivers no vertices,
 *     they are the ends of the edges
 * @param endsToo whether the ends of the edges are vertices beside those that the source delivers
 * @param wanted what is to be there afterwards
 * @param attributesOfSource whether vertex attributes are the source's; otherwise a shard that is
 *     built gets zeros, which are to be replaced
 * @param once whether the graph is loaded for what runs next alone, and freed then
 */
public record LoadTask(
    String key,
    String before,
    IdRanges ranges,
    ValueType vertexType,
    ValueType edgeType,
    int partitions,
    EngineChoice engine,
    DeviceConf device,
    boolean edgesCached,
    int threads,
    int vertexPartitions,
    boolean endsToo,
    Needs wanted,
    boolean attributesOfSource,
    boolean once)
    implements Serializable {
  private static final Logger LOG = LoggerFactory.getLogger(LoadTask.class);

  /** The same for a graph that is held under another key. */
  LoadTask from(String heldKey) {
    return new LoadTask(
        key,
        heldKey,
        ranges,
        vertexType,
        edgeType,
        partitions,
        engine,
        device,
        edgesCached,
        threads,
        vertexPartitions,
        endsToo,
        wanted,
        attributesOfSource,
        once);
  }

  /** What is held of a shard already; null: nothing. */
  HeldGraph held(int shard) {
    if (ExecutorRegistry.holds(key(shard))) {
      return ExecutorRegistry.graph(key(shard));
    }
    String old = before == null ? null : GraphHandle.key(before, shard, ranges.shards());
    return old != null && ExecutorRegistry.holds(old) ? ExecutorRegistry.graph(old) : null;
  }

  /** Whether the source delivers vertices. */
  boolean vertices() {
    return vertexPartitions >= 0;
  }

  /**
   * Whether out-edges travel to the shards of their sources: the only shard makes them of the
   * in-edges.
   */
  boolean routesOutEdges() {
    return wanted.outEdges() && ranges.shards() > 1;
  }

  /** Whether vertex attributes travel. */
  boolean routesAttributes() {
    return wanted.attributes() && attributesOfSource;
  }

  /** Key of a shard. */
  String key(int shard) {
    return GraphHandle.key(key, shard, ranges.shards());
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
    long perEdge = Integer.BYTES + (wanted.edgeValues() ? edgeType.bytes() : 0);
    boolean host = once && (owned ? ExecutorRegistry.fits(perEdge * edges) : !copied);
    RowsMade made =
        ExecutorRegistry.engines().rowsMade(engine, device, TaskGpus.addresses(), edges, host);
    return owned && made != RowsMade.NOW ? RowsMade.LATER_OF_OWN : made;
  }

  /** Says in the log when a graph has fewer partitions than it was to be cut into. */
  void tellPartitions(ExecutorGraph graph) {
    if (graph.partitions().size() < partitions) {
      LOG.warn(
          "{} is cut into {} partitions, not {} ({}): there are no more vertices",
          key,
          graph.partitions().size(),
          partitions,
          GpuGraphConf.PARTITIONS.key());
    }
  }

  /** Into how many partitions the task that runs cuts its shard: one per memory. */
  int partitionsHere() {
    return partitions > 0
        ? partitions
        : ExecutorRegistry.engines().deviceCount(engine, device, TaskGpus.addresses());
  }
}
