package org.sparkgpugraph.runtime.rapids;

/** A task's turn on the GPU. */
public interface GpuTurn extends AutoCloseable {
  /** Where nobody gives turns. */
  GpuTurn NOBODY_ASKED = () -> {};

  /** Ends it. */
  @Override
  void close();
}
