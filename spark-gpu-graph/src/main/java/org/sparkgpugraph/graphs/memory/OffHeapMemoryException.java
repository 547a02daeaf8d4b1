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

  /**
   * For what the JVM makes of a page of a mapped file that cannot be read.
   *
   * @param what cannot be read, in the plural
   */
  public static OffHeapMemoryException unreadable(String what, InternalError error) {
    return new OffHeapMemoryException(
        what
            + " cannot be read, off the heap: "
            + error.getMessage()
            + "; check the disks of Spark's local directories (spark.local.dir), and load the graph"
            + " again",
        error);
  }

  public OffHeapMemoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
