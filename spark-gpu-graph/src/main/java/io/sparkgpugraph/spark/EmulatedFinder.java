package io.sparkgpugraph.spark;

import java.util.List;

/** Makes emulated devices. */
final class EmulatedFinder implements DeviceFinder {
  @Override
  public Found find(DeviceConf conf, List<String> addresses) {
    return Found.none("this version has no emulator");
  }
}
