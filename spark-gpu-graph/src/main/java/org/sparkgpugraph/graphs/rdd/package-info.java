/**
 * What results leave in Spark's memory, and the values of some vertices on their way there. Begin
 * with {@link org.sparkgpugraph.graphs.rdd.KeptRdd}. May use: Spark, and nothing of the library.
 */
package org.sparkgpugraph.graphs.rdd;
