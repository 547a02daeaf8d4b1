package org.sparkgpugraph.benchmarks.comparison;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.ml.linalg.Vector;
import scala.Tuple2;

/**
 * How far two results agree.
 *
 * @param vertices of both results together
 * @param differing those whose values are not equal, or that one result lacks
 * @param relative largest difference of two numbers as a part of the larger; infinite where one is
 *     missing
 */
record Agreement(long vertices, long differing, double relative) implements Serializable {

  /**
   * Compares vertex by vertex. Numbers, vectors, and maps from landmarks to numbers are understood.
   *
   * @param landmarks keys of maps
   */
  static Agreement of(Graph<?, ?> ours, Graph<?, ?> stock, long[] landmarks) {
    return numbers(ours, landmarks)
        .fullOuterJoin(numbers(stock, landmarks))
        .map(both -> of(both._2()._1().orNull(), both._2()._2().orNull()))
        .fold(new Agreement(0, 0, 0), Agreement::plus);
  }

  private static Agreement of(double[] ours, double[] stock) {
    if (ours == null || stock == null || ours.length != stock.length) {
      return new Agreement(1, 1, Double.POSITIVE_INFINITY);
    }
    double relative = 0;
    boolean equal = true;
    for (int i = 0; i < ours.length; i++) {
      // Equal infinities differ by nothing, although their difference is no number.
      if (Double.compare(ours[i], stock[i]) != 0 && ours[i] != stock[i]) {
        equal = false;
        double part =
            Math.abs(ours[i] - stock[i]) / Math.max(Math.abs(ours[i]), Math.abs(stock[i]));
        relative = Math.max(relative, Double.isNaN(part) ? Double.POSITIVE_INFINITY : part);
      }
    }
    return new Agreement(1, equal ? 0 : 1, relative);
  }

  private Agreement plus(Agreement other) {
    return new Agreement(
        vertices + other.vertices, differing + other.differing, Math.max(relative, other.relative));
  }

  private static JavaPairRDD<Long, double[]> numbers(Graph<?, ?> graph, long[] landmarks) {
    return graph
        .vertices()
        .toJavaRDD()
        .mapToPair(v -> new Tuple2<>((Long) v._1(), numbers(v._2(), landmarks)));
  }

  private static double[] numbers(Object value, long[] landmarks) {
    if (value instanceof Number number) {
      return new double[] {number.doubleValue()};
    }
    if (value instanceof Vector vector) {
      return vector.toArray();
    }
    if (value instanceof scala.collection.Map<?, ?> map) {
      List<Double> numbers = new ArrayList<>();
      for (long landmark : landmarks) {
        Object hops = get(map, landmark);
        numbers.add(hops == null ? Double.POSITIVE_INFINITY : ((Number) hops).doubleValue());
      }
      return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }
    throw new IllegalArgumentException(
        "values of " + value.getClass() + " cannot be compared: add them to Agreement");
  }

  @SuppressWarnings("unchecked")
  private static Object get(scala.collection.Map<?, ?> map, long key) {
    return ((scala.collection.Map<Object, Object>) map).getOrElse(key, () -> null);
  }

  /**
   * In words.
   *
   * @param exact whether values are counts or names, which are not nearly equal
   */
  String describe(boolean exact) {
    if (differing == 0) {
      return "equal";
    }
    return exact || Double.isInfinite(relative)
        ? String.format(Locale.ROOT, "%,d of %,d vertices differ", differing, vertices)
        : String.format(Locale.ROOT, "relative difference %.1g at most", relative);
  }
}
