package org.sparkgpugraph.runtime.run;

/**
 * Makes something of the result of a run, such as a graph of another library.
 *
 * @param <T> what it makes
 */
public interface ResultCollector<T> {
  /** Collects a result, which is gone when this returns. */
  T collect(CollectedResult result);

  /** Frees what was collected when nobody gets it. */
  void discard(T collected);
}
