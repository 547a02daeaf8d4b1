package org.sparkgpugraph.engine.device.partition;

import java.nio.IntBuffer;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.PinnedMemory;

/**
 * What a device counted of its partition's sections, in page-locked memory: copied behind the
 * kernels of a superstep, with their status.
 */
public final class SectionCounts implements AutoCloseable {
  private final DevicePartition partition;
  private final int rows;
  private final PinnedMemory memory;
  private final IntBuffer counts;

  /**
   * @param rows rows of a section
   */
  SectionCounts(Device device, DevicePartition partition, int rows) {
    this.partition = partition;
    this.rows = rows;
    memory = device.allocatePinned((int) Math.max(4, partition.sectionCounts().bytes()));
    counts = memory.buffer().asIntBuffer();
  }

  /** Queues the copy, of the sections that the device computes, where they were counted. */
  void download(DeviceStream stream) {
    if (!partition.counts()) {
      return;
    }
    int first = partition.firstRow() / rows;
    int bytes = 4 * ((partition.endRow() + rows - 1) / rows - first);
    if (bytes > 0) {
      stream.download(partition.sectionCounts(), 4L * first, memory, 4 * first, bytes);
    }
  }

  /** Rows that were counted in a section; of one that others compute this means nothing. */
  public int rows(int section) {
    return counts.get(section);
  }

  @Override
  public void close() {
    memory.close();
  }
}
