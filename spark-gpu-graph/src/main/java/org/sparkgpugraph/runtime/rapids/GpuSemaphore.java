package org.sparkgpugraph.runtime.rapids;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.spark.TaskContext;

/** The semaphore by which RAPIDS lets only some tasks use the GPU at a time. */
final class GpuSemaphore {
  private final MethodHandle acquire;
  private final MethodHandle release;

  GpuSemaphore(PluginClasses classes) throws ReflectiveOperationException {
    Class<?> type = classes.shim("com.nvidia.spark.rapids.GpuSemaphore$");
    Object semaphore = type.getField("MODULE$").get(null);
    MethodType ofTask = MethodType.methodType(void.class, TaskContext.class);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    acquire = lookup.findVirtual(type, "acquireIfNecessary", ofTask).bindTo(semaphore);
    release = lookup.findVirtual(type, "releaseIfNecessary", ofTask).bindTo(semaphore);
  }

  /** Waits for a task's turn; a task that has it goes on. */
  GpuTurn acquire(TaskContext task) {
    Calls.run(
        () -> {
          acquire.invokeExact(task);
        });
    return () ->
        Calls.run(
            () -> {
              release.invokeExact(task);
            });
  }
}
