package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.Engine;
import io.sparkgpugraph.engine.EngineRun;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.engine.PartitionLines;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.ProgramInstance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Runs vertex programs on a device: every program gets kernels of its own, every message is pulled
 * by its receiver, values are columns in the device's memory. The structure of a graph stays on the
 * device between runs, as long as there is room for it. Closing the engine frees that and unloads
 * the kernels; the device is the caller's.
 */
public final class DeviceEngine implements Engine, AutoCloseable {
  /** Modules that stay loaded. */
  private static final int MODULES = 64;

  private final String name;
  private final Device device;
  private final DeviceSettings settings;
  private final ResidentArrays resident;
  private final DerivedArrays derived = new DerivedArrays();
  private final ModuleCache modules;

  /**
   * The arrays that stay on the device, by partition. An array is its own key: arrays are equal by
   * identity.
   */
  private final Map<GraphPartition, Set<Object>> structure = new WeakHashMap<>();

  /**
   * @param name as users know it: {@code cuda}, {@code emulated}
   * @param device the device; not closed by the engine
   * @param settings how it is used
   */
  public DeviceEngine(String name, Device device, DeviceSettings settings) {
    this.name = name;
    this.device = device;
    this.settings = settings;
    resident = new ResidentArrays(device);
    modules = new ModuleCache(device, MODULES);
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
      ExecutorGraph graph,
      ProgramInstance program,
      List<Columns> attributes,
      RunSettings settings) {
    return open(graph, program, attributes, settings, this.settings);
  }

  /**
   * Opens a run with other settings than the engine's.
   *
   * @see #open(ExecutorGraph, ProgramInstance, List, RunSettings)
   */
  public DeviceRun open(
      ExecutorGraph graph,
      ProgramInstance program,
      List<Columns> attributes,
      RunSettings settings,
      DeviceSettings deviceSettings) {
    if (settings.maxIterations() < 1) {
      throw new IllegalArgumentException(
          "maxIterations must be greater than 0, but got " + settings.maxIterations());
    }
    ProgramKernels kernels = kernels(graph, program.program(), settings, deviceSettings);
    ModuleCache.Use module = modules.use(kernels.source());
    try {
      // One run at a time decides what fits and takes it.
      synchronized (this) {
        DevicePlan plan =
            fit(graph, program.program(), kernels, attributes, settings, deviceSettings);
        remember(graph, plan);
        return new DeviceRun(
            device,
            resident,
            graph,
            program,
            attributes,
            settings,
            deviceSettings,
            kernels,
            module,
            plan);
      }
    } catch (RuntimeException | Error e) {
      module.close();
      throw e;
    }
  }

  private void remember(ExecutorGraph graph, DevicePlan plan) {
    for (GraphPartition partition : graph.partitions()) {
      Set<Object> arrays =
          structure.computeIfAbsent(partition, p -> Collections.newSetFromMap(new WeakHashMap<>()));
      for (DevicePlan.Item item : plan.items()) {
        if (item.shared() && item.partition() == partition.index()) {
          arrays.add(item.content());
        }
      }
    }
  }

  private static ProgramKernels kernels(
      ExecutorGraph graph,
      LiftedProgram program,
      RunSettings settings,
      DeviceSettings deviceSettings) {
    boolean missing = graph.partitions().stream().anyMatch(p -> p.present() != null);
    return kernels(program, settings, deviceSettings, missing, !graph.boundaries().isEmpty());
  }

  /**
   * The kernels that a run would compile; no device is needed to make them.
   *
   * @param missingVertices edges may name vertices that do not exist
   * @param exchanges there are several partitions, which exchange what changed
   */
  public static ProgramKernels kernels(
      LiftedProgram program,
      RunSettings settings,
      DeviceSettings deviceSettings,
      boolean missingVertices,
      boolean exchanges) {
    return ProgramKernels.of(
        program,
        KernelShape.of(program, settings, missingVertices, exchanges),
        new DeviceShape(settings.activeDirection(), deviceSettings.virtualWarp() != 0));
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
      RunSettings run,
      DeviceSettings deviceSettings) {
    DevicePlanner planner =
        new DevicePlanner(
            graph, program, kernels, run, deviceSettings, device.properties(), derived);
    long needed = 0;
    long available = 0;
    List<Integer> groupings = planner.groupings();
    for (int grouping : groupings) {
      DevicePlan plan = planner.plan(grouping, attributes);
      Collection<Object> shared = plan.sharedArrays();
      long free = device.memory().free() - deviceSettings.reserveBytes();
      needed = plan.missingBytes(resident);
      available = Math.max(0, free + resident.evictableBytes(shared));
      if (needed <= available) {
        if (attributes != null && needed > free) {
          resident.evict(needed - free, shared);
        }
        return plan;
      }
    }
    throw new DeviceOutOfMemoryException(
        device.properties().name(),
        "a run on "
            + PartitionLines.count(graph.partitions().size(), "partition")
            + " with vertices grouped by "
            + groupings.get(groupings.size() - 1),
        needed,
        available,
        "",
        advice(deviceSettings));
  }

  private static String advice(DeviceSettings deviceSettings) {
    return (deviceSettings.grouping() == 0 ? "" : "set spark.gpugraph.grouping = auto, ")
        + "use more executors (each holds a smaller part of the graph), leave less than "
        + deviceSettings.reserveBytes()
        + " bytes to others (spark.gpugraph.gpu.memoryReserve), or set spark.gpugraph.engine = cpu";
  }

  @Override
  public long estimate(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
    return estimate(graph, program, run, settings);
  }

  private synchronized long estimate(
      ExecutorGraph graph, LiftedProgram program, RunSettings run, DeviceSettings deviceSettings) {
    ProgramKernels kernels = kernels(graph, program, run, deviceSettings);
    return fit(graph, program, kernels, null, run, deviceSettings).missingBytes(resident);
  }

  /**
   * Frees what runs on this very graph (a reversed view is another one) have left on the device;
   * what a run uses now, when that run ends. Without this call it is freed once the host has
   * dropped the graph, or when memory is short.
   */
  public synchronized void release(ExecutorGraph graph) {
    for (GraphPartition partition : graph.partitions()) {
      Set<Object> arrays = structure.remove(partition);
      if (arrays != null) {
        arrays.forEach(resident::release);
      }
    }
  }

  /** Bytes of structure on the device, of all graphs. */
  public long residentBytes() {
    return resident.bytes();
  }

  // ---- explain --------------------------------------------------------------------------------

  @Override
  public String describe(LiftedProgram program, RunSettings run) {
    return describe(program, run, settings);
  }

  private String describe(LiftedProgram program, RunSettings run, DeviceSettings deviceSettings) {
    KernelShape shape = KernelShape.of(program, run, true, true);
    StringBuilder text = new StringBuilder();
    text.append(
        deviceSettings.virtualWarp() == 0
            ? "warp segmentation"
            : deviceSettings.virtualWarp() == 1
                ? "a thread per vertex"
                : "virtual warps of " + deviceSettings.virtualWarp() + " lanes");
    text.append(", pulls over ")
        .append(
            shape.inRows() && shape.outRows()
                ? "in- and out-edges"
                : shape.outRows() ? "out-edges" : "in-edges");
    if (shape.everyVertex()) {
      text.append(", every vertex in every superstep (dense)");
    } else {
      text.append(
          switch (run.kernel()) {
            case AUTO -> ", dense or sparse by active edges";
            case DENSE -> ", always dense";
            case SPARSE -> ", always sparse";
          });
    }
    return text.append(shape.inPlace() ? ", values updated in place" : ", two value buffers")
        .append(", on ")
        .append(device.properties().name())
        .toString();
  }

  @Override
  public String describeMemory(ExecutorGraph graph, ProgramInstance program, RunSettings run) {
    return describeMemory(graph, program, run, settings);
  }

  private synchronized String describeMemory(
      ExecutorGraph graph,
      ProgramInstance program,
      RunSettings run,
      DeviceSettings deviceSettings) {
    MemoryInfo memory = device.memory();
    try {
      ProgramKernels kernels = kernels(graph, program.program(), run, deviceSettings);
      DevicePlan plan = fit(graph, program.program(), kernels, null, run, deviceSettings);
      return plan.describe(4)
          + "; "
          + plan.missingBytes(resident)
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

  @Override
  public synchronized void close() {
    List<AutoCloseable> all = new ArrayList<>();
    all.add(resident);
    all.add(modules);
    Closing.all(all);
  }

  /**
   * This engine with other settings: the same device, and the same structure on it.
   *
   * @param other how the device is used
   */
  public Engine with(DeviceSettings other) {
    return other.equals(settings) ? this : new Configured(other);
  }

  /** The engine with settings that are not its own. */
  private final class Configured implements Engine {
    private final DeviceSettings deviceSettings;

    Configured(DeviceSettings deviceSettings) {
      this.deviceSettings = deviceSettings;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public EngineRun open(
        ExecutorGraph graph, ProgramInstance program, List<Columns> attributes, RunSettings run) {
      return DeviceEngine.this.open(graph, program, attributes, run, deviceSettings);
    }

    @Override
    public long estimate(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
      return DeviceEngine.this.estimate(graph, program, run, deviceSettings);
    }

    @Override
    public String describe(LiftedProgram program, RunSettings run) {
      return DeviceEngine.this.describe(program, run, deviceSettings);
    }

    @Override
    public String describeMemory(ExecutorGraph graph, ProgramInstance program, RunSettings run) {
      return DeviceEngine.this.describeMemory(graph, program, run, deviceSettings);
    }
  }
}
