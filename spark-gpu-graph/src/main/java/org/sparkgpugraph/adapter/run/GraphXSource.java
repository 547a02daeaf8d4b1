package org.sparkgpugraph.adapter.run;

import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.adapter.data.CachedPartitions;
import org.sparkgpugraph.adapter.data.GraphXReader;
import org.sparkgpugraph.adapter.data.GraphXTags;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.KeyedMaps;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.load.GraphOrigin;
import org.sparkgpugraph.runtime.load.GraphSource;

/** GraphX graphs as sources of graphs, and back. */
public final class GraphXSource {
  private GraphXSource() {}

  /** A GraphX graph that a source was taken from. */
  private record Origin(Graph<?, ?> graph) implements GraphOrigin {
    @Override
    public boolean edgesCached() {
      StorageLevel level = graph.edges().getStorageLevel();
      return level.useMemory() && level.deserialized();
    }

    @Override
    public List<List<EdgeBlock>> cachedEdges() {
      return CachedPartitions.edges(graph);
    }

    @Override
    public List<Supplier<VertexBlock>> cachedVertices() {
      return CachedPartitions.vertices(graph);
    }

    @Override
    public KeyedMaps keyedMaps(String what, ValueType type) {
      return GraphXReader.keyedMaps(graph, what, type);
    }
  }

  /** The graph that a source was taken from; null: none. */
  public static Graph<?, ?> graph(GraphSource source) {
    return source.origin() instanceof Origin origin ? origin.graph() : null;
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
        new Origin(graph),
        false,
        null,
        false,
        null);
  }

  /**
   * The type of values of a class; what a tuple or a generic case class consists of, and how long
   * arrays are, is seen in one of them.
   *
   * @param any the type of one of them
   */
  private static ValueType typeOf(Class<?> type, Supplier<Optional<ValueType>> any) {
    ValueType declared = ValueType.of(type);
    boolean isArray = type.isArray() && ValueType.Vector.isElement(type.getComponentType());
    return declared.hasOpaque() && (isArray || StructClass.isStruct(type) || isOption(type))
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
}
