/**
 * The algorithms of {@link org.sparkgpugraph.algorithm.learning} with GraphX graphs in and out.
 * Begin with {@link org.sparkgpugraph.lib.learning.ManifoldRanking}. May use: what {@code lib}
 * uses.
 */
package org.sparkgpugraph.lib.learning;
