package org.sparkgpugraph.engine;

import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The life of an {@link EngineRun}: what it does is refused once it is closed, and once something
 * that it did failed, because its values are then half of one superstep and half of another. Not
 * thread-safe, as runs are not.
 */
public final class RunGuard {
  private final IntSupplier superstep;
  private boolean failed;
  private boolean closed;

  /**
   * @param superstep the run's current superstep, for messages
   */
  public RunGuard(IntSupplier superstep) {
    this.superstep = superstep;
  }

  /**
   * Does something; the run has failed when it throws.
   *
   * @throws IllegalStateException when the run is closed or has failed
   */
  public <T> T run(Supplier<T> work) {
    checkOpen();
    boolean done = false;
    try {
      T result = work.get();
      done = true;
      return result;
    } finally {
      failed |= !done;
    }
  }

  /**
   * Checks that the run may go on.
   *
   * @throws IllegalStateException when the run is closed or has failed
   */
  public void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the run is closed");
    }
    if (failed) {
      throw new IllegalStateException(
          "the run failed in superstep " + superstep.getAsInt() + "; open another");
    }
  }

  /** Whether something that the run did failed. */
  public boolean failed() {
    return failed;
  }

  /** Closes; false when it was closed already. */
  public boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }
}
