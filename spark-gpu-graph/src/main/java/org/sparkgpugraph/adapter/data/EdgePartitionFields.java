package org.sparkgpugraph.adapter.data;

import java.lang.reflect.Field;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.impl.EdgePartition;
import org.apache.spark.graphx.impl.EdgePartitionBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Direct access to the arrays of GraphX's {@code EdgePartition}. They are private in Scala and
 * public, under mangled names, in bytecode ({@code
 * org$apache$spark$graphx$impl$EdgePartition$$localSrcIds} and so on). Whether this Spark has them
 * is tried once on a small partition; where it has not, edges are read one by one through the
 * public API.
 */
final class EdgePartitionFields {
  private static final Logger LOG = LoggerFactory.getLogger(EdgePartitionFields.class);

  /** Null when direct access does not work. */
  private static final EdgePartitionFields INSTANCE = probe();

  private final Field sources;
  private final Field destinations;
  private final Field dictionary;
  private final Field data;

  private EdgePartitionFields() throws NoSuchFieldException {
    sources = field("localSrcIds");
    destinations = field("localDstIds");
    dictionary = field("local2global");
    data = field("data");
  }

  private static Field field(String name) throws NoSuchFieldException {
    return EdgePartition.class.getField("org$apache$spark$graphx$impl$EdgePartition$$" + name);
  }

  /** Whether this Spark's edge partitions can be read directly. */
  static boolean available() {
    return INSTANCE != null;
  }

  /**
   * A block over a partition's own arrays.
   *
   * @throws IllegalStateException when direct access is not {@link #available()}
   */
  static LocalEdgeBlock block(EdgePartition<?, ?> partition) {
    if (INSTANCE == null) {
      throw new IllegalStateException("edge partitions cannot be read directly on this Spark");
    }
    try {
      return INSTANCE.read(partition);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("edge partitions cannot be read directly: " + e, e);
    }
  }

  private LocalEdgeBlock read(EdgePartition<?, ?> partition) throws IllegalAccessException {
    return new LocalEdgeBlock(
        partition.size(),
        (int[]) sources.get(partition),
        (int[]) destinations.get(partition),
        (long[]) dictionary.get(partition),
        data.get(partition));
  }

  private static EdgePartitionFields probe() {
    try {
      EdgePartitionFields fields = new EdgePartitionFields();
      // A specialised partition and a general one: their fields are laid out differently.
      fields.check(partition(ClassTag$.MODULE$.Double(), 2.5));
      fields.check(partition(ClassTag$.MODULE$.apply(String.class), "x"));
      return fields;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.warn(
          "GraphX's edge partitions do not have the expected layout ({}); edges are read one by"
              + " one, which takes several times as long",
          e.toString());
      return null;
    }
  }

  @SuppressWarnings("unchecked")
  private static EdgePartition<?, ?> partition(ClassTag<?> tag, Object value) {
    EdgePartitionBuilder<Object, Object> builder =
        new EdgePartitionBuilder<>(2, (ClassTag<Object>) tag, ClassTag$.MODULE$.Any());
    builder.add(17, -3, value);
    builder.add(-3, 5, value);
    return builder.toEdgePartition();
  }

  private void check(EdgePartition<?, ?> partition) throws IllegalAccessException {
    EdgeBlock block = read(partition);
    Iterator<?> edges = partition.iterator();
    for (int i = 0; i < block.size(); i++) {
      Edge<?> edge = (Edge<?>) edges.next();
      if (block.source(i) != edge.srcId()
          || block.destination(i) != edge.dstId()
          || !java.lang.reflect.Array.get(block.values(), i).equals(edge.attr())) {
        throw new IllegalStateException("an edge reads " + block.describe(i) + ", not " + edge);
      }
    }
  }
}
