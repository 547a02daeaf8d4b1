package org.sparkgpugraph.engine.device;

/** A point in a stream. */
public interface DeviceEvent extends AutoCloseable {
  /** Waits until it has happened. */
  void synchronize();

  /** Device time from an earlier event to this one, in nanoseconds; both must have happened. */
  long nanosSince(DeviceEvent earlier);

  @Override
  void close();
}
