package org.sparkgpugraph.function;

import java.io.Serializable;

/**
 * Makes the value that a program computes with from the vertex attribute and the degrees, before
 * superstep 0.
 *
 * @param <VD> vertex attribute of the input graph
 * @param <S> vertex value of the program
 */
@FunctionalInterface
public interface StateFunction<VD, S> extends Serializable {
  /** Returns the first value of vertex {@code id}. */
  S apply(long id, VD attribute, int inDegree, int outDegree);
}
