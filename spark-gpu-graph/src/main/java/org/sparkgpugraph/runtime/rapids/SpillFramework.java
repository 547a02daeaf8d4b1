package org.sparkgpugraph.runtime.rapids;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.sparkgpugraph.engine.device.Reclaimable;
import scala.Option;

/**
 * The spill framework of RAPIDS. When an allocation fails it asks its device store for handles that
 * can spill, has them spill, and tries again, as long as something was freed. One more handle in
 * that store stands for all that can be freed here. When RAPIDS shuts down the store closes its
 * handles, before the memory pool goes.
 */
final class SpillFramework {
  private static final String PACKAGE = "com.nvidia.spark.rapids.spill.";

  private final Map<?, ?> handles;
  private final Object handle;
  private final Method isSpillable;
  private final Method bytes;
  private volatile Reclaimable reclaimable;
  private volatile Runnable end = () -> {};
  private volatile boolean closed;

  SpillFramework(PluginClasses classes) throws ReflectiveOperationException {
    Class<?> type = classes.shim(PACKAGE + "DeviceSpillableHandle");
    isSpillable = classes.shim(PACKAGE + "SpillableHandle").getMethod("spillable");
    bytes = classes.shim(PACKAGE + "StoreHandle").getMethod("approxSizeInBytes");
    Object stores = classes.shim(PACKAGE + "SpillFramework").getMethod("stores").invoke(null);
    Object store =
        classes.shim(PACKAGE + "SpillableStores").getMethod("deviceStore").invoke(stores);
    Class<?> storeType = classes.shim(PACKAGE + "SpillableDeviceStore");
    handles = (Map<?, ?>) storeType.getMethod("handles").invoke(store);
    handle = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Handle());
    storeType.getMethod("track", classes.shim(PACKAGE + "StoreHandle")).invoke(store, handle);
  }

  /** What RAPIDS asks for memory from now on. */
  void reclaimFrom(Reclaimable what) {
    reclaimable = what;
  }

  /** What to do when RAPIDS shuts down. */
  void whenItEnds(Runnable work) {
    end = work;
  }

  /** Bytes that RAPIDS can spill of its own. */
  long spillableOfOthers() {
    long sum = 0;
    for (Object other : handles.keySet()) {
      if (other != handle) {
        sum +=
            Calls.of(
                () ->
                    (boolean) isSpillable.invoke(other)
                        ? (long) bytes.invoke(other)
                        : Long.valueOf(0));
      }
    }
    return sum;
  }

  private long reclaimableBytes() {
    Reclaimable what = reclaimable;
    return closed || what == null ? 0 : what.reclaimableBytes();
  }

  private void close() {
    if (!closed) {
      closed = true;
      end.run();
    }
  }

  /**
   * What the framework asks of the handle. What it has for its own kinds of handles does nothing.
   */
  private final class Handle implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      switch (method.getName()) {
        case "approxSizeInBytes":
          return reclaimableBytes();
        case "spillable":
          return reclaimableBytes() > 0;
        case "spill":
          Reclaimable what = reclaimable;
          return closed || what == null ? 0L : what.reclaim(Long.MAX_VALUE);
        case "closed":
          return closed;
        case "close":
        case "doClose":
          close();
          return null;
        case "hashCode":
          return System.identityHashCode(proxy);
        case "equals":
          return proxy == arguments[0];
        case "toString":
          return "graphs of spark-gpu-graph";
        default:
          return nothing(method.getReturnType());
      }
    }

    private Object nothing(Class<?> type) {
      if (type == boolean.class) {
        return false;
      }
      if (type == long.class) {
        return 0L;
      }
      return type == Option.class ? Option.empty() : null;
    }
  }
}
