package org.sparkgpugraph.engine.emulator;

import com.sun.jna.Pointer;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceKernel;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;

/** A stream whose commands are done when the call returns. */
final class EmulatedStream implements DeviceStream {
  private static final int MAX_THREADS = 1024;

  private final EmulatedDevice device;
  private volatile boolean closed;

  EmulatedStream(EmulatedDevice device) {
    this.device = device;
  }

  @Override
  public void launch(
      DeviceKernel kernel, int blocks, int threads, int sharedBytes, byte[] arguments) {
    launch(kernel, blocks, threads, arguments, false);
  }

  @Override
  public void launchCooperative(
      DeviceKernel kernel, int blocks, int threads, int sharedBytes, byte[] arguments) {
    int most =
        device.properties().multiprocessors()
            * kernel.blocksPerMultiprocessor(threads, sharedBytes);
    if (blocks > most) {
      throw new DeviceException(
          "launch of " + kernel.name() + " with " + blocks + " blocks that wait for each other",
          "EMULATOR_COOPERATIVE_LAUNCH_TOO_LARGE",
          device + " holds " + most + " at a time");
    }
    launch(kernel, blocks, threads, arguments, true);
  }

  private void launch(
      DeviceKernel kernel, int blocks, int threads, byte[] arguments, boolean cooperative) {
    begin();
    if (blocks < 1 || threads < 32 || threads % 32 != 0 || threads > MAX_THREADS) {
      throw new IllegalArgumentException(
          "launch of "
              + kernel.name()
              + " with "
              + blocks
              + " blocks of "
              + threads
              + " threads: at least 1 block of a multiple of 32 and at most 1024 threads are needed");
    }
    if (!(kernel instanceof EmulatedKernel emulated)) {
      throw new IllegalArgumentException(kernel + " is not a kernel of an emulated device");
    }
    if (emulated.module().device() != device) {
      throw new IllegalArgumentException(
          kernel.name() + " was loaded on " + emulated.module().device() + ", not on " + device);
    }
    device.launch(emulated, blocks, threads, arguments, cooperative);
  }

  @Override
  public void fill(DeviceMemory memory, long offset, long bytes, byte value) {
    begin();
    device.library().sggFill(device.own(memory).at(offset, bytes), value, bytes);
  }

  @Override
  public void copy(DeviceMemory from, long fromOffset, DeviceMemory to, long toOffset, long bytes) {
    begin();
    EmulatedMemory source = EmulatedMemory.of(from);
    EmulatedMemory target = EmulatedMemory.of(to);
    if (source.device() != device && target.device() != device) {
      throw new IllegalArgumentException(
          "neither " + from + " nor " + to + " is on " + device + ", whose stream copies");
    }
    device.library().sggCopy(target.at(toOffset, bytes), source.at(fromOffset, bytes), bytes);
  }

  @Override
  public void upload(PinnedMemory from, int fromOffset, DeviceMemory to, long toOffset, int bytes) {
    begin();
    device
        .library()
        .sggCopy(device.own(to).at(toOffset, bytes), at(from, fromOffset, bytes), bytes);
  }

  @Override
  public void download(
      DeviceMemory from, long fromOffset, PinnedMemory to, int toOffset, int bytes) {
    begin();
    device
        .library()
        .sggCopy(at(to, toOffset, bytes), device.own(from).at(fromOffset, bytes), bytes);
  }

  @Override
  public DeviceEvent record() {
    begin();
    return new EmulatedEvent(device, System.nanoTime());
  }

  @Override
  public void waitFor(DeviceEvent event) {
    begin();
    EmulatedEvent.of(event).check();
  }

  @Override
  public void synchronize() {
    begin();
  }

  @Override
  public void close() {
    closed = true;
  }

  private static Pointer at(PinnedMemory memory, int offset, int bytes) {
    if (memory instanceof EmulatedPinnedMemory pinned) {
      return pinned.at(offset, bytes);
    }
    throw new IllegalArgumentException(memory + " is not pinned memory of an emulated device");
  }

  private void begin() {
    if (closed) {
      throw new IllegalStateException("a stream of " + device + " is used after it was closed");
    }
    device.throwPending();
  }
}
