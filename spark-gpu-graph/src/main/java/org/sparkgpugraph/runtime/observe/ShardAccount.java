package org.sparkgpugraph.runtime.observe;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.run.ExecutorMemory;
import org.sparkgpugraph.runtime.device.DeviceUse;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;

/**
 * What an executor tells of its part of a run, at the end, while its devices still hold it.
 *
 * @param engine that ran
 * @param vertices that it held
 * @param edges that it held
 * @param graphBytes of the structure on its heap
 * @param memory what of its memory was taken; has its id and host
 * @param seconds what its engine spent
 * @param devices that it used
 * @param notes what its engine has chosen, and by which figures
 */
public record ShardAccount(
    String engine,
    long vertices,
    long edges,
    long graphBytes,
    ExecutorMemory memory,
    EngineSeconds seconds,
    List<DeviceUse> devices,
    List<String> notes)
    implements Serializable {
  /**
   * Of this executor, now.
   *
   * @param memory what of its memory is taken
   */
  public static ShardAccount of(
      ExecutorGraph graph,
      Selection selection,
      ExecutorMemory memory,
      EngineSeconds seconds,
      List<String> notes) {
    return new ShardAccount(
        selection.engine().name(),
        graph.heldVertices(),
        graph.edgeCount(),
        graph.bytes(),
        memory,
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
        memory.executor(),
        engine,
        vertices,
        edges,
        graphBytes,
        seconds.transfer(),
        seconds.kernel(),
        seconds.hub(),
        used,
        memory,
        System.currentTimeMillis());
  }
}
