package org.sparkgpugraph.adapter.run;

import java.util.function.Supplier;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.adapter.data.GraphXResult;
import org.sparkgpugraph.adapter.data.GraphXTags;
import org.sparkgpugraph.runtime.run.CollectedResult;
import org.sparkgpugraph.runtime.run.JobInput;
import org.sparkgpugraph.runtime.run.PregelJob;
import scala.reflect.ClassTag;

/** A vertex program whose result becomes a GraphX graph; falls back to stock GraphX. */
public final class GraphXPregel {
  private final PregelJob job;

  /**
   * @param job on a GraphX graph, or on one that was loaded from a GraphX graph
   */
  public GraphXPregel(PregelJob job) {
    this.job = job;
  }

  /** Runs and makes a GraphX graph of the result, with the input's edges. */
  public <R, ED> Graph<R, ED> run() {
    return run(this::runOnGraphX);
  }

  /**
   * As {@link #run()}.
   *
   * @param stock what to run when the program falls back to stock GraphX
   */
  <R, ED> Graph<R, ED> run(Supplier<Graph<R, ED>> stock) {
    return job.run(new GraphXCollector<>(), stock);
  }

  /**
   * Runs a program whose result is a Double and makes a GraphX graph of it whose edges have the
   * attribute 1 / outDegree(source).
   */
  public Graph<Double, Double> runWeighted() {
    if (!job.input().sc().isLocal()) {
      return OutDegreeWeights.joined(this.<Double, Object>run(), edgeTag());
    }
    return job.run(
        new WeightedCollector(),
        () -> OutDegreeWeights.joined(this.<Double, Object>runOnGraphX(), edgeTag()));
  }

  /** Makes a GraphX graph of a result in this JVM, with the reciprocals of degrees at the edges. */
  private static final class WeightedCollector extends GraphXCollector<Double, Double> {
    @Override
    public Graph<Double, Double> collect(CollectedResult result) {
      Graph<Object, Object> graph = graph(result);
      int threads = result.input().conf().threads();
      return GraphXResult.withValues(
          graph,
          result.blocks().slotArrays(),
          result.tag(),
          OutDegreeWeights.held(result.graph(), threads, graph.edges().getNumPartitions()),
          OutDegreeWeights.DOUBLE,
          threads);
    }
  }

  private <R, ED> Graph<R, ED> runOnGraphX() {
    return new StockRun(job.input(), job.request()).run();
  }

  @SuppressWarnings("unchecked")
  private ClassTag<Object> edgeTag() {
    JobInput input = job.input();
    return (ClassTag<Object>) (Object) GraphXTags.edge(GraphXSource.graph(input.source()));
  }
}
