package org.sparkgpugraph.engine.device.operators;

import java.util.List;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/**
 * What an engine on devices offers operators that have kernels of their own ({@link
 * org.sparkgpugraph.engine.Engine#offer}).
 */
public interface OperatorDevice {
  /**
   * Opens kernels that are no program's on the first device.
   *
   * @param source see {@link OperatorKernels}
   */
  DeviceSession session(KernelSource source);

  /**
   * Brings the in-edges of a whole graph to the first device, where they stay for the next runs.
   *
   * @param besides memory that the operator needs beside them, of {@link InEdges#beside}
   * @param purpose what for, in messages
   * @throws DeviceOutOfMemoryException when there is no room for both
   */
  InEdges inEdges(ExecutorGraph graph, List<DevicePlan.Item> besides, String purpose);

  /** The same with the out-edges. */
  InEdges allEdges(ExecutorGraph graph, List<DevicePlan.Item> besides, String purpose);
}
