package org.sparkgpugraph.runtime.device;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.runtime.conf.DeviceConf;

/** A device and the engine on it. */
public final class EngineDevice implements OpenDevice {
  private final Device device;
  private final DeviceEngine engine;
  private final String memory;

  /**
   * @param name of the engine
   * @param device closed by this
   */
  public EngineDevice(String name, Device device, DeviceConf conf) {
    this(name, device, conf, "");
  }

  /**
   * @param name of the engine
   * @param device closed by this
   * @param memory where it comes from, see {@link OpenDevice#memory}
   */
  public EngineDevice(String name, Device device, DeviceConf conf, String memory) {
    this.device = device;
    this.memory = memory;
    this.engine = new DeviceEngine(name, device, conf.engine());
  }

  @Override
  public Engine engine(DeviceConf conf, List<OpenDevice> others) {
    List<DeviceEngine> all = new ArrayList<>(List.of(engine));
    others.forEach(other -> all.add(((EngineDevice) other).engine));
    return DeviceEngine.over(all).with(conf.engine());
  }

  @Override
  public long totalMemory() {
    return device.properties().totalMemory();
  }

  @Override
  public String memory() {
    return memory;
  }

  @Override
  public long heldMemory() {
    return device.allocatedBytes();
  }

  @Override
  public void release(ExecutorGraph graph) {
    graph.views().forEach(engine::release);
  }

  @Override
  public void close() {
    try {
      engine.close();
    } finally {
      device.close();
    }
  }
}
