package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.runtime.EngineTrial;
import org.sparkgpugraph.runtime.HubPrograms;

/** Partial messages that come in several parts, taken by several threads. */
class SlotMessagesTest {
  private static final LiftedProgram PROGRAM =
      EngineTrial.instance(HubPrograms.of(HubPrograms.Kind.EVERY_VERTEX, new Random(1)), 0)
          .program();

  private static final KernelShape SHAPE = shape();

  /** That of a program whose vertices all run. */
  private static KernelShape shape() {
    RunSettings settings =
        new RunSettings(
            null,
            new Object[] {0L},
            ActiveDirection.EITHER,
            Gather.ACTIVE,
            1,
            false,
            KernelChoice.AUTO,
            1,
            null);
    return KernelShape.of(PROGRAM, settings, false, true);
  }

  /** Slots of a list, every second one of all. */
  private static int[] slots(int size) {
    return IntStream.range(0, size).map(position -> 2 * position + 1).toArray();
  }

  private static RefinedUpdates part(int from, int to, Random random) {
    RefinedUpdates part = new RefinedUpdates(PROGRAM.message().columns());
    for (int position = from; position < to; position++) {
      if (random.nextInt(3) > 0) {
        boolean valued = random.nextInt(4) > 0;
        part.add(position, valued, valued);
      }
    }
    long[] values = (long[]) part.values().array(0);
    for (int row = 0; row < part.valuedCount(); row++) {
      values[row] = random.nextLong();
    }
    return part;
  }

  @Test
  void eachUpdateGoesToItsSlot() {
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      int size = List.of(0, 1, 1000, 70_000).get(seed % 4);
      int[] slotOf = slots(size);
      SlotMessages taken = new SlotMessages(PROGRAM, SHAPE, 2 * size + 1);
      boolean[] has = new boolean[2 * size + 1];
      long[] messages = new long[has.length];
      try (Workers workers = new Workers(1 + seed % 3)) {
        for (int step = 0; step < 3; step++) {
          int cut = random.nextInt(size + 1);
          List<RefinedUpdates> parts =
              new ArrayList<>(List.of(part(cut, size, random), part(0, cut, random)));
          for (RefinedUpdates part : parts) {
            int row = 0;
            for (int i = 0; i < part.count(); i++) {
              int slot = slotOf[part.position(i)];
              has[slot] = part.isValued(i);
              if (part.isValued(i)) {
                messages[slot] = ((long[]) part.values().array(0))[row++];
              }
            }
          }
          taken.take(parts, slotOf, workers);
          String how = "seed " + seed + ", step " + step;
          assertThat(taken.has()).as(how).isEqualTo(has);
          assertThat((long[]) taken.messages().array(0)).as(how).isEqualTo(messages);
        }
      }
      taken.restart();
      assertThat(taken.has()).as("seed " + seed).containsOnly(false);
    }
  }

  @Test
  void whatIsNotOfTheListIsRefused() {
    SlotMessages taken = new SlotMessages(PROGRAM, SHAPE, 9);
    try (Workers workers = new Workers(1)) {
      RefinedUpdates behind = new RefinedUpdates(PROGRAM.message().columns());
      behind.add(4, true, true);
      assertThatThrownBy(() -> taken.take(List.of(behind), slots(4), workers))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("of position 4, to 4 hubs");
      RefinedUpdates again = new RefinedUpdates(PROGRAM.message().columns());
      IntStream.range(0, 4).forEach(position -> again.add(position, false, false));
      assertThatThrownBy(() -> taken.take(List.of(again, again), slots(4), workers))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("8 partial messages");
    }
  }
}
