package org.sparkgpugraph.engine.device.memory;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;

/**
 * The first device of an engine at work for an operator: kernels, memory, a stream and its clock.
 * Closing it frees all of that; kernels stay loaded for the next one. Used by one thread.
 *
 * <p>Every method throws {@link DeviceException}, with the device's ordinal, when it refuses.
 */
public final class DeviceSession implements AutoCloseable {
  private final DeviceHoldings on;
  private final long reserve;
  private final List<AutoCloseable> held = new ArrayList<>();
  private final KernelLauncher launcher;
  private long kernelNanos;
  private long transferNanos;
  private long uploadedBytes;

  /**
   * @param reserve bytes of the device to leave to others
   */
  public DeviceSession(DeviceHoldings on, KernelSource source, long reserve) {
    this.on = on;
    this.reserve = reserve;
    try {
      ModuleCache.Use module = on.use(source);
      held.add(module);
      DeviceStream stream = on.device().newStream();
      held.add(stream);
      launcher = new KernelLauncher(on.device(), stream, module.module());
    } catch (RuntimeException | Error e) {
      Closing.after(e, held);
      throw e;
    }
  }

  /** Memory with undefined content, freed with the session. */
  public DeviceMemory allocate(long bytes, String purpose) {
    return on.telling(
        () -> {
          DeviceMemory memory;
          // Nobody else takes the room in between.
          synchronized (on) {
            on.makeRoom(bytes, reserve, List.of(), purpose);
            memory = on.device().allocate(bytes, purpose);
          }
          held.add(memory);
          return memory;
        });
  }

  /** Memory of zeros. */
  public DeviceMemory zeros(long bytes, String purpose) {
    DeviceMemory memory = allocate(bytes, purpose);
    clear(memory);
    return memory;
  }

  /** Fills memory with zeros. */
  public void clear(DeviceMemory memory) {
    if (memory.bytes() > 0) {
      on.telling(() -> launcher.stream().fill(memory, 0, memory.bytes(), (byte) 0));
    }
  }

  /** Memory with the first elements of an array, see {@link Device#upload}. */
  public DeviceMemory upload(Object array, int count, String purpose) {
    DeviceMemory memory = allocate((long) count * ResidentArrays.elementBytes(array), purpose);
    if (count > 0) {
      long start = System.nanoTime();
      on.telling(() -> on.device().upload(array, 0, count, memory, 0));
      uploadedBytes += memory.bytes();
      transferNanos += System.nanoTime() - start;
    }
    return memory;
  }

  /** Copies elements of an array to memory, see {@link Device#upload}. */
  public void upload(Object array, int from, int count, DeviceMemory to, long offset) {
    if (count > 0) {
      long start = System.nanoTime();
      on.telling(() -> on.device().upload(array, from, count, to, offset));
      uploadedBytes += (long) count * ResidentArrays.elementBytes(array);
      transferNanos += System.nanoTime() - start;
    }
  }

  /** Most blocks of a kernel that the device holds at a time. */
  public int resident(String kernel) {
    return on.telling(() -> launcher.resident(kernel));
  }

  /** Launches exactly so many blocks. */
  public void launchBlocks(String kernel, int blocks, FrameLayout.Frame frame) {
    on.telling(() -> launcher.launch(kernel, blocks, frame));
  }

  /** Queues a copy of all bytes of some memory to the first ones of another. */
  public void copy(DeviceMemory from, DeviceMemory to) {
    if (from.bytes() > 0) {
      on.telling(() -> launcher.stream().copy(from, 0, to, 0, from.bytes()));
    }
  }

  /** Frees memory before the session ends; what is queued may still use it. */
  public void free(DeviceMemory memory) {
    on.telling(
        () -> {
          launcher.stream().synchronize();
          held.remove(memory);
          memory.close();
        });
  }

  /** Waits for what is queued. */
  public void synchronize() {
    on.telling(() -> launcher.stream().synchronize());
  }

  /** Lets memory outlive the session: it is the caller's from now on. */
  DeviceMemory released(DeviceMemory memory) {
    held.remove(memory);
    return memory;
  }

  /** Waits for the kernels and copies to a Java array. */
  public void download(DeviceMemory from, Object array, int count) {
    on.telling(() -> launcher.stream().synchronize());
    if (count > 0) {
      long start = System.nanoTime();
      on.telling(() -> on.device().download(from, 0, array, 0, count));
      transferNanos += System.nanoTime() - start;
    }
  }

  /** Waits for the kernels and reads so many {@code int}s. */
  public int[] ints(DeviceMemory from, int count) {
    int[] found = new int[count];
    download(from, found, count);
    return found;
  }

  /** Waits for the kernels and reads an {@code int}. */
  public int readInt(DeviceMemory from, long index) {
    int[] found = new int[1];
    on.telling(
        () -> {
          launcher.stream().synchronize();
          on.device().download(from, Integer.BYTES * index, found, 0, 1);
        });
    return found[0];
  }

  /**
   * Launches a kernel of 256 threads a block, of no more blocks than the device holds at a time.
   *
   * @param pieces of work; none: nothing is launched
   * @param lanes threads for each
   */
  public void launch(String kernel, long pieces, int lanes, FrameLayout.Frame frame) {
    if (pieces > 0) {
      on.telling(() -> launcher.launch(kernel, launcher.blocks(kernel, pieces, lanes), frame));
    }
  }

  /**
   * Launches blocks that may wait for each other: no more than there is work for, no more than the
   * device holds at a time.
   *
   * @param pieces of work, one for each thread
   */
  public void launchCooperative(String kernel, long pieces, FrameLayout.Frame frame) {
    on.telling(() -> launcher.launchCooperative(kernel, launcher.blocks(kernel, pieces, 1), frame));
  }

  /** Does launches and waits for them; their time counts as kernels'. */
  public void timed(Runnable launches) {
    on.telling(() -> launchTimed(launches));
  }

  private void launchTimed(Runnable launches) {
    DeviceStream stream = launcher.stream();
    try (DeviceEvent begin = stream.record()) {
      launches.run();
      try (DeviceEvent end = stream.record()) {
        stream.synchronize();
        kernelNanos += end.nanosSince(begin);
      }
    }
  }

  /** Device time of all {@link #timed} launches. */
  public long kernelNanos() {
    return kernelNanos;
  }

  /** Bytes of arrays that were copied to the device. */
  long uploadedBytes() {
    return uploadedBytes;
  }

  /** Time of copies between host and device. */
  public long transferNanos() {
    return transferNanos;
  }

  @Override
  public void close() {
    on.telling(() -> Closing.all(held));
    held.clear();
  }
}
