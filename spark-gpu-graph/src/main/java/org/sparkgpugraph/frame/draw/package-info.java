/**
 * Small graphs of tables as files of programs that draw: GraphML, GEXF and DOT. Begin with {@link
 * org.sparkgpugraph.frame.draw.Drawing}, which collects the tables as a {@link
 * org.sparkgpugraph.frame.draw.DrawnGraph}; a {@link org.sparkgpugraph.frame.draw.DrawingFormat}
 * writes it. May use: {@code files.input} and Spark SQL.
 */
package org.sparkgpugraph.frame.draw;
