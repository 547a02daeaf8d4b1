package org.sparkgpugraph.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.graphs.memory.ColdCode;

/**
 * One thread begins with code that the JVM has not compiled; each item is done once all the same.
 */
@Tag("any-spark")
@Timeout(60)
class ColdCodeTest {
  private static final int ITEMS = 5000;

  private enum Part {
    ONE,
    OTHER
  }

  /** Runs all items on a team, and returns the members that took some. */
  private static Set<Integer> members(
      WorkerTeam team, ColdCode code, boolean together, WorkerTeam.Item work) {
    AtomicIntegerArray done = new AtomicIntegerArray(ITEMS);
    Set<Integer> members = ConcurrentHashMap.newKeySet();
    team.each(
        code,
        together,
        ITEMS,
        (member, item) -> {
          members.add(member);
          done.incrementAndGet(item);
          work.run(member, item);
        });
    assertThat(IntStream.range(0, ITEMS).map(done::get)).containsOnly(1);
    return members;
  }

  @Test
  void theCallerIsAloneAsLongAsCodeIsCold() {
    try (WorkerTeam team = new WorkerTeam("test", 4)) {
      ColdCode cold = new ColdCode(Long.MAX_VALUE);
      assertThat(members(team, cold, true, (member, item) -> {})).containsExactly(0);
      assertThat(cold.isCold()).isTrue();
    }
  }

  /** All members have to meet in the second half of the items, so nobody is left out of them. */
  @Test
  void theOthersFollowWhenItIsNot() {
    int threads = 3;
    try (WorkerTeam team = new WorkerTeam("test", threads)) {
      ColdCode code = new ColdCode(TimeUnit.DAYS.toNanos(1));
      CountDownLatch met = new CountDownLatch(threads);
      Set<Integer> first = ConcurrentHashMap.newKeySet();
      Set<Integer> all =
          members(
              team,
              code,
              true,
              (member, item) -> {
                if (code.isCold()) {
                  first.add(member);
                  if (item == ITEMS / 2) {
                    code.ran(TimeUnit.DAYS.toNanos(1));
                  }
                } else {
                  met.countDown();
                  await(met);
                }
              });
      assertThat(first).containsExactly(0);
      assertThat(all).hasSize(threads);
      assertThat(code.isCold()).isFalse();
    }
  }

  /** What one thread does by itself counts, too. */
  @Test
  void codeThatRunsAloneGetsWarm() {
    try (WorkerTeam team = new WorkerTeam("test", 2)) {
      ColdCode code = new ColdCode(1);
      assertThat(members(team, code, false, (member, item) -> {})).containsExactly(0);
      assertThat(code.isCold()).isFalse();
    }
  }

  @Test
  void whatIsThrownWhileItIsColdStopsTheItems() {
    try (WorkerTeam team = new WorkerTeam("test", 2)) {
      List<Integer> taken = Collections.synchronizedList(new ArrayList<>());
      assertThatThrownBy(
              () ->
                  team.each(
                      new ColdCode(Long.MAX_VALUE),
                      true,
                      ITEMS,
                      (member, item) -> {
                        taken.add(item);
                        if (item == 7) {
                          throw new IllegalStateException("item 7");
                        }
                      }))
          .hasMessage("item 7");
      assertThat(taken).hasSize(8);
      // The team goes on.
      assertThat(members(team, new ColdCode(0), true, (member, item) -> {})).isNotEmpty();
    }
  }

  @Test
  void partsOfAClassAreApart() {
    ColdCode one = ColdCode.of(ColdCodeTest.class, Part.ONE);
    one.ran(Long.MAX_VALUE / 2);
    assertThat(ColdCode.of(ColdCodeTest.class, Part.ONE)).isSameAs(one);
    assertThat(ColdCode.of(ColdCodeTest.class, Part.OTHER).isCold()).isTrue();
    assertThat(ColdCode.of(String.class, Part.ONE).isCold()).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
