package org.sparkgpugraph.function;

import java.io.Serializable;

/**
 * What one vertex adds to a number over all vertices, of its value alone. (What also looks at the
 * value before is an {@link AggregateFunction}.)
 *
 * @param <S> vertex value
 */
@FunctionalInterface
public interface VertexMeasure<S> extends Serializable {
  /** Returns the contribution of vertex {@code id}. */
  double apply(long id, S value);
}
