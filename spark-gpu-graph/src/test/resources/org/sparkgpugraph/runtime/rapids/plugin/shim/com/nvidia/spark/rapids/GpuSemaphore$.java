package com.nvidia.spark.rapids;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;

public final class GpuSemaphore$ {
  public static final GpuSemaphore$ MODULE$ = new GpuSemaphore$();

  /** What tasks did. */
  public final List<String> said = new ArrayList<>();

  public void acquireIfNecessary(TaskContext task) {
    said.add("acquired by " + task.taskAttemptId());
  }

  public void releaseIfNecessary(TaskContext task) {
    said.add("released by " + task.taskAttemptId());
  }
}
