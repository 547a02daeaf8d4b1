package org.sparkgpugraph.examples.command;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * The most heap that this JVM used, with garbage and without: sampled every few milliseconds, and
 * what was left after each collection. Ends with {@link #close}.
 */
public final class PeakHeap implements AutoCloseable {
  private static final int INTERVAL_MILLIS = 10;

  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong afterCollection = new AtomicLong();
  private final Thread sampler = new Thread(this::sample, "peak-heap");
  private final NotificationListener listener = this::collected;

  /** Begins to watch. */
  public PeakHeap() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(listener, null, null);
      }
    }
    sampler.setDaemon(true);
    sampler.start();
  }

  /** Bytes in use at the highest moment, garbage included. */
  public long usedBytes() {
    used.accumulateAndGet(memory.getHeapMemoryUsage().getUsed(), Math::max);
    return used.get();
  }

  /** Most bytes that a collection left; 0 when there was none. */
  public long bytesAfterCollection() {
    return afterCollection.get();
  }

  private void sample() {
    try {
      while (true) {
        usedBytes();
        Thread.sleep(INTERVAL_MILLIS);
      }
    } catch (InterruptedException e) {
      // close() ends the thread this way.
      Thread.currentThread().interrupt();
    }
  }

  private void collected(Notification notification, Object handback) {
    if (!notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      return;
    }
    var info = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
    long before = 0;
    long after = 0;
    for (var pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == java.lang.management.MemoryType.HEAP) {
        before += usedOf(info.getGcInfo().getMemoryUsageBeforeGc().get(pool.getName()));
        after += usedOf(info.getGcInfo().getMemoryUsageAfterGc().get(pool.getName()));
      }
    }
    used.accumulateAndGet(before, Math::max);
    afterCollection.accumulateAndGet(after, Math::max);
  }

  private static long usedOf(MemoryUsage usage) {
    return usage == null ? 0 : usage.getUsed();
  }

  @Override
  public void close() {
    sampler.interrupt();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        try {
          emitter.removeNotificationListener(listener);
        } catch (ListenerNotFoundException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
