package org.sparkgpugraph.runtime.held;

/** What a run over several executors keeps of itself in one of them, between its tasks. */
public interface HeldShard extends AutoCloseable {
  /** Waits for the task that is at work, if any, and frees everything. */
  @Override
  void close();
}
