/**
 * A whole graph seen as partitions whose ranges overlap, so that borders between devices can move
 * (permissive partitioning, Khorasani 2016, chapter 3). Begin with {@link
 * org.sparkgpugraph.graphs.overlap.OverlappingGraph}. May use: {@code memory} to {@code build}.
 */
package org.sparkgpugraph.graphs.overlap;
