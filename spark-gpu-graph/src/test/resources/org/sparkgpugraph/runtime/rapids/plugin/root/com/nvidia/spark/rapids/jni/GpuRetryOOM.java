package com.nvidia.spark.rapids.jni;

public class GpuRetryOOM extends RuntimeException {
  public GpuRetryOOM(String message) {
    super(message);
  }
}
