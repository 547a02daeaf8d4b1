package org.sparkgpugraph.function;

import java.io.Serializable;

/**
 * Computes a vertex's new value from its value and the merged message (GraphX's {@code vprog}).
 *
 * @param <S> vertex value
 * @param <A> message
 */
@FunctionalInterface
public interface VertexProgram<S, A> extends Serializable {
  /** Returns the new value of vertex {@code id}. */
  S apply(long id, S value, A message);

  /** A vertex program that also asks about the run it is in. */
  @FunctionalInterface
  interface WithContext<S, A> extends Serializable {
    /** Returns the new value of vertex {@code id}. */
    S apply(long id, S value, A message, SuperstepContext context);
  }
}
