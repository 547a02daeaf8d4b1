package io.sparkgpugraph.graph;

import java.io.Serializable;

/** Placeholder until branch graph is merged. */
public record GlobalEdgeBlock(int size, long[] sources, long[] destinations, Object values)
    implements Serializable {}
