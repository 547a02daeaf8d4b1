package org.sparkgpugraph.engine.device.partition;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.settings.LaunchSize;
import org.sparkgpugraph.engine.device.settings.OutlineLayout;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.run.AggregateAtMost;

/**
 * Launches of several supersteps of a partition that walk rows. The kernels leave what they counted
 * in a ring with an entry per superstep ({@link OutlineLayout}).
 */
public final class OutlinedLoop implements AutoCloseable {
  /**
   * What a superstep did.
   *
   * @param fault as {@link StatusWord#FAULT}; not 0: it is the launch's last one, and not done
   * @param counts what it counted
   * @param aggregates behind it
   */
  public record Step(long fault, PushQueue.Step counts, double[] aggregates) {}

  /**
   * What there is to do in a superstep.
   *
   * @param rows of the partition
   * @param threads that have something to do
   * @param pieceWords words of rows that a warp takes at a time at most; 0: each has its own
   * @param hubs whose aggregates have slots of their own
   * @param modeSlots slots of the tables of hubs whose most frequent message is looked for
   */
  record Work(int rows, long threads, int pieceWords, int hubs, long modeSlots) {}

  /** Pieces of a warp, on the average, where warps take rows when they are done with others. */
  private static final int PIECES = 4;

  private final KernelLauncher launcher;
  private final FrameLayout.Frame frame;
  private final DeviceMemory state;
  private final DeviceMemory ring;
  private final PinnedMemory told;
  private final int entryBytes;
  private final int aggregates;

  /**
   * @param launcher of the kernels that do several supersteps a launch
   * @param kernels these
   * @param memory of the members of the frame
   */
  OutlinedLoop(
      RunSpec spec,
      KernelLauncher launcher,
      ProgramKernels.Outlined kernels,
      DeviceAllocations memory,
      int partition) {
    this.launcher = launcher;
    frame = kernels.frame().newFrame();
    entryBytes = Long.BYTES * kernels.entryWords();
    aggregates = spec.program().aggregates().size();
    state = memory.get(partition, FrameField.OUTLINE_STATE);
    ring = memory.get(partition, FrameField.OUTLINE_RING);
    frame.set(FrameField.OUTLINE_STATE, state);
    frame.set(FrameField.OUTLINE_RING, ring);
    if (spec.settings().stopWhen() instanceof AggregateAtMost end) {
      List<String> names = spec.program().aggregates().stream().map(Aggregate::name).toList();
      int which = names.indexOf(end.aggregate());
      frame.set(FrameField.STOP_FIRST, end.first());
      // Who asks for one that there is not is told so behind the first superstep.
      frame.set(FrameField.STOP_EVERY, which < 0 ? 0 : end.every());
      frame.box(FrameField.STOP_BOUND, end.bound());
      frame.set(FrameField.STOP_AGGREGATE, which);
    }
    told = launcher.device().allocatePinned((int) (state.bytes() + ring.bytes()));
  }

  /**
   * Queues supersteps.
   *
   * @param kernel which do
   * @param plain the frame of the partition's other kernels, as the first superstep needs it
   * @param rounds how many at most
   * @param least no more supersteps behind one that leaves less work than that …
   * @param most … or more than that
   * @param work of a superstep
   */
  void launch(
      String kernel, FrameLayout.Frame plain, int rounds, long least, long most, Work work) {
    DeviceStream stream = launcher.stream();
    int bytes = entryBytes * rounds;
    stream.fill(state, 0, state.bytes(), (byte) 0);
    stream.fill(ring, 0, bytes, (byte) 0);
    int blocks = launcher.blocks(kernel, work.threads(), 1);
    frame.copy(plain);
    frame.set(FrameField.PIECE_WORDS, pieces(work, blocks));
    frame.set(FrameField.PARTIAL_SLOTS, (long) blocks + work.hubs());
    frame.set(FrameField.OUTLINE_SLOTS, work.modeSlots());
    frame.set(FrameField.OUTLINE_SUPERSTEPS, rounds);
    frame.set(FrameField.OUTLINE_LEAST, least);
    frame.set(FrameField.OUTLINE_MOST, most);
    launcher.launchCooperative(kernel, blocks, frame);
    stream.download(state, 0, told, 0, (int) state.bytes());
    stream.download(ring, 0, told, (int) state.bytes(), bytes);
  }

  /** On a small graph pieces of the usual size are fewer than warps. */
  private static int pieces(Work work, int blocks) {
    int words = (work.rows() + DeviceProperties.WARP - 1) / DeviceProperties.WARP;
    int each = words / (PIECES * blocks * LaunchSize.WARPS);
    return Math.min(work.pieceWords(), Integer.highestOneBit(Math.max(1, each)));
  }

  /** What the last launch did, once it is done: its supersteps, at least one. */
  List<Step> finish() {
    ByteBuffer words = told.buffer();
    int rounds = (int) words.getLong(Long.BYTES * OutlineLayout.ROUNDS);
    List<Step> steps = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      int at = (int) state.bytes() + entryBytes * round;
      double[] values = new double[aggregates];
      for (int i = 0; i < aggregates; i++) {
        values[i] = words.getDouble(at + Long.BYTES * (StatusWord.COUNT + i));
      }
      steps.add(
          new Step(
              words.getLong(at + StatusWord.FAULT.offset()),
              PushQueue.Step.of(words, at, words.getLong(at + entryBytes - Long.BYTES)),
              values));
    }
    return steps;
  }

  @Override
  public void close() {
    told.close();
  }
}
