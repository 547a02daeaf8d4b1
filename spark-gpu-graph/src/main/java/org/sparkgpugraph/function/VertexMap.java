package org.sparkgpugraph.function;

import java.io.Serializable;

/**
 * A step of a {@linkplain org.sparkgpugraph.GraphSteps sequence of maps} that makes a vertex's new
 * value of its old one. (One that also gets what an edge map sent is a {@link VertexProgram}.)
 *
 * @param <S> vertex value
 */
@FunctionalInterface
public interface VertexMap<S> extends Serializable {
  /** Returns the new value of vertex {@code id}. */
  S apply(long id, S value);

  /**
   * A step that gets what two edge maps sent.
   *
   * @param <S> vertex value
   * @param <A> message of the first
   * @param <B> message of the second
   */
  @FunctionalInterface
  interface OfTwo<S, A, B> extends Serializable {
    /** Returns the new value of vertex {@code id}. */
    S apply(long id, S value, A first, B second);
  }
}
