package org.sparkgpugraph.graphs.build;

import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.rows.RowsElsewhere;

/**
 * What a device makes of a shard's edges, all of it in one partition. Neighbours are local indexes:
 * every dense id that is not held is a ghost.
 *
 * @param ids that the shard knows: what it holds is one range of them
 * @param in rows by destination, of the edges whose destination is held
 * @param out rows by source, of the edges whose source is held; null: programs follow edges
 *     forwards alone
 * @param leaving by dense id, how many of the edges in {@code in} leave it
 */
public record ShardRows(VertexIds ids, RowsElsewhere in, RowsElsewhere out, int[] leaving) {}
