package org.sparkgpugraph.graphs.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is remembered of a heap that grows and shrinks. */
class HeapPeakTest {
  private static final long MOST = 1000;
  private static final long MOST_MILLIS = 10_000;

  /** In whatever order, and however often, it is told. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void theHighestSinceAnyMomentIsKnown(long seed) {
    Random random = new Random(seed);
    List<long[]> told = new ArrayList<>();
    for (int i = 0; i < HeapPeak.MOST / 2; i++) {
      told.add(new long[] {random.nextInt(500), 1 + random.nextInt((int) MOST)});
    }
    List<long[]> late = new ArrayList<>(told);
    late.addAll(told.subList(0, 50));
    Collections.shuffle(late, random);
    HeapPeak peak = new HeapPeak();
    late.forEach(sample -> peak.add(sample[0], sample[1]));
    for (long from = 0; from < 510; from++) {
      long begin = from;
      long wanted = told.stream().filter(s -> s[0] >= begin).mapToLong(s -> s[1]).max().orElse(0);
      assertThat(peak.highest(from)).as("since " + from).isEqualTo(wanted);
    }
  }

  /** More moments than it tells apart: the oldest are never less than they were. */
  @Test
  void ofTheOldestNothingIsTooLow() {
    HeapPeak peak = new HeapPeak();
    int count = 3 * HeapPeak.MOST;
    for (int i = 0; i < count; i++) {
      peak.add(i, count - i);
    }
    for (int i = 0; i < count; i++) {
      assertThat(peak.highest(i)).isBetween((long) count - i, (long) count);
    }
    assertThat(peak.highest(count - HeapPeak.MOST / 2)).isEqualTo(HeapPeak.MOST / 2);
  }

  /** Its clock and that of the JVM are some 60 ms apart, which a collection may be sooner. */
  @Test
  void aCollectionIsBehindTheMarkThatWasBefore() {
    for (int i = 0; i < 3; i++) {
      long before = HeapPeak.mark();
      System.gc();
      long end =
          ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
              .map(GarbageCollectorMXBean::getLastGcInfo)
              .filter(Objects::nonNull)
              .mapToLong(GcInfo::getEndTime)
              .max()
              .orElseThrow();
      assertThat(end).isGreaterThanOrEqualTo(before);
    }
  }

  @Test
  void whatWasCollectedCountsForThoseWhoWereThere() throws InterruptedException {
    HeapPeak.watch();
    long begun = HeapPeak.mark();
    long size = 96L << 20;
    byte[] garbage = new byte[(int) size];
    garbage[garbage.length - 1] = 1;
    long with = HeapPeak.since(begun);
    assertThat(with).isGreaterThan(size);
    garbage = null;
    System.gc();
    // Of a collection before that one only its notification tells, which a busy machine delays.
    do {
      TimeUnit.MILLISECONDS.sleep(10);
    } while (HeapPeak.since(begun) < with && HeapPeak.mark() - begun < MOST_MILLIS);
    long later = HeapPeak.mark();
    assertThat(HeapPeak.since(begun)).isGreaterThanOrEqualTo(with);
    assertThat(HeapPeak.since(later)).isLessThan(with - size / 2);
  }
}
