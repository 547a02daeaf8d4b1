package org.sparkgpugraph.function;

import java.io.Serializable;

/**
 * Decides whether a vertex that ran is active in the next superstep. It decides activity only: the
 * new value is always stored. Superstep 0, in which all vertices run, leaves all of them active.
 *
 * @param <S> vertex value
 */
@FunctionalInterface
public interface ActiveWhen<S> extends Serializable {
  /** Returns whether vertex {@code id} is active next. */
  boolean test(long id, S before, S after);
}
