/**
 * Graph algorithms as vertex programs and operators, on graphs that executors hold, without GraphX.
 * Begin with {@link org.sparkgpugraph.algorithm.PageRank} for a program, {@link
 * org.sparkgpugraph.algorithm.ConnectedComponents} for one that an operator may do. May use: {@code
 * ProgramBuilder}, {@code ResidentGraph} and what these stand on.
 */
package org.sparkgpugraph.algorithm;
