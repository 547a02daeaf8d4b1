package io.sparkgpugraph.engine.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Makes the structs by which kernels know the outboxes of one partition. */
final class OutboxTable {
  private final RunSpec spec;
  private final DeviceAllocations memory;
  private final int partition;

  /**
   * @param memory where the outboxes are
   * @param partition whose they are
   */
  OutboxTable(RunSpec spec, DeviceAllocations memory, int partition) {
    this.spec = spec;
    this.memory = memory;
    this.partition = partition;
  }

  /**
   * The outboxes of a table, uploaded.
   *
   * @param table member that takes the structs; none without it
   * @param tables members that begin with the names of each outbox's own tables ({@code
   *     "outbox0."}, with {@code members} and {@code ranks})
   * @param buffers what the names of its buffers begin with, for each outbox
   */
  List<DeviceOutbox> upload(
      String table, List<String> tables, List<String> buffers, KernelLauncher launcher) {
    List<DeviceOutbox> outboxes = new ArrayList<>();
    DeviceMemory structs = memory.find(partition, table);
    if (structs == null) {
      return outboxes;
    }
    int bytes = spec.kernels().outbox().bytes();
    long[] words = new long[(int) (structs.bytes() / 8)];
    for (int i = 0; i < buffers.size(); i++) {
      String of = buffers.get(i);
      FrameLayout.Frame struct = spec.kernels().outbox().newFrame();
      for (String member : List.of("members", "ranks")) {
        struct.set(member, memory.find(partition, tables.get(i) + member));
      }
      for (String member : List.of("counts", "positions", "flags")) {
        struct.set(member, memory.get(partition, of + member));
      }
      List<DeviceMemory> values = new ArrayList<>();
      for (int c : spec.shipped()) {
        DeviceMemory column = memory.get(partition, of + "value" + c);
        struct.set("value" + c, column);
        values.add(column);
      }
      ByteBuffer.wrap(struct.toArray())
          .order(ByteOrder.nativeOrder())
          .asLongBuffer()
          .get(words, i * (bytes / 8), bytes / 8);
      outboxes.add(
          new DeviceOutbox(
              structs.address() + (long) i * bytes,
              memory.get(partition, of + "counts"),
              memory.get(partition, of + "positions"),
              memory.get(partition, of + "flags"),
              values));
    }
    launcher.upload(words, structs);
    return outboxes;
  }
}
