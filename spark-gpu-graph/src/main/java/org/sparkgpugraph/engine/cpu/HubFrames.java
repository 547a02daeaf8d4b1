package org.sparkgpugraph.engine.cpu;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.MessageKey;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.hub.HubLayout;
import org.sparkgpugraph.graphs.hub.HubRows;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Role;

/** The hubs of a partition: what they were sent, and their rows in the partition's frame. */
final class HubFrames {
  private final KernelFrame frame;
  private final LiftedProgram program;
  private final HubRows rows;
  private final Object[] edges;
  private final boolean keeps;

  /** Hubs that were sent something, or that there is no message any more, since the last step. */
  private final VertexBitmap arrived;

  /**
   * @param keeps whether what was sent stays
   */
  HubFrames(
      KernelFrame frame,
      GraphPartition partition,
      LiftedProgram program,
      HubLayout layout,
      boolean keeps) {
    this.frame = frame;
    this.program = program;
    this.keeps = keeps;
    rows = layout.hubRows().get(partition.index());
    edges = program.send().reads(Role.EDGE) ? layout.hubValues(partition).arrays() : null;
    arrived = new VertexBitmap(partition.stored());
  }

  /** Has the loops walk all rows as they are. */
  static void withoutHubs(KernelFrame frame, LiftedProgram program) {
    frame.inBegins = frame.inOffsets;
    frame.inEnds = frame.inOffsets;
    frame.slots = new int[frame.inOffsets.length];
    frame.hubSources = frame.inSources;
    frame.hubEdges = frame.inEdges;
    messages(frame, program.message().columns(), 0);
  }

  private static void messages(KernelFrame frame, List<ColumnType> kinds, int slots) {
    frame.slotHas = new boolean[slots];
    frame.messages = Columns.allocate(kinds, slots).arrays();
  }

  /** Bytes that a partition's hubs take, beside the layout. */
  static long bytes(LiftedProgram program, HubRows rows) {
    long message = 1 + program.message().columns().stream().mapToLong(ColumnType::bytes).sum();
    long edge = program.send().reads(Role.EDGE) ? program.edge().bytes() : 0;
    return message * rows.hubs().length + edge * rows.sources().length;
  }

  /** From the next step on rows of hubs begin with what they are sent. */
  void begin() {
    if (frame.inBegins == rows.begins()) {
      return;
    }
    frame.inBegins = rows.begins();
    frame.inEnds = rows.ends();
    frame.slots = rows.slots();
    frame.hubSources = rows.sources();
    frame.hubEdges = edges;
    messages(frame, program.message().columns(), rows.hubs().length);
  }

  /** The next step walks all rows as they are, of a state that was restored. */
  void end() {
    withoutHubs(frame, program);
    arrived.clearAll();
  }

  /** The columns of what was sent, by slot, and whether it is a message. */
  Object[] messages() {
    return frame.messages;
  }

  /** Notes what a slot was sent. */
  void sent(int slot, boolean message) {
    frame.slotHas[slot] = message;
    arrived.add(rows.hubs()[slot]);
  }

  /** Makes those candidates that were sent something. */
  void mark() {
    frame.candidates.addAll(arrived);
  }

  /** Tells a tally what was sent, of programs whose rows may stop early: one ordered column. */
  void listen(Tally tally) {
    boolean least = program.traits().merge().get(0) == MergeAlgebra.MIN;
    for (int s = 0; s < arrived.summary.length; s++) {
      for (int hub : arrived.members(s)) {
        for (int slot = rows.slots()[hub]; slot < rows.slots()[hub + 1]; slot++) {
          long key = frame.slotHas[slot] ? key(frame.messages[0], slot, least) : MessageKey.NONE;
          if (key != MessageKey.NONE) {
            tally.hear(key);
          }
        }
      }
    }
  }

  private static long key(Object column, int slot, boolean least) {
    if (column instanceof int[] numbers) {
      return least ? MessageKey.ofLeast(numbers[slot]) : MessageKey.ofMost(numbers[slot]);
    } else if (column instanceof long[] numbers) {
      return least ? MessageKey.ofLeast(numbers[slot]) : MessageKey.ofMost(numbers[slot]);
    } else if (column instanceof float[] numbers) {
      return least ? MessageKey.ofLeast(numbers[slot]) : MessageKey.ofMost(numbers[slot]);
    }
    double number = ((double[]) column)[slot];
    return least ? MessageKey.ofLeast(number) : MessageKey.ofMost(number);
  }

  /** A step has taken what was sent. */
  void taken() {
    for (int s = 0; !keeps && s < arrived.summary.length; s++) {
      for (int hub : arrived.members(s)) {
        Arrays.fill(frame.slotHas, rows.slots()[hub], rows.slots()[hub + 1], false);
      }
    }
    arrived.clear();
  }
}
