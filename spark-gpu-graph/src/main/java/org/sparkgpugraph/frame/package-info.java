/**
 * Graphs whose vertices and edges are DataFrames, with ids of any type; algorithms give DataFrames
 * back. Begin with {@link org.sparkgpugraph.frame.PropertyGraph}, then {@link
 * org.sparkgpugraph.frame.FrameGraph} for how it is loaded; {@link
 * org.sparkgpugraph.frame.SqlFunctions} are the algorithms in SQL. May use: {@code frame.sql},
 * <<<<<<< HEAD {@code frame.draw}, {@code lib}, {@code files} and what these stand on. =======
 * {@code algorithm}, {@code files} and what these stand on. >>>>>>>
 * 6a721e7ac32be549872041d3af2b72c664e756f3
 */
package org.sparkgpugraph.frame;
