package org.sparkgpugraph.engine.device.operators;

import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;
import org.sparkgpugraph.engine.device.memory.DeviceSession;

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
}
