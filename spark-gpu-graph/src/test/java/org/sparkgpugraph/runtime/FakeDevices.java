package org.sparkgpugraph.runtime;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.device.DeviceFinder;
import org.sparkgpugraph.runtime.device.OpenDevice;

/**
 * Devices that are none: their engine is the CPU engine under another name, until it is told to
 * fail. Records what is done with them.
 */
public final class FakeDevices implements DeviceFinder {
  private final String reason;
  private final List<Device> devices = new ArrayList<>();
  private int searches;

  private FakeDevices(String reason) {
    this.reason = reason;
  }

  /** No device, for a reason. */
  public static FakeDevices none(String reason) {
    return new FakeDevices(reason);
  }

  /** Some devices, with ordinals from 0. */
  public static FakeDevices of(int count) {
    FakeDevices found = new FakeDevices("");
    for (int ordinal = 0; ordinal < count; ordinal++) {
      found.devices.add(new Device(ordinal));
    }
    return found;
  }

  public Device device(int ordinal) {
    return devices.get(ordinal);
  }

  /** How often somebody has looked. */
  public int searches() {
    return searches;
  }

  @Override
  public synchronized Found find(DeviceConf conf, List<String> addresses) {
    searches++;
    List<Device> given =
        addresses.isEmpty()
            ? devices
            : addresses.stream().map(a -> devices.get(Integer.parseInt(a))).toList();
    return new Found(given.stream().map(Device::found).toList(), reason);
  }

  /** A device that was found, and open or not. */
  public static final class Device implements OpenDevice, Engine {
    private final Engine cpu = new CpuEngine();
    private final int ordinal;
    private final List<ExecutorGraph> released = new ArrayList<>();
    private List<OpenDevice> together = List.of();
    private DeviceException openFailure;
    private DeviceException runFailure;
    private int opened;
    private int closed;

    Device(int ordinal) {
      this.ordinal = ordinal;
    }

    /** Lets opening fail; null: succeed. */
    public void failToOpen(DeviceException e) {
      openFailure = e;
    }

    /** Lets runs fail before their first superstep; null: succeed. */
    void failToRun(DeviceException e) {
      runFailure = e;
    }

    public int opened() {
      return opened;
    }

    public int closed() {
      return closed;
    }

    List<ExecutorGraph> released() {
      return released;
    }

    public FoundDevice found() {
      return new FoundDevice(ordinal, describe(), ordinal, this::open);
    }

    @Override
    public String name() {
      return "fake";
    }

    @Override
    public String toString() {
      return describe();
    }

    public String describe() {
      return "GPU " + ordinal + " (fake)";
    }

    /** The other devices of the engine that was made last. */
    public List<OpenDevice> together() {
      return together;
    }

    private OpenDevice open() {
      if (openFailure != null) {
        throw openFailure;
      }
      opened++;
      return this;
    }

    @Override
    public Engine engine(DeviceConf conf, List<OpenDevice> others) {
      together = others;
      return this;
    }

    @Override
    public long totalMemory() {
      return 1000;
    }

    @Override
    public long heldMemory() {
      return 300;
    }

    @Override
    public void release(ExecutorGraph graph) {
      released.add(graph);
    }

    @Override
    public void close() {
      closed++;
    }

    @Override
    public EngineRun open(
        ExecutorGraph graph,
        ProgramInstance program,
        List<Columns> attributes,
        RunSettings settings) {
      if (runFailure != null) {
        throw runFailure;
      }
      return cpu.open(graph, program, attributes, settings);
    }

    @Override
    public Contraction components(ExecutorGraph graph, int threads) {
      if (runFailure != null) {
        throw runFailure;
      }
      return cpu.components(graph, threads);
    }

    @Override
    public long estimate(ExecutorGraph graph, ProgramInstance program, RunSettings settings) {
      return cpu.estimate(graph, program, settings);
    }

    @Override
    public String describe(LiftedProgram program, RunSettings settings) {
      return "fake kernels";
    }

    @Override
    public String describeMemory(
        ExecutorGraph graph, ProgramInstance program, RunSettings settings) {
      return "fake memory";
    }
  }
}
