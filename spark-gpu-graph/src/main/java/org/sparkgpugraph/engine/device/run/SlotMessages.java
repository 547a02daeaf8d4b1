package org.sparkgpugraph.engine.device.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.program.LiftedProgram;

/** The partial messages that a partition's hubs were sent, on the host, by slot. */
final class SlotMessages {
  /** Updates that a thread takes at a time. */
  private static final int PIECE = 1 << 14;

  private final boolean[] has;
  private final Columns messages;

  /** Whether messages stay until there are others. */
  private final boolean keeps;

  /** By slot: whether something came since the device was last told; null: nobody asks. */
  private final boolean[] came;

  /** By update that has come: its row in its part, and its slot; −1: it has no message. */
  private final int[] rows;

  private final int[] slots;

  /** Whether the device does not know of all messages. */
  private boolean waits = true;

  /** Whether the device has flags that do not hold any more. */
  private boolean fades;

  /**
   * @param shape whether messages stay until there are others, and whether not every vertex runs
   * @param count number of slots
   */
  SlotMessages(LiftedProgram program, KernelShape shape, int count) {
    keeps = shape.keepsPartialMessages();
    came = keeps && !shape.everyVertex() ? new boolean[count] : null;
    has = new boolean[count];
    messages = Columns.allocate(program.message().columns(), count);
    rows = new int[count];
    slots = new int[count];
  }

  /**
   * Updates {@code [from, to)} of a part.
   *
   * @param at where they are among those of all parts
   */
  private record Slice(RefinedUpdates part, int from, int to, int at) {}

  /**
   * Takes what the other end of a list has sent.
   *
   * @param parts no position is in two of them
   * @param slotOf slot of each position
   * @param workers take a piece each
   * @throws IllegalArgumentException when the updates are not of this list
   */
  void take(List<RefinedUpdates> parts, int[] slotOf, Workers workers) {
    List<Slice> slices = new ArrayList<>();
    long all = 0;
    for (RefinedUpdates part : parts) {
      int count = part.count();
      int last = count == 0 ? -1 : part.position(count - 1);
      all += count;
      if (last >= slotOf.length || all > slotOf.length) {
        throw new IllegalArgumentException(
            "%s partial messages, of position %s, to %s hubs".formatted(all, last, slotOf.length));
      }
      for (int from = 0; from < count; from += PIECE) {
        int to = Math.min(count, from + PIECE);
        slices.add(new Slice(part, from, to, (int) all - count + from));
      }
    }
    workers.run(slices.size(), s -> take(slices.get(s), slotOf));
    waits |= all > 0;
  }

  private void take(Slice slice, int[] slotOf) {
    RefinedUpdates part = slice.part();
    int row = part.valuedCount(0, slice.from());
    int at = slice.at();
    for (int i = slice.from(); i < slice.to(); i++, at++) {
      boolean isValued = part.isValued(i);
      int slot = slotOf[part.position(i)];
      has[slot] = isValued;
      if (came != null) {
        came[slot] = true;
      }
      slots[at] = isValued ? slot : -1;
      rows[at] = isValued ? row++ : -1;
    }
    for (int c = 0; c < messages.width(); c++) {
      ColumnCopy.copy(part.values().array(c), 1, rows, slice.at(), at, messages.array(c), slots);
    }
  }

  /** By slot: whether there is a message. */
  boolean[] has() {
    return has;
  }

  /** The messages of the slots that have one. */
  Columns messages() {
    return messages;
  }

  /**
   * Lets the device know of what has come since it last did, and of what does not hold any more.
   */
  void bring(DevicePartition partition) {
    if (waits || fades) {
      partition.sendHubs(has, came);
    }
    if (waits) {
      partition.sendHubs(messages);
    }
    boolean once = !keeps || came != null;
    fades = once && waits;
    waits = false;
    if (fades) {
      Arrays.fill(keeps ? came : has, false);
    }
  }

  /** Nothing was sent. */
  void restart() {
    Arrays.fill(has, false);
    if (came != null) {
      Arrays.fill(came, false);
    }
    waits = true;
  }
}
