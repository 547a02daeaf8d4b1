package org.sparkgpugraph.runtime.held;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.HeapPeak;

/** What a JVM remembers of the loads that have begun there. */
@Tag("any-spark")
class LoadMarksTest {
  private static final int SIZE = 96 << 20;
  private static final long MOST_MILLIS = 10_000;

  /** Takes much of the heap for a moment, which is over, and known, when this returns. */
  private static void peak() throws InterruptedException {
    long begun = HeapPeak.mark();
    byte[] garbage = new byte[SIZE];
    garbage[SIZE - 1] = 1;
    assertThat(HeapPeak.since(HeapPeak.mark())).isGreaterThan(SIZE * (long) garbage[SIZE - 1]);
    garbage = null;
    System.gc();
    // Of a collection before that one only its notification tells, which a busy machine delays.
    do {
      TimeUnit.MILLISECONDS.sleep(10);
    } while (HeapPeak.since(begun) < SIZE && HeapPeak.mark() - begun < MOST_MILLIS);
  }

  private static long now() {
    return HeapPeak.since(HeapPeak.mark());
  }

  @Test
  void aLoadBeginsWithItsFirstTask() throws InterruptedException {
    LoadMarks.begun("first");
    peak();
    LoadMarks.begun("first");
    LoadMarks.begun("second");
    long more = SIZE / 2;
    assertThat(LoadMarks.heapPeak("first", false)).isGreaterThan(now() + more);
    assertThat(LoadMarks.heapPeak("second", true)).isLessThan(now() + more);
    assertThat(LoadMarks.heapPeak("first", true)).isGreaterThan(now() + more);
    // Of nothing that is known, or is over, what there is now.
    assertThat(LoadMarks.heapPeak("first", true)).isBetween(1L, now() + more);
    LoadMarks.begun("first");
    assertThat(LoadMarks.heapPeak("first", true)).isBetween(1L, now() + more);
  }

  /** Executors that only read edges for others. */
  @Test
  void ofLoadsThatNeverEndTheLastAreKnown() throws InterruptedException {
    for (int load = 0; load <= LoadMarks.MOST; load++) {
      LoadMarks.begun("load " + load);
    }
    peak();
    long more = SIZE / 2;
    assertThat(LoadMarks.heapPeak("load 0", true)).isLessThan(now() + more);
    for (int load = 1; load <= LoadMarks.MOST; load++) {
      assertThat(LoadMarks.heapPeak("load " + load, true)).isGreaterThan(now() + more);
    }
  }
}
