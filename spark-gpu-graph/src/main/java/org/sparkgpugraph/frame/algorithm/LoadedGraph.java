package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.frame.table.VertexKeys;

/**
 * What an algorithm runs on: the graph in the executors' memory, whose vertices have {@linkplain
 * VertexKeys keys}, and the way from ids to keys and back.
 */
public interface LoadedGraph {

  /** The graph, for the library's algorithms. */
  ResidentGraph<Object, ?> graph();

  /** The same, which was loaded with weights. */
  ResidentGraph<Object, Double> weighted();

  /** The session of the tables. */
  SparkSession spark();

  /** How ids become keys. */
  VertexKeys keys();

  /**
   * The key of an id that a user gave.
   *
   * @param what it is, in messages
   * @throws IllegalArgumentException when it is no vertex, or of another type than the ids
   */
  long keyOf(Object id, String what);

  /**
   * A table of keys and values, one column of which names other vertices, with their ids in it.
   *
   * @param column of keys, which becomes one of ids; null of a vertex that it names itself
   */
  Dataset<Row> naming(Dataset<Row> values, String column);

  /** The vertices with the columns of a table of keys and values. */
  Dataset<Row> join(Dataset<Row> values);
}
