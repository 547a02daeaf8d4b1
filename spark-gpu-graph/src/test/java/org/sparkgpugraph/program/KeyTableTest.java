package org.sparkgpugraph.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-spark-4")
class KeyTableTest {
  private static void check(long[] keys) {
    KeyTable table = KeyTable.of(keys);
    assertThat(table).isNotNull();
    assertThat(table.entries()).hasSize((int) KeyTable.slots(keys.length));
    assertThat(table.factors()).hasSize((int) KeyTable.factors(keys.length));
    assertThat(keys.length).isLessThanOrEqualTo(table.entries().length * 3 / 4);
    for (int i = 0; i < keys.length; i++) {
      assertThat(table.entries()[slot(table, keys[i])]).isEqualTo(i);
    }
    assertThat(Arrays.stream(table.entries()).filter(e -> e != KeyTable.FREE).count())
        .isEqualTo(keys.length);
  }

  /** As the class says it. */
  private static int slot(KeyTable table, long key) {
    long hash = (key ^ key >>> 32) * table.multiplier();
    hash ^= hash >>> 32;
    long factor = table.factors()[(int) (hash >>> table.bucketShift())];
    return (int) (hash * factor >>> table.slotShift());
  }

  private static long[] keys(int count, LongUnaryOperator key) {
    return LongStream.range(0, count).map(key).toArray();
  }

  @Test
  void everyKeyHasASlotOfItsOwn() {
    Random random = new Random(16);
    for (int count : new int[] {2, 3, 64, 65, 96, 97, 1000, 5000, 100_000, 1_000_000}) {
      check(keys(count, i -> i));
      check(keys(count, i -> -i * 7919));
      check(random.longs().distinct().limit(count).toArray());
      check(keys(count, i -> i << 44));
      check(keys(count, i -> Long.MIN_VALUE + i));
      check(keys(count, i -> i * i));
      check(keys(count, i -> i * 0x9e3779b97f4a7c15L));
      check(keys(count, i -> (i & 1023) << 54 | i >>> 10));
    }
  }

  @Test
  void keysThatComeTwiceHaveNoPlace() {
    assertThat(KeyTable.of(keys(100, i -> i % 99))).isNull();
  }

  @Test
  void anInterruptEndsIt() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> KeyTable.of(keys(100, i -> i)))
          .isInstanceOf(IllegalStateException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
