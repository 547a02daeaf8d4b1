package org.sparkgpugraph.graphs.memory;

/**
 * Memory outside of the heap that cannot be had, written or read: the message names how much, where
 * and what to do.
 */
public final class OffHeapMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OffHeapMemoryException(String message) {
    super(message);
  }

  public OffHeapMemoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
