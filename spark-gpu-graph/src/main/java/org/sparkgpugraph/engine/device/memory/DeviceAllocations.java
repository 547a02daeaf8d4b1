package org.sparkgpugraph.engine.device.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.graphs.memory.PhaseTimes;

/**
 * The memory of a run, allocated exactly as its plan says, but for what is for later. Closing it
 * frees what the run has alone and ends its use of what stays.
 */
public final class DeviceAllocations implements AutoCloseable {
  private final List<Map<String, DeviceMemory>> members = new ArrayList<>();
  private final List<AutoCloseable> held = new ArrayList<>();
  private final List<DevicePlan.Item> later = new ArrayList<>();
  private long structureNanos;
  private long valueNanos;

  /**
   * Allocates and uploads.
   *
   * @param partitions number of partitions
   * @throws DeviceOutOfMemoryException when it does not fit after all; everything is freed again
   */
  public DeviceAllocations(
      Device device, ResidentArrays resident, DevicePlan plan, int partitions) {
    for (int p = 0; p < partitions; p++) {
      members.add(new HashMap<>());
    }
    try {
      long start = System.nanoTime();
      long before = resident.uploadNanos();
      // What is here already is claimed first: nothing may evict it meanwhile.
      for (DevicePlan.Item item : plan.items()) {
        if (item.shared()) {
          ResidentArrays.Use use = resident.use(item.content(), item.own(), item.describe());
          held.add(use);
          put(item, use.memory());
        }
      }
      structureNanos = resident.uploadNanos() - before;
      PhaseTimes.ended("open: structure", start);
      for (DevicePlan.Item item : plan.items()) {
        if (item.need() != DevicePlan.Need.RUN) {
          later.add(item);
        } else if (!item.shared()) {
          DeviceMemory memory = allocate(device, item);
          if (item.content() != null) {
            int count = (int) (item.bytes() / ResidentArrays.elementBytes(item.content()));
            upload(device, item.content(), count, memory);
          }
        }
      }
    } catch (RuntimeException | Error e) {
      Closing.after(e, held);
      throw e;
    }
  }

  private DeviceMemory allocate(Device device, DevicePlan.Item item) {
    DeviceMemory memory = device.allocate(item.bytes(), item.describe());
    held.add(memory);
    put(item, memory);
    return memory;
  }

  /**
   * Allocates what the plan has for one way to go on; what it has for another is given up. To be
   * called under the lock of {@link DeviceHoldings}, which has made room.
   *
   * @throws DeviceOutOfMemoryException when it does not fit after all
   */
  public void allocateLater(Device device, DevicePlan.Need way) {
    later.stream().filter(item -> item.need() == way).forEach(item -> allocate(device, item));
    later.clear();
  }

  /** Bytes that {@link #allocateLater} would allocate. */
  public long laterBytes(DevicePlan.Need way) {
    return later.stream()
        .filter(item -> item.need() == way)
        .mapToLong(DevicePlan.Item::bytes)
        .sum();
  }

  private void put(DevicePlan.Item item, DeviceMemory memory) {
    members.get(item.partition()).put(item.member(), memory);
  }

  /** Uploads the first elements of an array. */
  public void upload(Device device, Object array, int count, DeviceMemory to) {
    if (count == 0) {
      return;
    }
    long start = System.nanoTime();
    device.upload(array, 0, count, to, 0);
    valueNanos += System.nanoTime() - start;
  }

  /** Memory of a member of a partition's frame, or null when the plan has none. */
  public DeviceMemory find(int partition, String member) {
    return members.get(partition).get(member);
  }

  /** Whether the plan has memory for a member, be it for later. */
  public boolean mayHave(int partition, String member) {
    return find(partition, member) != null
        || later.stream()
            .anyMatch(item -> item.partition() == partition && item.member().equals(member));
  }

  /** Memory of a member that the plan must have. */
  public DeviceMemory get(int partition, String member) {
    DeviceMemory memory = find(partition, member);
    if (memory == null) {
      throw new IllegalStateException("the plan has no " + member + " for partition " + partition);
    }
    return memory;
  }

  /** All members of a partition. */
  public Map<String, DeviceMemory> members(int partition) {
    return members.get(partition);
  }

  /** Time of uploads of structure that was not on the device. */
  public long structureNanos() {
    return structureNanos;
  }

  /** Time of uploads of what the run has alone. */
  public long valueNanos() {
    return valueNanos;
  }

  @Override
  public void close() {
    Closing.all(held);
    held.clear();
  }
}
