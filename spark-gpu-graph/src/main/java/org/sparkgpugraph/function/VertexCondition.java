package org.sparkgpugraph.function;

import java.io.Serializable;

/**
 * Something that holds of a vertex or does not, by its value. (What also looks at the value before
 * is an {@link ActiveWhen}.)
 *
 * @param <S> vertex value
 */
@FunctionalInterface
public interface VertexCondition<S> extends Serializable {
  /** Returns whether it holds of vertex {@code id}. */
  boolean test(long id, S value);
}
