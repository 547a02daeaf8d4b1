package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.Engine;
import io.sparkgpugraph.engine.device.Device;
import io.sparkgpugraph.engine.device.DeviceEngine;
import io.sparkgpugraph.graph.ExecutorGraph;
import java.util.ArrayList;
import java.util.List;

/** A device and the engine on it. */
final class EngineDevice implements OpenDevice {
  private final Device device;
  private final DeviceEngine engine;

  /**
   * @param name of the engine
   * @param device closed by this
   */
  EngineDevice(String name, Device device, DeviceConf conf) {
    this.device = device;
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
