package io.sparkgpugraph.engine.device;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Devices that behave as another one, but for one thing. */
final class DeviceProxies {
  private DeviceProxies() {}

  /** The device with less memory: {@code bytes} beside what is allocated now. Not to be closed. */
  static Device limited(Device device, long bytes) {
    long limit = device.allocatedBytes() + bytes;
    return (Device)
        proxy(
            Device.class,
            (self, method, arguments) -> {
              long free = limit - device.allocatedBytes();
              if (method.getName().equals("memory")) {
                return new MemoryInfo(free, bytes);
              }
              if (method.getName().equals("allocate") && (long) arguments[0] > free) {
                throw new DeviceOutOfMemoryException(
                    "limited", (String) arguments[1], (long) arguments[0], free, "LIMIT", "");
              }
              return call(device, method, arguments);
            });
  }

  /** The device, whose calls are told by name. */
  static Device observed(Device device, Consumer<String> observer) {
    return (Device)
        proxy(
            Device.class,
            (self, method, arguments) -> {
              observer.accept(method.getName());
              return call(device, method, arguments);
            });
  }

  /** The device, whose streams tell how many bytes they copy from and to page-locked memory. */
  static Device metered(Device device, LongConsumer bytes) {
    return (Device)
        proxy(
            Device.class,
            (self, method, arguments) -> {
              Object result = call(device, method, arguments);
              return result instanceof DeviceStream stream ? metered(stream, bytes) : result;
            });
  }

  private static DeviceStream metered(DeviceStream stream, LongConsumer bytes) {
    return (DeviceStream)
        proxy(
            DeviceStream.class,
            (self, method, arguments) -> {
              if (method.getName().equals("upload") || method.getName().equals("download")) {
                bytes.accept((int) arguments[4]);
              }
              return call(stream, method, arguments);
            });
  }

  /** The device, of which launches are lost from some call on. */
  static Device lost(Device device, int launches) {
    int[] left = {launches};
    return (Device)
        proxy(
            Device.class,
            (self, method, arguments) -> {
              Object result = call(device, method, arguments);
              return result instanceof DeviceStream stream ? lost(stream, left) : result;
            });
  }

  private static DeviceStream lost(DeviceStream stream, int[] left) {
    return (DeviceStream)
        proxy(
            DeviceStream.class,
            (self, method, arguments) -> {
              boolean uses = !method.getName().equals("close");
              if (method.getName().equals("launch")) {
                left[0]--;
              }
              if (uses && left[0] < 0) {
                throw new DeviceLostException(method.getName(), "PLANTED_LOSS");
              }
              return call(stream, method, arguments);
            });
  }

  /** Counts down the calls that can fail, and fails the last one of them. */
  static final class Fuse {
    private int left;

    Fuse(int calls) {
      left = calls;
    }

    /** Whether it has failed. */
    boolean blown() {
      return left <= 0;
    }

    private void use(String operation) {
      if (left > 0 && --left == 0) {
        throw new DeviceException(operation, "PLANTED", "");
      }
    }
  }

  private static final Set<String> CAN_FAIL =
      Set.of(
          "allocate",
          "allocatePinned",
          "newStream",
          "load",
          "upload",
          "download",
          "launch",
          "fill",
          "copy",
          "record",
          "synchronize");

  /** The device, and its streams, with a call that fails. */
  static Device failing(Device device, Fuse fuse) {
    return (Device)
        proxy(
            Device.class,
            (self, method, arguments) -> {
              if (CAN_FAIL.contains(method.getName())) {
                fuse.use(method.getName());
              }
              Object result = call(device, method, arguments);
              return result instanceof DeviceStream stream ? failing(stream, fuse) : result;
            });
  }

  private static DeviceStream failing(DeviceStream stream, Fuse fuse) {
    return (DeviceStream)
        proxy(
            DeviceStream.class,
            (self, method, arguments) -> {
              if (CAN_FAIL.contains(method.getName())) {
                fuse.use(method.getName());
              }
              return call(stream, method, arguments);
            });
  }

  private static Object proxy(Class<?> type, InvocationHandler handler) {
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
  }

  private static Object call(Object target, java.lang.reflect.Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
