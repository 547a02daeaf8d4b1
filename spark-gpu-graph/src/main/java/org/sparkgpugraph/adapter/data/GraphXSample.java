package org.sparkgpugraph.adapter.data;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.graphx.impl.ShippableVertexPartition;
import org.apache.spark.graphx.impl.ShippableVertexPartition$;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.runtime.warm.SampleVertices;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.JavaConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Vertices of a partition of GraphX's, and the values of its edges. */
public final class GraphXSample implements SampleVertices {
  /** For {@link java.util.ServiceLoader}. */
  public GraphXSample() {}

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // GraphX's own tag of a primitive
  public VertexBlock block(long[] ids) {
    ClassTag<Object> tag = (ClassTag) ClassTag$.MODULE$.Int();
    Iterator<Tuple2<Object, Object>> vertices =
        JavaConverters.asScalaIterator(
            Arrays.stream(ids).mapToObj(id -> new Tuple2<Object, Object>(id, 0)).iterator());
    ShippableVertexPartition<Object> partition =
        ShippableVertexPartition$.MODULE$.apply(vertices, tag);
    return GraphXReader.block(partition);
  }

  @Override
  public void edgeValues(EdgeBlock edges, ExecutorGraph graph, int threads) {
    EdgeValueFunction.bySource(
        edges, EdgeValueFunction.perOutEdge(List.of(graph), new IdRanges()), threads);
  }
}
