package com.nvidia.spark.rapids.spill;

import scala.Option;

public interface DeviceSpillableHandle<T extends AutoCloseable> extends SpillableHandle {
  Option<T> dev();

  void dev_$eq(Option<T> is);

  void releaseSpilled();
}
