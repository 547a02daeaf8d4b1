package org.sparkgpugraph.engine.device.partition;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;
import org.sparkgpugraph.engine.device.kernels.StatusWord;

/**
 * What the kernels of a superstep tell the host, of the partitions of one device in one piece of
 * page-locked memory: per partition the status words and behind them, as on the device, the counts
 * of each of its outboxes. A partition is known by its number among those of the device.
 */
public final class DeviceStatus implements AutoCloseable {
  private final List<DevicePartition> partitions;
  private final PinnedMemory memory;
  private final List<Integer> offsets = new ArrayList<>();

  DeviceStatus(Device device, List<DevicePartition> partitions) {
    this.partitions = partitions;
    int bytes = 0;
    for (DevicePartition partition : partitions) {
      offsets.add(bytes);
      bytes += (int) partition.status().bytes();
    }
    memory = device.allocatePinned(Math.max(8, bytes));
    // Nothing has been counted: a restored run asks before its first launch.
    memory.buffer().put(new byte[memory.buffer().capacity()]).clear();
  }

  /** Queues the download. */
  void download(DeviceStream stream) {
    for (int p = 0; p < offsets.size(); p++) {
      DeviceMemory status = partitions.get(p).status();
      stream.download(status, 0, memory, offsets.get(p), (int) status.bytes());
    }
  }

  /** Queues that all words on the device become 0, as every launch expects them. */
  void clear(DeviceStream stream) {
    for (DevicePartition partition : partitions) {
      DeviceMemory status = partition.status();
      stream.fill(status, 0, status.bytes(), (byte) 0);
    }
  }

  private ByteBuffer buffer() {
    return memory.buffer();
  }

  long word(int partition, StatusWord word) {
    return buffer().getLong(offsets.get(partition) + word.offset());
  }

  /** A word, added up over the partitions. */
  public long sum(StatusWord word) {
    long sum = 0;
    for (int p = 0; p < offsets.size(); p++) {
      sum += word(p, word);
    }
    return sum;
  }

  double aggregate(int partition, int index) {
    int at = offsets.get(partition) + 8 * (StatusWord.COUNT + index);
    return Double.longBitsToDouble(buffer().getLong(at));
  }

  /** Number of updates in an outbox. */
  int updates(int partition, int outbox) {
    return buffer().getInt(counts(partition, outbox));
  }

  /** Number of updates in all outboxes of a partition. */
  long updates(int partition) {
    DevicePartition of = partitions.get(partition);
    int outboxes = (int) (of.status().bytes() - of.statusBytes()) / 8;
    return IntStream.range(0, outboxes).mapToLong(i -> updates(partition, i)).sum();
  }

  /** Number of updates in an outbox that carry a value. */
  int valued(int partition, int outbox) {
    return buffer().getInt(counts(partition, outbox) + 4);
  }

  private int counts(int partition, int outbox) {
    return offsets.get(partition) + partitions.get(partition).statusBytes() + 8 * outbox;
  }

  @Override
  public void close() {
    memory.close();
  }
}
