package com.nvidia.spark.rapids.spill;

public interface SpillableStores {
  SpillableDeviceStore deviceStore();
}
