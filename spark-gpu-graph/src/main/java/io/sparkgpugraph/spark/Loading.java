package io.sparkgpugraph.spark;

import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.EdgeBlock;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.graph.ValueCodec;
import io.sparkgpugraph.graph.VertexBlock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;

/** The executor's side of a load job. */
final class Loading {
  private Loading() {}

  /** Where this task runs, as Spark names it in a preferred location. */
  static String location() {
    SparkEnv env = SparkEnv.get();
    return "executor_" + env.blockManager().blockManagerId().host() + "_" + env.executorId();
  }

  /** Stages what came through a shuffle, in the order of the source. */
  static void stage(String key, Iterator<LoadTask.Parcel> parcels) {
    List<LoadTask.Parcel> all = new ArrayList<>();
    parcels.forEachRemaining(all::add);
    all.sort(
        Comparator.comparingInt(LoadTask.Parcel::partition)
            .thenComparingInt(LoadTask.Parcel::sequence));
    Map<Integer, List<EdgeBlock>> edges = new TreeMap<>();
    Map<Integer, List<VertexBlock>> vertices = new TreeMap<>();
    for (LoadTask.Parcel parcel : all) {
      if (parcel.edges() != null) {
        edges.computeIfAbsent(parcel.partition(), p -> new ArrayList<>()).add(parcel.edges());
      } else {
        vertices.computeIfAbsent(parcel.partition(), p -> new ArrayList<>()).add(parcel.vertices());
      }
    }
    ExecutorRegistry.Staging staging = ExecutorRegistry.staging(key);
    edges.forEach(staging::edges);
    vertices.forEach(staging::vertices);
  }

  /** Builds the staged graph, or adds to the one that is held, and registers it. */
  static GraphHandle build(LoadTask task, String location) {
    ExecutorRegistry.Staging staging = ExecutorRegistry.takeStaging(task.key());
    throw new UnsupportedOperationException(staging.toString() + task + location);
  }

  static boolean contains(ExecutorGraph graph, long id) {
    long dense = graph.ids().dense(id);
    if (dense < 0) {
      return false;
    }
    for (GraphPartition partition : graph.partitions()) {
      long local = dense - partition.firstVertex();
      if (local >= 0 && local < partition.stored()) {
        long[] present = partition.present();
        return present == null || (present[(int) (local >>> 6)] >>> local & 1) != 0;
      }
    }
    return false;
  }
}
