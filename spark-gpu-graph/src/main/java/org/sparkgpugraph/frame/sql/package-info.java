/**
 * Table functions of Spark SQL over two tables, edges and vertices: their arguments, and the nodes
 * that a call of one is in a query plan. Begin with {@code GraphFunctionBuilder}, which makes a
 * plan of a call's arguments, then {@code GraphFunction}. It does not know which functions there
 * are: these are {@link org.sparkgpugraph.frame.sql.TableFunction}s of {@code frame}. May use:
 * {@code files.input} and Spark SQL.
 */
package org.sparkgpugraph.frame.sql;
