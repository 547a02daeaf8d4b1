package io.sparkgpugraph.engine.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.device.DeviceMemory;
import io.sparkgpugraph.engine.device.DeviceModule;
import io.sparkgpugraph.engine.device.DeviceStream;
import io.sparkgpugraph.engine.device.KernelSource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Memory, streams, modules and faults of the emulated device. */
class EmulatedDeviceTest {
  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: the emulated device is not tested");
  }

  @Test
  void aKernelRunsOnEveryThread() {
    KernelSource source =
        new KernelSource(
            "numbers",
            """
            struct Frame { int* out; };
            SGG_KERNEL(numbers) {
              f.out[blockIdx.x * blockDim.x + threadIdx.x] =
                  static_cast<int>(1000 * blockIdx.x + __shfl_xor_sync(0xffffffffu, threadIdx.x, 1));
            }
            """,
            List.of("numbers"),
            List.of("numbers: this test"));
    try (EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceMemory out = device.allocate(4 * 3 * 64, "numbers");
        DeviceModule module = device.load(source);
        DeviceStream stream = device.newStream()) {
      byte[] frame =
          ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(out.address()).array();
      stream.launch(module.kernel("numbers"), 3, 64, frame);
      stream.synchronize();
      int[] values = new int[192];
      device.download(out, 0, values, 0, 192);
      for (int i = 0; i < 192; i++) {
        assertThat(values[i]).isEqualTo(i / 64 * 1000 + (i % 64 ^ 1));
      }
    }
  }
}
