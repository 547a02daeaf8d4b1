package org.sparkgpugraph.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.sparkgpugraph.frame.pregel.ColumnSpec;
import org.sparkgpugraph.run.ExplainMode;

/**
 * A vertex program in column expressions: every iteration sends messages along all edges,
 * aggregates those to a vertex, and updates all vertices.
 *
 * <pre>{@code
 * Dataset<Row> ranks =
 *     graph.pregel()                                        // vertices have a column outDegree
 *         .withVertexColumn(
 *             "rank", lit(1.0), coalesce(Pregel.msg(), lit(0.0)).multiply(0.85).plus(0.15))
 *         .sendMessageToDst(Pregel.src("rank").divide(Pregel.src("outDegree")))
 *         .aggregateMessages(sum(Pregel.msg()))
 *         .setMaxIterations(10)
 *         .run();
 * }</pre>
 *
 * <p>Expressions mean what they mean in a {@code select}: nulls, NaN, overflows by {@code
 * spark.sql.ansi.enabled}. A message that is null is not sent, and where no message came the
 * aggregate is null. All columns are updated at once, from the values before. What a kernel can be
 * made of, and what becomes of the rest, stands in docs/dataframes.md.
 */
public final class Pregel {
  private final PropertyGraph graph;
  private final List<ColumnSpec.VertexColumn> columns = new ArrayList<>();
  private final List<Column> toSource = new ArrayList<>();
  private final List<Column> toDestination = new ArrayList<>();
  private Column aggregate;
  private Column stopWhen;
  private int maxIterations = 10;

  Pregel(PropertyGraph graph) {
    this.graph = graph;
  }

  /** The aggregate of the messages to a vertex; inside of the aggregate each message. */
  public static Column msg() {
    return functions.col(ColumnSpec.MESSAGE);
  }

  /** A column of the source of an edge, in a message. */
  public static Column src(String column) {
    return of(ColumnSpec.SOURCE, column);
  }

  /** A column of the destination of an edge, in a message. */
  public static Column dst(String column) {
    return of(ColumnSpec.DESTINATION, column);
  }

  /** A column of an edge, in a message. */
  public static Column edge(String column) {
    return of(ColumnSpec.EDGE, column);
  }

  /** A column of {@link #withVertexColumn} as it was before the iteration, in {@code stopWhen}. */
  public static Column before(String column) {
    return of(ColumnSpec.BEFORE, column);
  }

  private static Column of(String struct, String column) {
    return functions.col(struct + ".`" + column.replace("`", "``") + "`");
  }

  /**
   * A column that vertices get.
   *
   * @param name that no column of the vertices has
   * @param initial its first value, of the columns of the vertices
   * @param update its next value, of the columns of the vertices, these columns and {@link #msg}
   */
  public Pregel withVertexColumn(String name, Column initial, Column update) {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(initial, "initial is null");
    Objects.requireNonNull(update, "update is null");
    graph.requireNew(name);
    for (ColumnSpec.VertexColumn column : columns) {
      if (column.name().equalsIgnoreCase(name)) {
        throw new IllegalArgumentException("column '" + name + "' is given twice");
      }
    }
    columns.add(new ColumnSpec.VertexColumn(name, initial, update));
    return this;
  }

  /** A message along each edge to its source. */
  public Pregel sendMessageToSrc(Column message) {
    toSource.add(Objects.requireNonNull(message, "message is null"));
    return this;
  }

  /** A message along each edge to its destination. */
  public Pregel sendMessageToDst(Column message) {
    toDestination.add(Objects.requireNonNull(message, "message is null"));
    return this;
  }

  /** What is made of the messages to a vertex: aggregate functions of {@link #msg}. */
  public Pregel aggregateMessages(Column function) {
    aggregate = Objects.requireNonNull(function, "function is null");
    return this;
  }

  /** Iterations, at least 1; 10 unless given. */
  public Pregel setMaxIterations(int iterations) {
    if (iterations < 1) {
      throw new IllegalArgumentException("maxIterations is " + iterations + ": give at least 1");
    }
    maxIterations = iterations;
    return this;
  }

  /**
   * Ends the run after the first iteration that leaves this true of all vertices: a condition of
   * their columns, and of {@link #before}.
   */
  public Pregel stopWhen(Column condition) {
    stopWhen = Objects.requireNonNull(condition, "condition is null");
    return this;
  }

  /** {@link #setMaxIterations}, by GraphFrames' name. */
  public Pregel setMaxIter(int iterations) {
    return setMaxIterations(iterations);
  }

  /** {@link #sendMessageToSrc}, by GraphFrames' name. */
  public Pregel sendMsgToSrc(Column message) {
    return sendMessageToSrc(message);
  }

  /** {@link #sendMessageToDst}, by GraphFrames' name. */
  public Pregel sendMsgToDst(Column message) {
    return sendMessageToDst(message);
  }

  /** {@link #aggregateMessages}, by GraphFrames' name. */
  public Pregel aggMsgs(Column function) {
    return aggregateMessages(function);
  }

  /**
   * Runs it.
   *
   * @return the vertices with the new columns
   * @throws FrameException when the tables are no graph
   * @throws IllegalStateException when a part is not set
   * @throws org.sparkgpugraph.program.NotLiftableException under {@code fallback = never}, with
   *     every reason
   */
  public Dataset<Row> run() {
    return new PregelRun(graph, spec()).run();
  }

  /** Tells what a run would do, and why; loads the graph if it is not held. */
  public String explain() {
    return explain(ExplainMode.ALL);
  }

  /**
   * As {@link #explain()}.
   *
   * @param mode {@link ExplainMode#SOURCE} adds the CUDA source that is generated from the program
   */
  public String explain(ExplainMode mode) {
    return new PregelRun(graph, spec()).explain(mode);
  }

  private ColumnSpec spec() {
    require(columns.isEmpty(), "withVertexColumn");
    require(toSource.isEmpty() && toDestination.isEmpty(), "sendMessageToDst");
    require(aggregate == null, "aggregateMessages");
    return new ColumnSpec(columns, toSource, toDestination, aggregate, stopWhen, maxIterations);
  }

  private static void require(boolean missing, String what) {
    if (missing) {
      throw new IllegalStateException(what + "(...) is not set");
    }
  }
}
