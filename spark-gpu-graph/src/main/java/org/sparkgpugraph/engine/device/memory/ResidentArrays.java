package org.sparkgpugraph.engine.device.memory;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.sparkgpugraph.engine.device.ArrayBytes;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.Reclaimable;
import org.sparkgpugraph.graphs.memory.LaterArray;
import org.sparkgpugraph.graphs.memory.OffHeapArray;

/**
 * Immutable host arrays (the structure of graphs, edge values, ids) that stay on a device, so that
 * the runs on one graph upload them once. An array, or a {@link LaterArray} in its place, is known
 * by its identity, not its content, and is not kept alive: once the host has dropped it, its copy
 * is freed. While no run uses a copy it may be evicted, least recently used first. Arrays that are
 * on the device alone go to the host then, and come back from there. Thread-safe.
 */
public final class ResidentArrays implements Reclaimable, AutoCloseable {
  /** Elements off the heap that are copied to it at a time, to be uploaded. */
  private static final int COPIED = 1 << 20;

  /** Of what may give way, the part that does at a time when others need memory. */
  private static final int RECLAIMED_PART = 8;

  /** Bytes that do at least. */
  private static final long RECLAIMED = 64L << 20;

  private final Device device;
  private final ReentrantLock lock = new ReentrantLock();

  /** Who has found what is here, and does not use it yet. */
  private final AtomicInteger undisturbed = new AtomicInteger();

  private final Map<Key, Entry> entries = new HashMap<>();

  /** What was on the device alone, and was evicted. */
  private final Map<Key, Object> rescued = new HashMap<>();

  private final ReferenceQueue<Object> dropped = new ReferenceQueue<>();
  private long clock;
  private long uploadNanos;
  private boolean closed;

  ResidentArrays(Device device) {
    this.device = device;
  }

  /** Has the lock; closing it gives it back. */
  private interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  private Hold hold() {
    lock.lock();
    return lock::unlock;
  }

  /** The identity of an array, whether it still exists or not. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object array, ReferenceQueue<Object> queue) {
      super(array, queue);
      hash = System.identityHashCode(array);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      if (this == other) {
        return true;
      }
      Object mine = get();
      return mine != null && other instanceof Key key && key.get() == mine;
    }
  }

  private static final class Entry {
    private final DeviceMemory memory;
    private int uses;
    private long lastUse;
    private boolean released;

    /** Whether the host has none of it, nor what it is made of. */
    private boolean alone;

    Entry(DeviceMemory memory) {
      this.memory = memory;
    }
  }

  /** A use of a copy; closing it ends the use and leaves the copy where it is. */
  public final class Use implements AutoCloseable {
    /** Held so that the array, and with it the copy, lives as long as the use. */
    private final Object array;

    private final Entry entry;
    private boolean open = true;

    private Use(Object array, Entry entry) {
      this.array = array;
      this.entry = entry;
    }

    /** The copy; not to be closed. */
    public DeviceMemory memory() {
      return entry.memory;
    }

    @Override
    public void close() {
      try (Hold unused = hold()) {
        if (open) {
          open = false;
          entry.uses--;
          entry.lastUse = ++clock;
          if (entry.uses == 0 && (entry.released || closed)) {
            drop(new Key(array, null), entry);
          }
        }
      }
    }
  }

  /** Bytes that an array takes on a device. */
  public static long bytes(Object array) {
    return (long) length(array) * elementBytes(array);
  }

  private static int length(Object array) {
    if (array instanceof OffHeapArray away) {
      return away.length();
    }
    return array instanceof LaterArray later ? later.length() : Array.getLength(array);
  }

  /** Bytes of one element on a device. */
  static int elementBytes(Object array) {
    if (array instanceof OffHeapArray away) {
      return away.kind().bytes();
    }
    return array instanceof LaterArray later
        ? later.kind().bytes()
        : ArrayBytes.elementBytes(array);
  }

  /** Whether a copy is on the device now. */
  public boolean contains(Object array) {
    try (Hold unused = hold()) {
      Entry entry = find(array);
      return entry != null && !entry.released;
    }
  }

  /** Whether a run uses a copy now. */
  public boolean isUsed(Object array) {
    try (Hold unused = hold()) {
      Entry entry = find(array);
      return entry != null && entry.uses > 0;
    }
  }

  /** Bytes on the device of a copy, 0 where there is none. */
  long ownBytes(Object array) {
    try (Hold unused = hold()) {
      Entry entry = find(array);
      return entry == null ? 0 : entry.memory.ownBytes();
    }
  }

  private Entry find(Object array) {
    sweep();
    return entries.get(new Key(array, null));
  }

  private Entry put(Object array, DeviceMemory memory) {
    Entry entry = new Entry(memory);
    entries.put(new Key(array, dropped), entry);
    return entry;
  }

  /**
   * The copy of an array, uploaded now when there is none.
   *
   * @param purpose what for, in messages: {@code "sources of the in-edges of partition 0"}
   * @throws DeviceOutOfMemoryException when it does not fit
   */
  public Use use(Object array, String purpose) {
    return use(array, bytes(array), purpose);
  }

  /**
   * As above, of an array of which a part may lie in the host's memory.
   *
   * @param own bytes that are on the device, if there is no copy yet; see {@link
   *     Device#allocateSplit}
   */
  Use use(Object array, long own, String purpose) {
    try (Hold unused = hold()) {
      if (closed) {
        throw new IllegalStateException("the device engine is closed");
      }
      Entry entry = find(array);
      if (entry == null) {
        Object kept = rescued.get(new Key(array, null));
        entry = put(array, upload(kept == null ? array : kept, own, purpose));
      }
      entry.released = false;
      entry.uses++;
      entry.lastUse = ++clock;
      return new Use(array, entry);
    }
  }

  /**
   * Takes a copy of an array that was made on the device itself. Where there is one already, it
   * stays and the new one is freed.
   *
   * @param memory the copy; not the caller's any more
   */
  void adopt(Object array, DeviceMemory memory) {
    try (Hold unused = hold()) {
      if (closed) {
        memory.close();
        throw new IllegalStateException("the device engine is closed");
      }
      Entry entry = find(array);
      if (entry == null) {
        entry = put(array, memory);
      } else {
        memory.close();
      }
      entry.released = false;
      entry.lastUse = ++clock;
    }
  }

  /** As {@link #adopt}, of an array that nobody can make again. */
  void adoptAlone(LaterArray array, DeviceMemory memory) {
    try (Hold unused = hold()) {
      adopt(array, memory);
      find(array).alone = true;
    }
  }

  /**
   * Copies an array to the host that is on the device alone, or was before it was evicted.
   *
   * @throws IllegalStateException when it is not there any more
   */
  Object copy(LaterArray array) {
    try (Hold unused = hold()) {
      Entry entry = find(array);
      Object kept = rescued.get(new Key(array, null));
      if (entry == null && kept == null) {
        throw new IllegalStateException(
            "rows that were on a GPU alone went with it: load the graph again");
      }
      return kept != null ? kept : downloaded(array, entry.memory);
    }
  }

  private Object downloaded(LaterArray array, DeviceMemory memory) {
    Object copy = Array.newInstance(array.kind().primitive(), array.length());
    if (array.length() > 0) {
      device.download(memory, 0, copy, 0, array.length());
    }
    return copy;
  }

  private DeviceMemory upload(Object content, long own, String purpose) {
    Object array = content instanceof LaterArray later ? later.array() : content;
    long bytes = bytes(array);
    DeviceMemory memory =
        own < bytes ? device.allocateSplit(bytes, own, purpose) : device.allocate(bytes, purpose);
    boolean done = false;
    try {
      long start = System.nanoTime();
      if (memory.bytes() > 0) {
        upload(array, memory);
      }
      uploadNanos += System.nanoTime() - start;
      done = true;
      return memory;
    } finally {
      if (!done) {
        memory.close();
      }
    }
  }

  private void upload(Object array, DeviceMemory memory) {
    if (array instanceof OffHeapArray away) {
      Class<?> type = away.kind().primitive();
      Object some = Array.newInstance(type, Math.min(away.length(), COPIED));
      for (int at = 0, count; at < away.length(); at += count) {
        count = Math.min(COPIED, away.length() - at);
        away.get(at, some, 0, count);
        device.upload(some, 0, count, memory, (long) at * away.kind().bytes());
      }
    } else {
      device.upload(array, 0, Array.getLength(array), memory, 0);
    }
  }

  /** Time spent in uploads so far. */
  long uploadNanos() {
    try (Hold unused = hold()) {
      return uploadNanos;
    }
  }

  /** Bytes of all copies on the device. */
  public long bytes() {
    try (Hold unused = hold()) {
      sweep();
      return entries.values().stream().mapToLong(e -> e.memory.ownBytes()).sum();
    }
  }

  /**
   * Bytes that {@link #evict} could free.
   *
   * @param keep arrays that are about to be used
   */
  public long evictableBytes(Collection<Object> keep) {
    try (Hold unused = hold()) {
      sweep();
      return evictable(keep).stream().mapToLong(e -> e.getValue().memory.ownBytes()).sum();
    }
  }

  /**
   * Frees copies that no run uses, least recently used first, until enough is freed or none is
   * left.
   *
   * @param wanted bytes to free
   * @param keep arrays that are about to be used
   * @return bytes freed
   */
  public long evict(long wanted, Collection<Object> keep) {
    try (Hold unused = hold()) {
      return evict(wanted, keep, DeviceMemory::ownBytes);
    }
  }

  /**
   * As {@link #evict(long, Collection)}, of what copies take of the host's memory.
   *
   * @param wanted bytes of the host's memory to free
   */
  void evictOutside(long wanted, Collection<Object> keep) {
    try (Hold unused = hold()) {
      evict(wanted, keep, ResidentArrays::outside);
    }
  }

  private long evict(long wanted, Collection<Object> keep, ToLongFunction<DeviceMemory> bytes) {
    sweep();
    long freed = 0;
    for (Map.Entry<Key, Entry> entry : evictable(keep)) {
      if (freed >= wanted) {
        break;
      }
      long frees = bytes.applyAsLong(entry.getValue().memory);
      if (frees > 0 || entry.getValue().memory.bytes() == 0) {
        rescue(entry.getKey(), entry.getValue());
        freed += frees;
        drop(entry.getKey(), entry.getValue());
      }
    }
    return freed;
  }

  // ---- others that need the memory --------------------------------------------------------------

  /**
   * Does something while nothing gives way to others: what was found to be here stays until it is
   * in use.
   */
  <T> T undisturbed(Supplier<T> work) {
    undisturbed.incrementAndGet();
    try {
      return work.get();
    } finally {
      undisturbed.decrementAndGet();
    }
  }

  @Override
  public long reclaimableBytes() {
    return ifIdle(() -> evictableBytes(List.of()));
  }

  /** Frees copies that no run uses, some of them at a time: whoever needs more asks again. */
  @Override
  public long reclaim(long bytes) {
    return ifIdle(
        () -> {
          long most = Math.max(RECLAIMED, evictableBytes(List.of()) / RECLAIMED_PART);
          return evict(Math.min(bytes, most), List.of());
        });
  }

  /** Whoever has the lock may himself be waiting for memory: he is not waited for. */
  private long ifIdle(LongSupplier work) {
    if (lock.isHeldByCurrentThread() || !lock.tryLock()) {
      return 0;
    }
    try {
      return undisturbed.get() > 0 ? 0 : work.getAsLong();
    } finally {
      lock.unlock();
    }
  }

  // -----------------------------------------------------------------------------------------------

  private void rescue(Key key, Entry entry) {
    // It may have been dropped since.
    if (entry.alone && key.get() instanceof LaterArray array) {
      rescued.put(new Key(array, dropped), downloaded(array, entry.memory));
    }
  }

  /** Bytes of the host's memory that {@link #evictOutside} could free. */
  long evictableOutside(Collection<Object> keep) {
    try (Hold unused = hold()) {
      sweep();
      return evictable(keep).stream().mapToLong(e -> outside(e.getValue().memory)).sum();
    }
  }

  private static long outside(DeviceMemory memory) {
    return memory.bytes() - memory.ownBytes();
  }

  private List<Map.Entry<Key, Entry>> evictable(Collection<Object> keep) {
    Set<Key> kept = new HashSet<>();
    keep.forEach(array -> kept.add(new Key(array, null)));
    List<Map.Entry<Key, Entry>> found = new ArrayList<>();
    for (Map.Entry<Key, Entry> entry : entries.entrySet()) {
      if (entry.getValue().uses == 0 && !kept.contains(entry.getKey())) {
        found.add(Map.entry(entry.getKey(), entry.getValue()));
      }
    }
    found.sort(Comparator.comparingLong(e -> e.getValue().lastUse));
    return found;
  }

  /** Frees the copy of an array, or lets the last run that uses it do so. */
  void release(Object array) {
    try (Hold unused = hold()) {
      sweep();
      Key key = new Key(array, null);
      Entry entry = entries.get(key);
      rescued.remove(key);
      if (entry != null) {
        entry.released = true;
        if (entry.uses == 0) {
          drop(key, entry);
        }
      }
    }
  }

  private void drop(Key key, Entry entry) {
    if (entries.remove(key, entry)) {
      entry.memory.close();
    }
  }

  /** Frees the copies of arrays that the host has dropped; a use keeps its array alive. */
  private void sweep() {
    for (Object key; (key = dropped.poll()) != null; ) {
      rescued.remove(key);
      Entry entry = entries.remove(key);
      if (entry != null) {
        entry.memory.close();
      }
    }
  }

  /** Frees everything that no run uses; what is in use is freed when its run ends. */
  @Override
  public void close() {
    try (Hold unused = hold()) {
      closed = true;
      evictable(List.of()).forEach(entry -> drop(entry.getKey(), entry.getValue()));
    }
  }
}
