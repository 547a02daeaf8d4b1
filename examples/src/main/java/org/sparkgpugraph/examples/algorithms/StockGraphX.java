package org.sparkgpugraph.examples.algorithms;

import java.io.Serializable;
import java.util.Comparator;
import java.util.Iterator;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.EdgeTriplet;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.Pregel;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.lib.CircuitSimulation;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.AbstractFunction3;

/**
 * Stock GraphX as its users write it: graphs from edges, and the Pregel programs that its library
 * lacks (weighted shortest paths, breadth-first search).
 */
public final class StockGraphX {
  /** The tag of Scala's Double, so that GraphX keeps attributes in primitive arrays. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public static final ClassTag<Double> DOUBLE = (ClassTag) ClassTag$.MODULE$.Double();

  @SuppressWarnings({"unchecked", "rawtypes"})
  public static final ClassTag<Integer> INT = (ClassTag) ClassTag$.MODULE$.Int();

  private StockGraphX() {}

  /**
   * Makes a GraphX graph; edges without a weight get 1. It is not materialised yet.
   *
   * @param vertices beside the ends of the edges; null: none
   */
  public static Graph<Double, Double> graph(
      JavaRDD<EdgeBlock> blocks, JavaRDD<VertexBlock> vertices, StorageLevel level) {
    JavaRDD<Edge<Double>> edges = blocks.flatMap(Edges::new);
    if (vertices != null) {
      JavaRDD<Tuple2<Object, Double>> more =
          vertices.flatMap(
              block ->
                  LongStream.of(block.ids())
                      .limit(block.size())
                      .mapToObj(id -> new Tuple2<>((Object) id, 0.0))
                      .iterator());
      return Graph.apply(more.rdd(), edges.rdd(), Double.valueOf(0), level, level, DOUBLE, DOUBLE);
    }
    return Graph.fromEdges(edges.rdd(), Double.valueOf(0), level, level, DOUBLE, DOUBLE);
  }

  /** Ids of the vertices with most out-edges, the smallest id first among equals. */
  public static long[] largestOutDegrees(Graph<Double, Double> graph, int count) {
    return graph
        .ops()
        .outDegrees()
        .toJavaRDD()
        .map(v -> new Tuple2<>(-(long) (Integer) v._2(), (Long) v._1()))
        .takeOrdered(
            count,
            (Comparator<Tuple2<Long, Long>> & Serializable)
                (a, b) ->
                    a._1().equals(b._1())
                        ? Long.compare(a._2(), b._2())
                        : Long.compare(a._1(), b._1()))
        .stream()
        .mapToLong(Tuple2::_2)
        .toArray();
  }

  /** Shortest paths over the edge attributes. */
  public static Graph<Double, Double> sssp(
      Graph<Double, Double> graph, long source, int maxIterations) {
    Graph<Double, Double> start = graph.mapVertices(new StartDistance(source), DOUBLE, null);
    return Pregel.apply(
        start,
        Double.valueOf(Double.POSITIVE_INFINITY),
        maxIterations,
        EdgeDirection.Out(),
        new MinDistance(),
        new OfferDistance(),
        new SmallerDistance(),
        DOUBLE,
        DOUBLE,
        DOUBLE);
  }

  /** Levels of breadth-first search; −1 where it does not reach. */
  public static Graph<Integer, Double> bfs(
      Graph<Double, Double> graph, long source, int maxIterations) {
    Graph<Integer, Double> start = graph.mapVertices(new StartLevel(source), INT, null);
    Graph<Integer, Double> levels =
        Pregel.apply(
            start,
            Integer.valueOf(Integer.MAX_VALUE),
            maxIterations,
            EdgeDirection.Out(),
            new MinLevel(),
            new OfferLevel(),
            new SmallerLevel(),
            INT,
            DOUBLE,
            INT);
    return levels.mapVertices(new LevelOrMinusOne(), INT, null);
  }

  /** The graph with 0 or 1 volt at every thousandth id and no voltage elsewhere. */
  public static Graph<Double, Double> voltages(Graph<Double, Double> graph) {
    return graph.mapVertices(new Voltage(), DOUBLE, null);
  }

  @SuppressWarnings("unchecked")
  private static <A> scala.collection.Iterator<Tuple2<Object, A>> none() {
    return (scala.collection.Iterator<Tuple2<Object, A>>)
        (Object) scala.collection.Iterator$.MODULE$.empty();
  }

  private static <A> scala.collection.Iterator<Tuple2<Object, A>> message(long id, A message) {
    return scala.collection.Iterator$.MODULE$.single(new Tuple2<>((Object) id, message));
  }

  private static final class Edges implements Iterator<Edge<Double>> {
    private final EdgeBlock block;
    private final double[] weights;
    private int next;

    Edges(EdgeBlock block) {
      this.block = block;
      this.weights = (double[]) block.values();
    }

    @Override
    public boolean hasNext() {
      return next < block.size();
    }

    @Override
    public Edge<Double> next() {
      double weight = weights == null ? 1 : weights[next];
      return new Edge<>(block.source(next), block.destination(next++), weight);
    }
  }

  private static final class StartDistance extends AbstractFunction2<Object, Double, Double>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final long source;

    StartDistance(long source) {
      this.source = source;
    }

    @Override
    public Double apply(Object id, Double attribute) {
      return (Long) id == source ? 0.0 : Double.POSITIVE_INFINITY;
    }
  }

  private static final class MinDistance extends AbstractFunction3<Object, Double, Double, Double>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Double apply(Object id, Double distance, Double message) {
      return Math.min(distance, message);
    }
  }

  private static final class OfferDistance
      extends AbstractFunction1<
          EdgeTriplet<Double, Double>, scala.collection.Iterator<Tuple2<Object, Double>>>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public scala.collection.Iterator<Tuple2<Object, Double>> apply(
        EdgeTriplet<Double, Double> edge) {
      double distance = edge.srcAttr() + edge.attr();
      return distance < edge.dstAttr() ? message(edge.dstId(), distance) : none();
    }
  }

  private static final class SmallerDistance extends AbstractFunction2<Double, Double, Double>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Double apply(Double a, Double b) {
      return Math.min(a, b);
    }
  }

  private static final class Voltage extends AbstractFunction2<Object, Double, Double>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Double apply(Object id, Double attribute) {
      return (Long) id % 1000 == 0 ? (Long) id / 1000 % 2 : CircuitSimulation.FREE;
    }
  }

  private static final class StartLevel extends AbstractFunction2<Object, Double, Integer>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final long source;

    StartLevel(long source) {
      this.source = source;
    }

    @Override
    public Integer apply(Object id, Double attribute) {
      return (Long) id == source ? 0 : Integer.MAX_VALUE;
    }
  }

  private static final class MinLevel extends AbstractFunction3<Object, Integer, Integer, Integer>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Integer apply(Object id, Integer level, Integer message) {
      return Math.min(level, message);
    }
  }

  private static final class OfferLevel
      extends AbstractFunction1<
          EdgeTriplet<Integer, Double>, scala.collection.Iterator<Tuple2<Object, Integer>>>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public scala.collection.Iterator<Tuple2<Object, Integer>> apply(
        EdgeTriplet<Integer, Double> edge) {
      int level = edge.srcAttr();
      boolean better = level != Integer.MAX_VALUE && level + 1 < edge.dstAttr();
      return better ? message(edge.dstId(), level + 1) : none();
    }
  }

  private static final class SmallerLevel extends AbstractFunction2<Integer, Integer, Integer>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Integer apply(Integer a, Integer b) {
      return Math.min(a, b);
    }
  }

  private static final class LevelOrMinusOne extends AbstractFunction2<Object, Integer, Integer>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Integer apply(Object id, Integer level) {
      return level == Integer.MAX_VALUE ? -1 : level;
    }
  }
}
