package org.sparkgpugraph.algorithm.support;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.graphs.model.VertexBlock;
import scala.Tuple2;

/** Attributes of graphs, and what is asked of results, between programs. */
public final class Runs {
  private Runs() {}

  /** The graph with one value for every vertex. */
  public static <T, E> ResidentGraph<T, E> constant(
      ResidentGraph<?, E> graph, Class<T> type, T value) {
    return with(graph, List.of(), type, value);
  }

  /** The graph with values for some vertices and another for all others. */
  public static <T, E> ResidentGraph<T, E> with(
      ResidentGraph<?, E> graph, List<Tuple2<Long, T>> values, Class<T> type, T missing) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(graph.sparkContext());
    return graph.withVertices(context.parallelizePairs(values, 1), type, missing);
  }

  /** Which values are looked for; executors ask it. */
  @FunctionalInterface
  public interface Wanted extends Serializable {
    boolean test(long value);
  }

  /** The smallest id among the vertices whose value is wanted; null: there are none. */
  public static Long first(VertexResult<Long> result, Wanted wanted) {
    List<Long> found =
        result.blocks().map(block -> first(block, wanted)).filter(id -> id != null).takeOrdered(1);
    return found.isEmpty() ? null : found.get(0);
  }

  private static Long first(VertexBlock block, Wanted wanted) {
    long[] values = (long[]) block.values();
    Long first = null;
    for (int i = 0; i < block.size(); i++) {
      long id = block.ids()[i];
      if ((first == null || id < first) && wanted.test(values[block.slot(i)])) {
        first = id;
      }
    }
    return first;
  }

  /** The sum of all values, modulo 2 to the power of 64. */
  public static long sum(VertexResult<Long> result) {
    return result.blocks().map(Runs::sum).fold(0L, Long::sum);
  }

  private static long sum(VertexBlock block) {
    long[] values = (long[]) block.values();
    long sum = 0;
    for (int i = 0; i < block.size(); i++) {
      sum += values[block.slot(i)];
    }
    return sum;
  }
}
