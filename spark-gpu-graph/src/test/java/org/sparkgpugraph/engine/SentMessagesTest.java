package org.sparkgpugraph.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.runtime.EngineTrial;
import org.sparkgpugraph.testing.TestProgram;

/** What several threads find that hubs do not have yet is what one finds, row by row. */
class SentMessagesTest {
  /** A message with a column of each kind. */
  public record All(long a, int b, double c, float d, boolean e) {}

  private static final List<Integer> SIZES = List.of(0, 1, 63, 64, 65, 16_384, 16_385, 50_000);

  static LiftedProgram program() {
    TestProgram<Long, Integer, Long, All, Long> program =
        new TestProgram<Long, Integer, Long, All, Long>(
                "all kinds", Long.class, Integer.class, All.class, Long.class)
            .inputs(r -> 1L, r -> 1)
            .everyVertex(new All(0, 0, 0, 0, false))
            .vertex((id, value, message) -> value + message.a())
            .send(edge -> edge.sendToDst(new All(edge.srcAttr(), 1, 2.0, 3f, true)))
            .merge(
                (x, y) ->
                    new All(x.a() + y.a(), x.b() + y.b(), x.c() + y.c(), x.d() + y.d(), x.e()))
            .maxIterations(1);
    return EngineTrial.instance(program, 0).program();
  }

  /** Rows of which some share changes between supersteps; floating-point zeros of both signs. */
  static void change(boolean[] isSent, Columns messages, double share, Random random) {
    for (int row = 0; row < isSent.length; row++) {
      if (random.nextDouble() < share) {
        isSent[row] = random.nextInt(4) > 0;
        ((long[]) messages.array(0))[row] = random.nextInt(2);
        ((int[]) messages.array(1))[row] = random.nextInt(2);
        ((double[]) messages.array(2))[row] = random.nextBoolean() ? 0.0 : -0.0;
        ((float[]) messages.array(3))[row] = random.nextBoolean() ? Float.NaN : 1;
        ((boolean[]) messages.array(4))[row] = random.nextBoolean();
      }
    }
  }

  @Test
  void allThreadsFindWhatOneFinds() {
    LiftedProgram program = program();
    for (int seed = 0; seed < 24; seed++) {
      Random random = new Random(seed);
      int before = random.nextInt(100);
      int size = SIZES.get(seed % SIZES.size());
      int rows = before + size + random.nextInt(100);
      boolean[] isSent = new boolean[rows];
      Columns messages = Columns.allocate(program.message().columns(), rows);
      SentMessages expected = new SentMessages(program, rows);
      SentMessages actual = new SentMessages(program, rows);
      SentMessages.Collector collector = actual.new Collector(before, size);
      RefinedUpdates all = new RefinedUpdates(program.message().columns());
      double[] shares = {1, 0.5, 0, 0.01, 1};
      try (Workers workers = new Workers(1 + seed % 3)) {
        for (int step = 0; step < shares.length; step++) {
          String how = "seed " + seed + ", step " + step;
          change(isSent, messages, shares[step], random);
          RefinedUpdates one = new RefinedUpdates(program.message().columns());
          for (int i = 0; i < size; i++) {
            expected.add(before + i, i, isSent[before + i], messages, one);
          }
          expected.pack(before, messages, one);
          collector.collect(isSent, messages, all, workers);
          assertSame(one, all, how);
          if (step == 3) {
            expected.restart();
            actual.restart();
          }
        }
      }
    }
  }

  private static void assertSame(RefinedUpdates expected, RefinedUpdates actual, String how) {
    assertThat(actual.count()).as(how).isEqualTo(expected.count());
    assertThat(actual.valuedCount()).as(how).isEqualTo(expected.valuedCount());
    for (int i = 0; i < expected.count(); i++) {
      assertThat(actual.position(i)).as(how).isEqualTo(expected.position(i));
      assertThat(actual.isValued(i)).as(how).isEqualTo(expected.isValued(i));
      assertThat(actual.isActive(i)).as(how).isEqualTo(expected.isActive(i));
    }
    IntStream.range(0, expected.kinds().size())
        .forEach(c -> assertThat(bits(actual, c)).as(how + ", " + c).isEqualTo(bits(expected, c)));
  }

  private static List<Object> bits(RefinedUpdates updates, int column) {
    Object values = updates.values().array(column);
    return IntStream.range(0, updates.valuedCount())
        .<Object>mapToObj(
            row ->
                values instanceof double[] a
                    ? Double.doubleToRawLongBits(a[row])
                    : values instanceof float[] b
                        ? Float.floatToRawIntBits(b[row])
                        : Array.get(values, row))
        .toList();
  }
}
