package com.nvidia.spark.rapids;

public final class ShimLoader {
  /** Finds the classes of one Spark. */
  public static ClassLoader shim;

  public static ClassLoader getShimClassLoader() {
    return shim;
  }
}
