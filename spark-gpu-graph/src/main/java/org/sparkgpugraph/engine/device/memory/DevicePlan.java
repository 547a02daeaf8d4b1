package org.sparkgpugraph.engine.device.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.engine.PartitionLines;
import org.sparkgpugraph.engine.device.plan.DevicePlanner;

/**
 * Every allocation of a run on a device, exactly: what is in here is what is allocated. Made by
 * {@link DevicePlanner}.
 *
 * @param grouping vertices per candidate bit and per row of the transposes
 * @param items the allocations
 * @param hubs by partition; a partition without hubs may be left out
 */
public record DevicePlan(int grouping, List<Item> items, Map<Integer, Hubs> hubs) {
  public DevicePlan {
    items = List.copyOf(items);
    hubs = Map.copyOf(hubs);
  }

  /**
   * The hubs of a partition.
   *
   * @param count number of hubs
   * @param chunks number of chunks that their edges are cut into
   */
  public record Hubs(int count, int chunks) {
    /** No hub. */
    public static final Hubs NONE = new Hubs(0, 0);
  }

  /** The hubs of a partition. */
  public Hubs hubs(int partition) {
    return hubs.getOrDefault(partition, Hubs.NONE);
  }

  /**
   * One allocation.
   *
   * @param partition index of the partition that it belongs to
   * @param member the frame's name for it: {@code "inOffsets"}
   * @param purpose what it is for, in words, without the partition
   * @param bytes its size
   * @param content host array that is uploaded into it; null: none
   * @param shared the content is immutable and stays on the device for the next runs
   */
  public record Item(
      int partition, String member, String purpose, long bytes, Object content, boolean shared) {
    /** Purpose with the partition, for messages. */
    String describe() {
      return purpose + " of partition " + partition;
    }
  }

  /** Bytes of everything. */
  public long totalBytes() {
    Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    long bytes = 0;
    for (Item item : items) {
      if (!item.shared() || counted.add(item.content())) {
        bytes += item.bytes();
      }
    }
    return bytes;
  }

  /** Bytes of what this run has alone: values, bitmaps, tables. */
  public long ownBytes() {
    return items.stream().filter(i -> !i.shared()).mapToLong(Item::bytes).sum();
  }

  /** Bytes that must be allocated, given what is on the device already. */
  public long missingBytes(ResidentArrays resident) {
    Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    long bytes = 0;
    for (Item item : items) {
      if (!item.shared() || !resident.contains(item.content()) && counted.add(item.content())) {
        bytes += item.bytes();
      }
    }
    return bytes;
  }

  /** The arrays that stay on the device. */
  public Collection<Object> sharedArrays() {
    return items.stream().filter(Item::shared).map(Item::content).toList();
  }

  /**
   * For explain(): the total, then the largest purposes, over all partitions.
   *
   * @param most number of purposes
   */
  public String describe(int most) {
    List<String> purposes = new ArrayList<>();
    List<Long> bytes = new ArrayList<>();
    for (Item item : items) {
      int at = purposes.indexOf(item.purpose());
      if (at < 0) {
        purposes.add(item.purpose());
        bytes.add(item.bytes());
      } else {
        bytes.set(at, bytes.get(at) + item.bytes());
      }
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < purposes.size(); i++) {
      order.add(i);
    }
    order.sort((a, b) -> Long.compare(bytes.get(b), bytes.get(a)));
    StringBuilder text = new StringBuilder(PartitionLines.count(totalBytes(), "byte"));
    for (int i = 0; i < Math.min(most, order.size()); i++) {
      text.append(i == 0 ? ": " : ", ")
          .append(purposes.get(order.get(i)))
          .append(' ')
          .append(bytes.get(order.get(i)));
    }
    return text.append(order.size() > most ? ", …" : "").toString();
  }
}
