package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.Engine;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.engine.PartitionLines;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.ProgramInstance;
import java.util.Collection;
import java.util.List;

/**
 * Runs vertex programs on a device: every program gets kernels of its own, every message is pulled
 * by its receiver, values are columns in the device's memory. The structure of a graph stays on the
 * device between runs, as long as there is room for it. Closing the engine frees that and unloads
 * the kernels; the device is the caller's.
 */
public final class DeviceEngine implements Engine, AutoCloseable {
  private final String name;
  private final DeviceHoldings holdings;
  private final Device device;
  private final DeviceSettings settings;

  /**
   * @param name as users know it: {@code cuda}, {@code emulated}
   * @param device the device; not closed by the engine
   * @param settings how it is used
   */
  public DeviceEngine(String name, Device device, DeviceSettings settings) {
    this(name, new DeviceHoldings(device), settings);
  }

  private DeviceEngine(String name, DeviceHoldings holdings, DeviceSettings settings) {
    this.name = name;
    this.holdings = holdings;
    this.settings = settings;
    device = holdings.device();
  }

  /**
   * This engine with other settings: on the same device, with the same structure and kernels there.
   * To close one of them is to close all.
   *
   * @param other how the device is used
   */
  public DeviceEngine with(DeviceSettings other) {
    return other.equals(settings) ? this : new DeviceEngine(name, holdings, other);
  }

  @Override
  public String name() {
    return name;
  }

  /** The device. */
  public Device device() {
    return device;
  }

  /**
   * {@inheritDoc}
   *
   * @throws DeviceOutOfMemoryException when the run does not fit, whatever the vertex grouping
   * @throws KernelCompilationException when the generated kernels do not compile
   * @throws IllegalStateException when the program reads edge values that were not loaded
   */
  @Override
  public DeviceRun open(
      ExecutorGraph graph, ProgramInstance program, List<Columns> attributes, RunSettings run) {
    if (run.maxIterations() < 1) {
      throw new IllegalArgumentException(
          "maxIterations must be greater than 0, but got " + run.maxIterations());
    }
    ProgramKernels kernels = kernels(graph, program.program(), run);
    ModuleCache.Use module = holdings.modules().use(kernels.source());
    try {
      // One run at a time decides what fits and takes it.
      synchronized (holdings) {
        DevicePlan plan = fit(graph, program.program(), kernels, attributes, run);
        holdings.remember(graph, plan);
        return new DeviceRun(
            holdings, graph, program, attributes, run, settings, kernels, module, plan);
      }
    } catch (RuntimeException | Error e) {
      module.close();
      throw e;
    }
  }

  private ProgramKernels kernels(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
    boolean missing = graph.partitions().stream().anyMatch(p -> p.present() != null);
    return kernels(program, run, settings, missing, !graph.boundaries().isEmpty());
  }

  /**
   * The kernels that a run would compile; no device is needed to make them.
   *
   * @param missingVertices edges may name vertices that do not exist
   * @param exchanges there are several partitions, which exchange what changed
   */
  public static ProgramKernels kernels(
      LiftedProgram program,
      RunSettings run,
      DeviceSettings deviceSettings,
      boolean missingVertices,
      boolean exchanges) {
    return ProgramKernels.of(
        program,
        KernelShape.of(program, run, missingVertices, exchanges),
        new DeviceShape(run.activeDirection(), deviceSettings.virtualWarp() != 0));
  }

  // ---- memory ---------------------------------------------------------------------------------

  /**
   * The plan with the smallest vertex grouping that fits; room for it is made.
   *
   * @param attributes null: only sizes are wanted, and nothing is evicted
   */
  private DevicePlan fit(
      ExecutorGraph graph,
      LiftedProgram program,
      ProgramKernels kernels,
      List<Columns> attributes,
      RunSettings run) {
    ResidentArrays resident = holdings.resident();
    DevicePlanner planner =
        new DevicePlanner(
            graph, program, kernels, run, settings, device.properties(), holdings.derived());
    long needed = 0;
    long available = 0;
    List<Integer> groupings = planner.groupings();
    for (int grouping : groupings) {
      DevicePlan plan = planner.plan(grouping, attributes);
      Collection<Object> shared = plan.sharedArrays();
      long free = device.memory().free() - settings.reserveBytes();
      needed = plan.missingBytes(resident);
      available = Math.max(0, free + resident.evictableBytes(shared));
      if (needed <= available) {
        if (attributes != null && needed > free) {
          resident.evict(needed - free, shared);
        }
        return plan;
      }
    }
    int last = groupings.get(groupings.size() - 1);
    throw new DeviceOutOfMemoryException(
        device.properties().name(),
        "a run on "
            + PartitionLines.count(graph.partitions().size(), "partition")
            + (last == 1 ? "" : " with vertices grouped by " + last),
        needed,
        available,
        "",
        advice(planner.denseOnly(), available));
  }

  /**
   * @param dense a plan without sparse supersteps, or null when there would be none anyway
   */
  private String advice(DevicePlan dense, long available) {
    ResidentArrays resident = holdings.resident();
    StringBuilder text = new StringBuilder();
    if (dense != null && dense.missingBytes(resident) <= available) {
      text.append("set spark.gpugraph.kernel = dense (needs ")
          .append(dense.missingBytes(resident))
          .append("), ");
    }
    if (settings.grouping() != 0) {
      text.append("set spark.gpugraph.grouping = auto, ");
    }
    if (settings.reserveBytes() > 0) {
      text.append("leave less than ")
          .append(settings.reserveBytes())
          .append(" bytes to others (spark.gpugraph.gpu.memoryReserve), ");
    }
    return text.append("use more executors, of which each holds a smaller part of the graph,")
        .append(" or set spark.gpugraph.engine = cpu")
        .toString();
  }

  /**
   * {@inheritDoc}
   *
   * @throws DeviceOutOfMemoryException when the run would not fit
   */
  @Override
  public long estimate(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
    synchronized (holdings) {
      ProgramKernels kernels = kernels(graph, program, run);
      return fit(graph, program, kernels, null, run).missingBytes(holdings.resident());
    }
  }

  /**
   * Frees what runs on this very graph (a reversed view is another one) have left on the device;
   * what a run uses now, when that run ends. Without this call it is freed once the host has
   * dropped the graph, or when memory is short.
   */
  public void release(ExecutorGraph graph) {
    holdings.release(graph);
  }

  /** Bytes of structure on the device, of all graphs. */
  public long residentBytes() {
    return holdings.resident().bytes();
  }

  // ---- explain --------------------------------------------------------------------------------

  @Override
  public String describe(LiftedProgram program, RunSettings run) {
    String rows =
        switch (settings.virtualWarp()) {
          case 0 -> "warp segmentation";
          case 1 -> "a thread per vertex";
          default -> "virtual warps of " + settings.virtualWarp() + " lanes";
        };
    return rows
        + ", "
        + KernelShape.of(program, run, true, true).describe(run.kernel())
        + ", on "
        + device.properties().name();
  }

  @Override
  public String describeMemory(ExecutorGraph graph, ProgramInstance program, RunSettings run) {
    synchronized (holdings) {
      MemoryInfo memory = device.memory();
      try {
        ProgramKernels kernels = kernels(graph, program.program(), run);
        DevicePlan plan = fit(graph, program.program(), kernels, null, run);
        return plan.describe(4)
            + "; "
            + plan.missingBytes(holdings.resident())
            + " not on the device yet, "
            + memory.free()
            + " of "
            + memory.total()
            + " free"
            + (plan.grouping() == 1 ? "" : "; vertices grouped by " + plan.grouping());
      } catch (DeviceOutOfMemoryException e) {
        return "does not fit: " + e.getMessage();
      }
    }
  }

  @Override
  public void close() {
    holdings.close();
  }
}
