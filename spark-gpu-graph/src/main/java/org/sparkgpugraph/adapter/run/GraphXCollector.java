package org.sparkgpugraph.adapter.run;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.adapter.data.GraphXResult;
import org.sparkgpugraph.runtime.run.CollectedResult;
import org.sparkgpugraph.runtime.run.ResultCollector;

/** Makes a GraphX graph of a result, with the input's edges. */
class GraphXCollector<R, ED> implements ResultCollector<Graph<R, ED>> {
  @Override
  public Graph<R, ED> collect(CollectedResult result) {
    return GraphXResult.withVertexValues(
        GraphXCollector.<ED>graph(result),
        result.blocks().slotArrays(),
        result.tag(),
        result.input().conf().threads());
  }

  @Override
  public void discard(Graph<R, ED> collected) {
    collected.unpersist(false);
  }

  /** The graph that the program ran on. */
  @SuppressWarnings("unchecked") // nobody looks at the vertices' attributes
  static <ED> Graph<Object, ED> graph(CollectedResult result) {
    return (Graph<Object, ED>) GraphXSource.graph(result.input().source());
  }
}
