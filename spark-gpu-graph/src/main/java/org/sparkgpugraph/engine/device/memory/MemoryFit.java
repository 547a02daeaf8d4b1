package org.sparkgpugraph.engine.device.memory;

import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;

/**
 * Whether a plan fits into a device beside what is there, how much of its edges is on the device
 * then, and what gives way to it. To be used under the lock of the {@link DeviceHoldings}.
 */
public final class MemoryFit {
  /** A difference of one part of so many is not worth copying arrays again. */
  private static final int ALIKE = 8;

  private final Device device;
  private final ResidentArrays resident;
  private final DeviceSettings settings;
  private final long hostTaken;
  private final Optional<Device.HostRoom> host;

  /**
   * @param hostTaken bytes of the host's memory that others are about to take
   */
  public MemoryFit(DeviceHoldings on, DeviceSettings settings, long hostTaken) {
    device = on.device();
    resident = on.resident();
    this.settings = settings;
    this.hostTaken = hostTaken;
    host = device.hostRoom();
  }

  /**
   * How a plan fits.
   *
   * @param plan with what of it is on the device
   * @param needed bytes of the device that it has to allocate
   * @param available bytes that there are, when all that may has given way
   * @param hostNeeded bytes of the host's memory that it has to allocate
   * @param hostAvailable bytes that there are, likewise
   * @param keep arrays that do not give way
   * @param fits whether it can be taken
   */
  public record Found(
      DevicePlan plan,
      long needed,
      long available,
      long hostNeeded,
      long hostAvailable,
      Collection<Object> keep,
      boolean fits) {
    /** Whether all of it is on the device. */
    public boolean isWhole() {
      return plan.outsideBytes() == 0;
    }
  }

  /**
   * Fits a plan in, as a whole or with a part of its edges in the host's memory. What earlier runs
   * have left of its arrays is taken as it is, unless much more of them, or of those that are read
   * most, would be on the device if they were copied again.
   *
   * @param evicts whether what no run uses gives way; otherwise the plan has to fit as a whole
   */
  public Found fit(DevicePlan plan, boolean evicts) {
    Found kept = laidOut(plan, resident::contains, evicts);
    if (host.isEmpty() || !evicts || kept.fits() && kept.isWhole()) {
      return kept;
    }
    Found anew = laidOut(plan, resident::isUsed, true);
    long much = plan.edgeBytes() / ALIKE;
    boolean alike =
        !(anew.fits() && anew.isWhole()) && !kept.plan().isMuchWorseThan(anew.plan(), much);
    return kept.fits() && (alike || !anew.fits()) ? kept : anew;
  }

  /**
   * @param stays of arrays per edge that are there: whether they stay as they are
   */
  private Found laidOut(DevicePlan plan, Predicate<Object> stays, boolean evicts) {
    Set<Object> edges = plan.edgeArrays();
    Map<Object, Long> fixed = new IdentityHashMap<>();
    for (Object array : edges) {
      if (stays.test(array)) {
        fixed.put(array, resident.ownBytes(array));
      }
    }
    Found found = laidOut(plan, edges, fixed, evicts);
    // What is there just as it would be made anew stays as well.
    int stay = fixed.size();
    for (Object array : edges) {
      if (found.fits()
          && resident.contains(array)
          && resident.ownBytes(array) == found.plan().ownBytes(array)) {
        fixed.putIfAbsent(array, resident.ownBytes(array));
      }
    }
    return fixed.size() == stay ? found : laidOut(found.plan(), edges, fixed, evicts);
  }

  private Found laidOut(
      DevicePlan plan, Set<Object> edges, Map<Object, Long> fixed, boolean evicts) {
    Collection<Object> keep = new HashSet<>(plan.sharedArrays());
    keep.removeIf(
        array -> edges.contains(array) && resident.contains(array) && !fixed.containsKey(array));
    Predicate<Object> there =
        array -> edges.contains(array) ? fixed.containsKey(array) : resident.contains(array);
    long available = Math.max(0, free() + (evicts ? resident.evictableBytes(keep) : 0));
    long page = host.map(Device.HostRoom::page).orElse(1L);
    DevicePlan whole = plan.split(Long.MAX_VALUE, page, fixed);
    long taken = fixed.values().stream().mapToLong(Long::longValue).sum();
    long allowed = Math.max(0, settings.edgeBytes() - taken);
    boolean bounded = host.isPresent() && whole.edgeBytesThere() - taken > allowed;
    boolean over =
        host.isPresent()
            && taken > settings.edgeBytes()
            && fixed.keySet().stream().anyMatch(array -> !resident.isUsed(array));
    long needed = whole.missingBytes(there);
    if (needed <= available && !bounded || host.isEmpty() || !evicts) {
      boolean fits = needed <= available && !bounded && !over;
      return new Found(whole, needed, available, 0, 0, keep, fits);
    }
    long least = plan.split(0, page, fixed).missingBytes(there);
    if (least > available) {
      return new Found(whole, needed, available, 0, 0, keep, false);
    }
    DevicePlan split = plan.split(Math.min(allowed, available - least), page, fixed);
    long outside = split.outsideBytes(array -> !fixed.containsKey(array));
    long hostAvailable = Math.max(0, hostFree() - hostTaken) + resident.evictableOutside(keep);
    return new Found(
        split,
        split.missingBytes(there),
        available,
        outside,
        hostAvailable,
        keep,
        outside <= hostAvailable && !over);
  }

  /**
   * Makes room for a plan, as a whole or in part.
   *
   * @param purpose what for, in messages
   * @return the plan, with what of it is to be on the device
   * @throws DeviceOutOfMemoryException when there is no room either way
   */
  public DevicePlan take(DevicePlan plan, String purpose) {
    Found found = fit(plan, true);
    if (!found.fits()) {
      throw refusal(
          found, device.properties().name(), purpose, DeviceOutOfMemoryException.SMALLER_PARTS);
    }
    makeRoom(found);
    return found.plan();
  }

  /**
   * What to throw when a plan does not fit.
   *
   * @param name of the device, in messages
   * @param purpose what the plan is for, in messages
   * @param advice what else the user can change
   */
  public static DeviceOutOfMemoryException refusal(
      Found found, String name, String purpose, String advice) {
    if (found.hostNeeded() > found.hostAvailable()) {
      return new DeviceOutOfMemoryException(
          "the host of " + name,
          "what of the edges of " + purpose + " has no room on the GPU",
          found.hostNeeded(),
          found.hostAvailable(),
          "",
          "let the host have more memory free beside the heap (spark.executor.memoryOverhead), or"
              + " the GPU for edges (spark.gpugraph.gpu.edgeMemory), or "
              + advice);
    }
    return new DeviceOutOfMemoryException(
        name, purpose, found.needed(), found.available(), "", advice);
  }

  /** Frees what gives way. */
  public void makeRoom(Found found) {
    for (Object array : found.plan().edgeArrays()) {
      if (!found.keep().contains(array)) {
        resident.release(array);
      }
    }
    long free = free();
    if (found.needed() > free) {
      resident.evict(found.needed() - free, found.keep());
    }
    long outside = found.hostNeeded();
    if (outside > 0) {
      resident.evictOutside(outside - hostFree(), found.keep());
    }
  }

  /** Bytes of the host's memory, of which no host has half as many as a long can tell. */
  private long hostFree() {
    return Math.min(Long.MAX_VALUE / 2, host.orElseThrow().free().getAsLong());
  }

  private long free() {
    return device.memory().free() - settings.reserveBytes();
  }
}
