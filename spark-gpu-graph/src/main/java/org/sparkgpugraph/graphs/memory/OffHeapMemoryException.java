package org.sparkgpugraph.graphs.memory;

/**
 * Memory outside of the heap that cannot be had, written or read: the message names how much, where
 * and what to do.
 *
 * <p>What an error of the JVM has to do with is suppressed, and no cause: an executor whose task
 * fails by way of an error, and with a local master the application, is ended by Spark, which has
 * no need to.
 */
public final class OffHeapMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean unreadable;

  public OffHeapMemoryException(String message) {
    super(message);
    unreadable = false;
  }

  public OffHeapMemoryException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private OffHeapMemoryException(String message, Throwable why, boolean unreadable) {
    super(message, isOfError(why) ? null : why);
    this.unreadable = unreadable;
    if (getCause() == null) {
      addSuppressed(why);
    }
  }

  private static boolean isOfError(Throwable thrown) {
    for (Throwable one = thrown; one != null; one = one.getCause()) {
      if (one instanceof Error) {
        return true;
      }
    }
    return false;
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
        error,
        true);
  }

  /** Whether what was there can no longer be read. */
  public boolean isUnreadable() {
    return unreadable;
  }
}
