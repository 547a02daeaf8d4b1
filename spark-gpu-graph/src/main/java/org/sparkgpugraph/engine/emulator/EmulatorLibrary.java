package org.sparkgpugraph.engine.emulator;

import com.sun.jna.Library;
import com.sun.jna.Pointer;

/** The emulator's runtime, as C calls it; see runtime.cpp. */
interface EmulatorLibrary extends Library {
  Pointer sggOpenDevice(long seed, long patience, int checks);

  void sggCloseDevice(Pointer device);

  /** Runs a kernel to its end; null, or what went wrong, valid until the device's next launch. */
  Pointer sggLaunch(
      Pointer device,
      Pointer kernel,
      String name,
      int blocks,
      int threads,
      Pointer frame,
      long frameBytes,
      int cooperative);

  void sggAllocated(Pointer device, Pointer address, long bytes, String purpose);

  void sggFreed(Pointer address);

  void sggEnableAccess(Pointer device, Pointer peer);

  Pointer sggOpenModule(String path);

  String sggModuleError();

  Pointer sggSymbol(Pointer module, String name);

  void sggCloseModule(Pointer module);

  void sggCopy(Pointer to, Pointer from, long bytes);

  void sggFill(Pointer to, int value, long bytes);
}
