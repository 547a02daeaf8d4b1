package org.sparkgpugraph.function;

import java.io.Serializable;

/**
 * Combines two messages to the same vertex; must be commutative and associative.
 *
 * @param <A> message
 */
@FunctionalInterface
public interface MergeMessage<A> extends Serializable {
  /** Returns the combination. */
  A merge(A left, A right);
}
