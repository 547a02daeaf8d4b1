package org.sparkgpugraph.engine.device.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.sparkgpugraph.engine.DeviceTimings;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.exchange.DevicePlacement;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.ModuleCache;
import org.sparkgpugraph.program.Aggregate;

/**
 * The devices of a run, a thread for each: the caller's for the first. They do something together
 * and then all meet; what each of them counted is put together here, partitions in their order.
 */
public final class DeviceTeam implements AutoCloseable {
  private final DevicePlacement placement;
  private final WorkerTeam threads;
  private final List<DeviceShare> shares;
  private final long[] kernelNanosOf;
  private long kernelNanos;
  private long hubNanos;

  /**
   * Allocates and uploads everything, on all devices at the same time.
   *
   * @param holdings of the devices
   * @param modules the program's kernels on each device
   * @param plans of the memory of each device
   */
  public DeviceTeam(
      RunSpec spec,
      List<DeviceHoldings> holdings,
      List<ModuleCache.Use> modules,
      List<DevicePlan> plans) {
    placement = spec.lists().placement();
    threads = new WorkerTeam("device", placement.devices());
    DeviceShare[] opened = new DeviceShare[placement.devices()];
    try {
      together(
          d -> {
            DeviceHoldings on = holdings.get(d);
            DeviceModule module = modules.get(d).module();
            opened[d] = on.telling(() -> new DeviceShare(spec, d, on, module, plans.get(d)));
          });
    } catch (RuntimeException | Error e) {
      List<AutoCloseable> resources = new ArrayList<>(List.of(threads));
      for (DeviceShare share : opened) {
        if (share != null) {
          resources.add(share);
        }
      }
      Closing.after(e, resources);
      throw e;
    }
    shares = List.of(opened);
    kernelNanosOf = new long[opened.length];
  }

  public List<DeviceShare> shares() {
    return shares;
  }

  /** The device of a partition. */
  public DeviceShare share(int partition) {
    return shares.get(placement.device(partition));
  }

  public DevicePartition partition(int partition) {
    return share(partition).partition(placement.slot(partition));
  }

  /** What each device does. */
  @FunctionalInterface
  public interface Work {
    void of(int device);
  }

  /**
   * Lets every device do something, and waits for all. Of several errors that of the lowest device
   * is thrown.
   */
  public void together(Work work) {
    Throwable[] errors = new Throwable[placement.devices()];
    threads.run(
        errors.length > 1,
        device -> {
          try {
            work.of(device);
          } catch (RuntimeException | Error e) {
            errors[device] = e;
          }
        });
    Throwable first = null;
    for (Throwable error : errors) {
      if (first == null) {
        first = error;
      } else if (error != null) {
        first.addSuppressed(error);
      }
    }
    if (first instanceof Error e) {
      throw e;
    }
    if (first != null) {
      throw (RuntimeException) first;
    }
  }

  /** Lets every device launch, waits for all and takes their times: of each part the slowest. */
  public void launch(Consumer<DeviceShare> work) {
    together(device -> work.accept(shares.get(device)));
    long longest = 0;
    for (int device = 0; device < kernelNanosOf.length; device++) {
      long nanos = shares.get(device).takeKernelNanos();
      kernelNanosOf[device] += nanos;
      longest = Math.max(longest, nanos);
    }
    kernelNanos += longest;
    hubNanos += slowest(DeviceShare::takeHubNanos);
  }

  private long slowest(ToLongFunction<DeviceShare> time) {
    return shares.stream().mapToLong(time).max().orElse(0);
  }

  // ---- what the devices counted -----------------------------------------------------------------

  /** A status word of a partition. */
  public long word(int partition, StatusWord word) {
    return share(partition).status().word(placement.slot(partition), word);
  }

  /** A status word, added up over the partitions. */
  public long sum(StatusWord word) {
    return shares.stream().mapToLong(share -> share.status().sum(word)).sum();
  }

  /** Number of updates in an outbox of a partition. */
  public int updates(int partition, int outbox) {
    return share(partition).status().updates(placement.slot(partition), outbox);
  }

  /** Number of updates in an outbox of a partition that carry a value. */
  public int valued(int partition, int outbox) {
    return share(partition).status().valued(placement.slot(partition), outbox);
  }

  public static double[] neutral(List<Aggregate> aggregates) {
    return aggregates.stream().mapToDouble(a -> a.operation().neutral()).toArray();
  }

  /** Aggregates of the last launches, partitions in their order. */
  public double[] combined(List<Aggregate> aggregates) {
    double[] values = neutral(aggregates);
    for (int p = 0; p < placement.partitions(); p++) {
      for (int i = 0; i < values.length; i++) {
        double part = share(p).status().aggregate(placement.slot(p), i);
        values[i] = aggregates.get(i).operation().combine(values[i], part);
      }
    }
    return values;
  }

  /**
   * Where the time went so far.
   *
   * @param resultNanos of downloads
   */
  public DeviceTimings timings(long resultNanos) {
    return new DeviceTimings(
        slowest(share -> share.memory().structureNanos()),
        slowest(share -> share.memory().valueNanos()),
        kernelNanos,
        hubNanos,
        resultNanos,
        shares.stream().mapToLong(DeviceShare::hubBytes).sum(),
        Arrays.stream(kernelNanosOf).boxed().toList());
  }

  /** Waits for what is queued on any device. */
  public void drain() {
    RuntimeException first = null;
    for (DeviceShare share : shares) {
      try {
        share.drain();
      } catch (DeviceException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Frees what the devices have for the run, which must not be in use, and ends the threads. */
  @Override
  public void close() {
    List<AutoCloseable> resources = new ArrayList<>(List.of(threads));
    resources.addAll(shares);
    Closing.all(resources);
  }
}
