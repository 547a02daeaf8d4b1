package org.sparkgpugraph.testing;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Random;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.run.ActiveDirection;

/** Seeded programs whose values and messages are arrays; graphs and results are of numbers. */
public final class ArrayPrograms {
  private static final int[] LENGTHS = {1, 2, 3, 5, 8, 12, 16, 31, 32, 33, 64, 100};

  /** Values of several kinds, of which one is an array. */
  public record Mixed(int count, long[] values) implements Serializable {}

  private ArrayPrograms() {}

  /** Any of them. */
  public static TestProgram<?, ?, ?, ?, ?> any(long seed) {
    Random random = new Random(seed);
    int length = LENGTHS[random.nextInt(LENGTHS.length)];
    TestProgram<?, ?, ?, ?, ?> program =
        switch (random.nextInt(4)) {
          case 0 -> sums(length, random);
          case 1 -> smallest(length, random);
          case 2 -> mixed(length, random);
          default -> largest(length, random);
        };
    return program
        .direction(ActiveDirection.values()[random.nextInt(4)])
        .maxIterations(1 + random.nextInt(4));
  }

  private static long[] first(int length, long attribute) {
    long[] values = new long[length];
    for (int i = 0; i < length; i++) {
      values[i] = attribute * (i + 3) % 17;
    }
    return values;
  }

  private static long hash(long[] values) {
    long hash = 7;
    for (int i = 0; i < values.length; i++) {
      hash = hash * 31 + values[i];
    }
    return hash;
  }

  private static <S, A> TestProgram<Long, Long, S, A, Long> program(String name, Class<A> message) {
    return new TestProgram<Long, Long, S, A, Long>(
            name, Long.class, Long.class, message, Long.class)
        .inputs(r -> (long) r.nextInt(50), r -> (long) r.nextInt(6));
  }

  private static final MergeMessage<long[]> ADD =
      (a, b) -> {
        long[] sum = new long[a.length];
        for (int i = 0; i < a.length; i++) {
          sum[i] = a[i] + b[i];
        }
        return sum;
      };

  private static final VertexProgram<long[], long[]> MIX =
      (id, value, message) -> {
        long[] next = new long[value.length];
        for (int i = 0; i < next.length; i++) {
          next[i] = (value[i] * 3 + message[i]) & 0xffff;
        }
        return next;
      };

  /** Sums; every vertex runs in half of the cases, and messages go either way or both. */
  private static TestProgram<?, ?, ?, ?, ?> sums(int length, Random random) {
    SendMessage<long[], Long, long[]> send =
        switch (random.nextInt(3)) {
          case 0 -> edge -> edge.sendToDst(edge.srcAttr());
          case 1 ->
              edge -> {
                long[] scaled = new long[edge.dstAttr().length];
                for (int i = 0; i < scaled.length; i++) {
                  scaled[i] = edge.dstAttr()[i] * edge.attr();
                }
                edge.sendToSrc(scaled);
              };
          default ->
              edge -> {
                edge.sendToSrc(edge.dstAttr());
                if (edge.attr() > 2) {
                  edge.sendToDst(edge.srcAttr());
                }
              };
        };
    TestProgram<Long, Long, long[], long[], Long> program =
        ArrayPrograms.<long[], long[]>program("sums of " + length, long[].class)
            .state((id, attribute, in, out) -> first(length, attribute + (id & 3)))
            .initial(new long[length])
            .vertex(MIX)
            .send(send)
            .merge(ADD)
            .result((id, attribute, value) -> hash(value));
    return random.nextBoolean() ? program.everyVertex(first(length, 1)) : program;
  }

  /** Smallest elements, of ints; who does not change is not active. */
  private static TestProgram<?, ?, ?, ?, ?> smallest(int length, Random random) {
    int offset = random.nextInt(5);
    return ArrayPrograms.<int[], int[]>program("smallest of " + length, int[].class)
        .state(
            (id, attribute, in, out) -> {
              int[] values = new int[length];
              for (int i = 0; i < length; i++) {
                values[i] = (int) ((attribute + i + offset) * 37 % 101);
              }
              return values;
            })
        .initial(filled(length))
        .vertex(
            (id, value, message) -> {
              int[] next = value.clone();
              for (int i = 0; i < next.length; i++) {
                next[i] = Math.min(next[i], message[i]);
              }
              return next;
            })
        .send(edge -> edge.sendToDst(edge.srcAttr()))
        .merge(
            (a, b) -> {
              int[] least = new int[a.length];
              for (int i = 0; i < a.length; i++) {
                least[i] = a[i] < b[i] ? a[i] : b[i];
              }
              return least;
            })
        .activeWhen(
            (id, before, after) -> {
              boolean changed = false;
              for (int i = 0; i < before.length; i++) {
                changed |= before[i] != after[i];
              }
              return changed;
            })
        .result(
            (id, attribute, value) -> {
              long hash = 3;
              for (int element : value) {
                hash = hash * 31 + element;
              }
              return hash;
            });
  }

  private static int[] filled(int length) {
    int[] most = new int[length];
    Arrays.fill(most, Integer.MAX_VALUE);
    return most;
  }

  /** A record with an array; elements depend on others, so that lanes cannot share them. */
  private static TestProgram<?, ?, ?, ?, ?> mixed(int length, Random random) {
    boolean sums = random.nextBoolean();
    return ArrayPrograms.<Mixed, Mixed>program("mixed of " + length, Mixed.class)
        .state((id, attribute, in, out) -> new Mixed(in, first(length, attribute)))
        .initial(new Mixed(0, new long[length]))
        .vertex(
            (id, value, message) -> {
              long[] next = value.values().clone();
              for (int i = 1; sums && i < next.length; i++) {
                next[i] = (next[i - 1] + message.values()[i]) & 0xfff;
              }
              next[0] += message.count();
              return new Mixed(value.count() + 1, next);
            })
        .send(
            edge -> {
              if (edge.srcAttr().count() >= edge.attr() - 3) {
                edge.sendToDst(new Mixed(1, edge.srcAttr().values()));
              }
            })
        .merge((a, b) -> new Mixed(a.count() + b.count(), ADD.merge(a.values(), b.values())))
        .aggregate("counts", AggregateOperation.SUM, (id, before, after) -> after.count())
        .result((id, attribute, value) -> hash(value.values()) + value.count());
  }

  /** The largest array in the order of a dictionary, which is not merged element by element. */
  private static TestProgram<?, ?, ?, ?, ?> largest(int length, Random random) {
    int shift = random.nextInt(3);
    return ArrayPrograms.<long[], long[]>program("largest of " + length, long[].class)
        .state((id, attribute, in, out) -> first(length, attribute))
        .initial(new long[length])
        .vertex((id, value, message) -> isLess(value, message) ? message : value)
        .send(
            edge -> {
              long[] moved = edge.srcAttr().clone();
              moved[(int) Math.floorMod(edge.srcId() + shift, (long) moved.length)] += 1;
              edge.sendToDst(moved);
            })
        .merge((a, b) -> isLess(a, b) ? b : a)
        .result((id, attribute, value) -> hash(value));
  }

  private static boolean isLess(long[] a, long[] b) {
    for (int i = 0; i < a.length; i++) {
      if (a[i] != b[i]) {
        return a[i] < b[i];
      }
    }
    return false;
  }
}
