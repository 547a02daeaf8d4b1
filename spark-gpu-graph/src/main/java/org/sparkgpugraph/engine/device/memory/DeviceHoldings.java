package org.sparkgpugraph.engine.device.memory;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.tuning.Choices;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.rows.RowsElsewhere;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;

/**
 * What stays on a device between runs, whatever their settings: the structure of graphs and loaded
 * kernels. Its lock is held while a run decides what fits and takes it.
 */
public final class DeviceHoldings implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceHoldings.class);

  /** Modules that stay loaded. */
  private static final int MODULES = 64;

  private static final AtomicLong NUMBERS = new AtomicLong();

  /** In the order of these numbers the locks of several are taken. */
  private final long number = NUMBERS.incrementAndGet();

  private final Device device;
  private final ResidentArrays resident;
  private final DerivedArrays derived = new DerivedArrays();
  private final ModuleCache modules;
  private final DeviceRows rows = new DeviceRows(this);
  private final RankedRows ranked = new RankedRows(this);
  private final SortedRows sorted = new SortedRows(this);
  private final Choices choices;

  /** Paths to other devices, by those; kept by the one of the lower number. */
  private final Map<Device, PeerPath> paths = new HashMap<>();

  /** Arrays on the device, by partition. Arrays are equal when they are the same. */
  private final Map<GraphPartition, Set<Object>> structure = new WeakHashMap<>();

  /** Kernels that are, or were, loaded beside runs, by their text. */
  private final Map<String, Future<KernelSource>> wanted = new HashMap<>();

  /** 0: not measured yet. */
  private double busRate;

  public DeviceHoldings(Device device) {
    this.device = device;
    resident = new ResidentArrays(device);
    device.reclaimFrom(resident);
    modules = new ModuleCache(device, MODULES);
    choices = new Choices(device.folder());
  }

  /** Does something while the locks of several are held. */
  public static <T> T locked(List<DeviceHoldings> all, Supplier<T> work) {
    return lockedInOrder(
        all.stream().sorted(Comparator.comparingLong(holdings -> holdings.number)).toList(), work);
  }

  private static <T> T lockedInOrder(List<DeviceHoldings> all, Supplier<T> work) {
    if (all.isEmpty()) {
      return work.get();
    }
    DeviceHoldings first = all.get(0);
    synchronized (first) {
      return first.resident.undisturbed(() -> lockedInOrder(all.subList(1, all.size()), work));
    }
  }

  public Device device() {
    return device;
  }

  /** Lets errors say which device it was. */
  public <T> T telling(Supplier<T> work) {
    try {
      return work.get();
    } catch (DeviceException e) {
      e.on(device.properties().ordinal());
      throw e;
    }
  }

  /** As {@link #telling(Supplier)}. */
  public void telling(Runnable work) {
    telling(
        () -> {
          work.run();
          return null;
        });
  }

  /**
   * Kernels on the device, compiled and loaded where they are not there yet.
   *
   * @throws org.sparkgpugraph.engine.device.KernelCompilationException when they do not compile
   */
  public ModuleCache.Use use(KernelSource source) {
    return telling(() -> modules.use(source));
  }

  /**
   * Loads kernels that are used soon, several at the same time.
   *
   * @throws org.sparkgpugraph.engine.device.KernelCompilationException when some do not compile
   */
  public void load(List<KernelSource> sources) {
    telling(
        () -> {
          modules.load(sources);
          return null;
        });
  }

  /**
   * Loads kernels that may be used later, while a run goes on by others.
   *
   * @param <T> what says which kernels these are
   * @param kernels finds or makes them
   * @param source their source
   * @return is done when they are loaded, and fails where {@link #use} would
   */
  public <T> Future<T> later(Supplier<T> kernels, Function<T, KernelSource> source) {
    return modules.later(kernels, source);
  }

  /**
   * Whether kernels are loaded that a run can do without. What is not there is loaded beside runs,
   * for those to come; once: where that fails it is not tried again.
   */
  public synchronized boolean areLoaded(List<KernelSource> sources) {
    boolean all = true;
    for (KernelSource source : sources) {
      if (modules.isLoaded(source)) {
        wanted.remove(source.text());
      } else {
        all = false;
        Future<KernelSource> asked = wanted.get(source.text());
        if (asked == null || asked.isDone() && !failed(asked)) {
          wanted.put(source.text(), later(() -> source, s -> s));
        }
      }
    }
    return all;
  }

  private static boolean failed(Future<?> done) {
    try {
      done.get();
      return false;
    } catch (ExecutionException e) {
      LOG.debug("kernels that a run can do without are not there", e.getCause());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Waits for all that was begun by {@link #later}. */
  public void awaitLater() {
    modules.awaitLater();
  }

  /**
   * Sees to it that so many bytes can be allocated: structure that no run uses is freed. To be
   * called under the lock.
   *
   * @param reserve bytes of the device to leave to others
   * @param keep arrays that stay
   * @param purpose what for, in messages
   * @throws DeviceOutOfMemoryException when there is no room
   */
  public void makeRoom(long bytes, long reserve, Collection<Object> keep, String purpose) {
    long free = device.memory().free() - reserve;
    if (bytes <= free) {
      return;
    }
    long available = Math.max(0, free + resident.evictableBytes(keep));
    if (bytes > available) {
      throw new DeviceOutOfMemoryException(
          device.properties().name(),
          purpose,
          bytes,
          available,
          "",
          DeviceOutOfMemoryException.SMALLER_PARTS);
    }
    resident.evict(bytes - free, keep);
  }

  /**
   * Makes room as {@link #makeRoom} and takes it, with nobody in between.
   *
   * @param take allocates
   */
  public synchronized void taking(
      long bytes, long reserve, Collection<Object> keep, String purpose, Runnable take) {
    resident.undisturbed(
        () -> {
          makeRoom(bytes, reserve, keep, purpose);
          take.run();
          return null;
        });
  }

  public ResidentArrays resident() {
    return resident;
  }

  public DerivedArrays derived() {
    return derived;
  }

  /** Which ways programs take on such a device. */
  public Choices choices() {
    return choices;
  }

  /** Makes rows of graphs on the device. */
  public DeviceRows rows() {
    return rows;
  }

  /** Ranks vertices on the device. */
  public RankedRows ranked() {
    return ranked;
  }

  /** Sorts the edges of rows on the device. */
  public SortedRows sorted() {
    return sorted;
  }

  /** The direct path to another device, opened when it is first asked for. */
  public PeerPath path(DeviceHoldings other) {
    if (other.number < number) {
      return other.path(this);
    }
    synchronized (paths) {
      return paths.computeIfAbsent(other.device, peer -> PeerPath.open(device, peer));
    }
  }

  /** In words, what a run reads of the host's memory, and how long that takes. */
  public String streamed(DevicePlan plan) {
    String what =
        "%d of %d bytes of edges stay in the host's memory and are read there"
            .formatted(plan.outsideBytes(), plan.edgeBytes());
    try {
      double rate = busRate();
      return what
          + ": %.3f s for all at %.1f GB/s".formatted(plan.outsideBytes() / rate, rate / 1e9);
    } catch (DeviceException e) {
      LOG.debug("the rate of the bus is not known", e);
      return what;
    }
  }

  /** Bytes per second that come from the host's memory, measured once. */
  private synchronized double busRate() {
    if (busRate == 0) {
      busRate = BusRate.measure(device);
    }
    return busRate;
  }

  /** Remembers that arrays belong to a partition, for {@link #release}. */
  public synchronized void remember(GraphPartition partition, Collection<Object> arrays) {
    arraysOf(partition).addAll(arrays);
  }

  private Set<Object> arraysOf(GraphPartition partition) {
    return structure.computeIfAbsent(
        partition, p -> Collections.newSetFromMap(new WeakHashMap<>()));
  }

  /** Remembers which arrays belong to a graph, for {@link #release}. */
  public synchronized void remember(ExecutorGraph graph, DevicePlan plan) {
    for (GraphPartition partition : graph.partitions()) {
      Set<Object> arrays = arraysOf(partition);
      for (DevicePlan.Item item : plan.items()) {
        if (item.shared() && item.partition() == partition.index()) {
          arrays.add(item.content());
        }
      }
    }
  }

  /** See {@code DeviceEngine.release}. */
  public synchronized void release(ExecutorGraph graph) {
    derived.forgetOverlap(graph, null);
    for (GraphPartition partition : graph.partitions()) {
      Set<Object> arrays = structure.remove(partition);
      if (arrays != null) {
        arrays.forEach(resident::release);
      }
      UnsortedEdges unsorted = UnsortedEdges.of(partition);
      if (unsorted != null) {
        unsorted.keys().forEach(resident::release);
      }
      for (RowsElsewhere rows : RowsElsewhere.of(partition)) {
        rows.keys().forEach(resident::release);
      }
    }
  }

  @Override
  public synchronized void close() {
    Closing.all(List.of(resident, modules));
  }
}
