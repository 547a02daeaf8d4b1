package org.sparkgpugraph.benchmarks.engine;

import java.util.List;
import java.util.Map;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ProgramInstance;

/** An engine that {@link DeviceBenchmark} measures, with what only it can tell about itself. */
interface BenchmarkEngine extends AutoCloseable {
  /** Name of the engine. */
  String name();

  /** Name of the hardware, for the report. */
  String hardware();

  /** Whether it is a device engine: the device settings mean something. */
  boolean hasDevice();

  /** Opens a run. Runs over one graph share what is resident of that graph. */
  EngineRun open(
      ExecutorGraph graph,
      ProgramInstance program,
      List<Columns> attributes,
      RunSettings settings,
      DeviceSettings deviceSettings);

  /** Connected components by union-find. */
  Contraction components(ExecutorGraph graph, int threads, DeviceSettings deviceSettings);

  /**
   * Device time of all supersteps of a run so far, measured by the engine between its commands.
   *
   * @return nanoseconds, or −1 when the engine does not measure any
   */
  long deviceNanos(EngineRun run);

  /** What of {@link #deviceNanos} brings changes from partition to partition, so far. */
  Hub hub(EngineRun run);

  /** Edges that each device evaluated in the last superstep of a run; empty without one. */
  long[] edgesByDevice(EngineRun run);

  /** Number of devices; 0 for an engine without one. */
  int devices();

  /** Bytes that the devices hold now; 0 for an engine without one. */
  long deviceBytes();

  /** Copies of host memory to the device since the last call. */
  Upload takeUpload();

  /** What was queued on all devices since the last call. */
  Commands takeCommands();

  /** The kernels that were looked up since the last call. */
  List<KernelResources> takeKernels();

  /** Device time by kernel since the last call; empty unless every launch is timed. */
  Map<String, KernelTime> takeKernelTimes();

  /** Frees everything. */
  @Override
  void close();

  /**
   * What was queued on devices.
   *
   * @param launches of kernels
   * @param others fills and copies in streams
   * @param waits calls that waited for a stream
   */
  record Commands(long launches, long others, long waits) {
    Commands plus(Commands more) {
      return new Commands(launches + more.launches, others + more.others, waits + more.waits);
    }
  }

  /**
   * What goes from device to device.
   *
   * @param nanos device time of the slowest device, superstep by superstep; what kernels write
   *     directly into the memory of another device while they compute is not among it
   * @param bytes copied from and to page-locked memory, or come directly
   */
  record Hub(long nanos, long bytes) {
    Hub minus(Hub earlier) {
      return new Hub(nanos - earlier.nanos, bytes - earlier.bytes);
    }
  }

  /**
   * Host memory copied to devices.
   *
   * @param bytes how much
   * @param nanos time that the copies took
   */
  record Upload(long bytes, long nanos) {}

  /**
   * What a kernel takes.
   *
   * @param name of the kernel
   * @param registers per thread
   * @param localBytes bytes per thread outside registers: spills and arrays
   * @param blocks most blocks of 256 threads that a multiprocessor holds
   */
  record KernelResources(String name, int registers, int localBytes, int blocks) {}

  /**
   * Device time of one kernel.
   *
   * @param launches how often it ran
   * @param nanos all of them together
   */
  record KernelTime(long launches, long nanos) {
    KernelTime plus(KernelTime other) {
      return new KernelTime(launches + other.launches, nanos + other.nanos);
    }
  }
}
