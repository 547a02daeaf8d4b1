package org.sparkgpugraph.runtime.cluster;

/**
 * A task that belongs to the executor that holds a graph was given to another one: Spark takes a
 * preferred location for a wish, and after {@code spark.locality.wait} lets go of it. {@link
 * OwnerJob} submits such a job again.
 */
public final class MisplacedTaskException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String wanted;

  /**
   * @param wanted {@code executor_<host>_<id>} of the executor that holds what the task reads
   * @param got where it was started
   */
  public MisplacedTaskException(String wanted, String got) {
    super("the task belongs to " + wanted + " but was started on " + got);
    this.wanted = wanted;
  }

  /** Where the task belongs. */
  String wanted() {
    return wanted;
  }
}
