package org.sparkgpugraph.function;

import java.io.Serializable;
import java.util.function.LongPredicate;

/** Says which vertices of a graph stay, by their original ids. */
@FunctionalInterface
public interface VertexPredicate extends LongPredicate, Serializable {}
