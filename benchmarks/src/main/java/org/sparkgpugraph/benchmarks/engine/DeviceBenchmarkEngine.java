package org.sparkgpugraph.benchmarks.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.DeviceTimings;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ProgramInstance;

/** A device engine as {@link DeviceBenchmark} sees it: on one device or several. */
final class DeviceBenchmarkEngine implements BenchmarkEngine {
  private final List<MeasuredDevice> devices;
  private final DeviceEngine engine;

  /**
   * @param name of the engine
   * @param devices closed with this one
   * @param everyKernel whether every launch is timed
   */
  DeviceBenchmarkEngine(String name, List<Device> devices, boolean everyKernel) {
    this.devices = devices.stream().map(device -> new MeasuredDevice(device, everyKernel)).toList();
    this.engine =
        DeviceEngine.over(
            this.devices.stream()
                .map(device -> new DeviceEngine(name, device, DeviceSettings.DEFAULT))
                .toList());
  }

  @Override
  public String name() {
    return engine.name();
  }

  @Override
  public String hardware() {
    DeviceProperties properties = devices.get(0).properties();
    long gpus = devices.stream().map(device -> device.properties().ordinal()).distinct().count();
    return (gpus < devices.size() ? devices.size() + " partitions on " : "")
        + (gpus == 1 ? "" : gpus + " x ")
        + properties.name()
        + ", "
        + properties.multiprocessors()
        + " multiprocessors";
  }

  @Override
  public boolean hasDevice() {
    return true;
  }

  @Override
  public int devices() {
    return devices.size();
  }

  @Override
  public EngineRun open(
      ExecutorGraph graph,
      ProgramInstance program,
      List<Columns> attributes,
      RunSettings settings,
      DeviceSettings deviceSettings) {
    // What the first run to warm up began to compile the others take.
    engine.awaitKernels();
    return engine.with(deviceSettings).open(graph, program, attributes, settings);
  }

  @Override
  public Contraction components(ExecutorGraph graph, int threads, DeviceSettings deviceSettings) {
    return engine.with(deviceSettings).components(graph, threads);
  }

  @Override
  public long deviceNanos(EngineRun run) {
    DeviceTimings timings = run.deviceTimings().orElseThrow();
    return timings.kernelNanos() + timings.hubNanos();
  }

  @Override
  public Hub hub(EngineRun run) {
    DeviceTimings timings = run.deviceTimings().orElseThrow();
    return new Hub(timings.hubNanos(), timings.hubBytes());
  }

  @Override
  public long[] edgesByDevice(EngineRun run) {
    return ((DeviceRun) run).edgesByDevice();
  }

  @Override
  public long deviceBytes() {
    return devices.stream().mapToLong(Device::allocatedBytes).sum();
  }

  /** {@inheritDoc} Devices copy side by side: the slowest one's time. */
  @Override
  public Upload takeUpload() {
    long bytes = 0;
    long nanos = 0;
    for (MeasuredDevice device : devices) {
      Upload upload = device.takeUpload();
      bytes += upload.bytes();
      nanos = Math.max(nanos, upload.nanos());
    }
    return new Upload(bytes, nanos);
  }

  @Override
  public Commands takeCommands() {
    return devices.stream()
        .map(MeasuredDevice::takeCommands)
        .reduce(new Commands(0, 0, 0), Commands::plus);
  }

  @Override
  public List<KernelResources> takeKernels() {
    Map<String, KernelResources> kernels = new LinkedHashMap<>();
    for (MeasuredDevice device : devices) {
      device.takeKernels().forEach(kernel -> kernels.putIfAbsent(kernel.name(), kernel));
    }
    return List.copyOf(kernels.values());
  }

  /** {@inheritDoc} Those of all devices added up. */
  @Override
  public Map<String, KernelTime> takeKernelTimes() {
    Map<String, KernelTime> times = new TreeMap<>();
    for (MeasuredDevice device : devices) {
      device.takeKernelTimes().forEach((name, time) -> times.merge(name, time, KernelTime::plus));
    }
    return times;
  }

  @Override
  public void close() {
    try {
      engine.close();
    } finally {
      devices.forEach(MeasuredDevice::close);
    }
  }
}
