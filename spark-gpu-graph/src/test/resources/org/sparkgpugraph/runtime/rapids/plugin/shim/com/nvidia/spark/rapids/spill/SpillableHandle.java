package com.nvidia.spark.rapids.spill;

public interface SpillableHandle extends StoreHandle {
  boolean spilling();

  void spilling_$eq(boolean is);

  long spill();

  boolean spillable();

  void doClose();
}
