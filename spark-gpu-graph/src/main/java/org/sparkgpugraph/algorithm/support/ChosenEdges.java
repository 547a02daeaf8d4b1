package org.sparkgpugraph.algorithm.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.rdd.KeptRdd;
import org.sparkgpugraph.run.RunOptions;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Edges that an algorithm chooses round by round, and the graph that they make with all vertices.
 * Priorities of their claims are {@linkplain Claim#ascending weights}. Spark keeps the edges, so
 * that the results that they came from may be closed.
 */
public final class ChosenEdges implements AutoCloseable {
  private static final ClassTag<EdgeBlock> EDGES = ClassTag$.MODULE$.apply(EdgeBlock.class);
  private static final ClassTag<VertexBlock> VERTICES = ClassTag$.MODULE$.apply(VertexBlock.class);

  private final KeptRdd<VertexBlock> vertices;
  private final List<KeptRdd<EdgeBlock>> rounds = new ArrayList<>();

  /**
   * No edges yet.
   *
   * @param all a result with all vertices, which may be closed afterwards
   */
  public ChosenEdges(VertexResult<?> all) {
    vertices =
        KeptRdd.of(
            all.blocks()
                .map(
                    block ->
                        new VertexBlock(Arrays.copyOf(block.ids(), block.size()), (Object) null))
                .rdd(),
            VERTICES);
  }

  /**
   * Adds the edges of a round; an edge may be there several times.
   *
   * @param claims of the edges that are chosen; none: no edge of this vertex
   */
  public void add(JavaRDD<Claim[]> claims) {
    rounds.add(KeptRdd.of(claims.map(ChosenEdges::edges).rdd(), EDGES));
  }

  private static EdgeBlock edges(Claim[] claims) {
    long[] low = new long[claims.length];
    long[] high = new long[claims.length];
    double[] weights = new double[claims.length];
    int size = 0;
    for (Claim claim : claims) {
      if (!claim.isNone()) {
        low[size] = claim.low();
        high[size] = claim.high();
        weights[size++] = Claim.number(claim.priority());
      }
    }
    return new GlobalEdgeBlock(
        size, Arrays.copyOf(low, size), Arrays.copyOf(high, size), Arrays.copyOf(weights, size));
  }

  /** The graph of all vertices and the edges so far; edge values are the weights. Close it. */
  public ResidentGraph<Object, Double> graph(RunOptions options) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(vertices.context());
    JavaRDD<EdgeBlock> edges = context.emptyRDD();
    for (KeptRdd<EdgeBlock> round : rounds) {
      edges = edges.union(new JavaRDD<>(round, EDGES));
    }
    // Of each round a few small blocks: as many tasks as one round has are enough.
    edges = rounds.size() > 1 ? edges.coalesce(rounds.get(0).getNumPartitions()) : edges;
    return ResidentGraph.load(edges, new JavaRDD<>(vertices, VERTICES), Double.class, options);
  }

  /** Frees what Spark keeps; graphs that were made of it are to be closed first. */
  @Override
  public void close() {
    rounds.forEach(KeptRdd::free);
    vertices.free();
  }
}
