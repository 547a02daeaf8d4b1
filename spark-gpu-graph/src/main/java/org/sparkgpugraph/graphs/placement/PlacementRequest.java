package org.sparkgpugraph.graphs.placement;

import java.io.Serializable;
import org.sparkgpugraph.graphs.model.VertexOwners;

/**
 * What is asked of a placement.
 *
 * @param others where vertices are otherwise, in ranges of their ids; says how many shards there
 *     are
 * @param outEdges whether shards hold the out-edges of their vertices, too
 * @param imbalance how many times its share of the edges a shard may hold, above 1
 * @param hubs vertices with more in-edges are told partial messages, which are spared with values,
 *     for programs that send to destinations only; 0: none
 */
public record PlacementRequest(VertexOwners others, boolean outEdges, double imbalance, int hubs)
    implements Serializable {}
