package com.nvidia.spark.rapids;

import scala.Option;

public final class GpuDeviceManager {
  public static Option<Object> device = Option.apply((Object) 0);

  public static Option<Object> getDeviceId() {
    return device;
  }
}
