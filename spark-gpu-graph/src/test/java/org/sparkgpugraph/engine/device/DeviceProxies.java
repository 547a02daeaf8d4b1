package org.sparkgpugraph.engine.device;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ObjIntConsumer;
import java.util.function.UnaryOperator;

/** Devices that behave as another one, but for one thing. */
public final class DeviceProxies {
  private DeviceProxies() {}

  /** Tells the bytes of every array that is uploaded. */
  public static Device uploading(Device device, LongConsumer bytes) {
    return device(
        device,
        (self, method, arguments) -> {
          if (method.getName().equals("upload")) {
            bytes.accept((long) (int) arguments[2] * ArrayBytes.elementBytes(arguments[0]));
          }
          return call(device, method, arguments);
        });
  }

  /** The device with less memory: {@code bytes} beside what is allocated now. Not to be closed. */
  public static Device limited(Device device, long bytes) {
    return limited(device, bytes, 0);
  }

  /**
   * As above.
   *
   * @param hostBytes of the host's memory where more may lie
   */
  public static Device limited(Device device, long bytes, long hostBytes) {
    long limit = device.allocatedBytes() + bytes;
    return device(
        device,
        (self, method, arguments) -> {
          long free = limit - device.allocatedBytes();
          switch (method.getName()) {
            case "memory":
              return new MemoryInfo(free, bytes);
            case "hostRoom":
              return Optional.of(new Device.HostRoom(() -> hostBytes, 256))
                  .filter(room -> hostBytes > 0);
            case "allocate", "allocateSplit":
              int last = arguments.length - 1;
              long own = (long) arguments[last - 1];
              if (own > free) {
                throw new DeviceOutOfMemoryException(
                    "limited", (String) arguments[last], own, free, "LIMIT", "");
              }
              break;
            default:
          }
          return call(device, method, arguments);
        });
  }

  /**
   * Has kernels compiled with mistakes.
   *
   * @param edits texts of the kernels, each followed by what stands in its place
   * @throws IllegalArgumentException when it compiles, if the kernels do not have such a text
   */
  public static Device planting(Device device, String... edits) {
    return editing(device, text -> edited(text, edits));
  }

  /** As above, of a run with several modules: in those that have the first text. */
  public static Device plantingInSome(Device device, String... edits) {
    return editing(device, text -> text.contains(edits[0]) ? edited(text, edits) : text);
  }

  /**
   * A text of kernels with mistakes.
   *
   * @throws IllegalArgumentException when it does not have what is to be replaced
   */
  public static String edited(String text, String... edits) {
    String edited = text;
    for (int i = 0; i < edits.length; i += 2) {
      if (!edited.contains(edits[i])) {
        throw new IllegalArgumentException("the kernel does not have: " + edits[i]);
      }
      edited = edited.replace(edits[i], edits[i + 1]);
    }
    return edited;
  }

  /** The device, which compiles something else than it is given. */
  public static Device editing(Device device, UnaryOperator<String> edit) {
    return device(
        device,
        (self, method, arguments) -> {
          if (method.getName().equals("load")) {
            KernelSource source = (KernelSource) arguments[0];
            String text = edit.apply(source.text());
            return device.load(
                new KernelSource(source.name(), text, source.kernels(), source.origins()));
          }
          return call(device, method, arguments);
        });
  }

  /** The device, which tells of kernels once they are loaded. */
  public static Device loading(Device device, Consumer<KernelSource> told) {
    return device(
        device,
        (self, method, arguments) -> {
          Object result = call(device, method, arguments);
          if (method.getName().equals("load")) {
            told.accept((KernelSource) arguments[0]);
          }
          return result;
        });
  }

  /** The device, whose calls are told by name. */
  public static Device observed(Device device, Consumer<String> observer) {
    return device(
        device,
        (self, method, arguments) -> {
          observer.accept(method.getName());
          return call(device, method, arguments);
        });
  }

  /** The device, whose streams tell how many bytes they copy from and to page-locked memory. */
  public static Device metered(Device device, LongConsumer bytes) {
    return streaming(device, stream -> metered(stream, bytes));
  }

  /** The device, whose streams tell of each copy between buffers. */
  public static Device copying(Device device, Runnable told) {
    return streaming(device, stream -> copying(stream, told));
  }

  /**
   * The device, whose streams tell of each launch.
   *
   * @param told hears the kernel's name and the number of blocks
   */
  public static Device launching(Device device, ObjIntConsumer<String> told) {
    return streaming(device, stream -> launching(stream, told));
  }

  private static DeviceStream launching(DeviceStream stream, ObjIntConsumer<String> told) {
    return (DeviceStream)
        proxy(
            DeviceStream.class,
            (self, method, arguments) -> {
              if (method.getName().startsWith("launch")) {
                told.accept(((DeviceKernel) arguments[0]).name(), (int) arguments[1]);
              }
              return call(stream, method, arguments);
            });
  }

  /**
   * The device, whose clock says something else.
   *
   * @param nanos from any event to any later one
   */
  public static Device taking(Device device, long nanos) {
    return streaming(device, stream -> taking(stream, nanos));
  }

  private static DeviceStream taking(DeviceStream stream, long nanos) {
    return (DeviceStream)
        proxy(
            DeviceStream.class,
            (self, method, arguments) -> {
              Object result = call(stream, method, arguments);
              return result instanceof DeviceEvent event ? taking(event, nanos) : result;
            });
  }

  private static DeviceEvent taking(DeviceEvent event, long nanos) {
    return (DeviceEvent)
        proxy(
            DeviceEvent.class,
            (self, method, arguments) ->
                method.getName().equals("nanosSince") ? nanos : call(event, method, arguments));
  }

  /** The device, which says something else of itself. */
  public static Device being(Device device, UnaryOperator<DeviceProperties> other) {
    return device(
        device,
        (self, method, arguments) -> {
          Object result = call(device, method, arguments);
          return result instanceof DeviceProperties properties ? other.apply(properties) : result;
        });
  }

  private static DeviceStream copying(DeviceStream stream, Runnable told) {
    return (DeviceStream)
        proxy(
            DeviceStream.class,
            (self, method, arguments) -> {
              if (method.getName().equals("copy")) {
                told.run();
              }
              return call(stream, method, arguments);
            });
  }

  /** The device under another name, with a folder to keep things in, or without. */
  public static Device named(Device device, String name, Path folder) {
    return device(
        device,
        (self, method, arguments) -> {
          if (method.getName().equals("folder")) {
            return Optional.ofNullable(folder);
          }
          Object result = call(device, method, arguments);
          return result instanceof DeviceProperties p
              ? described(p, name, p.ordinal(), p.emulated())
              : result;
        });
  }

  /** The device as if it were a GPU of that number. */
  public static Device gpu(Device device, int ordinal) {
    return device(
        device,
        (self, method, arguments) -> {
          Object result = call(device, method, arguments);
          return result instanceof DeviceProperties p
              ? described(p, p.name(), ordinal, false)
              : result;
        });
  }

  private static DeviceProperties described(
      DeviceProperties p, String name, int ordinal, boolean emulated) {
    return new DeviceProperties(
        name,
        ordinal,
        p.major(),
        p.minor(),
        p.multiprocessors(),
        p.threadsPerMultiprocessor(),
        p.sharedBytes(),
        p.totalMemory(),
        p.cooperative(),
        emulated);
  }

  /** Says how long a launch of a kernel takes, or throws what loading its source throws. */
  public interface Clock {
    /** Before kernels are loaded. */
    default void load(KernelSource source) {}

    /** Nanoseconds that a launch takes. */
    long nanos(KernelSource source, String kernel);
  }

  /** The device, by whose events launches take as long as a clock says, and nothing else any. */
  public static Device clocked(Device device, Clock clock) {
    Map<Object, Object> behind = Collections.synchronizedMap(new IdentityHashMap<>());
    Map<Object, KernelSource> sources = Collections.synchronizedMap(new IdentityHashMap<>());
    long[] now = {0};
    return device(
        device,
        (self, method, arguments) -> {
          if (method.getName().equals("load")) {
            KernelSource source = (KernelSource) arguments[0];
            clock.load(source);
            return kernelsOf((DeviceModule) call(device, method, arguments), source, sources);
          }
          Object result = call(device, method, arguments);
          return result instanceof DeviceStream stream
              ? clocked(stream, clock, now, sources, behind)
              : result;
        });
  }

  private static DeviceModule kernelsOf(
      DeviceModule module, KernelSource source, Map<Object, KernelSource> sources) {
    return (DeviceModule)
        proxy(
            DeviceModule.class,
            (self, method, arguments) -> {
              Object result = call(module, method, arguments);
              if (result instanceof DeviceKernel) {
                sources.put(result, source);
              }
              return result;
            });
  }

  private static DeviceStream clocked(
      DeviceStream stream,
      Clock clock,
      long[] now,
      Map<Object, KernelSource> sources,
      Map<Object, Object> behind) {
    return (DeviceStream)
        proxy(
            DeviceStream.class,
            (self, method, arguments) -> {
              if (method.getName().startsWith("launch")) {
                DeviceKernel kernel = (DeviceKernel) arguments[0];
                now[0] += clock.nanos(sources.get(kernel), kernel.name());
              }
              if (method.getName().equals("waitFor")) {
                arguments[0] = behind.get(arguments[0]);
              }
              Object result = call(stream, method, arguments);
              return result instanceof DeviceEvent event ? clocked(event, now[0], behind) : result;
            });
  }

  private static DeviceEvent clocked(DeviceEvent event, long at, Map<Object, Object> behind) {
    TimedEvent timed = new TimedEvent(event, at);
    behind.put(timed, event);
    return timed;
  }

  private record TimedEvent(DeviceEvent event, long at) implements DeviceEvent {
    @Override
    public void synchronize() {
      event.synchronize();
    }

    @Override
    public long nanosSince(DeviceEvent earlier) {
      return at - ((TimedEvent) earlier).at;
    }

    @Override
    public void close() {
      event.close();
    }
  }

  /** The device, whose memory others reach but whose peers refuse to be reached by it. */
  public static Device refusing(Device device) {
    return device(
        device,
        (self, method, arguments) -> {
          if (method.getName().equals("enableAccess")) {
            throw new DeviceException("access", "PLANTED_REFUSAL", "");
          }
          return call(device, method, arguments);
        });
  }

  /** The device, whose copies to others arrive wrong. */
  public static Device garbling(Device device) {
    return device(
        device,
        (self, method, arguments) -> {
          Object result = call(device, method, arguments);
          return result instanceof DeviceStream stream ? garbling(stream) : result;
        });
  }

  private static DeviceStream garbling(DeviceStream stream) {
    return (DeviceStream)
        proxy(
            DeviceStream.class,
            (self, method, arguments) -> {
              Object result = call(stream, method, arguments);
              if (method.getName().equals("copy")) {
                stream.copy((DeviceMemory) arguments[0], 4, (DeviceMemory) arguments[2], 0, 4);
              }
              return result;
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
  public static Device lost(Device device, int launches) {
    int[] left = {launches};
    return device(
        device,
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

  /**
   * Counts down the calls that can fail, and fails the last one of them, whichever threads make
   * them.
   */
  public static final class Fuse {
    private final AtomicInteger left;

    public Fuse(int calls) {
      left = new AtomicInteger(calls);
    }

    /** Whether it has failed. */
    public boolean blown() {
      return left.get() <= 0;
    }

    private void use(String operation) {
      if (left.getAndUpdate(calls -> Math.max(0, calls - 1)) == 1) {
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
  public static Device failing(Device device, Fuse fuse) {
    return failing(device, fuse, CAN_FAIL);
  }

  /**
   * The same of some calls alone.
   *
   * @param calls their names
   */
  public static Device failing(Device device, Fuse fuse, Set<String> calls) {
    return device(
        device,
        (self, method, arguments) -> {
          if (calls.contains(method.getName())) {
            fuse.use(method.getName());
          }
          Object result = call(device, method, arguments);
          return result instanceof DeviceStream stream ? failing(stream, fuse, calls) : result;
        });
  }

  private static DeviceStream failing(DeviceStream stream, Fuse fuse, Set<String> calls) {
    return (DeviceStream)
        proxy(
            DeviceStream.class,
            (self, method, arguments) -> {
              if (calls.contains(method.getName())) {
                fuse.use(method.getName());
              }
              return call(stream, method, arguments);
            });
  }

  /** A device that is behind others of these, by those: only they know whom they stand for. */
  private static final Map<Object, Device> BEHIND =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /** The device with other streams. */
  private static Device streaming(Device device, UnaryOperator<DeviceStream> other) {
    return device(
        device,
        (self, method, arguments) -> {
          Object result = call(device, method, arguments);
          return result instanceof DeviceStream stream ? other.apply(stream) : result;
        });
  }

  private static Device device(Device device, InvocationHandler handler) {
    Device made = (Device) proxy(Device.class, handler);
    BEHIND.put(made, BEHIND.getOrDefault(device, device));
    return made;
  }

  private static Object proxy(Class<?> type, InvocationHandler handler) {
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
  }

  private static Object call(Object target, java.lang.reflect.Method method, Object[] arguments)
      throws Throwable {
    if (method.getName().equals("canAccess") || method.getName().equals("enableAccess")) {
      arguments[0] = BEHIND.getOrDefault(arguments[0], (Device) arguments[0]);
    }
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
