package org.sparkgpugraph.runtime.rapids;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.sparkgpugraph.engine.cuda.SharedPool;

/**
 * RMM, the memory manager of RAPIDS, by cudf's Java classes. A buffer is allocated for the calling
 * thread's own default stream, which is waited for, so that any stream may use it.
 */
final class RmmBinding {
  /** In the message of the error that the native side throws where it has no memory. */
  private static final String NATIVE = "native memory";

  /** How often a task waits and tries again before it gives up. */
  private static final int RETRIES = 3;

  private final MethodHandle isInitialized;
  private final MethodHandle poolSize;
  private final MethodHandle allocated;
  private final MethodHandle allocate;
  private final MethodHandle address;
  private final MethodHandle close;
  private final MethodHandle synchronizeStream;
  private final MethodHandle synchronizeDevice;
  private final MethodHandle waitUntilReady;
  private final Class<?> retry;

  RmmBinding(PluginClasses classes) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    Class<?> rmm = classes.root("ai.rapids.cudf.Rmm");
    isInitialized = lookup.findStatic(rmm, "isInitialized", type(boolean.class));
    poolSize = lookup.findStatic(rmm, "getPoolSize", type(long.class));
    allocated = lookup.findStatic(rmm, "getTotalBytesAllocated", type(long.class));
    Class<?> buffer = classes.root("ai.rapids.cudf.DeviceMemoryBuffer");
    allocate =
        lookup
            .findStatic(buffer, "allocate", type(buffer, long.class))
            .asType(type(Object.class, long.class));
    address =
        lookup
            .findVirtual(buffer, "getAddress", type(long.class))
            .asType(type(long.class, Object.class));
    close =
        lookup
            .findVirtual(buffer, "close", type(void.class))
            .asType(type(void.class, Object.class));
    Class<?> cuda = classes.root("ai.rapids.cudf.Cuda");
    synchronizeStream =
        lookup
            .findVirtual(classes.root("ai.rapids.cudf.Cuda$Stream"), "sync", type(void.class))
            .bindTo(cuda.getField("DEFAULT_STREAM").get(null));
    synchronizeDevice = lookup.findStatic(cuda, "deviceSynchronize", type(void.class));
    waitUntilReady =
        lookup.findStatic(
            classes.root("com.nvidia.spark.rapids.jni.RmmSpark"),
            "blockThreadUntilReady",
            type(void.class));
    retry = classes.root("com.nvidia.spark.rapids.jni.GpuRetryOOM");
  }

  private static MethodType type(Class<?> result, Class<?>... parameters) {
    return MethodType.methodType(result, parameters);
  }

  /** Whether it is at work. */
  boolean isInitialized() {
    return Calls.of(() -> (boolean) isInitialized.invokeExact());
  }

  /** Bytes of its pool; below 0: it has none, and takes memory when it is asked for some. */
  long poolSize() {
    return Calls.of(() -> (long) poolSize.invokeExact());
  }

  /** Bytes that are allocated, by whomever. */
  long allocated() {
    return Calls.of(() -> (long) allocated.invokeExact());
  }

  /**
   * Allocates a buffer. A task that RAPIDS knows may be told to give up what it can, wait for
   * others, and try again; a graph gives way at other times.
   *
   * @throws SharedPool.RefusedException when there is no memory
   */
  Object allocate(long bytes) throws SharedPool.RefusedException {
    try {
      return retrying(
          () -> {
            Object buffer = (Object) allocate.invokeExact(bytes);
            synchronizeStream.invoke();
            return buffer;
          });
    } catch (RuntimeException | Error e) {
      throw refusal(e);
    }
  }

  /** Does what takes memory, and does it again where RAPIDS says to wait for other tasks. */
  <T> T retrying(Calls.Giving<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return work.call();
      } catch (Throwable e) {
        if (!retry.isInstance(e) || attempt == RETRIES) {
          throw Calls.unchecked(e);
        }
        Calls.run(
            () -> {
              waitUntilReady.invokeExact();
            });
      }
    }
  }

  private static SharedPool.RefusedException refusal(Throwable e) {
    if (e instanceof RuntimeException
        || e instanceof OutOfMemoryError && String.valueOf(e.getMessage()).contains(NATIVE)) {
      return new SharedPool.RefusedException("RMM: " + e.getMessage(), e);
    }
    throw Calls.unchecked(e);
  }

  /** Where a buffer is on the GPU. */
  long address(Object buffer) {
    return Calls.of(() -> (long) address.invokeExact(buffer));
  }

  /** Gives a buffer back. */
  void close(Object buffer) {
    Calls.run(
        () -> {
          close.invokeExact(buffer);
        });
  }

  /** Waits until the GPU is idle. */
  void synchronizeDevice() {
    Calls.run(
        () -> {
          synchronizeDevice.invokeExact();
        });
  }
}
