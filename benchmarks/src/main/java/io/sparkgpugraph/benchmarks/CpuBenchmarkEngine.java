package io.sparkgpugraph.benchmarks;

import io.sparkgpugraph.engine.Engine;
import io.sparkgpugraph.engine.EngineRun;
import io.sparkgpugraph.engine.cpu.CpuEngine;
import io.sparkgpugraph.graph.ExecutorGraph;
import java.util.List;

/** The CPU engine as {@link DeviceBenchmark} sees it. */
final class CpuBenchmarkEngine implements BenchmarkEngine {
  private final Engine engine = new CpuEngine();

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public String hardware() {
    return Runtime.getRuntime().availableProcessors() + " processors";
  }

  @Override
  public long deviceBytes() {
    return 0;
  }

  @Override
  public long deviceNanos(EngineRun run) {
    return -1;
  }

  @Override
  public Upload takeUpload() {
    return Upload.NONE;
  }

  @Override
  public List<KernelResources> kernels(EngineRun run) {
    return List.of();
  }

  @Override
  public void release(ExecutorGraph graph) {}

  @Override
  public void close() {}
}
