package org.sparkgpugraph.benchmarks.engine;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceKernel;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.MemoryInfo;
import org.sparkgpugraph.engine.device.PinnedMemory;

/**
 * A device that passes everything on to another and measures: copies from host arrays, how many
 * commands are queued, what kernels take and, if asked to, the device time of every launch. For one
 * thread at a time.
 */
final class MeasuredDevice implements Device {
  private static final int BLOCK = 256;

  private final Device device;
  private final boolean everyKernel;
  private long uploadBytes;
  private long uploadNanos;
  private BenchmarkEngine.Commands commands = new BenchmarkEngine.Commands(0, 0, 0);
  private Map<String, BenchmarkEngine.KernelTime> kernelTimes = new TreeMap<>();
  private Map<String, BenchmarkEngine.KernelResources> kernels = new LinkedHashMap<>();

  /**
   * @param device closed with this one
   * @param everyKernel whether every launch is timed too; two more events for each cost a few
   *     microseconds
   */
  MeasuredDevice(Device device, boolean everyKernel) {
    this.device = device;
    this.everyKernel = everyKernel;
  }

  @Override
  public Optional<Path> folder() {
    return device.folder();
  }

  /** Copies from host arrays since the last call. */
  BenchmarkEngine.Upload takeUpload() {
    BenchmarkEngine.Upload upload = new BenchmarkEngine.Upload(uploadBytes, uploadNanos);
    uploadBytes = 0;
    uploadNanos = 0;
    return upload;
  }

  /** What was queued in streams since the last call. */
  BenchmarkEngine.Commands takeCommands() {
    BenchmarkEngine.Commands taken = commands;
    commands = new BenchmarkEngine.Commands(0, 0, 0);
    return taken;
  }

  private void count(int launches, int others, int waits) {
    commands = commands.plus(new BenchmarkEngine.Commands(launches, others, waits));
  }

  /** Times by kernel since the last call; empty unless every kernel is timed. */
  Map<String, BenchmarkEngine.KernelTime> takeKernelTimes() {
    Map<String, BenchmarkEngine.KernelTime> times = kernelTimes;
    kernelTimes = new TreeMap<>();
    return times;
  }

  /** The kernels that were looked up in modules since the last call. */
  List<BenchmarkEngine.KernelResources> takeKernels() {
    List<BenchmarkEngine.KernelResources> taken = List.copyOf(kernels.values());
    kernels = new LinkedHashMap<>();
    return taken;
  }

  private final class MeasuredModule implements DeviceModule {
    private final DeviceModule module;

    MeasuredModule(DeviceModule module) {
      this.module = module;
    }

    @Override
    public DeviceKernel kernel(String name) {
      DeviceKernel kernel = module.kernel(name);
      kernels.put(
          name,
          new BenchmarkEngine.KernelResources(
              name,
              kernel.registers(),
              kernel.localBytes(),
              kernel.blocksPerMultiprocessor(BLOCK, 0)));
      return kernel;
    }

    @Override
    public void close() {
      module.close();
    }
  }

  /** A launch between two events; its number counts those of the stream. */
  private record Launch(long number, String kernel, DeviceEvent begin, DeviceEvent end) {}

  /** An event behind the first launches of a stream. */
  private final class MeasuredEvent implements DeviceEvent {
    private final MeasuredStream stream;
    private final DeviceEvent event;
    private final long launched;

    MeasuredEvent(MeasuredStream stream, DeviceEvent event) {
      this.stream = stream;
      this.event = event;
      launched = stream.launched;
    }

    @Override
    public void synchronize() {
      count(0, 0, 1);
      event.synchronize();
      stream.take(launched);
    }

    @Override
    public long nanosSince(DeviceEvent earlier) {
      return event.nanosSince(unwrapped(earlier));
    }

    @Override
    public void close() {
      event.close();
    }
  }

  private final class MeasuredStream implements DeviceStream {
    private final DeviceStream stream;
    private final Deque<Launch> launches = new ArrayDeque<>();
    private long launched;

    MeasuredStream(DeviceStream stream) {
      this.stream = stream;
    }

    @Override
    public void launch(
        DeviceKernel kernel, int blocks, int threads, int sharedBytes, byte[] arguments) {
      launch(kernel, () -> stream.launch(kernel, blocks, threads, sharedBytes, arguments));
    }

    @Override
    public void launchCooperative(
        DeviceKernel kernel, int blocks, int threads, int sharedBytes, byte[] arguments) {
      launch(
          kernel, () -> stream.launchCooperative(kernel, blocks, threads, sharedBytes, arguments));
    }

    private void launch(DeviceKernel kernel, Runnable launch) {
      count(1, 0, 0);
      if (!everyKernel) {
        launch.run();
        return;
      }
      DeviceEvent before = stream.record();
      launch.run();
      launches.add(new Launch(launched++, kernel.name(), before, stream.record()));
    }

    @Override
    public void fill(DeviceMemory memory, long offset, long bytes, byte value) {
      count(0, 1, 0);
      stream.fill(memory, offset, bytes, value);
    }

    @Override
    public void copy(
        DeviceMemory from, long fromOffset, DeviceMemory to, long toOffset, long bytes) {
      count(0, 1, 0);
      stream.copy(from, fromOffset, to, toOffset, bytes);
    }

    @Override
    public void upload(PinnedMemory from, int fromOffset, DeviceMemory to, long toOffset, int n) {
      count(0, 1, 0);
      stream.upload(from, fromOffset, to, toOffset, n);
    }

    @Override
    public void download(DeviceMemory from, long fromOffset, PinnedMemory to, int toOffset, int n) {
      count(0, 1, 0);
      stream.download(from, fromOffset, to, toOffset, n);
    }

    @Override
    public DeviceEvent record() {
      return new MeasuredEvent(this, stream.record());
    }

    @Override
    public void waitFor(DeviceEvent event) {
      stream.waitFor(unwrapped(event));
    }

    @Override
    public void synchronize() {
      count(0, 0, 1);
      try {
        stream.synchronize();
        take(Long.MAX_VALUE);
      } finally {
        closeLaunches();
      }
    }

    /** Adds up the times of launches that are done: those with a smaller number. */
    private void take(long end) {
      while (!launches.isEmpty() && launches.peek().number() < end) {
        Launch launch = launches.poll();
        try (DeviceEvent before = launch.begin();
            DeviceEvent after = launch.end()) {
          kernelTimes.merge(
              launch.kernel(),
              new BenchmarkEngine.KernelTime(1, after.nanosSince(before)),
              BenchmarkEngine.KernelTime::plus);
        }
      }
    }

    private void closeLaunches() {
      for (Launch launch : launches) {
        launch.begin().close();
        launch.end().close();
      }
      launches.clear();
    }

    @Override
    public void close() {
      closeLaunches();
      stream.close();
    }
  }

  @Override
  public DeviceProperties properties() {
    return device.properties();
  }

  @Override
  public MemoryInfo memory() {
    return device.memory();
  }

  @Override
  public DeviceMemory allocate(long bytes, String purpose) {
    return device.allocate(bytes, purpose);
  }

  @Override
  public Optional<HostRoom> hostRoom() {
    return device.hostRoom();
  }

  @Override
  public DeviceMemory allocateSplit(long bytes, long own, String purpose) {
    return device.allocateSplit(bytes, own, purpose);
  }

  @Override
  public PinnedMemory allocatePinned(int bytes) {
    return device.allocatePinned(bytes);
  }

  @Override
  public DeviceStream newStream() {
    return new MeasuredStream(device.newStream());
  }

  @Override
  public DeviceModule load(KernelSource source) {
    return new MeasuredModule(device.load(source));
  }

  @Override
  public boolean canAccess(Device peer) {
    return device.canAccess(unwrapped(peer));
  }

  @Override
  public void enableAccess(Device peer) {
    device.enableAccess(unwrapped(peer));
  }

  private static Device unwrapped(Device peer) {
    return peer instanceof MeasuredDevice measured ? measured.device : peer;
  }

  @Override
  public void upload(Object array, int from, int count, DeviceMemory to, long offset) {
    long start = System.nanoTime();
    device.upload(array, from, count, to, offset);
    uploadNanos += System.nanoTime() - start;
    uploadBytes += (long) count * elementBytes(array);
  }

  private static DeviceEvent unwrapped(DeviceEvent event) {
    return event instanceof MeasuredEvent measured ? measured.event : event;
  }

  private static int elementBytes(Object array) {
    Class<?> type = array.getClass().getComponentType();
    return type == boolean.class ? 1 : type == int.class || type == float.class ? 4 : 8;
  }

  @Override
  public void download(DeviceMemory from, long offset, Object array, int to, int count) {
    device.download(from, offset, array, to, count);
  }

  @Override
  public long allocatedBytes() {
    return device.allocatedBytes();
  }

  @Override
  public void close() {
    device.close();
  }
}
