/**
 * Graphs whose vertices and edges are DataFrames, with ids of any type; algorithms give DataFrames
 * back. Begin with {@link org.sparkgpugraph.frame.PropertyGraph}, then {@link
 * org.sparkgpugraph.frame.FrameGraph} for how it is loaded; {@link
 * org.sparkgpugraph.frame.SqlFunctions} are the algorithms in SQL. What users name on every line is
 * here; the types of algorithms are in {@code frame.algorithm}. May use: its own packages, {@code
 * algorithm}, {@code files} and what these stand on.
 */
package org.sparkgpugraph.frame;
