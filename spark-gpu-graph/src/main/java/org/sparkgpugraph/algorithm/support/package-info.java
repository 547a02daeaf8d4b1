/**
 * What algorithms share: checks of arguments, sources, weights and reports; random numbers by id;
 * the way behind the classes that users see. Begin with {@link
 * org.sparkgpugraph.algorithm.support.Runs}. May use: {@code ProgramBuilder}, {@code ResidentGraph}
 * and what these stand on.
 */
package org.sparkgpugraph.algorithm.support;
