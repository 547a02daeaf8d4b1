package org.sparkgpugraph.benchmarks.engine;

import java.util.List;
import java.util.Map;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ProgramInstance;

/** The CPU engine as {@link DeviceBenchmark} sees it. */
final class CpuBenchmarkEngine implements BenchmarkEngine {
  private final CpuEngine engine = new CpuEngine();

  @Override
  public String name() {
    return engine.name();
  }

  @Override
  public String hardware() {
    return Runtime.getRuntime().availableProcessors() + " processors";
  }

  @Override
  public boolean hasDevice() {
    return false;
  }

  @Override
  public EngineRun open(
      ExecutorGraph graph,
      ProgramInstance program,
      List<Columns> attributes,
      RunSettings settings,
      DeviceSettings deviceSettings) {
    return engine.open(graph, program, attributes, settings);
  }

  @Override
  public Contraction components(ExecutorGraph graph, int threads, DeviceSettings deviceSettings) {
    return engine.components(graph, threads);
  }

  @Override
  public long deviceNanos(EngineRun run) {
    return -1;
  }

  @Override
  public Hub hub(EngineRun run) {
    return new Hub(0, 0);
  }

  @Override
  public long[] edgesByDevice(EngineRun run) {
    return new long[0];
  }

  @Override
  public int devices() {
    return 0;
  }

  @Override
  public long deviceBytes() {
    return 0;
  }

  @Override
  public Upload takeUpload() {
    return new Upload(0, 0);
  }

  @Override
  public Commands takeCommands() {
    return new Commands(0, 0, 0);
  }

  @Override
  public List<KernelResources> takeKernels() {
    return List.of();
  }

  @Override
  public Map<String, KernelTime> takeKernelTimes() {
    return Map.of();
  }

  @Override
  public void close() {}
}
