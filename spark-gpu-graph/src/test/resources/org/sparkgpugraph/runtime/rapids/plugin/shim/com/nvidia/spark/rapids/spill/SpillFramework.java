package com.nvidia.spark.rapids.spill;

public final class SpillFramework {
  public static final SpillableDeviceStore STORE = new SpillableDeviceStore();

  public static SpillableStores stores() {
    return () -> STORE;
  }
}
