package org.sparkgpugraph.runtime.observe;

import org.apache.spark.SparkContext;

/**
 * What else {@code GpuGraphPlugin} does on the driver; found by {@link java.util.ServiceLoader},
 * since parts stand above this package.
 */
public interface DriverPart {
  /**
   * Called when a context starts, before the application has it.
   *
   * @return whether {@link #stop} is to be called when it ends
   */
  boolean start(SparkContext context);

  /** Called when the context ends. */
  void stop();
}
