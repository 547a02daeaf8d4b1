package org.sparkgpugraph.engine.device.memory;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.PartitionLines;

/**
 * Every allocation of a run on a device, exactly: what is in here is what is allocated, when the
 * run is opened or later, but that of two ways to go on without supersteps one is taken. Made by
 * {@code DevicePlanner}.
 *
 * @param grouping vertices per candidate bit and per row of the transposes
 * @param pushes whether sparse supersteps push
 * @param items the allocations
 * @param hubs by partition; a partition without hubs may be left out
 */
public record DevicePlan(int grouping, boolean pushes, List<Item> items, Map<Integer, Hubs> hubs) {
  public DevicePlan {
    items = List.copyOf(items);
    hubs = Map.copyOf(hubs);
  }

  /**
   * The hubs of a partition.
   *
   * @param count number of hubs
   * @param chunks number of chunks that their edges are cut into
   * @param batches in which their most frequent messages are found, in their order
   */
  public record Hubs(int count, int chunks, List<Batch> batches) {
    /** No hub. */
    public static final Hubs NONE = new Hubs(0, 0, List.of());
  }

  /**
   * Hubs whose tables stand in memory at the same time.
   *
   * @param firstChunk the first of their chunks
   * @param endChunk the chunk behind the last one
   * @param slots slots that their tables take
   */
  public record Batch(int firstChunk, int endChunk, long slots) {}

  /** The hubs of a partition. */
  public Hubs hubs(int partition) {
    return hubs.getOrDefault(partition, Hubs.NONE);
  }

  /** What an allocation is needed for. */
  public enum Need {
    /** The run, from its beginning on. */
    RUN,

    /** Going on without supersteps by owners of tiles. */
    OWNERS,

    /** Going on without supersteps by workers, which is never done beside owners. */
    WORKERS
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
   * @param need what for: but for {@link Need#RUN} it is allocated when the run comes to need it,
   *     which it may not
   */
  public record Item(
      int partition,
      String member,
      String purpose,
      long bytes,
      Object content,
      boolean shared,
      Need need) {
    /** One that is allocated when the run is opened. */
    public Item(
        int partition, String member, String purpose, long bytes, Object content, boolean shared) {
      this(partition, member, purpose, bytes, content, shared, Need.RUN);
    }

    /** Purpose with the partition, for messages. */
    String describe() {
      return purpose + " of partition " + partition;
    }
  }

  /** Bytes of everything, of two ways those of the larger one. */
  public long totalBytes() {
    return bytes(array -> false);
  }

  /** Bytes of what this run has alone: values, bitmaps, tables; of two ways the larger one's. */
  public long ownBytes() {
    return most().filter(i -> !i.shared()).mapToLong(Item::bytes).sum();
  }

  /** What is allocated where the way that needs most is taken. */
  private Stream<Item> most() {
    Need larger = bytes(Need.OWNERS) > bytes(Need.WORKERS) ? Need.OWNERS : Need.WORKERS;
    return items.stream().filter(item -> isFor(item, larger));
  }

  private long bytes(Need need) {
    return items.stream().filter(item -> item.need() == need).mapToLong(Item::bytes).sum();
  }

  private static boolean isFor(Item item, Need way) {
    return item.need() == Need.RUN || item.need() == way;
  }

  /** What is left of the plan when the run goes on in one of the two ways. */
  public DevicePlan taking(Need way) {
    return new DevicePlan(
        grouping, pushes, items.stream().filter(item -> isFor(item, way)).toList(), hubs);
  }

  /** Bytes that must be allocated, given what is on the device already. */
  public long missingBytes(ResidentArrays resident) {
    return bytes(resident::contains);
  }

  /** Bytes of what is not there yet, shared arrays once. */
  private long bytes(Predicate<Object> there) {
    Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    return most()
        .filter(i -> !i.shared() || !there.test(i.content()) && counted.add(i.content()))
        .mapToLong(Item::bytes)
        .sum();
  }

  /** The arrays that stay on the device. */
  public Collection<Object> sharedArrays() {
    return items.stream().filter(Item::shared).map(Item::content).toList();
  }

  /**
   * For explain(): the total, then the largest purposes, over all partitions, as far as they count
   * for it.
   *
   * @param most number of purposes
   */
  public String describe(int most) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    most().forEach(item -> bytes.merge(item.purpose(), item.bytes(), Long::sum));
    return bytes.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(most)
        .map(purpose -> purpose.getKey() + " " + purpose.getValue())
        .collect(
            Collectors.joining(
                ", ",
                PartitionLines.count(totalBytes(), "byte") + (bytes.isEmpty() ? "" : ": "),
                bytes.size() > most ? ", …" : ""));
  }
}
