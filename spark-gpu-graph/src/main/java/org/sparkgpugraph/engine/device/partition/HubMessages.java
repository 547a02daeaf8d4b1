package org.sparkgpugraph.engine.device.partition;

import java.util.List;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.plan.DevicePlanner;
import org.sparkgpugraph.graphs.hub.HubGraph;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Role;

/**
 * Partial messages of a partition on a device: what its hubs were sent, by slot, and what its
 * vertices send to hubs elsewhere, by partial row ({@code sgg/partials.cuh}).
 */
final class HubMessages {
  private static final String GATHER = "gather_partials";
  private static final String GATHER_ACTIVE = "gather_partials_active";
  private static final String ACTIVATE = "activate_told";
  private static final String MERGE = "merge_partials";

  private final KernelLauncher launcher;
  private final FrameLayout.Frame frame;
  private final LiftedProgram program;
  private final DeviceAllocations memory;
  private final int partition;
  private final int slots;
  private final int rows;

  /** Whether all sources speak, not only those that are active. */
  private final boolean keeps;

  /** Which slots' hubs a sparse superstep looks at; null: those with a message. */
  private DeviceMemory came;

  /**
   * @param frame of the kernels, of its own
   * @param rows partial rows
   */
  HubMessages(
      KernelLauncher launcher,
      FrameLayout.Frame frame,
      LiftedProgram program,
      DeviceAllocations memory,
      KernelShape shape,
      HubGraph.Partition graph,
      int rows) {
    this.launcher = launcher;
    this.frame = frame;
    this.program = program;
    this.memory = memory;
    this.rows = rows;
    keeps = shape.keepsPartialMessages();
    partition = graph.index();
    slots = graph.rows().slotRows().offsets().length - 1;
  }

  /**
   * Queues that slots are filled with what ghosts send here, all of which have values.
   *
   * @param plain the frame of the partition's other kernels, as a gather needs it
   * @param all whether all vertices are active
   */
  void fill(FrameLayout.Frame plain, boolean all) {
    came = null;
    if (slots > 0) {
      frame.copy(plain);
      String by = all || keeps ? GATHER : GATHER_ACTIVE;
      gather(by, DevicePlanner.SLOT_ROWS, slots, "", FrameField.TOLD_HAS, FrameField.TOLD);
    }
  }

  /**
   * Queues the gather of partial rows, over the values as they are; see {@link #fill}.
   *
   * @param active who is active behind the last superstep; null: all always are
   */
  void gather(FrameLayout.Frame plain, DeviceMemory active) {
    if (rows > 0) {
      frame.copy(plain);
      frame.set(FrameField.ACTIVE, active);
      String of = DevicePlanner.PARTIAL_ROWS;
      String by = keeps ? GATHER : GATHER_ACTIVE;
      gather(by, of, rows, of, FrameField.MERGED_HAS, FrameField.MERGED);
    }
  }

  /** Queues that a sparse superstep looks at the hubs that were sent something. */
  void activate(FrameLayout.Frame plain) {
    if (slots > 0) {
      frame.copy(plain);
      frame.set(FrameField.PARTIAL_ROWS, slots);
      frame.set(FrameField.TOLD_CAME, came == null ? get(FrameField.TOLD_HAS) : came);
      launcher.launch(ACTIVATE, launcher.blocks(ACTIVATE, slots, 1), frame);
    }
  }

  private void gather(
      String kernel,
      String from,
      int count,
      String into,
      String has,
      FrameField.PerColumn messages) {
    frame.set(FrameField.PARTIAL_ROWS, count);
    for (String member :
        List.of(
            FrameField.PARTIAL_OFFSETS,
            FrameField.PARTIAL_TARGETS,
            FrameField.PARTIAL_FIRST,
            FrameField.PARTIAL_HAS,
            FrameField.IN_SOURCES)) {
      frame.set(member, get(from + member));
    }
    for (int c = 0; c < program.edge().columns().size(); c++) {
      if (program.send().reads(Role.EDGE, c)) {
        frame.set(FrameField.IN_EDGE.of(c), get(from + FrameField.IN_EDGE.of(c)));
      }
    }
    frame.set(FrameField.MERGED_HAS, get(into + has));
    for (int c = 0; c < program.message().columns().size(); c++) {
      frame.set(FrameField.PARTIAL.of(c), get(from + FrameField.PARTIAL.of(c)));
      frame.set(FrameField.MERGED.of(c), get(into + messages.of(c)));
    }
    long pieces = get(from + FrameField.PARTIAL_HAS).bytes();
    frame.set(FrameField.PARTIAL_PIECES, pieces);
    launcher.launch(kernel, launcher.blocks(kernel, pieces, DeviceProperties.WARP), frame);
    launcher.launch(MERGE, launcher.blocks(MERGE, count, 1), frame);
  }

  private DeviceMemory get(String member) {
    return memory.get(partition, member);
  }

  /** Uploads which slots have a message, and which were sent something since the last superstep. */
  void uploadFlags(boolean[] has, boolean[] sent) {
    memory.upload(launcher.device(), has, slots, get(FrameField.TOLD_HAS));
    came = sent == null ? null : memory.find(partition, FrameField.TOLD_CAME);
    if (came != null) {
      memory.upload(launcher.device(), sent, slots, came);
    }
  }

  /** Uploads the messages of slots. */
  void upload(Columns messages) {
    for (int c = 0; c < messages.width(); c++) {
      memory.upload(launcher.device(), messages.array(c), slots, get(FrameField.TOLD.of(c)));
    }
  }

  /** Downloads what the last {@link #gather} has found, once it is done. */
  void download(boolean[] has, Columns messages) {
    if (rows == 0) {
      return;
    }
    String prefix = DevicePlanner.PARTIAL_ROWS;
    launcher.device().download(get(prefix + FrameField.MERGED_HAS), 0, has, 0, rows);
    List<ColumnType> kinds = messages.kinds();
    for (int c = 0; c < kinds.size(); c++) {
      DeviceMemory from = get(prefix + FrameField.MERGED.of(c));
      launcher.device().download(from, 0, messages.array(c), 0, rows);
    }
  }
}
