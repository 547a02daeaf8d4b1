package org.sparkgpugraph.engine.emulator;

import com.sun.jna.Pointer;
import java.nio.file.Path;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceKernel;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.KernelSource;

/**
 * A compiled program, loaded into this process. Guarded by its device: launches hold that lock when
 * they ask for a kernel.
 */
final class EmulatedModule implements DeviceModule {
  private final EmulatedDevice device;
  private final KernelSource source;
  private final SourceLines lines;
  private Pointer handle;

  EmulatedModule(EmulatedDevice device, KernelSource source, Path path) {
    this.device = device;
    this.source = source;
    this.lines = new SourceLines(path, EmulatorCompiler.fileName(source));
    this.handle = device.library().sggOpenModule(path.toString());
    if (handle == null) {
      throw new DeviceException(
          "loading of the kernels of " + source.name(),
          String.valueOf(device.library().sggModuleError()),
          "remove " + path);
    }
  }

  EmulatedDevice device() {
    return device;
  }

  @Override
  public DeviceKernel kernel(String name) {
    Pointer function;
    synchronized (device) {
      open();
      function = device.library().sggSymbol(handle, name);
    }
    if (function == null) {
      throw new DeviceException(
          "look-up of kernel " + name + " of " + source.name(),
          "EMULATOR_NOT_FOUND",
          "its kernels are " + source.kernels());
    }
    return new EmulatedKernel(this, name, source.name(), function);
  }

  /** A message of the runtime, with lines of the source instead of addresses of the library. */
  String explain(String message) {
    return lines.explain(message);
  }

  /** Fails when the module is closed. */
  void open() {
    synchronized (device) {
      if (handle == null) {
        throw new IllegalStateException("the kernels of " + source.name() + " are closed");
      }
    }
  }

  @Override
  public void close() {
    synchronized (device) {
      if (handle != null) {
        device.unload(handle);
        handle = null;
      }
    }
  }
}
