package org.sparkgpugraph.runtime.observe;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.runtime.device.DeviceUse;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;

/**
 * What an executor tells of its part of a run, at the end, while its devices still hold it.
 *
 * @param executor its id and host; empty without Spark
 * @param engine that ran
 * @param vertices that it held
 * @param edges that it held
 * @param graphBytes of the structure on its heap
 * @param seconds what its engine spent
 * @param devices that it used
 * @param notes what its engine has chosen, and by which figures
 */
public record ShardAccount(
    String executor,
    String engine,
    long vertices,
    long edges,
    long graphBytes,
    EngineSeconds seconds,
    List<DeviceUse> devices,
    List<String> notes)
    implements Serializable {
  /** Of this executor, now. */
  public static ShardAccount of(
      ExecutorGraph graph, Selection selection, EngineSeconds seconds, List<String> notes) {
    SparkEnv env = SparkEnv.get();
    return new ShardAccount(
        env == null ? "" : env.executorId() + " on " + env.blockManager().blockManagerId().host(),
        selection.engine().name(),
        graph.heldVertices(),
        graph.edgeCount(),
        graph.bytes(),
        seconds,
        selection.uses(),
        List.copyOf(notes));
  }

  /** As an event. */
  GraphRunExecutor event(String run, int shard) {
    List<GraphRunExecutor.Device> used = new ArrayList<>();
    for (int d = 0; d < devices.size(); d++) {
      DeviceUse use = devices.get(d);
      double kernels = d < seconds.devices().size() ? seconds.devices().get(d) : 0;
      used.add(new GraphRunExecutor.Device(use.name(), use.totalBytes(), use.heldBytes(), kernels));
    }
    return new GraphRunExecutor(
        run,
        shard,
        executor,
        engine,
        vertices,
        edges,
        graphBytes,
        seconds.transfer(),
        seconds.kernel(),
        seconds.hub(),
        used,
        System.currentTimeMillis());
  }
}
