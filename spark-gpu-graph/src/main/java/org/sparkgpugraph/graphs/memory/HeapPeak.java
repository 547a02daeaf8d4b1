package org.sparkgpugraph.graphs.memory;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.util.ArrayList;
import java.util.List;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * The most heap that was in use since some moment, with garbage that nobody had collected yet. Use
 * only grows between two collections, so what collectors tell of the moment before each, and what
 * is in use now, have the highest. Never too little; what was used at the very moment may count,
 * too. Thread-safe.
 */
public final class HeapPeak {
  /** Moments that are told apart. */
  static final int MOST = 256;

  private static final HeapPeak JVM = new HeapPeak();

  /** What rounding to milliseconds may come to. */
  private static final long ROUNDING = 2;

  /** More than a JVM takes until it is ready. */
  private static final long MOST_BEHIND = 10_000;

  /** By so many milliseconds the collectors' clock is behind the JVM's time up. */
  private static final long BEHIND = behind();

  private static final List<String> POOLS =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .toList();

  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);

  static {
    for (GarbageCollectorMXBean collector : COLLECTORS) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener((told, none) -> collected(told), null, null);
      }
    }
  }

  /** In order of time; each has more bytes than all behind it. Guarded by this. */
  private final List<Sample> samples = new ArrayList<>();

  private record Sample(long millis, long bytes) {}

  /**
   * Collectors count from the moment at which the JVM was ready, 60 ms and more behind its begin.
   * That moment is known by the system's clock alone; where this was set since, a mark is rather
   * too early than too late.
   */
  private static long behind() {
    RuntimeMXBean jvm = ManagementFactory.getRuntimeMXBean();
    long least = Long.MAX_VALUE;
    // The first times include the loading of classes.
    for (int i = 0; i < 8; i++) {
      long ready = System.currentTimeMillis() - jvm.getStartTime();
      least = Math.min(least, jvm.getUptime() - ready);
    }
    return least >= 0 && least <= MOST_BEHIND ? least : MOST_BEHIND;
  }

  /** Of nothing yet; for tests. */
  HeapPeak() {}

  /** Has this JVM's collections be noticed from now on. */
  public static void watch() {
    // The class is there now.
  }

  /**
   * This moment, or some milliseconds before: by the clock of this JVM's collectors, which no other
   * JVM's is compared with.
   */
  public static long mark() {
    return ManagementFactory.getRuntimeMXBean().getUptime() - BEHIND - ROUNDING;
  }

  /**
   * The most heap that this JVM used, since it was {@linkplain #watch watched}.
   *
   * @param mark of this JVM, from when on
   * @return bytes
   */
  public static long since(long mark) {
    // Notifications come a little later.
    for (GarbageCollectorMXBean collector : COLLECTORS) {
      GcInfo last = collector.getLastGcInfo();
      if (last != null) {
        add(last);
      }
    }
    long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return Math.max(now, JVM.highest(mark));
  }

  private static void collected(Notification told) {
    if (told.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      add(GarbageCollectionNotificationInfo.from((CompositeData) told.getUserData()).getGcInfo());
    }
  }

  private static void add(GcInfo collection) {
    long used = 0;
    for (String pool : POOLS) {
      MemoryUsage before = collection.getMemoryUsageBeforeGc().get(pool);
      used += before == null ? 0 : before.getUsed();
    }
    JVM.add(collection.getEndTime(), used);
  }

  /** So much was in use then. What is told late, or more than once, changes nothing else. */
  synchronized void add(long millis, long bytes) {
    int at = samples.size();
    while (at > 0 && samples.get(at - 1).millis() >= millis) {
      at--;
    }
    if (at < samples.size() && samples.get(at).bytes() >= bytes) {
      return;
    }
    while (at > 0 && samples.get(at - 1).bytes() <= bytes) {
      at--;
      samples.remove(at);
    }
    samples.add(at, new Sample(millis, bytes));
    if (samples.size() > MOST) {
      // The oldest two become one, which is no less than either.
      long most = samples.remove(0).bytes();
      samples.set(0, new Sample(samples.get(0).millis(), most));
    }
  }

  /** The most that was in use since a moment; 0 where nothing is known of it. */
  synchronized long highest(long millis) {
    for (Sample sample : samples) {
      if (sample.millis() >= millis) {
        return sample.bytes();
      }
    }
    return 0;
  }
}
