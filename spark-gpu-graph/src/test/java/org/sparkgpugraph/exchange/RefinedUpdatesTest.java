package org.sparkgpugraph.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/** An outbox is (bits differ or active) and list, ascending, each vertex once. */
@Tag("any-spark")
class RefinedUpdatesTest {
  private static final List<ColumnType> STATE =
      List.of(Kind.DOUBLE, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.BOOLEAN);

  @Test
  void anOutboxIsTheIntersectionOfWhatIsSaidAndTheList() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      String what = "seed " + seed;
      int stored = 1 + random.nextInt(seed % 20 == 0 ? 20_000 : 300);
      int ghostsAtHome = random.nextInt(200);
      int[] members =
          random.ints(0, stored).limit(random.nextInt(stored + 1)).distinct().sorted().toArray();
      BoundaryList list = new BoundaryList(0, 1, members, 7);
      boolean[] isMember = new boolean[stored];
      Arrays.stream(members).forEach(v -> isMember[v] = true);
      Columns home = randomState(random, stored + ghostsAtHome);
      Columns reader = randomState(random, 7 + members.length);
      int[] shipped = random.nextBoolean() ? new int[] {0, 2} : new int[] {0, 1, 2, 3, 4};
      UpdateCollector collector =
          new UpdateCollector(list, stored, shipped, STATE, ExchangeMode.REFINED);
      // The same buffers, several supersteps.
      for (int step = 0; step < 3; step++) {
        VertexBitmap changed = randomSubset(random, stored, stored);
        VertexBitmap active = randomSubset(random, stored, stored + ghostsAtHome);
        boolean travels = random.nextBoolean();
        RefinedUpdates updates = collector.collect(changed, travels ? active : null, home.arrays());

        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < members.length; i++) {
          if (changed.contains(members[i]) || travels && active.contains(members[i])) {
            expected.add(i);
          }
        }
        assertThat(updates.count()).as(what).isEqualTo(expected.size());
        int valued = 0;
        for (int i = 0; i < updates.count(); i++) {
          int vertex = members[updates.position(i)];
          assertThat(updates.position(i)).as(what).isEqualTo(expected.get(i));
          assertThat(updates.isValued(i)).as(what).isEqualTo(changed.contains(vertex));
          assertThat(updates.isActive(i)).as(what).isEqualTo(travels && active.contains(vertex));
          valued += updates.isValued(i) ? 1 : 0;
        }
        assertThat(updates.valuedCount()).as(what).isEqualTo(valued);
        int row = shipped.length == 2 ? 16 : 25;
        assertThat(updates.bytes())
            .as(what)
            .isEqualTo(4L * expected.size() + 16L * ((expected.size() + 63) / 64) + row * valued);

        Columns before = Columns.allocate(STATE, reader.length());
        before.copyFrom(reader, 0, 0, reader.length());
        VertexBitmap ghosts = new VertexBitmap(reader.length());
        updates.apply(reader.arrays(), shipped, list.firstGhost(), ghosts);
        for (int i = 0; i < members.length; i++) {
          for (int c = 0; c < STATE.size(); c++) {
            int column = c;
            boolean sent =
                changed.contains(members[i]) && Arrays.stream(shipped).anyMatch(s -> s == column);
            assertThat(reader.get(c, 7 + i))
                .as("%s, position %s, column %s", what, i, c)
                .isEqualTo(sent ? home.get(c, members[i]) : before.get(c, 7 + i));
          }
          assertThat(ghosts.contains(7 + i))
              .as(what)
              .isEqualTo(travels && active.contains(members[i]));
        }
      }
    }
  }

  @Test
  void aFirstOrRestoredStateIsSentInFull() {
    BoundaryList list = new BoundaryList(0, 1, new int[] {3, 64, 127, 200}, 0);
    UpdateCollector collector =
        new UpdateCollector(list, 201, new int[] {0}, List.of(Kind.INT), ExchangeMode.REFINED);
    Columns home = Columns.allocate(List.of(Kind.INT), 201);
    Arrays.setAll(home.ints(0), v -> v);
    RefinedUpdates updates = collector.collect(null, null, home.arrays());
    Columns reader = Columns.allocate(List.of(Kind.INT), 4);
    updates.apply(reader.arrays(), new int[] {0}, 0, null);
    assertThat(reader.ints(0)).containsExactly(3, 64, 127, 200);
  }

  @Test
  void aListThatIsNotAscendingIsRefused() {
    BoundaryList list = new BoundaryList(2, 5, new int[] {3, 3}, 0);
    assertThatThrownBy(() -> new BoundaryIndex(list, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("boundary list 2 to 5 is not ascending below 10: 3 after 3");
  }

  @Test
  void bitmapsAgreeWithSets() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int size = 1 + random.nextInt(20_000);
      VertexBitmap bitmap = new VertexBitmap(size);
      boolean[] set = new boolean[size];
      for (int i = 0; i < 50; i++) {
        int from = random.nextInt(size);
        switch (random.nextInt(4)) {
          case 0 -> {
            bitmap.add(from);
            set[from] = true;
          }
          case 1 -> {
            bitmap.addShared(from);
            set[from] = true;
          }
          case 2 -> {
            int to = Math.min(size, from + random.nextInt(200));
            bitmap.addRange(from, to);
            Arrays.fill(set, from, to, true);
          }
          default -> {
            if (random.nextInt(10) == 0) {
              bitmap.clear();
              Arrays.fill(set, false);
            }
          }
        }
      }
      int count = 0;
      for (int v = 0; v < size; v++) {
        assertThat(bitmap.contains(v)).as("seed %s, vertex %s", seed, v).isEqualTo(set[v]);
        count += set[v] ? 1 : 0;
      }
      assertThat(bitmap.count()).isEqualTo(count);
      long[] summary = bitmap.summary.clone();
      bitmap.summarise();
      assertThat(bitmap.summary).as("seed %s", seed).isEqualTo(summary);
      bitmap.clear();
      assertThat(bitmap.count()).isZero();
    }
  }

  private static Columns randomState(Random random, int rows) {
    Columns state = Columns.allocate(STATE, rows);
    for (int v = 0; v < rows; v++) {
      state.doubles(0)[v] = random.nextDouble();
      state.ints(1)[v] = random.nextInt();
      state.longs(2)[v] = random.nextLong();
      state.floats(3)[v] = random.nextFloat();
      state.booleans(4)[v] = random.nextBoolean();
    }
    return state;
  }

  private static VertexBitmap randomSubset(Random random, int below, int size) {
    VertexBitmap bitmap = new VertexBitmap(size);
    int limit = random.nextInt(3) * below / 4;
    for (int i = 0; i < limit; i++) {
      bitmap.add(random.nextInt(size));
    }
    return bitmap;
  }

  /** As a device tells and takes them: positions, and flags as bytes, in pieces in any order. */
  @Test
  void flagsAsBytesAreTheSameUpdates() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      RefinedUpdates expected = new RefinedUpdates(List.of(Kind.INT));
      RefinedUpdates found = new RefinedUpdates(List.of(Kind.INT));
      int count = random.nextInt(2) == 0 ? 64 * random.nextInt(8) : random.nextInt(600);
      IntBuffer told = IntBuffer.allocate(count);
      ByteBuffer toldFlags = ByteBuffer.allocate(count);
      int position = -1;
      for (int i = 0; i < count; i++) {
        position += 1 + random.nextInt(3);
        int flag = random.nextInt(4);
        told.put(i, position);
        toldFlags.put(i, (byte) flag);
        expected.add(position, (flag & 1) != 0, (flag & 2) != 0);
      }
      // What was there before is forgotten.
      IntStream.range(0, random.nextInt(700)).forEach(i -> found.add(i, true, true));
      found.begin(count);
      List<Integer> pieces =
          new ArrayList<>(IntStream.range(0, (count + 127) / 128).boxed().toList());
      Collections.shuffle(pieces, random);
      int withValue = 0;
      for (int piece : pieces) {
        int size = Math.min(128, count - 128 * piece);
        withValue +=
            found.put(
                128 * piece, told.slice(128 * piece, size), toldFlags.slice(128 * piece, size));
      }
      found.written(withValue);
      assertThat(said(found)).as("seed %d", seed).isEqualTo(said(expected));
      assertThat(found.valuedCount()).isEqualTo(expected.valuedCount());
      assertThat(found.activeCount()).isEqualTo(expected.activeCount());

      int from = random.nextInt(expected.count() + 1);
      int to = from + random.nextInt(expected.count() + 1 - from);
      IntBuffer positions = IntBuffer.allocate(to - from);
      ByteBuffer flags = ByteBuffer.allocate(to - from);
      found.positions(from, positions);
      found.flags(from, flags);
      for (int i = from; i < to; i++) {
        int flag = (expected.isValued(i) ? 1 : 0) + (expected.isActive(i) ? 2 : 0);
        assertThat(flags.get(i - from)).as("seed %d, update %d", seed, i).isEqualTo((byte) flag);
        assertThat(positions.get(i - from)).isEqualTo(expected.position(i));
      }
    }
  }

  private static List<String> said(RefinedUpdates updates) {
    List<String> said = new ArrayList<>();
    for (int i = 0; i < updates.count(); i++) {
      said.add(updates.position(i) + " " + updates.isValued(i) + " " + updates.isActive(i));
    }
    return said;
  }
}
