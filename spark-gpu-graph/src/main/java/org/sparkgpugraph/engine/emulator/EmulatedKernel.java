package org.sparkgpugraph.engine.emulator;

import com.sun.jna.Pointer;
import org.sparkgpugraph.engine.device.DeviceKernel;

/** A function of a loaded library. */
record EmulatedKernel(EmulatedModule module, String name, String source, Pointer address)
    implements DeviceKernel {
  @Override
  public int registers() {
    return 0;
  }

  @Override
  public int localBytes() {
    return 0;
  }

  @Override
  public int blocksPerMultiprocessor(int threads, int sharedBytes) {
    return Math.max(1, 2048 / threads);
  }

  /** Its address; fails when its module is closed. */
  Pointer function() {
    module.open();
    return address;
  }

  @Override
  public String toString() {
    return name + " of " + source;
  }
}
