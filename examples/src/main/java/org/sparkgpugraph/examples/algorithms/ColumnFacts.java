package org.sparkgpugraph.examples.algorithms;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.runtime.serial.TaskResult;

/**
 * What a column of a result comes to, found in one pass over its blocks; a figure of merit is made
 * of it. Numbers are taken as doubles; true is 1.
 */
public final class ColumnFacts implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Different labels that are counted. */
  static final int MOST_LABELS = 1 << 17;

  /** Which values count. */
  interface Counted extends Serializable {
    boolean test(double value);
  }

  /** Values that count. */
  long count;

  /** Their sum. */
  double sum;

  /** The largest of them; −∞ where there is none. */
  double largest = Double.NEGATIVE_INFINITY;

  /** The smallest vertex that has it. */
  long largestAt;

  /** How many have it. */
  long largestCount;

  /** The smallest of them; ∞ where there is none. */
  double smallest = Double.POSITIVE_INFINITY;

  /** Vertices whose value is their own id: groups are named by one of their members. */
  long named;

  /** Different values, ascending, at most one more than {@link #MOST_LABELS}; null: not asked. */
  private long[] labels;

  /**
   * Facts of each column.
   *
   * @param blocks of the result; values are arrays of primitives, or columns
   * @param kinds of the columns
   * @param counted which values count
   * @param labels whether different values are counted, of a column of longs
   */
  public static List<ColumnFacts> of(
      JavaRDD<VertexBlock> blocks, List<Kind> kinds, Counted counted, boolean labels) {
    int width = kinds.size();
    // Put together here, in the blocks' order: a reduction takes them as tasks end.
    List<byte[]> parts =
        blocks.map(block -> TaskResult.pack(of(block, width, counted, labels))).collect();
    List<ColumnFacts> facts = new ArrayList<>();
    for (int c = 0; c < width; c++) {
      facts.add(new ColumnFacts());
    }
    for (byte[] part : parts) {
      ColumnFacts[] some = TaskResult.unpack(part, ColumnFacts[].class);
      for (int c = 0; c < width; c++) {
        facts.get(c).add(some[c]);
      }
    }
    return facts;
  }

  private static ColumnFacts[] of(VertexBlock block, int width, Counted counted, boolean labels) {
    ColumnFacts[] facts = new ColumnFacts[width];
    for (int c = 0; c < width; c++) {
      Object values = block.values() instanceof Columns columns ? columns.array(c) : block.values();
      facts[c] = new ColumnFacts();
      facts[c].read(block, values, counted);
      if (labels) {
        facts[c].labels = distinct(block, (long[]) values);
      }
    }
    return facts;
  }

  private void read(VertexBlock block, Object values, Counted counted) {
    for (int i = 0; i < block.size(); i++) {
      int slot = block.slot(i);
      long id = block.ids()[i];
      double value;
      if (values instanceof double[] doubles) {
        value = doubles[slot];
      } else if (values instanceof long[] longs) {
        value = longs[slot];
        named += longs[slot] == id ? 1 : 0;
      } else if (values instanceof int[] ints) {
        value = ints[slot];
      } else {
        value = ((boolean[]) values)[slot] ? 1 : 0;
      }
      if (counted.test(value)) {
        count++;
        sum += value;
        smallest = Math.min(smallest, value);
        largest(value, id, 1);
      }
    }
  }

  private void largest(double value, long at, long times) {
    if (times > 0 && (value > largest || largestCount == 0)) {
      largest = value;
      largestAt = at;
      largestCount = times;
    } else if (value == largest) {
      largestAt = Math.min(largestAt, at);
      largestCount += times;
    }
  }

  private static long[] distinct(VertexBlock block, long[] values) {
    long[] all = new long[block.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[block.slot(i)];
    }
    Arrays.sort(all);
    return distinct(all);
  }

  private static long[] distinct(long[] ascending) {
    int count = 0;
    for (int i = 0; i < ascending.length && count <= MOST_LABELS; i++) {
      if (i == 0 || ascending[i] != ascending[i - 1]) {
        ascending[count++] = ascending[i];
      }
    }
    return Arrays.copyOf(ascending, count);
  }

  private void add(ColumnFacts other) {
    count += other.count;
    sum += other.sum;
    smallest = Math.min(smallest, other.smallest);
    largest(other.largest, other.largestAt, other.largestCount);
    named += other.named;
    if (other.labels != null) {
      int had = labels == null ? 0 : labels.length;
      long[] both = Arrays.copyOf(other.labels, other.labels.length + had);
      if (had > 0) {
        System.arraycopy(labels, 0, both, other.labels.length, had);
      }
      Arrays.sort(both);
      labels = distinct(both);
    }
  }

  /** Number of different values; more than {@link #MOST_LABELS} are not told apart. */
  int labels() {
    return labels == null ? 0 : labels.length;
  }
}
