package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.sparkgpugraph.function.ActiveWhen;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.vector.Norms;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Vectors;

/**
 * Seeded programs whose functions make numbers of arrays and arrays of these: sums, extremes,
 * choices, flags, early ends. Elements are small whole numbers, so that no order of adding shows.
 */
public final class ReducingPrograms {
  /** Lengths of the arrays. */
  public static final List<Integer> LENGTHS = List.of(1, 2, 3, 5, 8, 16, 31, 32, 33, 64, 100, 128);

  private ReducingPrograms() {}

  /** Any of them. */
  public static TestProgram<Long, Long, ?, ?, Long> any(long seed) {
    Random random = new Random(seed);
    return of(LENGTHS.get(random.nextInt(LENGTHS.size())), random);
  }

  /** One of those of a length. */
  public static TestProgram<Long, Long, ?, ?, Long> of(int length, Random random) {
    TestProgram<Long, Long, double[], double[], Long> program =
        new TestProgram<Long, Long, double[], double[], Long>(
                "reducing arrays of " + length, Long.class, Long.class, double[].class, Long.class)
            .inputs(r -> (long) r.nextInt(50), r -> (long) r.nextInt(6))
            .state((id, attribute, in, out) -> first(length, attribute + (id & 3)))
            .initial(new double[length])
            .vertex(vertex(random))
            .send(send(random))
            .merge(Vectors::add)
            .activeWhen(active(random))
            .aggregate("most", AggregateOperation.MAX, (id, before, after) -> Reductions.max(after))
            .aggregate(
                "moved",
                AggregateOperation.SUM,
                (id, before, after) -> Norms.distanceSquared(before, after))
            .result((id, attribute, value) -> hash(value))
            .direction(ActiveDirection.values()[random.nextInt(4)])
            .maxIterations(2 + random.nextInt(3));
    return random.nextBoolean() ? program.everyVertex(first(length, 1)) : program;
  }

  private static double[] first(int length, long attribute) {
    double[] values = new double[length];
    for (int i = 0; i < length; i++) {
      values[i] = attribute * (i + 3) % 17 - 8;
    }
    return values;
  }

  private static long hash(double[] values) {
    long hash = 7;
    for (int i = 0; i < values.length; i++) {
      hash = hash * 31 + Double.doubleToLongBits(values[i]);
    }
    return hash;
  }

  private static SendMessage<double[], Long, double[]> send(Random random) {
    List<SendMessage<double[], Long, double[]>> all = new ArrayList<>();
    all.add(edge -> edge.sendToDst(edge.srcAttr()));
    all.add(
        edge -> {
          double weight = Reductions.dot(edge.srcAttr(), edge.dstAttr()) % 4;
          edge.sendToDst(Vectors.scale(weight, edge.srcAttr()));
        });
    all.add(
        edge -> {
          if (Reductions.argMax(edge.srcAttr()) % 2 == 0) {
            edge.sendToDst(edge.srcAttr());
          }
          edge.sendToSrc(edge.dstAttr());
        });
    all.add(
        edge -> {
          double most = Reductions.max(edge.dstAttr());
          double[] sent = new double[edge.dstAttr().length];
          for (int i = 0; i < sent.length; i++) {
            sent[i] = edge.dstAttr()[i] - most + edge.attr();
          }
          edge.sendToSrc(sent);
        });
    return all.get(random.nextInt(all.size()));
  }

  private static VertexProgram<double[], double[]> vertex(Random random) {
    List<VertexProgram<double[], double[]>> all = new ArrayList<>();
    all.add(
        (id, value, message) -> {
          double most = Reductions.max(message);
          double[] next = new double[value.length];
          double total = 0;
          for (int i = 0; i < next.length; i++) {
            next[i] = message[i] - most;
            total += next[i];
          }
          for (int i = 0; i < next.length; i++) {
            next[i] = (next[i] + total + value[i]) % 16;
          }
          return next;
        });
    all.add(
        (id, value, message) -> {
          double[] next = value.clone();
          int at = Reductions.argMin(message);
          for (int i = 0; i < next.length; i++) {
            next[i] = (next[i] + message[i] - message[0]) % 16;
          }
          next[at] = at;
          return next;
        });
    all.add(
        (id, value, message) -> {
          double best = -1;
          int at = -1;
          for (int i = 0; i < message.length; i++) {
            if (value[i] > 0 && message[i] % 8 >= best) {
              best = message[i] % 8;
              at = i;
            }
          }
          if (at < 0) {
            return value;
          }
          double[] next = new double[value.length];
          for (int i = 0; i < next.length; i++) {
            next[i] = (value[i] * 2 + best + at + message[i]) % 16;
          }
          return next;
        });
    all.add(
        (id, value, message) -> {
          for (int i = 0; i < value.length; i++) {
            if (message[i] == 5) {
              return value;
            }
          }
          double[] next = message.clone();
          for (int round = 0; round < 3; round++) {
            double sum = Reductions.sum(next) % 8;
            for (int i = 0; i < next.length; i++) {
              next[i] = (next[i] - sum) % 16;
            }
          }
          return next;
        });
    return all.get(random.nextInt(all.size()));
  }

  private static ActiveWhen<double[]> active(Random random) {
    List<ActiveWhen<double[]>> all = new ArrayList<>();
    all.add(
        (id, before, after) -> {
          boolean moved = false;
          for (int i = 0; i < before.length; i++) {
            moved |= Math.abs(before[i] - after[i]) > 1;
          }
          return moved;
        });
    all.add(
        (id, before, after) -> {
          for (int i = 0; i < before.length; i++) {
            if (before[i] != after[i]) {
              return true;
            }
          }
          return false;
        });
    all.add((id, before, after) -> Reductions.argMax(before) != Reductions.argMax(after));
    all.add((id, before, after) -> Norms.l1(before) != Norms.l1(after));
    return all.get(random.nextInt(all.size()));
  }
}
