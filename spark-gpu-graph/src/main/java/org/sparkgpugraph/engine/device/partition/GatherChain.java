package org.sparkgpugraph.engine.device.partition;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.plan.SuperstepChain;
import org.sparkgpugraph.run.LaneUse;

/** Launches the supersteps of a {@link SuperstepChain}, and reads what they counted at its end. */
public final class GatherChain implements AutoCloseable {
  private final DeviceStream stream;
  private final DeviceMemory ring;
  private final PinnedMemory told;

  /**
   * @param stream of the launches
   * @param ring for the words of {@link SuperstepChain#MOST} supersteps
   */
  GatherChain(Device device, DeviceStream stream, DeviceMemory ring) {
    this.stream = stream;
    this.ring = ring;
    told = device.allocatePinned((int) ring.bytes());
  }

  /**
   * Queues supersteps and waits until they are done.
   *
   * @param words takes the address of the status words of the superstep that is launched next
   * @param launch takes each one's number among them
   * @return what they did, {@code nanos} from when the first one began
   */
  List<PushQueue.Step> run(int supersteps, LongConsumer words, IntConsumer launch) {
    List<DeviceEvent> events = new ArrayList<>();
    try {
      stream.fill(ring, 0, (long) SuperstepChain.ENTRY_BYTES * supersteps, (byte) 0);
      events.add(stream.record());
      for (int i = 0; i < supersteps; i++) {
        words.accept(ring.address() + (long) SuperstepChain.ENTRY_BYTES * i);
        launch.accept(i);
        events.add(stream.record());
      }
      stream.download(ring, 0, told, 0, SuperstepChain.ENTRY_BYTES * supersteps);
      stream.synchronize();
      List<PushQueue.Step> steps = new ArrayList<>();
      for (int i = 0; i < supersteps; i++) {
        steps.add(
            step(SuperstepChain.ENTRY_BYTES * i, events.get(i + 1).nanosSince(events.get(0))));
      }
      return steps;
    } finally {
      events.forEach(DeviceEvent::close);
    }
  }

  private PushQueue.Step step(int at, long nanos) {
    long edges = word(at, StatusWord.EDGES);
    return new PushQueue.Step(
        edges,
        word(at, StatusWord.RAN),
        word(at, StatusWord.ACTIVATED),
        word(at, StatusWord.ACTIVE_EDGES),
        0,
        0,
        nanos,
        LaneUse.counted(
            edges + word(at, StatusWord.AGAIN),
            word(at, StatusWord.EDGE_LANES),
            word(at, StatusWord.ROWS),
            word(at, StatusWord.ROW_LANES)));
  }

  private long word(int at, StatusWord word) {
    ByteBuffer words = told.buffer();
    return words.getLong(at + word.offset());
  }

  @Override
  public void close() {
    told.close();
  }
}
