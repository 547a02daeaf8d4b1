package org.sparkgpugraph.adapter.data;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.testing.SharedSpark;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;

/** GraphX graphs for tests. */
final class GraphXGraphs {
  private GraphXGraphs() {}

  static JavaSparkContext context() {
    return SharedSpark.context();
  }

  @SuppressWarnings("unchecked")
  static ClassTag<Object> doubles() {
    return (ClassTag<Object>) (Object) ClassTag$.MODULE$.Double();
  }

  static <T> ClassTag<T> tag(Class<T> type) {
    return ClassTag$.MODULE$.apply(type);
  }

  /** A random graph with {@code double} edges, skewed, self-loops, parallel and isolated. */
  static Graph<Object, Object> random(long seed, int vertices, int edges, int partitions) {
    Random random = new Random(seed);
    long[] ids = random.longs(vertices).map(id -> id >> random.nextInt(60)).distinct().toArray();
    List<Tuple2<Object, Object>> vertexList = new ArrayList<>();
    for (long id : ids) {
      vertexList.add(new Tuple2<>(id, (double) random.nextInt(100)));
    }
    List<Edge<Object>> edgeList = new ArrayList<>();
    for (int i = 0; i < edges && ids.length > 0; i++) {
      long source = ids[(int) (Math.pow(random.nextDouble(), 2) * ids.length)];
      long destination = ids[random.nextInt(ids.length)];
      edgeList.add(new Edge<>(source, destination, (double) random.nextInt(1000)));
    }
    return Graph.apply(
        context().parallelize(vertexList, partitions + 1).rdd(),
        context().parallelize(edgeList, partitions).rdd(),
        -1.0,
        StorageLevel.MEMORY_ONLY(),
        StorageLevel.MEMORY_ONLY(),
        doubles(),
        doubles());
  }

  static <A, B> F1<A, B> function(SerializableFunction<A, B> f) {
    return new F1<>(f);
  }

  static <A, B, C> F2<A, B, C> function(SerializableBiFunction<A, B, C> f) {
    return new F2<>(f);
  }

  interface SerializableFunction<A, B> extends Function<A, B>, Serializable {}

  interface SerializableBiFunction<A, B, C> extends BiFunction<A, B, C>, Serializable {}

  static final class F1<A, B> extends AbstractFunction1<A, B> implements Serializable {
    private final SerializableFunction<A, B> function;

    F1(SerializableFunction<A, B> function) {
      this.function = function;
    }

    @Override
    public B apply(A a) {
      return function.apply(a);
    }
  }

  static final class F2<A, B, C> extends AbstractFunction2<A, B, C> implements Serializable {
    private final SerializableBiFunction<A, B, C> function;

    F2(SerializableBiFunction<A, B, C> function) {
      this.function = function;
    }

    @Override
    public C apply(A a, B b) {
      return function.apply(a, b);
    }
  }
}
