package org.sparkgpugraph.engine.device.memory;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
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
   * @param rows the rows for each edge of which it has an entry, so that a part of it may lie in
   *     the host's memory; such an item is shared. null: what is of another kind
   * @param own bytes of it on the device
   */
  public record Item(
      int partition,
      String member,
      String purpose,
      long bytes,
      Object content,
      boolean shared,
      Need need,
      Object rows,
      long own) {
    /** One that is allocated when the run is opened, on the device. */
    public Item(
        int partition, String member, String purpose, long bytes, Object content, boolean shared) {
      this(partition, member, purpose, bytes, content, shared, Need.RUN);
    }

    /** One that is on the device. */
    public Item(
        int partition,
        String member,
        String purpose,
        long bytes,
        Object content,
        boolean shared,
        Need need) {
      this(partition, member, purpose, bytes, content, shared, need, null, bytes);
    }

    /** A shared array with an entry per edge of some rows, on the device as a whole. */
    public static Item perEdge(
        int partition, String member, String purpose, long bytes, Object content, Object rows) {
      return new Item(partition, member, purpose, bytes, content, true, Need.RUN, rows, bytes);
    }

    private boolean isPerEdge() {
      return rows != null;
    }

    private Item split(long onDevice) {
      return new Item(partition, member, purpose, bytes, content, shared, need, rows, onDevice);
    }

    /** Purpose with the partition, for messages. */
    String describe() {
      return purpose + " of partition " + partition;
    }
  }

  /** Bytes of everything on the device, of two ways those of the larger one. */
  public long totalBytes() {
    return missingBytes(array -> false);
  }

  /** Bytes of what this run has alone: values, bitmaps, tables; of two ways the larger one's. */
  public long ownBytes() {
    return most().filter(i -> !i.shared()).mapToLong(Item::own).sum();
  }

  /** What is allocated where the way that needs most is taken. */
  private Stream<Item> most() {
    Need larger = bytes(Need.OWNERS) > bytes(Need.WORKERS) ? Need.OWNERS : Need.WORKERS;
    return items.stream().filter(item -> isFor(item, larger));
  }

  private long bytes(Need need) {
    return items.stream().filter(item -> item.need() == need).mapToLong(Item::own).sum();
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
    return missingBytes(resident::contains);
  }

  /**
   * As above; shared arrays count once.
   *
   * @param there whether a shared array is on the device already
   */
  long missingBytes(Predicate<Object> there) {
    Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    return most()
        .filter(i -> !i.shared() || !there.test(i.content()) && counted.add(i.content()))
        .mapToLong(Item::own)
        .sum();
  }

  // ---- arrays per edge ------------------------------------------------------------------------

  /**
   * The arrays that have an entry per edge, each once, with a number each.
   *
   * @param number of an item
   */
  private Map<Object, Long> perEdge(ToLongFunction<Item> number) {
    Map<Object, Long> numbers = new IdentityHashMap<>();
    items.stream()
        .filter(Item::isPerEdge)
        .forEach(item -> numbers.put(item.content(), number.applyAsLong(item)));
    return numbers;
  }

  /** The arrays that have an entry per edge, each once, told apart by identity. */
  public Set<Object> edgeArrays() {
    return perEdge(Item::bytes).keySet();
  }

  /** Bytes on the device of an array with an entry per edge. */
  long ownBytes(Object array) {
    return perEdge(Item::own).get(array);
  }

  /** Bytes of arrays with an entry per edge that lie in the host's memory. */
  public long outsideBytes() {
    return outsideBytes(array -> true);
  }

  /**
   * As above, of some of these arrays.
   *
   * @param which arrays count
   */
  long outsideBytes(Predicate<Object> which) {
    return perEdge(item -> item.bytes() - item.own()).entrySet().stream()
        .filter(array -> which.test(array.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Bytes of arrays with an entry per edge that are on the device. */
  long edgeBytesThere() {
    return edgeBytes() - outsideBytes();
  }

  /** Bytes of arrays with an entry per edge, wherever they lie. */
  public long edgeBytes() {
    return perEdge(Item::bytes).values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The plan with a part of the arrays per edge on the device: those of the first rows as far as
   * there is room, from the first edge on, and of arrays of the same rows the same part. Plans
   * begin with the rows that are read most, so that others lie in the host's memory first; those of
   * several partitions take turns.
   *
   * @param room bytes of the device for them
   * @param page bytes of a page: parts are whole pages
   * @param fixed those that stay as they are, with the bytes of each that are on the device
   */
  DevicePlan split(long room, long page, Map<Object, Long> fixed) {
    Map<Object, Long> own = new IdentityHashMap<>(fixed);
    long left = room;
    for (Map<Object, Long> arrays : byRows(fixed)) {
      long all = arrays.values().stream().mapToLong(Long::longValue).sum();
      double share = (double) left / all;
      for (Map.Entry<Object, Long> array : arrays.entrySet()) {
        long bytes = array.getValue();
        long taken = all <= left ? bytes : (long) (share * bytes) / page * page;
        own.put(array.getKey(), taken);
      }
      left -= arrays.keySet().stream().mapToLong(own::get).sum();
    }
    List<Item> split =
        items.stream()
            .map(item -> item.isPerEdge() ? item.split(own.get(item.content())) : item)
            .toList();
    return new DevicePlan(grouping, pushes, split, hubs);
  }

  /**
   * Whether a layout of the same plan has much more of its edges on the device, or of those that
   * are read most: arrays of the same rows are read together, so that the one with the smallest
   * part there counts.
   *
   * @param much a part of the plan's edges, in bytes
   */
  boolean isMuchWorseThan(DevicePlan other, long much) {
    long own = 0;
    long others = 0;
    for (Map<Object, Long> arrays : byRows(Map.of())) {
      own += readThere(arrays);
      others += other.readThere(arrays);
      if (others - own > much) {
        return true;
      }
    }
    return false;
  }

  private long readThere(Map<Object, Long> arrays) {
    Map<Object, Long> there = perEdge(Item::own);
    double share =
        arrays.entrySet().stream()
            .mapToDouble(array -> (double) there.get(array.getKey()) / array.getValue())
            .min()
            .orElse(1);
    return (long) (share * arrays.values().stream().mapToLong(Long::longValue).sum());
  }

  /** The sizes of the arrays of the same rows, of those first that a partition has first. */
  private List<Map<Object, Long>> byRows(Map<Object, Long> but) {
    Map<Object, Map<Object, Long>> sizes = new LinkedHashMap<>();
    Map<Object, Integer> ranks = new IdentityHashMap<>();
    Map<Integer, Integer> seen = new HashMap<>();
    for (Item item : items) {
      if (item.isPerEdge() && !but.containsKey(item.content())) {
        ranks.computeIfAbsent(item.rows(), rows -> seen.merge(item.partition(), 1, Integer::sum));
        sizes
            .computeIfAbsent(item.rows(), rows -> new IdentityHashMap<>())
            .put(item.content(), item.bytes());
      }
    }
    return sizes.entrySet().stream()
        .sorted(Comparator.comparing(entry -> ranks.get(entry.getKey())))
        .map(Map.Entry::getValue)
        .toList();
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
    most().forEach(item -> bytes.merge(item.purpose(), item.own(), Long::sum));
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
