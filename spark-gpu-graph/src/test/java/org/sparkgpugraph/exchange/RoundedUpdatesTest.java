package org.sparkgpugraph.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * After every exchange a ghost is the rounded value of its home, and nothing travels for nothing.
 */
@Tag("any-spark")
class RoundedUpdatesTest {
  private static final UpdateCodec.Header HEADER = new UpdateCodec.Header(1, 2, 3, 4);
  private static final int BITS = 12;
  private static final List<ColumnType> NUMBERS = List.of(Kind.DOUBLE, Kind.INT, Kind.FLOAT);
  private static final List<ColumnType> ARRAYS =
      List.of(Kind.DOUBLE, Kind.INT, Kind.FLOAT, new ArrayType(Kind.DOUBLE, 3));

  /** A home and its reader. */
  private static final class Pair {
    private final Random random;
    private final List<ColumnType> kinds;
    private final int[] shipped;
    private final BoundaryList list;
    private final Columns home;
    private final Columns reader;
    private final UpdateCollector collector;
    private final BoundaryInbox inbox;
    private final LastSent arrays;
    private final RoundedUpdates rounded;
    private final VertexBitmap changed;
    private final VertexBitmap active;

    Pair(Random random, List<ColumnType> kinds, ExchangeMode mode) {
      this.random = random;
      this.kinds = kinds;
      shipped = new int[kinds.size()];
      Arrays.setAll(shipped, c -> c);
      int stored = 1 + random.nextInt(400);
      int[] members = random.ints(0, stored).limit(stored).distinct().sorted().toArray();
      list = new BoundaryList(0, 1, members, 5);
      home = Columns.allocate(kinds, stored);
      reader = Columns.allocate(kinds, 5 + members.length);
      collector = new UpdateCollector(list, stored, shipped, kinds, mode);
      inbox = new BoundaryInbox(list, shipped, mode);
      arrays = mode == ExchangeMode.REFINED ? new LastSent(kinds, list.size()) : null;
      rounded = new RoundedUpdates(kinds, BITS, list.size(), mode);
      changed = new VertexBitmap(stored);
      active = new VertexBitmap(stored);
    }

    void change(int v, double by) {
      double number = ((double[]) home.array(0))[v] * (1 + by) + (by > 0.01 ? by : 0);
      ((double[]) home.array(0))[v] = number;
      ((float[]) home.array(2))[v] = (float) number;
      if (kinds.size() > 3) {
        ((double[]) home.array(3))[3 * v + random.nextInt(3)] = number;
      }
      changed.add(v);
    }

    /** Returns what travelled. */
    RefinedUpdates exchange(boolean all) {
      if (all) {
        rounded.tellsAll();
      }
      active.clearAll();
      for (int v = 0; v < home.length(); v++) {
        if (random.nextInt(8) == 0) {
          active.add(v);
        }
      }
      RefinedUpdates updates = collector.collect(all ? null : changed, active, home.arrays());
      if (arrays != null && all) {
        arrays.start(updates);
      } else if (arrays != null && LastSent.isOfUse(kinds)) {
        arrays.refine(updates);
      }
      changed.clearAll();
      rounded.begin(updates);
      for (int from = 0; from < updates.count(); from += 64) {
        rounded.round(updates, from, Math.min(updates.count(), from + 64));
      }
      RefinedUpdates told = rounded.told(updates);
      UpdateCodec codec = new UpdateCodec(kinds, UpdateEncoding.PACKED);
      VertexBitmap woken = new VertexBitmap(reader.length());
      for (byte[] record : codec.encode(HEADER, List.of(told))) {
        codec.decode(record, HEADER, (number, read) -> inbox.apply(read, reader.arrays(), woken));
      }
      for (int i = 0; i < list.size(); i++) {
        assertThat(woken.contains(list.firstGhost() + i))
            .isEqualTo(active.contains(list.homeVertices()[i]));
      }
      return told;
    }

    void check(String what) {
      for (int i = 0; i < list.size(); i++) {
        int v = list.homeVertices()[i];
        int ghost = list.firstGhost() + i;
        assertThat(((double[]) reader.array(0))[ghost])
            .as(what)
            .isEqualTo(Rounding.round(((double[]) home.array(0))[v], BITS));
        assertThat(((int[]) reader.array(1))[ghost]).as(what).isEqualTo(((int[]) home.array(1))[v]);
        assertThat(((float[]) reader.array(2))[ghost])
            .as(what)
            .isEqualTo(Rounding.round(((float[]) home.array(2))[v], BITS));
        for (int e = 0; e < 3 && kinds.size() > 3; e++) {
          assertThat(((double[]) reader.array(3))[3 * ghost + e])
              .as(what)
              .isEqualTo(Rounding.round(((double[]) home.array(3))[3 * v + e], BITS));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ExchangeMode.class)
  void ghostsAreRoundedHomes(ExchangeMode mode) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      Pair pair = new Pair(random, seed % 2 == 0 ? NUMBERS : ARRAYS, mode);
      for (int v = 0; v < pair.home.length(); v++) {
        pair.change(v, random.nextDouble());
        ((int[]) pair.home.array(1))[v] = random.nextInt();
      }
      pair.exchange(true);
      pair.check("seed " + seed + ", first");
      for (int exchange = 0; exchange < 10; exchange++) {
        int share = 1 + random.nextInt(4);
        for (int v = 0; v < pair.home.length(); v++) {
          if (random.nextInt(share) == 0) {
            pair.change(v, random.nextBoolean() ? 1e-7 : random.nextDouble());
          }
        }
        pair.exchange(false);
        String what = "seed %s, %s, exchange %s".formatted(seed, mode, exchange);
        pair.check(what);
        if (random.nextInt(5) == 0) {
          // A reader of which nothing is known.
          Arrays.fill((double[]) pair.reader.array(0), random.nextDouble());
          pair.exchange(true);
          pair.check(what + ", restored");
        }
      }
    }
  }

  @Test
  void whatTheReaderHasDoesNotTravel() {
    Pair pair = new Pair(new Random(9), NUMBERS, ExchangeMode.REFINED);
    for (int v = 0; v < pair.home.length(); v++) {
      pair.change(v, 0.5);
    }
    assertThat(pair.exchange(true).valuedCount()).isEqualTo(pair.list.size());
    // Less than half a unit of 12 bits.
    for (int v = 0; v < pair.home.length(); v++) {
      pair.change(v, 1e-9);
    }
    RefinedUpdates told = pair.exchange(false);
    assertThat(told.valuedCount()).isLessThan(pair.list.size() / 50);
    assertThat(told.activeCount()).as("who is active is told in any case").isPositive();
    pair.check("small changes");
    int one = pair.list.homeVertices()[pair.list.size() / 2];
    for (int v = 0; v < pair.home.length(); v++) {
      pair.change(v, v == one ? 0.5 : 1e-9);
    }
    assertThat(pair.exchange(false).valuedCount()).isBetween(1, pair.list.size() / 50);
    pair.check("one large change");
  }
}
