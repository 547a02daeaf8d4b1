package org.sparkgpugraph.adapter.data;

import java.lang.reflect.Field;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.impl.EdgeRDDImpl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Finds the class tag of a graph's edge attributes, which GraphX keeps to itself. */
public final class GraphXTags {
  private static final Logger LOG = LoggerFactory.getLogger(GraphXTags.class);

  private GraphXTags() {}

  /**
   * The tag with which the edges were made; {@code ClassTag.Any} where it cannot be read: later
   * GraphX operations then keep attributes as objects instead of primitives, with the same values.
   */
  @SuppressWarnings("unchecked")
  public static <ED> ClassTag<ED> edge(Graph<?, ED> graph) {
    if (graph.edges() instanceof EdgeRDDImpl<?, ?> edges) {
      try {
        // The first of the two context bounds of EdgeRDDImpl[ED: ClassTag, VD: ClassTag].
        Field evidence = EdgeRDDImpl.class.getDeclaredField("evidence$1");
        evidence.setAccessible(true);
        if (evidence.get(edges) instanceof ClassTag<?> tag) {
          return (ClassTag<ED>) tag;
        }
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.debug("the class tag of the edge attributes cannot be read", e);
      }
    }
    return (ClassTag<ED>) ClassTag$.MODULE$.Any();
  }
}
