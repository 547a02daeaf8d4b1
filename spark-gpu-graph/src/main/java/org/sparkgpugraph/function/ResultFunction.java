package org.sparkgpugraph.function;

import java.io.Serializable;

/**
 * Makes the attribute of the result graph from the original attribute and the final value.
 *
 * @param <VD> vertex attribute of the input graph
 * @param <S> vertex value of the program
 * @param <R> vertex attribute of the result
 */
@FunctionalInterface
public interface ResultFunction<VD, S, R> extends Serializable {
  /** Returns the attribute of vertex {@code id} in the result. */
  R apply(long id, VD attribute, S state);

  /** A result function that also asks about the run that ended. */
  @FunctionalInterface
  interface WithContext<VD, S, R> extends Serializable {
    /** Returns the attribute of vertex {@code id} in the result. */
    R apply(long id, VD attribute, S state, SuperstepContext context);
  }
}
