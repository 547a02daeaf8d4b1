package org.sparkgpugraph.adapter.transparent;

/**
 * Runs the algorithms of GraphX's library; found by {@link java.util.ServiceLoader}, since the
 * algorithms stand above this package.
 */
public interface LibraryCalls {
  /**
   * Runs a call.
   *
   * @param call which algorithm
   * @param method which of its methods
   * @param arguments as GraphX's method has them
   * @return what GraphX's method returns; null: the call is left to GraphX
   * @throws RuntimeException when it cannot be run; GraphX runs it then
   */
  Object run(GraphXCall call, String method, Object[] arguments);
}
