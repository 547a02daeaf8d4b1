package org.sparkgpugraph.frame.pregel;

import java.util.List;
import org.apache.spark.sql.Column;

/**
 * A program in column expressions, as its user wrote it.
 *
 * @param columns what vertices get
 * @param toSource messages along edges to their sources
 * @param toDestination messages to their destinations
 * @param aggregate of the messages to a vertex
 * @param stopWhen true of all vertices at the end; null: the number of iterations decides
 * @param maxIterations at least 1
 */
public record ColumnSpec(
    List<VertexColumn> columns,
    List<Column> toSource,
    List<Column> toDestination,
    Column aggregate,
    Column stopWhen,
    int maxIterations) {
  /** Column of the aggregated messages, and of a message where they are aggregated. */
  public static final String MESSAGE = "_pregel_msg_";

  /** Structs of the columns of an edge and its two ends. */
  public static final String SOURCE = "src";

  public static final String DESTINATION = "dst";
  public static final String EDGE = "edge";

  /** Struct of the columns as they were before an iteration, where {@code stopWhen} is asked. */
  public static final String BEFORE = "before";

  public ColumnSpec {
    columns = List.copyOf(columns);
    toSource = List.copyOf(toSource);
    toDestination = List.copyOf(toDestination);
  }

  /**
   * A column that vertices get.
   *
   * @param initial its first value, of the columns of a vertex
   * @param update its next value, of the columns of a vertex, these columns and {@link #MESSAGE}
   */
  public record VertexColumn(String name, Column initial, Column update) {}
}
