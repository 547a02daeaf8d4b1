package org.sparkgpugraph.engine.device.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.plan.SuperstepChain;

/** Launches the supersteps of a {@link SuperstepChain}, and reads what they counted at its end. */
final class GatherChain implements AutoCloseable {
  private final DeviceStream stream;
  private final DevicePartition partition;
  private final DeviceMemory ring;
  private final PinnedMemory told;

  /**
   * @param stream of the launches
   * @param partition a device's only one, which has {@link DevicePartition#chainWords}
   */
  GatherChain(Device device, DeviceStream stream, DevicePartition partition) {
    this.stream = stream;
    this.partition = partition;
    ring = partition.chainWords();
    told = device.allocatePinned((int) ring.bytes());
  }

  /**
   * Queues supersteps and waits until they are done.
   *
   * @param launch takes the partition, and each one's number among them
   * @return what they did, {@code nanos} from when the first one began
   */
  List<PushQueue.Step> run(int supersteps, ObjIntConsumer<DevicePartition> launch) {
    int entry = SuperstepChain.ENTRY_BYTES;
    List<DeviceEvent> events = new ArrayList<>();
    try {
      stream.fill(ring, 0, (long) entry * supersteps, (byte) 0);
      events.add(stream.record());
      for (int i = 0; i < supersteps; i++) {
        partition.countAt(ring.address() + (long) entry * i);
        launch.accept(partition, i);
        events.add(stream.record());
      }
      stream.download(ring, 0, told, 0, entry * supersteps);
      stream.synchronize();
      List<PushQueue.Step> steps = new ArrayList<>();
      for (int i = 0; i < supersteps; i++) {
        long nanos = events.get(i + 1).nanosSince(events.get(0));
        steps.add(PushQueue.Step.of(told.buffer(), entry * i, nanos));
      }
      return steps;
    } finally {
      partition.countAt(partition.status().address());
      events.forEach(DeviceEvent::close);
    }
  }

  @Override
  public void close() {
    told.close();
  }
}
