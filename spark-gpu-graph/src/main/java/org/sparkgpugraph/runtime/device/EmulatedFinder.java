package org.sparkgpugraph.runtime.device;

import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.runtime.conf.DeviceConf;

/** Makes emulated devices: those that Spark's resources name, otherwise as many as configured. */
public final class EmulatedFinder implements DeviceFinder {
  /** Name of the engine on them. */
  static final String NAME = "emulated";

  @Override
  public Found find(DeviceConf conf, List<String> addresses) {
    if (!EmulatedDevice.isAvailable()) {
      return Found.none("the emulated GPU needs g++, which is not on the executor's PATH");
    }
    EmulatorSettings settings =
        EmulatorSettings.defaults()
            .withMemoryBytes(conf.emulatedMemory())
            .withSeed(conf.emulatedSeed());
    List<String> wanted =
        addresses.isEmpty()
            ? IntStream.range(0, conf.emulatedDevices()).mapToObj(String::valueOf).toList()
            : addresses;
    List<FoundDevice> devices =
        wanted.stream()
            .filter(address -> address.matches("[0-9]{1,4}"))
            .map(address -> found(Integer.parseInt(address), settings, conf))
            .toList();
    return new Found(devices, devices.isEmpty() ? "Spark gave the task no GPU by number" : "");
  }

  private static FoundDevice found(int ordinal, EmulatorSettings settings, DeviceConf conf) {
    return new FoundDevice(
        List.of(ordinal, settings),
        "emulated GPU " + ordinal,
        ordinal,
        () -> new EngineDevice(NAME, new EmulatedDevice(settings, ordinal), conf));
  }
}
