package org.sparkgpugraph.engine.cpu;

import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import org.sparkgpugraph.engine.WorkerTeam;

/**
 * The least and the largest of columns of edge values, kept as long as these are there, in all runs
 * of an engine. Thread-safe.
 */
final class EdgeBounds {
  /** Edges that a thread looks at at a time. */
  private static final int PIECE = 1 << 16;

  private final Map<Object, Object> known = new WeakHashMap<>();

  /**
   * The bounds of a column, which are found by a team where nobody has yet.
   *
   * @param column an array of numbers
   * @param together whether all of the team look
   * @return an array of the same type: the least, the largest, NaN aside; null: there is no number,
   *     or no finite bound
   */
  Object of(Object column, WorkerTeam team, boolean together) {
    synchronized (known) {
      if (known.containsKey(column)) {
        return known.get(column);
      }
    }
    Object found = find(column, team, together);
    synchronized (known) {
      known.put(column, found);
    }
    return found;
  }

  private static Object find(Object column, WorkerTeam team, boolean together) {
    if (column instanceof int[] numbers) {
      long[] found = integers(numbers.length, team, together, i -> numbers[i]);
      return found == null ? null : new int[] {(int) found[0], (int) found[1]};
    } else if (column instanceof long[] numbers) {
      return integers(numbers.length, team, together, i -> numbers[i]);
    } else if (column instanceof float[] numbers) {
      double[] found = reals(numbers.length, team, together, i -> numbers[i]);
      return found == null ? null : new float[] {(float) found[0], (float) found[1]};
    }
    double[] numbers = (double[]) column;
    return reals(numbers.length, team, together, i -> numbers[i]);
  }

  private static long[] integers(
      int size, WorkerTeam team, boolean together, IntToLongFunction number) {
    long[] least = new long[pieces(size)];
    long[] most = new long[least.length];
    look(
        size,
        team,
        together,
        (p, from, to) -> {
          long low = Long.MAX_VALUE;
          long high = Long.MIN_VALUE;
          for (int i = from; i < to; i++) {
            low = Math.min(low, number.applyAsLong(i));
            high = Math.max(high, number.applyAsLong(i));
          }
          least[p] = low;
          most[p] = high;
        });
    return size == 0
        ? null
        : new long[] {
          Arrays.stream(least).min().orElseThrow(), Arrays.stream(most).max().orElseThrow()
        };
  }

  private static double[] reals(
      int size, WorkerTeam team, boolean together, IntToDoubleFunction number) {
    double[] least = new double[pieces(size)];
    double[] most = new double[least.length];
    look(
        size,
        team,
        together,
        (p, from, to) -> {
          double low = Double.POSITIVE_INFINITY;
          double high = Double.NEGATIVE_INFINITY;
          for (int i = from; i < to; i++) {
            double value = number.applyAsDouble(i);
            low = value < low ? value : low;
            high = value > high ? value : high;
          }
          least[p] = low;
          most[p] = high;
        });
    double low = Arrays.stream(least).min().orElse(Double.POSITIVE_INFINITY);
    double high = Arrays.stream(most).max().orElse(Double.NEGATIVE_INFINITY);
    return Double.isFinite(low) && Double.isFinite(high) ? new double[] {low, high} : null;
  }

  /** Something that is found of the numbers {@code [from, to)} of a column, which are a piece. */
  @FunctionalInterface
  private interface Piece {
    void look(int number, int from, int to);
  }

  private static void look(int size, WorkerTeam team, boolean together, Piece piece) {
    team.each(
        together,
        pieces(size),
        (member, p) -> piece.look(p, p * PIECE, (int) Math.min(size, (p + 1L) * PIECE)));
  }

  private static int pieces(int size) {
    return (int) ((size + PIECE - 1L) / PIECE);
  }
}
