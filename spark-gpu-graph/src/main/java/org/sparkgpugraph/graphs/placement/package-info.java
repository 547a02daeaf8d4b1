/**
 * Places the vertices of a graph on shards so that those that talk sit together, instead of by
 * ranges of their ids. Begin with {@link org.sparkgpugraph.graphs.placement.NeighbourPlacement},
 * which finds a placement, and {@link org.sparkgpugraph.graphs.placement.OwnerTable}, which is one.
 * May use: {@code memory} to {@code rows}.
 */
package org.sparkgpugraph.graphs.placement;
