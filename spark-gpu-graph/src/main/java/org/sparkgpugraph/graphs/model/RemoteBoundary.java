package org.sparkgpugraph.graphs.model;

/**
 * A boundary list between partitions of two executor graphs. Its home and reader are indexes of
 * partitions in the executor graph that each belongs to.
 *
 * @param peer number of the other executor graph
 * @param list the list; at its home {@link BoundaryList#firstGhost()} is not known and −1
 */
public record RemoteBoundary(int peer, BoundaryList list) {}
