package org.sparkgpugraph.function;

import java.io.Serializable;

/** Says which edges of a graph stay. */
@FunctionalInterface
public interface EdgePredicate extends Serializable {
  /** Whether the edges from {@code source} to {@code destination} (original ids) stay. */
  boolean test(long source, long destination);
}
