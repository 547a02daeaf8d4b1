package io.sparkgpugraph.benchmarks;

import io.sparkgpugraph.engine.EngineRun;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.engine.device.Device;
import io.sparkgpugraph.engine.device.DeviceEngine;
import io.sparkgpugraph.engine.device.DeviceProperties;
import io.sparkgpugraph.engine.device.DeviceRun;
import io.sparkgpugraph.engine.device.DeviceSettings;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.program.ProgramInstance;
import java.util.List;
import java.util.Map;

/** A device engine as {@link DeviceBenchmark} sees it. */
final class DeviceBenchmarkEngine implements BenchmarkEngine {
  private final MeasuredDevice device;
  private final DeviceEngine engine;

  /**
   * @param name of the engine
   * @param device closed with this one
   * @param everyKernel whether every launch is timed
   */
  DeviceBenchmarkEngine(String name, Device device, boolean everyKernel) {
    this.device = new MeasuredDevice(device, everyKernel);
    this.engine = new DeviceEngine(name, this.device, DeviceSettings.DEFAULT);
  }

  @Override
  public String name() {
    return engine.name();
  }

  @Override
  public String hardware() {
    DeviceProperties properties = device.properties();
    return properties.name() + ", " + properties.multiprocessors() + " multiprocessors";
  }

  @Override
  public boolean hasDevice() {
    return true;
  }

  @Override
  public EngineRun open(
      ExecutorGraph graph,
      ProgramInstance program,
      List<Columns> attributes,
      RunSettings settings,
      DeviceSettings deviceSettings) {
    return engine.with(deviceSettings).open(graph, program, attributes, settings);
  }

  @Override
  public long deviceNanos(EngineRun run) {
    return ((DeviceRun) run).timings().kernelNanos();
  }

  @Override
  public long deviceBytes() {
    return device.allocatedBytes();
  }

  @Override
  public Upload takeUpload() {
    return device.takeUpload();
  }

  @Override
  public List<KernelResources> takeKernels() {
    return device.takeKernels();
  }

  @Override
  public Map<String, KernelTime> takeKernelTimes() {
    return device.takeKernelTimes();
  }

  @Override
  public void close() {
    try (device) {
      engine.close();
    }
  }
}
