package org.sparkgpugraph.engine.cpu.frame;

import org.sparkgpugraph.exchange.VertexBitmap;

/**
 * The active vertices from which a run that relaxes in order of priority starts, as one thread
 * looks at some of them: those whose turn comes go into its {@link ItemBuckets}, the others are
 * left. In a search nearly all begin with the worst value of all; they are looked at again at the
 * very end, when most have been walked for better values.
 */
public final class StartingVertices {
  private final ItemBuckets buckets;
  private final VertexBitmap left;
  private double before;
  private double end;
  private boolean first;
  private double leastLeft;

  /**
   * @param buckets of the thread
   * @param left the vertices, of all threads; each word is looked at by one
   */
  public StartingVertices(ItemBuckets buckets, VertexBitmap left) {
    this.buckets = buckets;
    this.left = left;
  }

  /** Begins the first look, which finds the best: who is better than those before is taken. */
  public void begin() {
    begin(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    first = true;
  }

  /**
   * Begins another look.
   *
   * @param least the least priority of those that were left by all threads; who has a better one by
   *     now has been in a bucket since
   * @param until end of the window; who is before it, or at {@code least}, is taken
   */
  public void begin(double least, double until) {
    before = least;
    end = until;
    first = false;
    leastLeft = Double.NaN;
  }

  /** The least priority of those that this thread left; NaN when there are none. */
  public double leastLeft() {
    return leastLeft;
  }

  /**
   * Offers a vertex. Generated code calls it.
   *
   * @param edges that would be walked
   */
  public void offer(int vertex, double of, int edges) {
    if (edges != 0 && of >= end && (first || of != before)) {
      if (!(of >= leastLeft)) {
        leastLeft = of;
      }
      return;
    }
    left.words[vertex >>> 6] &= ~(1L << vertex);
    double priority = of == of ? of : Double.NEGATIVE_INFINITY;
    if (edges != 0 && priority >= before) {
      buckets.add(vertex, priority);
      end = first ? priority : end;
    }
  }
}
