package org.sparkgpugraph.files.generate;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.files.input.EdgeBlockBuilder;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.runtime.load.CountedEdges;

/**
 * A synthetic graph that is generated in parallel. Its edges are those of its parameters, in the
 * same order, however many partitions make them.
 */
public abstract class GeneratedGraph implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * Number of vertices: the ids are 0 … vertices − 1. A vertex without an edge has an id but is in
   * no edge, so that it is missing from a graph which is made from the edges alone.
   */
  public abstract long vertices();

  /** Number of edges, undirected ones counted once. */
  public abstract long edges();

  /** Number of independent pieces of work, for example edges or source vertices. */
  abstract long items();

  /** Most edges that one item adds. */
  abstract int edgesPerItem();

  /** Adds the edges of an item. */
  abstract void generate(long item, EdgeBlockBuilder builder);

  /**
   * The edges; how many there are is {@linkplain CountedEdges known} before they are made.
   *
   * @param partitions number of tasks that generate them
   * @param weighted whether edges carry weights: uniform integers 1 … 255, as {@code double[]}
   * @param undirected whether every edge appears in both directions, with one weight
   */
  public JavaRDD<EdgeBlock> edges(
      JavaSparkContext sc, int partitions, boolean weighted, boolean undirected) {
    int slices = (int) Math.max(1, Math.min(partitions, items()));
    List<Integer> indexes = new ArrayList<>();
    for (int slice = 0; slice < slices; slice++) {
      indexes.add(slice);
    }
    JavaRDD<EdgeBlock> blocks =
        sc.parallelize(indexes, slices)
            .flatMap(slice -> slice(slice, slices, weighted, undirected));
    long count = undirected ? 2 * edges() : edges();
    return CountedEdges.of(blocks, count, count * EdgeBlockBuilder.leastBytes(weighted));
  }

  /**
   * A slice of the edges, in blocks, generated as they are taken: what one of several threads or
   * tasks makes. All slices in order are the graph.
   *
   * @param slice its number, 0 … slices − 1
   * @param slices number of slices
   * @param weighted whether edges carry weights: uniform integers 1 … 255, as {@code double[]}
   * @param undirected whether every edge appears in both directions, with one weight
   */
  public Iterator<EdgeBlock> slice(int slice, int slices, boolean weighted, boolean undirected) {
    return blocks(bound(slice, slices), bound(slice + 1L, slices), weighted, undirected);
  }

  private long bound(long slice, long slices) {
    // items * slice overflows for no graph that fits a cluster: items < 2^45, slices < 2^17.
    return items() * slice / slices;
  }

  Iterator<EdgeBlock> blocks(long from, long to, boolean weighted, boolean undirected) {
    EdgeBlockBuilder builder = new EdgeBlockBuilder(weighted, undirected);
    return new Iterator<>() {
      private long item = from;

      @Override
      public boolean hasNext() {
        return item < to;
      }

      @Override
      public EdgeBlock next() {
        if (item >= to) {
          throw new NoSuchElementException();
        }
        while (item < to && builder.hasRoom(edgesPerItem())) {
          generate(item++, builder);
        }
        return builder.take();
      }
    };
  }
}
