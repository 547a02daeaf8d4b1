package org.sparkgpugraph.runtime.load;

import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.graphs.graphx.GraphXReader;
import org.sparkgpugraph.graphs.graphx.GraphXTags;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.cluster.SparkLines;

/**
 * Where a graph comes from, seen from the driver: blocks of edges and vertices, and the GraphX
 * graph that they belong to when there is one.
 *
 * @param sc the context
 * @param vertexClass class of the vertex attributes
 * @param edgeClass class of the edge attributes
 * @param vertexType type of the vertex attributes
 * @param edgeType type of the edge attributes
 * @param edges the edges
 * @param vertices ids and attributes, one block list per partition in slot order; null: the
 *     vertices are the ends of the edges, without attributes
 * @param graph the GraphX graph, or null
 * @param endsToo whether the ends of the edges are vertices beside those of {@code vertices}
 */
public record GraphSource(
    SparkContext sc,
    Class<?> vertexClass,
    Class<?> edgeClass,
    ValueType vertexType,
    ValueType edgeType,
    JavaRDD<EdgeBlock> edges,
    JavaRDD<VertexBlock> vertices,
    Graph<?, ?> graph,
    boolean endsToo) {

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
      Graph<?, ?> graph,
      boolean endsToo) {
    this(
        sc,
        vertexClass,
        edgeClass,
        ValueType.of(vertexClass),
        ValueType.of(edgeClass),
        edges,
        vertices,
        graph,
        endsToo);
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
        vertices != null);
  }

  /** Parcels are told apart by their partition: one block each. */
  private static JavaRDD<VertexBlock> joined(JavaRDD<VertexBlock> vertices) {
    return vertices.mapPartitions(all -> List.of(VertexBlock.joined(all)).iterator());
  }

  /**
   * A GraphX graph as a source.
   *
   * @throws IllegalArgumentException when the graph holds attributes of other classes, as far as
   *     its class tags tell
   */
  public static GraphSource of(Graph<?, ?> graph, Class<?> vertexClass, Class<?> edgeClass) {
    Objects.requireNonNull(graph, "graph is null");
    checkClass("vertex", graph.vertices().vdTag().runtimeClass(), vertexClass);
    checkClass("edge", GraphXTags.edge(graph).runtimeClass(), edgeClass);
    return new GraphSource(
        graph.vertices().sparkContext(),
        vertexClass,
        edgeClass,
        typeOf(vertexClass, () -> GraphXReader.anyVertexType(graph)),
        typeOf(edgeClass, () -> GraphXReader.anyEdgeType(graph)),
        GraphXReader.edgeBlocks(graph),
        GraphXReader.vertexBlocks(graph),
        graph,
        false);
  }

  /**
   * The type of values of a class; what a tuple or a generic case class consists of is seen in one
   * of them.
   *
   * @param any the type of one of them
   */
  private static ValueType typeOf(Class<?> type, Supplier<Optional<ValueType>> any) {
    ValueType declared = ValueType.of(type);
    return declared.hasOpaque() && (StructClass.isStruct(type) || isOption(type))
        ? any.get().orElse(declared)
        : declared;
  }

  private static boolean isOption(Class<?> type) {
    return scala.Option.class.isAssignableFrom(type);
  }

  /** A graph from Java often has the tag of Object, which says nothing. */
  private static void checkClass(String what, Class<?> held, Class<?> given) {
    Objects.requireNonNull(given, () -> "the class of the " + what + " attributes is null");
    Class<?> heldBox = MethodType.methodType(held).wrap().returnType();
    Class<?> givenBox = MethodType.methodType(given).wrap().returnType();
    boolean related = heldBox.isAssignableFrom(givenBox) || givenBox.isAssignableFrom(heldBox);
    // Unit and Nothing are the tags of attributes that nobody reads.
    boolean none = heldBox == Void.class || heldBox.getName().startsWith("scala.runtime.");
    if (!related && !none && !heldBox.getName().equals(givenBox.getName())) {
      throw new IllegalArgumentException(
          "the graph's %s attributes are %s, the program was given %s: pass %s.class"
              .formatted(what, heldBox.getName(), givenBox.getName(), heldBox.getSimpleName()));
    }
  }

  /**
   * Whether Spark keeps the arrays of the edges in memory as they are now: those of a GraphX graph
   * whose edges are cached there, not serialised. Others are made anew by whoever reads them.
   */
  boolean edgesCached() {
    if (graph == null) {
      return false;
    }
    StorageLevel level = graph.edges().getStorageLevel();
    return level.useMemory() && level.deserialized();
  }

  /** The same source for attributes of another class. */
  GraphSource withVertexClass(Class<?> type) {
    return new GraphSource(
        sc, type, edgeClass, ValueType.of(type), edgeType, edges, vertices, graph, endsToo);
  }

  /** The same source, of whose attributes more is known. */
  public GraphSource withVertexType(ValueType type) {
    return new GraphSource(
        sc, vertexClass, edgeClass, type, edgeType, edges, vertices, graph, endsToo);
  }

  /** The same source for a graph that has fewer vertices or edges than the GraphX graph. */
  GraphSource withoutGraph() {
    return new GraphSource(
        sc, vertexClass, edgeClass, vertexType, edgeType, edges, vertices, null, endsToo);
  }
}
