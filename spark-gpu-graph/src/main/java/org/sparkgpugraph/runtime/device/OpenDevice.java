package org.sparkgpugraph.runtime.device;

import java.util.List;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.runtime.conf.DeviceConf;

/** A device in use by this process, with the engine that runs on it. Thread-safe. */
public interface OpenDevice extends AutoCloseable {
  /**
   * The engine on this device and others, set up as the configuration of a run says.
   *
   * @param others devices of the same kind
   */
  Engine engine(DeviceConf conf, List<OpenDevice> others);

  /** Bytes of the device's memory, all of it. */
  long totalMemory();

  /** Where its memory comes from, for users; empty where all of it is the process's own. */
  default String memory() {
    return "";
  }

  /** Bytes of it that this process holds: graphs, and runs that have not ended. */
  long heldMemory();

  /**
   * Frees what the device holds of a graph, either way round, once no run uses it; unknown graphs
   * are ignored.
   */
  void release(ExecutorGraph graph);

  @Override
  void close();
}
