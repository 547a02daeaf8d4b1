package org.sparkgpugraph.function;

import java.io.Serializable;

/**
 * What one vertex adds to an aggregate.
 *
 * @param <S> vertex value
 */
@FunctionalInterface
public interface AggregateFunction<S> extends Serializable {
  /** Returns the contribution of a vertex that ran in this superstep. */
  double apply(long id, S before, S after);
}
