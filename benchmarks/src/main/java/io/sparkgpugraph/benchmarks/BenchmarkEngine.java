package io.sparkgpugraph.benchmarks;

import io.sparkgpugraph.engine.Engine;
import io.sparkgpugraph.engine.EngineRun;
import io.sparkgpugraph.graph.ExecutorGraph;
import java.util.List;

/** An engine that {@link DeviceBenchmark} measures, with what only it can tell about itself. */
interface BenchmarkEngine extends AutoCloseable {
  /** The engine. Runs that it opens over one graph share what is resident of that graph. */
  Engine engine();

  /** Name of the hardware, for the report. */
  String hardware();

  /** Bytes that a device holds now; 0 for an engine without a device. */
  long deviceBytes();

  /**
   * Device time of the last superstep of a run, measured by the engine between its commands.
   *
   * @return nanoseconds, or −1 when the engine does not measure any
   */
  long deviceNanos(EngineRun run);

  /**
   * Copies of host memory to the device that were made since the last call.
   *
   * @return never null; empty for an engine without a device
   */
  Upload takeUpload();

  /** The kernels that a run compiled; empty for an engine without a device. */
  List<KernelResources> kernels(EngineRun run);

  /** Frees what is resident of a graph. */
  void release(ExecutorGraph graph);

  @Override
  void close();

  /**
   * Host memory copied to a device.
   *
   * @param bytes how much
   * @param nanos time that the copies took
   */
  record Upload(long bytes, long nanos) {
    static final Upload NONE = new Upload(0, 0);
  }

  /**
   * What a kernel takes.
   *
   * @param name of the kernel
   * @param registers per thread
   * @param localBytes bytes per thread outside registers: spills and arrays
   */
  record KernelResources(String name, int registers, int localBytes) {}
}
