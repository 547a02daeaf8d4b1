package org.sparkgpugraph.engine.device.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.MemoryOnlyDevice;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;

/** A session's errors say on which device they were; memory is taken under the device's lock. */
@Tag("any-spark")
class DeviceSessionTest {
  private static final int ORDINAL = 3;
  private static final Set<String> WORKING =
      Set.of("load", "newStream", "memory", "properties", "close");

  private final MemoryOnlyDevice memory = new MemoryOnlyDevice(1 << 20);
  private DeviceHoldings holdings;
  private boolean lost;
  private boolean locked;

  private Object call(Class<?> type, Object[] arguments, String method) {
    if (lost && !WORKING.contains(method)) {
      throw new DeviceLostException(method, "PLANTED_LOSS");
    }
    return switch (method) {
      case "properties" ->
          new DeviceProperties("planted", ORDINAL, 9, 0, 2, 2048, 1 << 16, 1 << 20, true, false);
      case "memory" -> memory.memory();
      case "newStream" -> proxy(DeviceStream.class);
      case "load" -> proxy(DeviceModule.class);
      case "folder" -> Optional.empty();
      case "allocate" -> {
        locked = Thread.holdsLock(holdings);
        yield memory.allocate((long) arguments[0], (String) arguments[1]);
      }
      default -> null;
    };
  }

  private <T> T proxy(Class<T> type) {
    InvocationHandler handler = (self, method, args) -> call(type, args, method.getName());
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void errorsSayWhichDeviceItWas() {
    holdings = new DeviceHoldings(proxy(Device.class));
    KernelSource source =
        OperatorKernels.of("none", "", new FrameLayout("Frame"), List.of(), List.of());
    DeviceSession session = new DeviceSession(holdings, source, 0);
    DeviceMemory taken = session.allocate(64, "test");
    assertThat(locked).as("under the lock").isTrue();
    refused(() -> session.allocate(2 << 20, "too much"));
    lost = true;
    refused(() -> session.allocate(64, "test"));
    refused(() -> session.zeros(64, "test"));
    refused(() -> session.upload(new int[4], 4, "test"));
    refused(() -> session.download(taken, new int[4], 4));
    refused(() -> session.timed(() -> {}));
    refused(() -> session.launch("none", 1, 32, new FrameLayout("Frame").newFrame()));
    session.close();
    assertThat(memory.purposes()).isEmpty();
  }

  private static void refused(ThrowingCallable work) {
    assertThat(catchThrowableOfType(work, DeviceException.class).ordinal()).isEqualTo(ORDINAL);
  }
}
