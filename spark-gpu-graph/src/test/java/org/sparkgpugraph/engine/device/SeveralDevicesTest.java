package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.exchange.Route;
import org.sparkgpugraph.engine.device.exchange.Routes;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;

/**
 * Several emulated devices, each with an order of lanes of its own. Every access to memory is
 * checked: a kernel that reads what another device has is a fault.
 */
@Tag("any-spark")
class SeveralDevicesTest extends SeveralDevicesSuite {
  @Override
  List<Device> openDevices() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    return IntStream.range(0, 3)
        .<Device>mapToObj(
            d -> new EmulatedDevice(EmulatorSettings.defaults().withSeed(d).withChecks(true), d))
        .toList();
  }

  @Test
  void devicesThatAreNoPeersTakeTheHub() {
    try (Device peer = new EmulatedDevice(EmulatorSettings.defaults());
        Device alone = new EmulatedDevice(EmulatorSettings.defaults().withPeers(false), 1)) {
      assertThat(peer.canAccess(alone)).isFalse();
      assertThat(alone.canAccess(peer)).isFalse();
      assertThatThrownBy(() -> peer.enableAccess(alone))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("EMULATOR_PEER_ACCESS_UNSUPPORTED");
      List<DeviceHoldings> both = List.of(new DeviceHoldings(peer), new DeviceHoldings(alone));
      assertThat(Routes.of(both, DeviceExchange.PEER).between(0, 1)).isEqualTo(Route.HUB);
      assertThat(Routes.of(both, DeviceExchange.AUTO).between(1, 0)).isEqualTo(Route.HUB);
    }
  }
}
