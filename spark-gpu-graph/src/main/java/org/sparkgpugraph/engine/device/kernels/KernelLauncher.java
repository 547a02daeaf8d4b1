package org.sparkgpugraph.engine.device.kernels;

import java.util.HashMap;
import java.util.Map;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceKernel;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.settings.LaunchSize;

/** Launches the kernels of one module in one stream. */
public final class KernelLauncher {
  private final Device device;
  private final DeviceStream stream;
  private final DeviceModule module;
  private final int maxBlocks;
  private final int multiprocessors;
  private final Map<String, Loaded> kernels = new HashMap<>();

  /**
   * A kernel.
   *
   * @param resident blocks that the device holds at a time; asked for once, each launch needs it
   */
  private record Loaded(DeviceKernel kernel, int resident) {}

  public KernelLauncher(Device device, DeviceStream stream, DeviceModule module) {
    this.device = device;
    this.stream = stream;
    this.module = module;
    DeviceProperties properties = device.properties();
    maxBlocks = LaunchSize.maxBlocks(properties);
    multiprocessors = properties.multiprocessors();
  }

  public Device device() {
    return device;
  }

  public DeviceStream stream() {
    return stream;
  }

  /** Uploads at once, not in the stream. */
  public void upload(long[] words, DeviceMemory to) {
    device.upload(words, 0, words.length, to, 0);
  }

  private Loaded kernel(String name) {
    return kernels.computeIfAbsent(
        name,
        n -> {
          DeviceKernel kernel = module.kernel(n);
          int blocks = Math.max(1, kernel.blocksPerMultiprocessor(LaunchSize.BLOCK, 0));
          return new Loaded(kernel, multiprocessors * blocks);
        });
  }

  /**
   * Blocks of a launch: no more than there is work for, no more than the device holds at a time.
   *
   * @param rows pieces of work
   * @param lanes threads per piece
   */
  public int blocks(String kernel, long rows, int lanes) {
    return LaunchSize.blocks(rows, lanes, Math.min(maxBlocks, kernel(kernel).resident()));
  }

  /** Most blocks of a kernel that the device holds at a time. */
  public int resident(String kernel) {
    return kernel(kernel).resident();
  }

  public int multiprocessors() {
    return multiprocessors;
  }

  /** A launch of blocks that wait for each other: at most {@link #resident}. */
  public void launchCooperative(String kernel, int blocks, FrameLayout.Frame frame) {
    stream.launchCooperative(kernel(kernel).kernel(), blocks, LaunchSize.BLOCK, 0, frame.toArray());
  }

  /** … of a kernel that is launched with blocks of another size, and shared memory of that. */
  public int resident(String kernel, int threads, int sharedBytes) {
    return multiprocessors * module.kernel(kernel).blocksPerMultiprocessor(threads, sharedBytes);
  }

  /** The same launched. */
  public void launchCooperative(
      String kernel, int blocks, int threads, int sharedBytes, FrameLayout.Frame frame) {
    stream.launchCooperative(module.kernel(kernel), blocks, threads, sharedBytes, frame.toArray());
  }

  /** A launch of blocks of another size, with shared memory beside what the kernel declares. */
  public void launch(
      String kernel, int blocks, int threads, int sharedBytes, FrameLayout.Frame frame) {
    stream.launch(kernel(kernel).kernel(), blocks, threads, sharedBytes, frame.toArray());
  }

  public void launch(String kernel, int blocks, FrameLayout.Frame frame) {
    stream.launch(kernel(kernel).kernel(), blocks, LaunchSize.BLOCK, frame.toArray());
  }
}
