package org.sparkgpugraph.engine.device.memory;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;

/**
 * Whether a plan fits into a device beside what is there, and what gives way to it. To be used
 * under the lock of the {@link DeviceHoldings}.
 */
public final class MemoryFit {
  /** A difference of one part of so many is not worth copying an array again. */
  private static final int ALIKE = 8;

  private final Device device;
  private final ResidentArrays resident;
  private final DeviceSettings settings;

  public MemoryFit(DeviceHoldings on, DeviceSettings settings) {
    device = on.device();
    resident = on.resident();
    this.settings = settings;
  }

  /**
   * How a plan fits.
   *
   * @param plan with what of it is on the device
   * @param needed bytes of the device that it has to allocate
   * @param available bytes that there are, when all that may has given way
   * @param keep arrays that do not give way
   * @param fits whether it can be taken
   */
  public record Found(
      DevicePlan plan, long needed, long available, Collection<Object> keep, boolean fits) {}

  /**
   * A plan with all of it on the device, but for arrays that another run reads in the host's memory
   * now.
   *
   * @param evicts whether what no run uses gives way
   */
  public Found whole(DevicePlan plan, boolean evicts) {
    Set<Object> edges = plan.edgeArrays();
    Predicate<Object> there =
        array ->
            resident.isUsed(array)
                || resident.contains(array)
                    && (!edges.contains(array)
                        || resident.ownBytes(array) == ResidentArrays.bytes(array));
    Collection<Object> keep = new HashSet<>(plan.sharedArrays());
    keep.removeIf(array -> resident.contains(array) && !there.test(array));
    long needed = plan.missingBytes(there);
    long available = Math.max(0, free() + (evicts ? resident.evictableBytes(keep) : 0));
    boolean allowed = device.hostBytes() == 0 || edgesThere(edges) <= settings.edgeBytes();
    return new Found(plan, needed, available, keep, needed <= available && allowed);
  }

  /** Bytes on the device that arrays per edge take if those that nobody uses are there whole. */
  private long edgesThere(Set<Object> edges) {
    return edges.stream()
        .mapToLong(
            array ->
                resident.isUsed(array) ? resident.ownBytes(array) : ResidentArrays.bytes(array))
        .sum();
  }

  /**
   * A plan with as much of the arrays per edge on the device as there is room for, and the rest in
   * the host's memory. All that no run uses gives way; these arrays, too, unless an earlier run has
   * left about as much of them there.
   */
  public Found split(DevicePlan plan) {
    Set<Object> edges = plan.edgeArrays();
    Predicate<Object> used = resident::isUsed;
    Collection<Object> keep = new HashSet<>(plan.sharedArrays());
    keep.removeIf(array -> edges.contains(array) && !used.test(array));
    long available = Math.max(0, free() + resident.evictableBytes(keep));
    long least = needed(plan.split(0, used), edges, used);
    long room = Math.min(settings.edgeBytes(), available - least);
    DevicePlan split = plan.split(Math.max(0, room), used);
    boolean fits = least <= available && split.outsideBytes() > 0;
    if (fits && edges.stream().allMatch(array -> used.test(array) || isAsPlanned(array, split))) {
      return new Found(
          split,
          split.missingBytes(resident),
          free() + resident.evictableBytes(split.sharedArrays()),
          split.sharedArrays(),
          true);
    }
    return new Found(
        split,
        needed(split, edges, used),
        available,
        keep,
        fits && split.outsideBytes() <= device.hostBytes());
  }

  /** Whether about as much of an array is on the device as a plan has there. */
  private boolean isAsPlanned(Object array, DevicePlan plan) {
    long planned = plan.ownBytes(array);
    return resident.contains(array)
        && Math.abs(resident.ownBytes(array) - planned)
            <= Math.max(DevicePlan.SPLIT_PAGE, planned / ALIKE);
  }

  /** Bytes to allocate when arrays per edge are not there any more, but for those in use. */
  private long needed(DevicePlan plan, Set<Object> edges, Predicate<Object> used) {
    return plan.missingBytes(
        array -> edges.contains(array) ? used.test(array) : resident.contains(array));
  }

  /**
   * Makes room for a plan, as a whole or in part.
   *
   * @param purpose what for, in messages
   * @return the plan, with what of it is to be on the device
   * @throws DeviceOutOfMemoryException when there is no room either way
   */
  public DevicePlan take(DevicePlan plan, String purpose) {
    Found whole = whole(plan, true);
    Found found = whole.fits() ? whole : split(plan);
    if (!found.fits()) {
      throw new DeviceOutOfMemoryException(
          device.properties().name(),
          purpose,
          whole.needed(),
          whole.available(),
          "",
          DeviceOutOfMemoryException.SMALLER_PARTS);
    }
    makeRoom(found);
    return found.plan();
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
  }

  private long free() {
    return device.memory().free() - settings.reserveBytes();
  }
}
