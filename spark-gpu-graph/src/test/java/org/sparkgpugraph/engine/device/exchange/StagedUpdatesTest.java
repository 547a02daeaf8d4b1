package org.sparkgpugraph.engine.device.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.MemoryOnlyDevice;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.exchange.LastSent;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/** Updates that come in parts lie one behind the other in page-locked memory. */
class StagedUpdatesTest {
  private static final List<ColumnType> KINDS =
      List.of(Kind.DOUBLE, Kind.BOOLEAN, new ArrayType(Kind.FLOAT, 3), Kind.LONG, Kind.INT);

  private final Device device = new MemoryOnlyDevice(1 << 20);

  /**
   * Positions from {@code first} on.
   *
   * @param share of updates that carry a value
   */
  private static RefinedUpdates updates(int first, int count, double share, Random random) {
    RefinedUpdates updates = new RefinedUpdates(KINDS);
    for (int i = 0; i < count; i++) {
      updates.add(first + i, random.nextDouble() < share, random.nextBoolean());
    }
    Columns values = updates.values();
    for (int row = 0; row < updates.valuedCount(); row++) {
      values.doubles(0)[row] = random.nextDouble();
      values.booleans(1)[row] = random.nextBoolean();
      for (int i = 0; i < 3; i++) {
        values.floats(2)[3 * row + i] = random.nextFloat();
      }
      values.longs(3)[row] = random.nextLong();
      values.ints(4)[row] = random.nextInt();
    }
    return updates;
  }

  private static List<List<Object>> told(List<RefinedUpdates> parts) {
    List<List<Object>> all = new ArrayList<>();
    for (RefinedUpdates part : parts) {
      Columns values = part.values();
      int row = 0;
      for (int i = 0; i < part.count(); i++) {
        List<Object> one = new ArrayList<>(List.of(part.position(i), part.isActive(i)));
        if (part.isValued(i)) {
          one.add(values.doubles(0)[row]);
          one.add(values.booleans(1)[row]);
          one.add(
              List.of(
                  values.floats(2)[3 * row],
                  values.floats(2)[3 * row + 1],
                  values.floats(2)[3 * row + 2]));
          one.add(values.longs(3)[row]);
          one.add(values.ints(4)[row]);
          row++;
        }
        all.add(one);
      }
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.3, 1})
  void partsLieOneBehindTheOther(double share) {
    Random random = new Random(7);
    try (StagedUpdates staged = new StagedUpdates(device, KINDS);
        Workers workers = new Workers(3)) {
      // Some reach over the end of what a thread takes at a time.
      for (int[] sizes :
          new int[][] {
            {1}, {63, 1, 64, 65}, {65_536, 65_536, 100}, {100, 65_536, 65_535, 70_000}
          }) {
        List<RefinedUpdates> parts = new ArrayList<>();
        int first = 0;
        for (int size : sizes) {
          parts.add(updates(first, size, share, random));
          first += size;
        }
        staged.set(parts, workers);
        assertThat(staged.count()).isEqualTo(first);
        RefinedUpdates back = new RefinedUpdates(KINDS);
        staged.moveTo(back, workers);
        assertThat(told(List.of(back)).equals(told(parts))).as("%s", (Object) sizes).isTrue();
      }
    }
  }

  @Test
  void partsAreSetInGroups() {
    List<ColumnType> kinds = List.of(Kind.DOUBLE);
    List<RefinedUpdates> parts = new ArrayList<>();
    for (int count : new int[] {10, 10, 10, 50, 1, 9, 10}) {
      RefinedUpdates part = new RefinedUpdates(kinds);
      IntStream.range(0, count).forEach(i -> part.add(i, true, true));
      parts.add(part);
    }
    // 13 bytes each.
    List<List<RefinedUpdates>> groups = StagedUpdates.groups(parts, kinds, 20 * 13);
    assertThat(groups.stream().map(List::size)).containsExactly(2, 1, 1, 3);
    assertThat(groups.stream().flatMap(List::stream)).containsExactlyElementsOf(parts);
    assertThat(StagedUpdates.groups(List.of(), kinds, 1)).isEmpty();
  }

  /** Of one part all elements travel, of another those that differ from what the reader has. */
  @Test
  void elementsOfEachPartAreWithItsUpdates() {
    List<ColumnType> kinds = List.of(new ArrayType(Kind.INT, 40));
    RefinedUpdates whole = new RefinedUpdates(kinds);
    IntStream.range(0, 3).forEach(i -> whole.add(i, i != 1, true));
    RefinedUpdates some = new RefinedUpdates(kinds);
    IntStream.range(0, 2).forEach(i -> some.add(i, true, true));
    LastSent sent = new LastSent(kinds, 2);
    sent.start(some);
    some.values().ints(0)[3] = 5;
    some.values().ints(0)[40 + 39] = 6;
    sent.refine(some);
    assertThat(some.hasWholeRows()).isFalse();

    try (StagedUpdates staged = new StagedUpdates(device, kinds);
        Workers workers = new Workers(1)) {
      staged.set(List.of(whole, some), workers);
      List<Integer> words = new ArrayList<>();
      DeviceMemory room = device.allocate(8, "elements");
      assertThat(staged.uploadElements(uploads(words), room)).isSameAs(room);
      assertThat(words).containsExactly(-1, 0xff, 0, 0, -1, 0xff, 1 << 3, 0, 0, 1 << 7);
      staged.set(List.of(whole), workers);
      assertThat(staged.uploadElements(uploads(words), room)).isNull();
    }
  }

  /** A stream whose uploads are kept. */
  private static DeviceStream uploads(List<Integer> words) {
    return (DeviceStream)
        Proxy.newProxyInstance(
            DeviceStream.class.getClassLoader(),
            new Class<?>[] {DeviceStream.class},
            (self, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("upload");
              var from = ((PinnedMemory) arguments[0]).buffer().order(ByteOrder.nativeOrder());
              for (int at = 0; at < (int) arguments[4]; at += Integer.BYTES) {
                words.add(from.getInt((int) arguments[1] + at));
              }
              return null;
            });
  }
}
