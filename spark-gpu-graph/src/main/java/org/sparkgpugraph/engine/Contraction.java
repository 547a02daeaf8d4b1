package org.sparkgpugraph.engine;

/**
 * The connected components of what one executor graph holds, edges' directions left out: each is a
 * tree of depth one whose root is its smallest vertex. An edge of which an end is not a vertex
 * ({@link org.sparkgpugraph.graphs.model.GraphPartition#present}) joins nothing.
 *
 * @param roots for each dense id, ghosts' too, the smallest dense id of its component: {@code
 *     int[ids().size()]}
 * @param engine name of the engine that found them
 * @param kernelNanos computing
 * @param transferNanos copying between host and devices; 0 on the CPU
 */
public record Contraction(int[] roots, String engine, long kernelNanos, long transferNanos) {}
