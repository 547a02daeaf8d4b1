package org.sparkgpugraph.runtime.load;

import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.shard.VertexSketch;
import org.sparkgpugraph.run.GraphEstimate;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;

/**
 * What a graph would take, from the numbers of its vertices and edges: the table of
 * docs/deployment.md#memory as formulas.
 */
public final class GraphSizing {
  private static final int SKETCH_LEVELS = 2;

  /** More executors than anybody has. */
  private static final int MOST_EXECUTORS = 1 << 16;

  /** Local ids are of 32 bits. */
  private static final long MOST_LOCAL = Integer.MAX_VALUE;

  /** What loading takes beside the structure, as a multiple of it: 1.6 to 1.9 were measured. */
  private static final double LOADING = 1.9;

  /** Of a vertex on a GPU, for sparse supersteps: its id, its degree, its places in two queues. */
  private static final long SPARSE_BYTES = 40;

  private final SparkContext sc;
  private final RunConf conf;
  private final long vertices;
  private final long edges;
  private final long edgeBytes;
  private final long valueBytes;

  /**
   * @param edgeBytes of an edge's value, 0: none is loaded
   * @param valueBytes of a vertex's values in a program
   */
  private GraphSizing(
      SparkContext sc,
      RunOptions options,
      long vertices,
      long edges,
      long edgeBytes,
      long valueBytes) {
    this.sc = sc;
    conf = RunConf.of(sc, options);
    this.vertices = vertices;
    this.edges = edges;
    this.edgeBytes = edgeBytes;
    this.valueBytes = valueBytes;
  }

  /**
   * Of edges that nobody has counted: reads them once.
   *
   * @param vertices those that are listed; null: the ends of the edges
   * @param edgeBytes of an edge's value, 0: none is loaded
   * @param valueBytes of a vertex's values in a program
   */
  public static GraphEstimate of(
      JavaRDD<EdgeBlock> edges,
      JavaRDD<VertexBlock> vertices,
      RunOptions options,
      long edgeBytes,
      long valueBytes) {
    SparkContext sc = edges.context();
    VertexSketch sketch =
        JobDescription.of(
            sc,
            "estimate: counting edges and vertices",
            () ->
                OwnerJob.anywhere(
                    sc,
                    "an estimate",
                    () ->
                        edges
                            .mapPartitions(blocks -> List.of(VertexSketch.of(blocks)).iterator())
                            .treeAggregate(
                                VertexSketch.empty(),
                                VertexSketch::merge,
                                VertexSketch::merge,
                                SKETCH_LEVELS)));
    long listed =
        vertices == null
            ? 0
            : JobDescription.of(
                sc,
                "estimate: counting vertices",
                () -> vertices.map(block -> (long) block.size()).fold(0L, Long::sum));
    long known = Math.max(listed, sketch.vertices());
    return of(sc, options, known, sketch.edges(), edgeBytes, valueBytes);
  }

  /**
   * Of a graph that was counted.
   *
   * @param edgeBytes of an edge's value, 0: none is loaded
   * @param valueBytes of a vertex's values in a program
   */
  public static GraphEstimate of(
      SparkContext sc,
      RunOptions options,
      long vertices,
      long edges,
      long edgeBytes,
      long valueBytes) {
    return new GraphSizing(sc, options, vertices, edges, edgeBytes, valueBytes).estimate();
  }

  private GraphEstimate estimate() {
    long free = (long) (heap() * GpuGraphConf.of(sc).get(GpuGraphConf.MEMORY_FRACTION));
    int shards = Math.max(1, conf.executors());
    boolean fits = fits(shards, free);
    // Executors of a local master share one heap.
    while (!fits && conf.executors() == 0 && !sc.isLocal() && shards < MOST_EXECUTORS) {
      shards++;
      fits = fits(shards, free);
    }
    int shown = fits || conf.executors() > 0 ? shards : 1;
    return new GraphEstimate(
        vertices, edges, fits ? shards : 0, running(shown), loading(shown), onDevices(shown), free);
  }

  private long heap() {
    return sc.isLocal() ? Runtime.getRuntime().maxMemory() : (long) sc.executorMemory() << 20;
  }

  private boolean fits(int shards, long free) {
    long room = sc.isLocal() ? free / shards : free;
    return Math.max(running(shards), loading(shards)) <= room
        && share(edges, shards) <= MOST_LOCAL
        && known(shards) <= MOST_LOCAL;
  }

  private static long share(long all, int shards) {
    return (all + shards - 1) / shards;
  }

  /** Vertices that one of several executors holds, and those of others that it reads. */
  private long known(int shards) {
    long held = share(vertices, shards);
    double others = vertices - held;
    // Each in-edge reads any of them.
    double read = vertices == 0 ? 0 : -Math.expm1(-(double) share(edges, shards) / vertices);
    return held + (long) Math.ceil(others * read);
  }

  /** In-edges with their values, ids, degrees. */
  private long structure(int shards) {
    return (Integer.BYTES + edgeBytes) * share(edges, shards)
        + (Long.BYTES + 3L * Integer.BYTES) * known(shards);
  }

  private long loading(int shards) {
    return (long) (structure(shards) * (1 + LOADING));
  }

  private long turned(int shards) {
    return Integer.BYTES * (share(edges, shards) + known(shards));
  }

  /** Values before and behind a superstep, and bitmaps of what is active. */
  private long values(int shards) {
    return (2 * valueBytes + 1) * known(shards);
  }

  private long running(int shards) {
    return structure(shards) + turned(shards) + values(shards);
  }

  private long onDevices(int shards) {
    return (2L * Integer.BYTES + edgeBytes) * share(edges, shards)
        + (2L * Integer.BYTES + SPARSE_BYTES) * known(shards)
        + values(shards);
  }
}
