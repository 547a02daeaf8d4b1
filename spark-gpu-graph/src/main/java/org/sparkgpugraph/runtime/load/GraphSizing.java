package org.sparkgpugraph.runtime.load;

import java.util.List;
import java.util.function.IntPredicate;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeStores;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.shard.VertexSketch;
import org.sparkgpugraph.run.GraphEstimate;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.conf.EdgeHome;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.EdgeHomes;

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

  /** Rows off the heap are sorted in so many passes where the heap is short. */
  private static final int SORT_PASSES = 16;

  /** What a thread has of edges while it sorts: a piece, and a bucket. */
  private static final long SORT_EDGES = 1 << 18;

  /** What a task that sends edges to other executors has of them, at least. */
  private static final long ROUTED_BYTES = 16L << 20;

  /** Of a vertex on a GPU, for sparse supersteps: its id, its degree, its places in two queues. */
  private static final long SPARSE_BYTES = 40;

  private final SparkContext sc;
  private final RunConf conf;
  private final long vertices;
  private final long edges;
  private final long edgeBytes;
  private final long valueBytes;
  private final boolean wideIds;

  /**
   * @param edgeBytes of an edge's value, 0: none is loaded
   * @param valueBytes of a vertex's values in a program
   * @param wideIds whether some id does not fit 32 bits
   */
  private GraphSizing(
      SparkContext sc,
      RunOptions options,
      long vertices,
      long edges,
      long edgeBytes,
      long valueBytes,
      boolean wideIds) {
    this.sc = sc;
    conf = RunConf.of(sc, options);
    this.vertices = vertices;
    this.edges = edges;
    this.edgeBytes = edgeBytes;
    this.valueBytes = valueBytes;
    this.wideIds = wideIds;
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
    return new GraphSizing(sc, options, known, sketch.edges(), edgeBytes, valueBytes, sketch.wide())
        .estimate();
  }

  /**
   * Of a graph that was counted, whose ids nobody has looked at.
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
    return new GraphSizing(sc, options, vertices, edges, edgeBytes, valueBytes, true).estimate();
  }

  private GraphEstimate estimate() {
    long free = (long) (heap() * GpuGraphConf.of(sc).get(GpuGraphConf.MEMORY_FRACTION));
    EdgeHome home = EdgeHomes.wanted(sc.getConf());
    boolean onHeap = home == EdgeHome.AUTO || home == EdgeHome.HEAP;
    int shards = onHeap ? shards(count -> fits(count, free)) : 0;
    onHeap = shards > 0;
    if (!onHeap && home != EdgeHome.HEAP) {
      shards = shards(count -> fitsOutside(count, free, home));
    }
    int shown = shards > 0 ? shards : Math.max(1, conf.executors());
    return new GraphEstimate(
        vertices,
        edges,
        shards,
        running(shown),
        loading(shown),
        onDevices(shown),
        free,
        onHeap,
        new GraphEstimate.Outside(
            heapOutside(shown), loadingOutside(shown), runningOutside(shown), told()));
  }

  /** How many executors have room; 0: no number of them. */
  private int shards(IntPredicate fits) {
    int shards = Math.max(1, conf.executors());
    // Executors of a local master share one heap.
    boolean free = conf.executors() == 0 && !sc.isLocal();
    while (!fits.test(shards) && free && shards < MOST_EXECUTORS) {
      shards++;
    }
    return fits.test(shards) ? shards : 0;
  }

  private long told() {
    return EdgeHomes.told(sc.getConf(), sc.isLocal());
  }

  private boolean fitsOutside(int shards, long free, EdgeHome home) {
    int sharing = sc.isLocal() ? shards : 1;
    return heapOutside(shards) <= free / sharing
        && (home != EdgeHome.OFF_HEAP || loadingOutside(shards) <= told() / sharing)
        && known(shards) <= MOST_LOCAL;
  }

  /** Edges that wait by their ids, with what is empty behind them, and their rows. */
  private long loadingOutside(int shards) {
    long waiting = 2L * (wideIds ? Long.BYTES : Integer.BYTES) + edgeBytes;
    long share = share(edges, shards);
    long empty = conf.threads() * Math.min(EdgeStores.MOST, share);
    return waiting * (share + empty) + (Integer.BYTES + edgeBytes) * share;
  }

  /** Rows, with values, and turned round. */
  private long runningOutside(int shards) {
    return (2L * Integer.BYTES + edgeBytes) * share(edges, shards);
  }

  /** What there is for each vertex, and a sort in as many passes as it takes at most. */
  private long heapOutside(int shards) {
    long ofVertices = (Long.BYTES + 3L * Integer.BYTES) * known(shards);
    long running = ofVertices + Integer.BYTES * known(shards) + values(shards);
    // An edge as a long, and each number of its value.
    long sorted = Long.BYTES * (1 + (edgeBytes + Integer.BYTES - 1) / Integer.BYTES);
    long sort =
        2 * sorted * (share(edges, shards) / SORT_PASSES + conf.threads() * SORT_EDGES)
            + ROUTED_BYTES * conf.threads() * (shards > 1 ? 1 : 0);
    return Math.max(running, (long) (ofVertices * (1 + LOADING)) + sort);
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
