package org.sparkgpugraph.runtime.load;

import java.lang.reflect.Array;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.cluster.SparkLines;

/**
 * Where a graph comes from, seen from the driver: blocks of edges and vertices, and the graph of
 * another library that they belong to when there is one.
 *
 * @param sc the context
 * @param vertexClass class of the vertex attributes
 * @param edgeClass class of the edge attributes
 * @param vertexType type of the vertex attributes
 * @param edgeType type of the edge attributes
 * @param edges the edges
 * @param vertices ids and attributes, one block list per partition in slot order; null: the
 *     vertices are the ends of the edges, without attributes
 * @param origin the graph that all this was taken from; null: these blocks are all there is
 * @param endsToo whether the ends of the edges are vertices beside those of {@code vertices}
 * @param gpuColumns how edges come that RAPIDS may have on the GPU, for {@code explain()}; null:
 *     there is nothing to tell
 * @param onDevice whether the blocks of the edges are on devices of the executors that read them
 * @param shardTables sends the edges to several shards where they are on devices; null: nobody does
 */
public record GraphSource(
    SparkContext sc,
    Class<?> vertexClass,
    Class<?> edgeClass,
    ValueType vertexType,
    ValueType edgeType,
    JavaRDD<EdgeBlock> edges,
    JavaRDD<VertexBlock> vertices,
    GraphOrigin origin,
    boolean endsToo,
    String gpuColumns,
    boolean onDevice,
    ShardTables shardTables) {

  /**
   * Every graph of a program begins here.
   *
   * @throws IllegalStateException if this is a Spark that the library is not for
   */
  public GraphSource {
    SparkLines.check();
  }

  /** A source of values whose classes say what they consist of. */
  public GraphSource(
      SparkContext sc,
      Class<?> vertexClass,
      Class<?> edgeClass,
      JavaRDD<EdgeBlock> edges,
      JavaRDD<VertexBlock> vertices,
      GraphOrigin origin,
      boolean endsToo) {
    this(
        sc,
        vertexClass,
        edgeClass,
        ValueType.of(vertexClass),
        ValueType.of(edgeClass),
        edges,
        vertices,
        origin,
        endsToo,
        null,
        false,
        null);
  }

  /**
   * Edges and further vertices, without attributes.
   *
   * @param vertices ids of vertices, whether edges touch them or not
   */
  public static GraphSource of(
      JavaRDD<EdgeBlock> edges, JavaRDD<VertexBlock> vertices, Class<?> edgeClass) {
    return new GraphSource(
        edges.context(), Object.class, edgeClass, edges, joined(vertices), null, true);
  }

  /**
   * As above, of edges whose values are columns that no object stands for.
   *
   * @param vertices null: the ends of the edges are all vertices
   */
  public static GraphSource of(
      JavaRDD<EdgeBlock> edges, JavaRDD<VertexBlock> vertices, ValueType.Row edgeType) {
    return new GraphSource(
        edges.context(),
        Object.class,
        Columns.class,
        ValueType.of(Object.class),
        edgeType,
        edges,
        vertices == null ? null : joined(vertices),
        null,
        vertices != null,
        null,
        false,
        null);
  }

  /** Parcels are told apart by their partition: one block each. */
  private static JavaRDD<VertexBlock> joined(JavaRDD<VertexBlock> vertices) {
    return vertices.mapPartitions(all -> List.of(VertexBlock.joined(all)).iterator());
  }

  /** Whether Spark keeps the arrays of the edges in memory, see {@link GraphOrigin}. */
  boolean edgesCached() {
    return origin != null && origin.edgesCached();
  }

  /** The same source for attributes of another class. */
  GraphSource withVertexClass(Class<?> type) {
    return with(type, ValueType.of(type), edgeType, origin, gpuColumns, onDevice);
  }

  /**
   * The same source, of arrays as edge values as long as the first block's, which is read for that:
   * their class says no length. Of other values their class says all.
   */
  public GraphSource withEdgeTypeOfFirst() {
    if (!edgeClass.isArray()) {
      return this;
    }
    List<ValueType> first =
        edges
            .filter(block -> block.size() > 0 && block.values() != null)
            .map(block -> typeOf(block.values()))
            .take(1);
    return first.isEmpty()
        ? this
        : with(vertexClass, vertexType, first.get(0), origin, gpuColumns, onDevice);
  }

  private static ValueType typeOf(Object values) {
    return values instanceof Columns columns
        ? ValueType.of(columns.kinds().get(0))
        : ValueType.like(Array.get(values, 0));
  }

  /** The same source with what is to be told of it. */
  public GraphSource withGpuColumns(String told) {
    return with(vertexClass, vertexType, edgeType, origin, told, onDevice);
  }

  /** The same source, the blocks of whose edges are on devices of the executors that read them. */
  public GraphSource withEdgesOnDevice() {
    return with(vertexClass, vertexType, edgeType, origin, gpuColumns, true);
  }

  /**
   * The same source, whose edges may also be sent to shards where they are.
   *
   * @param tables null: they may not
   */
  public GraphSource withShardTables(ShardTables tables) {
    return new GraphSource(
        sc,
        vertexClass,
        edgeClass,
        vertexType,
        edgeType,
        edges,
        vertices,
        origin,
        endsToo,
        gpuColumns,
        onDevice,
        tables);
  }

  /** The same source, of whose attributes more is known. */
  public GraphSource withVertexType(ValueType type) {
    return with(vertexClass, type, edgeType, origin, gpuColumns, onDevice);
  }

  /**
   * The same source for a graph that has fewer vertices or edges than the one it was taken from.
   */
  GraphSource withoutOrigin() {
    return with(vertexClass, vertexType, edgeType, null, gpuColumns, onDevice);
  }

  /** The same edges and vertices; all that the methods above change. */
  private GraphSource with(
      Class<?> ofVertices,
      ValueType vertexValues,
      ValueType edgeValues,
      GraphOrigin from,
      String told,
      boolean edgesOnDevice) {
    return new GraphSource(
        sc,
        ofVertices,
        edgeClass,
        vertexValues,
        edgeValues,
        edges,
        vertices,
        from,
        endsToo,
        told,
        edgesOnDevice,
        shardTables);
  }
}
