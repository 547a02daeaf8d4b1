package org.sparkgpugraph.runtime.cluster;

/**
 * A graph, or the part of it that an executor would hold, does not fit the executor's memory; or
 * the values of a run on it do not.
 */
public final class GraphMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public GraphMemoryException(String message) {
    super(message);
  }
}
