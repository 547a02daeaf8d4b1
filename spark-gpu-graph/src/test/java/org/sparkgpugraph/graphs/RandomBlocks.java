package org.sparkgpugraph.graphs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;

/** Random graphs as blocks, of every form and with every awkward feature. */
public final class RandomBlocks {
  /** Where ids come from. */
  public enum Ids {
    DENSE,
    GAPS,
    HUGE,
    NEGATIVE,
    CLUSTERED
  }

  /** Which class of block carries the edges. */
  public enum Form {
    LOCAL,
    GLOBAL,
    INT
  }

  /** The order of the edges of a block. */
  public enum Order {
    ANY,
    BY_SOURCE,
    BY_DESTINATION
  }

  public final List<EdgeBlock> edges = new ArrayList<>();
  public final List<VertexBlock> vertices;

  /**
   * @param withVertices whether vertices are given: then some edges name an end that is none, and
   *     some vertices are isolated
   */
  public RandomBlocks(
      Random random,
      Ids idKind,
      Form form,
      int ids,
      int count,
      boolean withVertices,
      boolean values) {
    this(random, idKind, form, Order.ANY, ids, count, withVertices, values);
  }

  /** As above, in an order by original ids; edges that are equal in it keep theirs. */
  public RandomBlocks(
      Random random,
      Ids idKind,
      Form form,
      Order order,
      int ids,
      int count,
      boolean withVertices,
      boolean values) {
    long[] pool = new long[ids];
    for (int i = 0; i < ids; i++) {
      pool[i] =
          switch (idKind) {
            case DENSE -> i;
            case GAPS -> 5L * i + random.nextInt(5);
            case HUGE -> random.nextLong();
            case NEGATIVE -> i * 1_000_003L - ids * 500_000L;
            case CLUSTERED -> (random.nextBoolean() ? Long.MAX_VALUE - ids : Long.MIN_VALUE) + i;
          };
      if (form == Form.INT) {
        pool[i] = (int) pool[i];
      }
    }
    pool = Arrays.stream(pool).distinct().toArray();
    int blocks = 1 + random.nextInt(4);
    for (int b = 0; b < blocks; b++) {
      int size = b == blocks - 1 ? count - count / blocks * b : count / blocks;
      if (pool.length == 0) {
        size = 0;
      }
      int[] s = new int[size];
      int[] d = new int[size];
      double[] v = new double[size + 3];
      for (int i = 0; i < size; i++) {
        // Squaring skews: low indexes become hubs, parallel edges and self-loops frequent.
        s[i] = (int) (Math.pow(random.nextDouble(), 2) * pool.length);
        d[i] =
            random.nextInt(10) == 0 ? s[i] : (int) (Math.pow(random.nextDouble(), 2) * pool.length);
        v[i] = random.nextInt(1000);
      }
      sort(order, s, d, v, pool);
      edges.add(block(form, size, s, d, pool, values ? v : null));
    }
    if (!withVertices) {
      vertices = null;
    } else {
      vertices = new ArrayList<>();
      long[] some = Arrays.stream(pool).filter(id -> random.nextInt(8) != 0).toArray();
      int cut = some.length / 3;
      vertices.add(new VertexBlock(Arrays.copyOfRange(some, cut, some.length), null));
      vertices.add(new VertexBlock(Arrays.copyOfRange(some, 0, cut), null));
    }
  }

  private static void sort(Order order, int[] s, int[] d, double[] v, long[] pool) {
    if (order == Order.ANY) {
      return;
    }
    int[] ends = (order == Order.BY_SOURCE ? s : d).clone();
    int[] from =
        IntStream.range(0, s.length)
            .boxed()
            .sorted(Comparator.comparingLong(i -> pool[ends[i]]))
            .mapToInt(i -> i)
            .toArray();
    int[] sources = s.clone();
    int[] destinations = d.clone();
    double[] values = v.clone();
    for (int i = 0; i < from.length; i++) {
      s[i] = sources[from[i]];
      d[i] = destinations[from[i]];
      v[i] = values[from[i]];
    }
  }

  private static EdgeBlock block(Form form, int size, int[] s, int[] d, long[] pool, double[] v) {
    switch (form) {
      case LOCAL -> {
        return new LocalEdgeBlock(size, s, d, pool, v);
      }
      case GLOBAL -> {
        long[] sources = new long[size + 1];
        long[] destinations = new long[size];
        for (int i = 0; i < size; i++) {
          sources[i] = pool[s[i]];
          destinations[i] = pool[d[i]];
        }
        return new GlobalEdgeBlock(size, sources, destinations, v);
      }
      default -> {
        int[] sources = new int[size];
        int[] destinations = new int[size + 1];
        for (int i = 0; i < size; i++) {
          sources[i] = (int) pool[s[i]];
          destinations[i] = (int) pool[d[i]];
        }
        return new IntEdgeBlock(size, sources, destinations, v);
      }
    }
  }
}
