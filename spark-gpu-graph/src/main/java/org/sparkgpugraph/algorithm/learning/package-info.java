/**
 * Algorithms that learn from graphs whose vertices have arrays of numbers, as programs on graphs
 * that executors hold, without GraphX. Begin with {@link
 * org.sparkgpugraph.algorithm.learning.ManifoldRanking}. May use: {@code ProgramBuilder}, {@code
 * ResidentGraph}, {@code vector} and {@code algorithm.support}.
 */
package org.sparkgpugraph.algorithm.learning;
