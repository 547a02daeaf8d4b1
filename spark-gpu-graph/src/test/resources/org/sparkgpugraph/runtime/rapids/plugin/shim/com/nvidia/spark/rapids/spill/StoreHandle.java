package com.nvidia.spark.rapids.spill;

public interface StoreHandle extends AutoCloseable {
  long approxSizeInBytes();

  boolean closed();

  void closed_$eq(boolean is);

  @Override
  void close();
}
