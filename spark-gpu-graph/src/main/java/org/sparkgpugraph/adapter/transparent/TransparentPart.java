package org.sparkgpugraph.adapter.transparent;

import org.apache.spark.SparkContext;
import org.sparkgpugraph.runtime.observe.DriverPart;

/** Transparent mode, where it is asked for. */
public final class TransparentPart implements DriverPart {
  /** For {@link java.util.ServiceLoader}. */
  public TransparentPart() {}

  @Override
  public boolean start(SparkContext context) {
    return TransparentMode.start(context);
  }

  @Override
  public void stop() {
    TransparentMode.stop();
  }
}
