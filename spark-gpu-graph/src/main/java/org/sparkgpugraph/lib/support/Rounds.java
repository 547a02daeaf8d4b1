package org.sparkgpugraph.lib.support;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.graphx.EdgeRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.VertexRDD;
import scala.Function2;
import scala.Function3;
import scala.Option;
import scala.reflect.ClassTag;

/**
 * Programs that give a vertex an array with an element for each of some vertices, run for so many
 * of these at a time, and what comes out put together.
 *
 * @param <A> the arrays
 * @param <V> what a vertex has in the end
 */
public final class Rounds<A, V> {
  /** Puts the arrays of a vertex together. */
  @FunctionalInterface
  public interface Put<A, V> extends Serializable {
    /**
     * Returns what a vertex has.
     *
     * @param before what it had; null: this is the first round
     * @param from place of the first vertex of this round in the list of all
     * @param array an element for each vertex of this round
     */
    V apply(V before, int from, A array);
  }

  private final ClassTag<A> arrays;
  private final ClassTag<V> values;
  private final Put<A, V> put;

  public Rounds(ClassTag<A> arrays, ClassTag<V> values, Put<A, V> put) {
    this.arrays = arrays;
    this.values = values;
    this.put = put;
  }

  /**
   * Runs all rounds; only the result is cached in the end, with its edges.
   *
   * @param onto a graph with the edges of the result, whose vertices' values are not read; null:
   *     the edges are those of the first round's graph
   * @param ids at least one
   * @param width number of these in a round
   * @param run runs a round
   * @param <E> the edges' attributes
   */
  @SuppressWarnings("unchecked") // without another graph the edges are those of the rounds
  public <E> Graph<V, E> run(
      Graph<?, E> onto, long[] ids, int width, Function<long[], Graph<A, ?>> run) {
    List<Graph<A, ?>> parts = new ArrayList<>();
    try {
      Graph<V, E> all = null;
      for (int from = 0; from < ids.length; from += width) {
        Graph<A, ?> part =
            run.apply(Arrays.copyOfRange(ids, from, Math.min(ids.length, from + width)));
        parts.add(part);
        if (all != null) {
          all = joined(all, part, from);
        } else {
          all = onto == null ? mapped((Graph<A, E>) part) : joined(onto, part, 0);
        }
      }
      return Materialized.of(all);
    } finally {
      for (int i = 0; i < parts.size(); i++) {
        VertexRDD<A> vertices = parts.get(i).vertices();
        EdgeRDD<?> edges = parts.get(i).edges();
        vertices.unpersist(false);
        if (i > 0 || onto != null) {
          edges.unpersist(false);
        }
      }
    }
  }

  private <E> Graph<V, E> mapped(Graph<A, E> part) {
    Put<A, V> each = put;
    return part.mapVertices(
        (Function2<Object, A, V> & Serializable) (id, array) -> each.apply(null, 0, array),
        values,
        null);
  }

  @SuppressWarnings("unchecked") // the values are null or what an earlier round gave
  private <T, E> Graph<V, E> joined(Graph<T, E> all, Graph<A, ?> part, int from) {
    Put<A, V> each = put;
    return all.outerJoinVertices(
        part.vertices(),
        (Function3<Object, T, Option<A>, V> & Serializable)
            (id, before, array) -> each.apply(from == 0 ? null : (V) before, from, array.get()),
        arrays,
        values,
        null);
  }
}
