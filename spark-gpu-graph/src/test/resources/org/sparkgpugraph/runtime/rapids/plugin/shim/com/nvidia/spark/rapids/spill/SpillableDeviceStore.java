package com.nvidia.spark.rapids.spill;

import ai.rapids.cudf.Cuda;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Has handles spill until enough is free, as the real one does. */
public class SpillableDeviceStore {
  private final ConcurrentHashMap<DeviceSpillableHandle<?>, Boolean> handles =
      new ConcurrentHashMap<>();

  public ConcurrentHashMap<DeviceSpillableHandle<?>, Boolean> handles() {
    return handles;
  }

  public void track(StoreHandle handle) {
    handles.put((DeviceSpillableHandle<?>) handle, true);
  }

  public long spill(long wanted) {
    List<DeviceSpillableHandle<?>> spilled = new ArrayList<>();
    long amount = 0;
    long planned = 0;
    for (DeviceSpillableHandle<?> handle : handles.keySet()) {
      if (planned < wanted && handle.spillable()) {
        planned += handle.approxSizeInBytes();
        long bytes = handle.spill();
        amount += bytes;
        if (bytes > 0) {
          spilled.add(handle);
        }
      }
    }
    Cuda.deviceSynchronize();
    spilled.forEach(DeviceSpillableHandle::releaseSpilled);
    return amount;
  }

  public void close() {
    handles.keySet().forEach(StoreHandle::close);
    handles.clear();
  }
}
