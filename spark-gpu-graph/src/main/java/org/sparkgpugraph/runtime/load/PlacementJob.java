package org.sparkgpugraph.runtime.load;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.graphs.placement.NeighbourPlacement;
import org.sparkgpugraph.graphs.placement.OwnerTable;
import org.sparkgpugraph.graphs.placement.PlacementRequest;
import org.sparkgpugraph.graphs.shard.EdgeParcel;
import org.sparkgpugraph.graphs.shard.EdgeRouter;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.serial.PartitionNumbers;
import org.sparkgpugraph.runtime.serial.TaskResult;
import scala.Tuple2;

/**
 * Places the vertices of a graph beside their neighbours before it is loaded: one task, on whatever
 * executor has a slot, gets the ends of all edges through a shuffle, and the driver gets a table.
 * Where there is no room for that, or it spares too little, vertices stay in ranges of their ids.
 *
 * @param source of the graph
 * @param key of the graph, for messages and memory
 * @param request for whom they are placed
 * @param threads of an executor
 */
record PlacementJob(GraphSource source, String key, PlacementRequest request, int threads) {
  private static final Logger LOG = LoggerFactory.getLogger(PlacementJob.class);

  /** Most bytes of a table, whatever the driver has room for: it is one result of a task. */
  private static final long MOST_BYTES = 1L << 30;

  /** The driver has a table as it came, unpacked, and twice as a broadcast. */
  private static final int COPIES = 4;

  /**
   * What the task brings back.
   *
   * @param placement null: it could not be found
   * @param refused why; null: it was found
   */
  record Found(NeighbourPlacement placement, String refused) implements Serializable {}

  /**
   * Places the vertices.
   *
   * @param edges about so many there are
   */
  VertexOwners owners(long edges) {
    VertexOwners ranges = request.others();
    if (ranges.shards() > NeighbourPlacement.MOST_SHARDS || edges > NeighbourPlacement.MOST_EDGES) {
      return refused(
          "%s shards of %s edges; at most %s of %s are possible"
              .formatted(
                  ranges.shards(),
                  edges,
                  NeighbourPlacement.MOST_SHARDS,
                  NeighbourPlacement.MOST_EDGES));
    }
    Found found =
        JobDescription.of(
            source.sc(),
            "load: placing vertices beside their neighbours",
            () -> OwnerJob.anywhere(source.sc(), key, this::found));
    NeighbourPlacement placement = found.placement();
    if (placement == null) {
      return refused(found.refused());
    }
    LOG.info(
        "vertices of {} are placed {}: where all values change, {} updates travel each superstep"
            + " by ranges of ids, {} by what was found",
        key,
        placement.table() == null ? "in ranges of their ids" : "beside their neighbours",
        placement.before(),
        placement.after());
    return placement.table() == null ? ranges : BroadcastOwners.of(source.sc(), placement.table());
  }

  private VertexOwners refused(String why) {
    LOG.warn(
        "vertices of {} stay in ranges of their ids, though {} asks for neighbours: {}",
        key,
        GpuGraphConf.PLACEMENT.key(),
        why);
    return request.others();
  }

  private Found found() {
    String name = key;
    PlacementRequest asked = request;
    int workers = threads;
    long most = mostBytes();
    JavaRDD<Tuple2<Integer, EdgeParcel>> parcels =
        source
            .edges()
            .mapPartitionsWithIndex((index, blocks) -> parcels(name, index, blocks), false);
    JavaRDD<byte[]> packed =
        JavaPairRDD.fromJavaRDD(parcels)
            .partitionBy(new PartitionNumbers(1))
            .values()
            .mapPartitions(all -> List.of(packed(name, asked, workers, most, all)).iterator());
    return TaskResult.unpack(packed.collect().get(0), Found.class);
  }

  /** Most bytes of a table that the driver takes: a larger result would end the load. */
  private long mostBytes() {
    long ofResults = source.sc().getConf().getSizeAsBytes("spark.driver.maxResultSize", "1g");
    Runtime jvm = Runtime.getRuntime();
    long free = jvm.maxMemory() - jvm.totalMemory() + jvm.freeMemory();
    return Math.min(
        // Of results in all, of which the others are small; 0: there is no limit.
        ofResults == 0 ? MOST_BYTES : ofResults / 2, Math.min(free / COPIES, MOST_BYTES));
  }

  /** The ends of the edges of one partition, for the only task. */
  private static Iterator<Tuple2<Integer, EdgeParcel>> parcels(
      String key, int index, Iterator<EdgeBlock> blocks) {
    return ShardJob.map(
        ShardJob.routed(
            key, reserved -> new EdgeRouter(new IdRanges(), false, null, reserved), index, blocks),
        parcel -> new Tuple2<>(0, parcel));
  }

  /**
   * Places vertices, in the task. That never fails a load: what goes wrong is why they stay where
   * they are.
   *
   * @param most bytes of a table that the driver takes
   * @return the packed {@link Found}
   */
  static byte[] packed(
      String key, PlacementRequest request, int threads, long most, Iterator<EdgeParcel> parcels) {
    try {
      NeighbourPlacement placement = place(key, request, threads, parcels);
      OwnerTable table = placement.table();
      if (table != null && table.bytes() > most) {
        return refusal(
            "a table of %s bytes; the driver takes at most %s (half of spark.driver.maxResultSize, a quarter of its free heap, 1 GiB)"
                .formatted(table.bytes(), most));
      }
      return TaskResult.pack(new Found(placement, null));
    } catch (OutOfMemoryError e) {
      return refusal(ExecutorRegistry.exhausted(key, e).getMessage());
    } catch (GraphMemoryException | IllegalArgumentException e) {
      // There is no room, or there are more edges or ids than it can take.
      return refusal(e.getMessage());
    } catch (TaskKilledException e) {
      throw e;
    } catch (RuntimeException e) {
      TaskContext context = TaskContext.get();
      if (context != null && context.isInterrupted()) {
        throw e;
      }
      LOG.warn("vertices of {} cannot be placed", key, e);
      return refusal(e.toString());
    }
  }

  private static byte[] refusal(String why) {
    return TaskResult.pack(new Found(null, why));
  }

  private static NeighbourPlacement place(
      String key, PlacementRequest request, int threads, Iterator<EdgeParcel> parcels) {
    try (Workers workers = new Workers(threads, ExecutorRegistry.memory(key, null))) {
      List<EdgeParcel> arrived = new ArrayList<>();
      while (parcels.hasNext()) {
        EdgeParcel parcel = parcels.next();
        // As it came and copied out of that.
        workers.acquire(2L * parcel.bytes());
        arrived.add(parcel);
      }
      // The order in which they come is chance.
      arrived.sort(
          Comparator.comparingInt(EdgeParcel::sourcePartition)
              .thenComparingInt(EdgeParcel::sequence));
      List<EdgeBlock> blocks = new ArrayList<>();
      arrived.forEach(parcel -> blocks.add(parcel.block()));
      arrived.clear();
      return NeighbourPlacement.of(blocks, request, workers);
    }
  }
}
