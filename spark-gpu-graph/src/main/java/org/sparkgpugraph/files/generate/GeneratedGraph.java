package org.sparkgpugraph.files.generate;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.files.input.EdgeBlockBuilder;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.runtime.load.KnownEdges;

/**
 * A synthetic graph that is generated in parallel. Its edges are those of its parameters, in the
 * same order, however many partitions make them.
 */
public abstract class GeneratedGraph implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Items whose edges stand for those of all, at least: more than a sample of edges keeps. */
  private static final long PROBED = 1 << 18;

  /** Tasks that make these. */
  private static final int PROBING_TASKS = 32;

  /** With fewer items for each of these, all may as well be made. */
  private static final int LEAST_STEP = 4;

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

  /**
   * Adds the edges of some items, for all of which there is room.
   *
   * @param first item
   * @param step from one item to the next
   * @param count number of items
   */
  abstract void generate(long first, long step, int count, EdgeBlockBuilder builder);

  /**
   * The edges; how many there are is {@linkplain KnownEdges known} before they are made.
   *
   * @param partitions number of tasks that generate them
   * @param weighted whether edges carry weights: uniform integers 1 … 255, as {@code double[]}
   * @param undirected whether every edge appears in both directions, with one weight
   */
  public JavaRDD<EdgeBlock> edges(
      JavaSparkContext sc, int partitions, boolean weighted, boolean undirected) {
    JavaRDD<EdgeBlock> blocks = slices(sc, partitions, 1, weighted, undirected);
    long count = undirected ? 2 * edges() : edges();
    // Odd, so that it is no multiple of the length of a lattice's row.
    long step = items() / PROBED | 1;
    KnownEdges.Probes probes =
        step < LEAST_STEP
            ? null
            : new KnownEdges.Probes(
                slices(sc, Math.min(partitions, PROBING_TASKS), step, weighted, undirected),
                1.0 / step);
    return KnownEdges.counted(blocks, count, count * EdgeBlockBuilder.leastBytes(weighted), probes);
  }

  /** The edges of every so-many-th item. */
  private JavaRDD<EdgeBlock> slices(
      JavaSparkContext sc, int partitions, long step, boolean weighted, boolean undirected) {
    int slices = (int) Math.max(1, Math.min(partitions, items()));
    List<Integer> indexes = IntStream.range(0, slices).boxed().toList();
    return sc.parallelize(indexes, slices)
        .flatMap(
            slice ->
                blocks(
                    bound(slice, slices), bound(slice + 1L, slices), step, weighted, undirected));
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
    return blocks(bound(slice, slices), bound(slice + 1L, slices), 1, weighted, undirected);
  }

  private long bound(long slice, long slices) {
    // items * slice overflows for no graph that fits a cluster: items < 2^45, slices < 2^17.
    return items() * slice / slices;
  }

  /** The edges of those items in {@code [from, to)} that are multiples of {@code step}. */
  Iterator<EdgeBlock> blocks(long from, long to, long step, boolean weighted, boolean undirected) {
    EdgeBlockBuilder builder = new EdgeBlockBuilder(weighted, undirected);
    return new Iterator<>() {
      private long item = (from + step - 1) / step * step;

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
          long left = (to - item + step - 1) / step;
          int count = (int) Math.min(left, builder.room() / edgesPerItem());
          generate(item, step, count, builder);
          item += step * count;
        }
        return builder.take();
      }
    };
  }
}
