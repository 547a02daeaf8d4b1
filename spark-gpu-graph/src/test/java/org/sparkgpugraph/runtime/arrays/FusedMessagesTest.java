package org.sparkgpugraph.runtime.arrays;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.runtime.EnginePropertyTest;
import org.sparkgpugraph.runtime.ShardedTrial;
import org.sparkgpugraph.testing.TestProgram;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Vectors;

/**
 * Programs whose messages are delivered and merged element by element on the CPU engine, and such
 * as come near, against the sequential reference. Elements are small whole numbers and quarters, so
 * that no order of adding shows.
 */
@Tag("any-spark")
class FusedMessagesTest {
  /** A message of two arrays and two numbers. */
  public record Parts(double[] sums, int[] most, long count, double best) implements Serializable {}

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 16, 31, 32, 33, 64, 100, 128})
  void theCpuEngineGivesWhatTheReferenceGives(int length) {
    long seed = 1000L * length;
    for (SendMessage<double[], Long, double[]> send : sends()) {
      EnginePropertyTest.check(sums(length, send, Vectors::add, new Random(seed)), seed);
      if (seed % 3 == 0) {
        MergeMessage<double[]> merge = seed % 2 == 0 ? FusedMessagesTest::least : Vectors::add;
        ShardedTrial.check(sums(length, send, merge, new Random(seed)), seed, new CpuEngine());
      }
      seed++;
    }
    for (MergeMessage<double[]> merge : merges()) {
      SendMessage<double[], Long, double[]> send = sends().get((int) (seed % sends().size()));
      EnginePropertyTest.check(sums(length, send, merge, new Random(seed)), seed);
      seed++;
    }
    for (SendMessage<double[], Long, Parts> send : sendsOfParts()) {
      for (MergeMessage<Parts> merge : mergesOfParts()) {
        EnginePropertyTest.check(parts(length, send, merge, new Random(seed)), seed);
        seed++;
      }
    }
  }

  private static double[] first(int length, long attribute) {
    double[] values = new double[length];
    for (int i = 0; i < length; i++) {
      values[i] = (attribute * (i + 3) % 17 - 8) / 4.0;
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

  private static TestProgram<Long, Long, double[], double[], Long> sums(
      int length,
      SendMessage<double[], Long, double[]> send,
      MergeMessage<double[]> merge,
      Random random) {
    VertexProgram<double[], double[]> vertex =
        (id, value, message) -> {
          double[] next = new double[value.length];
          for (int i = 0; i < next.length; i++) {
            next[i] = (value[i] + message[i]) % 8;
          }
          return next;
        };
    return program(
        "sums of " + length, double[].class, first(length, 1), length, vertex, send, merge, random);
  }

  private static TestProgram<Long, Long, double[], Parts, Long> parts(
      int length,
      SendMessage<double[], Long, Parts> send,
      MergeMessage<Parts> merge,
      Random random) {
    VertexProgram<double[], Parts> vertex =
        (id, value, message) -> {
          double[] next = new double[value.length];
          for (int i = 0; i < next.length; i++) {
            next[i] = (value[i] + message.sums()[i] + message.most()[i] + message.best()) % 8;
          }
          next[0] += message.count() % 4;
          return next;
        };
    Parts none = new Parts(first(length, 2), new int[length], 0, 0.5);
    return program("parts of " + length, Parts.class, none, length, vertex, send, merge, random);
  }

  private static <A> TestProgram<Long, Long, double[], A, Long> program(
      String name,
      Class<A> message,
      A none,
      int length,
      VertexProgram<double[], A> vertex,
      SendMessage<double[], Long, A> send,
      MergeMessage<A> merge,
      Random random) {
    TestProgram<Long, Long, double[], A, Long> program =
        new TestProgram<Long, Long, double[], A, Long>(
                name, Long.class, Long.class, message, Long.class)
            .inputs(r -> (long) r.nextInt(50), r -> (long) r.nextInt(6))
            .state((id, attribute, in, out) -> first(length, attribute + (id & 3)))
            .initial(none)
            .vertex(vertex)
            .send(send)
            .merge(merge)
            .result((id, attribute, value) -> hash(value))
            .direction(ActiveDirection.values()[random.nextInt(4)])
            .maxIterations(2 + random.nextInt(3));
    return random.nextBoolean() ? program.everyVertex(none) : program;
  }

  // ---- messages that are an array -------------------------------------------------------------

  private static List<SendMessage<double[], Long, double[]>> sends() {
    List<SendMessage<double[], Long, double[]>> all = new ArrayList<>();
    all.add(edge -> edge.sendToDst(edge.srcAttr()));
    all.add(edge -> edge.sendToDst(Vectors.scale(edge.attr() / 2.0, edge.srcAttr())));
    // Each end gets an array of its own.
    all.add(
        edge -> {
          double[] there = new double[edge.srcAttr().length];
          double[] back = new double[edge.srcAttr().length];
          for (int i = 0; i < there.length; i++) {
            double difference = edge.srcAttr()[i] - edge.dstAttr()[i];
            there[i] = difference;
            back[i] = difference > 0 ? difference : edge.attr();
          }
          edge.sendToDst(there);
          edge.sendToSrc(back);
        });
    // One array for both ends.
    all.add(
        edge -> {
          double[] both = Vectors.add(edge.srcAttr(), edge.dstAttr());
          edge.sendToDst(both);
          edge.sendToSrc(both);
        });
    // Decided by what the loop has found, too late to take back what it delivered.
    all.add(
        edge -> {
          double[] sent = new double[edge.srcAttr().length];
          double total = 0;
          for (int i = 0; i < sent.length; i++) {
            sent[i] = edge.srcAttr()[i] * 2;
            total += sent[i];
          }
          if (total > 0) {
            edge.sendToDst(sent);
          }
        });
    // Decided before the loop.
    all.add(
        edge -> {
          if (edge.attr() % 2 == 0) {
            edge.sendToDst(Vectors.scale(0.5, edge.srcAttr()));
          } else if (edge.attr() == 3) {
            edge.sendToDst(edge.srcAttr());
          }
        });
    // Two messages, whose loops come in the other order.
    all.add(
        edge -> {
          double[] one = Vectors.scale(2, edge.srcAttr());
          double[] other = Vectors.scale(3, edge.srcAttr());
          edge.sendToDst(other);
          edge.sendToDst(one);
        });
    // The same message several times.
    all.add(
        edge -> {
          double[] sent = Vectors.scale(2, edge.srcAttr());
          for (int times = 0; times < edge.attr(); times++) {
            edge.sendToDst(sent);
          }
        });
    // Not all elements are set, or some twice.
    all.add(
        edge -> {
          double[] sent = new double[edge.srcAttr().length];
          for (int i = 0; i < sent.length; i++) {
            if (edge.srcAttr()[i] > 0) {
              sent[i] = edge.srcAttr()[i];
            }
          }
          edge.sendToDst(sent);
        });
    all.add(
        edge -> {
          double[] sent = Vectors.scale(2, edge.srcAttr());
          sent[edge.srcAttr().length / 2] = edge.attr();
          edge.sendToDst(sent);
        });
    all.add(
        edge -> {
          double[] sent = new double[edge.srcAttr().length];
          for (int i = 1; i < sent.length; i++) {
            sent[i] = edge.srcAttr()[i - 1];
          }
          edge.sendToSrc(sent);
        });
    // Elements are read again.
    all.add(
        edge -> {
          double[] sent = new double[edge.srcAttr().length];
          double total = 0;
          for (int i = 0; i < sent.length; i++) {
            sent[i] = edge.srcAttr()[i] + i % 3;
            total += sent[i];
          }
          for (int i = 0; i < sent.length; i++) {
            sent[i] = sent[i] - total % 4;
          }
          edge.sendToDst(sent);
        });
    // A loop that ends early.
    all.add(
        edge -> {
          double[] sent = new double[edge.srcAttr().length];
          for (int i = 0; i < sent.length; i++) {
            if (edge.srcAttr()[i] == 1.5) {
              break;
            }
            sent[i] = edge.dstAttr()[i] + 1;
          }
          edge.sendToDst(sent);
        });
    all.add(
        edge -> {
          long weight = (long) Reductions.dot(edge.srcAttr(), edge.dstAttr()) % 4;
          edge.sendToDst(Vectors.scale(weight, edge.srcAttr()));
        });
    return all;
  }

  private static double[] least(double[] x, double[] y) {
    double[] z = new double[x.length];
    for (int i = 0; i < z.length; i++) {
      z[i] = Math.min(x[i], y[i]);
    }
    return z;
  }

  private static List<MergeMessage<double[]>> merges() {
    List<MergeMessage<double[]>> all = new ArrayList<>();
    all.add(FusedMessagesTest::least);
    // No neutral element is known.
    all.add(
        (x, y) -> {
          double[] z = new double[x.length];
          for (int i = 0; i < z.length; i++) {
            z[i] = x[i] < y[i] ? x[i] : y[i];
          }
          return z;
        });
    // An element depends on another.
    all.add((x, y) -> x[0] < y[0] || x[0] == y[0] && hash(x) <= hash(y) ? x : y);
    return all;
  }

  // ---- messages of several arrays and numbers -------------------------------------------------

  private static List<SendMessage<double[], Long, Parts>> sendsOfParts() {
    List<SendMessage<double[], Long, Parts>> all = new ArrayList<>();
    all.add(
        edge -> {
          int[] most = new int[edge.srcAttr().length];
          for (int i = 0; i < most.length; i++) {
            most[i] = (int) edge.srcAttr()[i] * 3 - i % 5;
          }
          edge.sendToDst(new Parts(edge.srcAttr(), most, 1, edge.srcAttr()[0]));
        });
    all.add(
        edge -> {
          double[] sums = new double[edge.srcAttr().length];
          int[] most = new int[edge.srcAttr().length];
          long count = 0;
          for (int i = 0; i < most.length; i++) {
            sums[i] = edge.srcAttr()[i] - edge.dstAttr()[i];
            most[i] = sums[i] > 0 ? 1 : -1;
            count += most[i];
          }
          edge.sendToDst(new Parts(sums, most, count, sums[0]));
        });
    all.add(
        edge -> {
          double[] sums = Vectors.scale(edge.attr(), edge.srcAttr());
          edge.sendToSrc(new Parts(sums, new int[sums.length], edge.attr(), -edge.attr()));
          edge.sendToDst(new Parts(edge.srcAttr(), new int[sums.length], 2, 1));
        });
    return all;
  }

  private static List<MergeMessage<Parts>> mergesOfParts() {
    List<MergeMessage<Parts>> all = new ArrayList<>();
    all.add(
        (x, y) -> {
          int[] most = new int[x.most().length];
          for (int i = 0; i < most.length; i++) {
            most[i] = Math.max(x.most()[i], y.most()[i]);
          }
          return new Parts(
              Vectors.add(x.sums(), y.sums()),
              most,
              x.count() + y.count(),
              Math.min(x.best(), y.best()));
        });
    // One column decides about another.
    all.add(
        (x, y) -> {
          int[] most = new int[x.most().length];
          for (int i = 0; i < most.length; i++) {
            most[i] = Math.max(x.most()[i], y.most()[i]);
          }
          boolean isFirst =
              x.best() < y.best() || x.best() == y.best() && hash(x.sums()) <= hash(y.sums());
          return new Parts(
              isFirst ? x.sums() : y.sums(),
              most,
              x.count() + y.count(),
              Math.min(x.best(), y.best()));
        });
    return all;
  }
}
