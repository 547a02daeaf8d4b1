package org.sparkgpugraph.engine.device.partition;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.exchange.DeviceOutbox;
import org.sparkgpugraph.engine.device.kernels.FrameField;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;

/** Makes the structs by which kernels know the outboxes of one partition. */
public final class OutboxTable {
  private final RunSpec spec;
  private final DeviceAllocations memory;
  private final int partition;

  /**
   * @param memory where the structs are
   * @param partition whose they are
   */
  OutboxTable(RunSpec spec, DeviceAllocations memory, int partition) {
    this.spec = spec;
    this.memory = memory;
    this.partition = partition;
  }

  /**
   * Where the updates of an outbox are.
   *
   * @param memory of the device that has them
   * @param partition under which they are known there
   * @param prefix what the names of the buffers begin with
   */
  public record Buffers(DeviceAllocations memory, int partition, String prefix) {
    DeviceMemory get(String member) {
      return memory.get(partition, prefix + member);
    }
  }

  /**
   * One outbox.
   *
   * @param tables what the names of its list's tables ({@code members}, {@code ranks}) begin with;
   *     null: its kernels need none
   * @param counts address of its counts on the device, 0: its kernels need none
   * @param buffers its updates
   */
  public record Entry(String tables, long counts, Buffers buffers) {}

  /** Buffers of the partition itself. */
  Buffers buffers(String prefix) {
    return new Buffers(memory, partition, prefix);
  }

  /** One with counts of its own, among its buffers. */
  Entry entry(String tables, String prefix) {
    return new Entry(
        tables, memory.get(partition, prefix + FrameField.COUNTS).address(), buffers(prefix));
  }

  /**
   * The outboxes of a table, uploaded.
   *
   * @param table member that takes the structs
   */
  List<DeviceOutbox> upload(String table, List<Entry> entries, KernelLauncher launcher) {
    List<DeviceOutbox> outboxes = new ArrayList<>();
    if (entries.isEmpty()) {
      return outboxes;
    }
    DeviceMemory structs = memory.get(partition, table);
    int bytes = spec.kernels().outbox().bytes();
    long[] words = new long[(int) (structs.bytes() / 8)];
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      Buffers buffers = entry.buffers();
      FrameLayout.Frame struct = spec.kernels().outbox().newFrame();
      if (entry.tables() != null) {
        for (String member : List.of(FrameField.MEMBERS, FrameField.RANKS)) {
          struct.set(member, memory.get(partition, entry.tables() + member));
        }
      }
      struct.set(FrameField.COUNTS, entry.counts());
      struct.set(FrameField.POSITIONS, buffers.get(FrameField.POSITIONS));
      struct.set(FrameField.FLAGS, buffers.get(FrameField.FLAGS));
      List<DeviceMemory> values = new ArrayList<>();
      for (int c : spec.shipped()) {
        DeviceMemory column = buffers.get(FrameField.VALUE.of(c));
        struct.set(FrameField.VALUE.of(c), column);
        values.add(column);
      }
      ByteBuffer.wrap(struct.toArray())
          .order(ByteOrder.nativeOrder())
          .asLongBuffer()
          .get(words, i * (bytes / 8), bytes / 8);
      outboxes.add(
          new DeviceOutbox(
              structs.address() + (long) i * bytes,
              buffers.memory().find(buffers.partition(), buffers.prefix() + FrameField.COUNTS),
              buffers.get(FrameField.POSITIONS),
              buffers.get(FrameField.FLAGS),
              values));
    }
    launcher.upload(words, structs);
    return outboxes;
  }
}
