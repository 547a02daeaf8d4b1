package org.sparkgpugraph.engine.device.partition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.exchange.Route;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.kernels.SuperstepKernels;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.ModuleCache;
import org.sparkgpugraph.engine.device.memory.Tiles;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * The part of a run that one device has: its partitions, their memory, a stream. One thread at a
 * time uses it; the run decides which.
 */
public final class DeviceShare implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceShare.class);

  private final DeviceHoldings on;
  private DevicePlan plan;
  private final DeviceAllocations memory;
  private final DeviceStream stream;
  private final DeviceStatus status;
  private final SectionCounts sections;

  /** Null where each superstep is waited for. */
  private final GatherChain chain;

  private final List<Integer> indexes;
  private final List<DevicePartition> partitions = new ArrayList<>();
  private final List<BoundaryLink> out = new ArrayList<>();
  private final List<BoundaryLink> in = new ArrayList<>();
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final Map<SuperstepKernels, KernelLauncher> kinds = new IdentityHashMap<>();
  private long kernelNanos;
  private long hubNanos;
  private long hubBytes;
  private boolean rotates;

  /** Whether the next superstep has begun already. */
  private boolean begun;

  /**
   * Allocates and uploads everything.
   *
   * @param index which of the run's devices this is
   * @param module the program's kernels on it; the caller's
   * @param plan of the memory there
   */
  DeviceShare(
      RunSpec spec, int index, DeviceHoldings holdings, DeviceModule module, DevicePlan plan) {
    this.plan = plan;
    on = holdings;
    Device device = holdings.device();
    indexes = spec.lists().placement().on(index);
    try {
      int all = spec.graph().partitions().size();
      memory = keep(new DeviceAllocations(device, holdings.resident(), plan, all));
      stream = keep(device.newStream());
      KernelLauncher launcher = new KernelLauncher(device, stream, module);
      for (int p : indexes) {
        GraphPartition graph = spec.graph().partitions().get(p);
        partitions.add(keep(new DevicePartition(spec, graph, plan, memory, launcher)));
      }
      spec.kernels()
          .outlined()
          .ifPresent(o -> partitions.get(0).outline(spec, launcher(o.kernels())));
      spec.kernels().hot().ifPresent(this::readHotFirst);
      status = keep(new DeviceStatus(device, partitions));
      status.clear(stream);
      sections =
          spec.borders().canMove()
              ? keep(new SectionCounts(device, partitions.get(0), spec.borders().sectionRows()))
              : null;
      chain =
          partitions.stream().anyMatch(partition -> partition.chainWords() != null)
              ? keep(new GatherChain(device, stream, partitions.get(0)))
              : null;
    } catch (RuntimeException | Error e) {
      Closing.after(e, resources);
      throw e;
    }
  }

  /** Where memory is planned for that; their kernels are compiled where they are not there yet. */
  private void readHotFirst(ProgramKernels.Hot hot) {
    try {
      partitions.stream()
          .filter(DevicePartition::mayReadHotFirst)
          .forEach(partition -> partition.readHotFirst(hot, launcher(hot.kernels())));
    } catch (CompilerUnavailableException e) {
      LOG.info("hot vertices are not read first: {}", e.getMessage());
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    resources.add(resource);
    return resource;
  }

  /**
   * The launcher of kernels for some supersteps, which are compiled and loaded where they are not
   * there yet.
   *
   * @param kernels null: those for all supersteps
   */
  public KernelLauncher launcher(SuperstepKernels kernels) {
    return kernels == null ? null : kinds.computeIfAbsent(kernels, this::load);
  }

  /**
   * Lets partitions relax without supersteps from now on. Memory that is for later is allocated, as
   * far as this way needs it.
   *
   * @param kernels of that, which are compiled and loaded where they are not there yet
   * @param tiles of the only partition, whose owners do it; null: workers do
   * @throws DeviceOutOfMemoryException when others have taken the memory since the run was opened
   */
  public void relaxBy(RunSpec spec, SuperstepKernels kernels, Tiles tiles) {
    KernelLauncher by = launcher(kernels);
    DevicePlan.Need way = tiles != null ? DevicePlan.Need.OWNERS : DevicePlan.Need.WORKERS;
    long bytes = memory.laterBytes(way);
    if (bytes > 0) {
      on.taking(
          bytes,
          spec.device().reserveBytes(),
          plan.sharedArrays(),
          "relaxing without supersteps",
          () -> memory.allocateLater(device(), way));
    }
    plan = plan.taking(way);
    partitions.forEach(partition -> partition.relaxBy(spec, by, tiles));
  }

  private KernelLauncher load(SuperstepKernels kernels) {
    // Unloaded behind what still uses it.
    ModuleCache.Use use = on.use(kernels.source());
    resources.add(0, use);
    return new KernelLauncher(device(), stream, use.module());
  }

  /** Adds a list of whose home and reader at least one is here. */
  public void link(BoundaryLink link) {
    if (partitions.contains(link.home())) {
      out.add(keep(link));
    }
    if (partitions.contains(link.reader())) {
      in.add(link);
    }
  }

  public Device device() {
    return on.device();
  }

  public DevicePlan plan() {
    return plan;
  }

  public DeviceStatus status() {
    return status;
  }

  /** What was counted of the sections of its only partition; null where borders do not move. */
  public SectionCounts sections() {
    return sections;
  }

  DeviceAllocations memory() {
    return memory;
  }

  public DeviceStream stream() {
    return stream;
  }

  /** Its partitions. */
  public List<DevicePartition> partitions() {
    return Collections.unmodifiableList(partitions);
  }

  /** One of its partitions, by its number among them. */
  DevicePartition partition(int slot) {
    return partitions.get(slot);
  }

  // ---- supersteps -----------------------------------------------------------------------------

  /** Queues launches for the partitions and waits until they are done. */
  public void run(Consumer<DevicePartition> launches) {
    on(() -> launch(launches, false));
  }

  /**
   * Queues launches between two supersteps and waits until they are done. What they say of the
   * program's faults is told with the next superstep; what the last one told stays as it is.
   */
  public void between(Consumer<DevicePartition> launches) {
    on(
        () -> {
          try (DeviceEvent begin = stream.record()) {
            partitions.forEach(launches);
            try (DeviceEvent end = stream.record()) {
              end.synchronize();
              kernelNanos += end.nanosSince(begin);
            }
          }
        });
  }

  /**
   * As {@link #run}, as the begin of the next {@link #step}: ghosts know what they were told, and
   * activity has changed places.
   *
   * @param superstep its number
   */
  public void begin(int superstep, Consumer<DevicePartition> launches) {
    on(
        () -> {
          enter(superstep, launches, false);
          rotates = false;
          begun = true;
        });
  }

  private void launch(Consumer<DevicePartition> launches, boolean counts) {
    try (DeviceEvent begin = stream.record()) {
      partitions.forEach(launches);
      try (DeviceEvent end = stream.record()) {
        status.download(stream);
        if (sections != null && counts) {
          sections.download(stream);
        }
        try (DeviceEvent told = stream.record()) {
          // For the launches after these, while the host makes them ready.
          status.clear(stream);
          told.synchronize();
        }
        kernelNanos += end.nanosSince(begin);
      }
    }
  }

  /**
   * One superstep: applies the previous superstep's updates to the ghosts, launches the kernels,
   * and copies their updates to page-locked memory where that is their route.
   *
   * @param superstep its number
   */
  public void step(int superstep, Consumer<DevicePartition> launches) {
    on(
        () -> {
          enter(superstep, launches, true);
          rotates = true;
          begun = false;
          if (!faulty()) {
            send(superstep & 1);
          }
        });
  }

  /** Whether supersteps of its only partition may follow each other without a wait. */
  public boolean chains() {
    return chain != null;
  }

  /**
   * Several supersteps of its only partition, one behind the other, where it {@link #chains}.
   *
   * @param supersteps how many
   * @param launch takes the partition, and each one's number among them
   * @return what they did
   */
  public List<PushQueue.Step> chain(int supersteps, ObjIntConsumer<DevicePartition> launch) {
    return on(
        () -> {
          List<PushQueue.Step> steps = chain.run(supersteps, launch);
          kernelNanos += steps.get(steps.size() - 1).nanos();
          return steps;
        });
  }

  /** What partitions here were to be told they know: the last launch has told them itself. */
  public void allIsTold() {
    out.forEach(BoundaryLink::forget);
  }

  /**
   * Lets partitions tell more behind a superstep.
   *
   * @param superstep its number
   */
  public void tell(int superstep, Consumer<DevicePartition> launches) {
    on(
        () -> {
          launch(launches, false);
          send(superstep & 1);
        });
  }

  /**
   * Launches behind what was told in the superstep before, unless that was taken already.
   *
   * @param counts whether what is counted of sections comes to the host
   */
  private void enter(int superstep, Consumer<DevicePartition> launches, boolean counts) {
    expect();
    if (in.isEmpty() || begun) {
      rotate();
      launch(launches, counts);
    } else {
      receive((superstep & 1) ^ 1, launches, counts);
    }
  }

  /** Lets partitions know what was told last: what a begun superstep counts is none of that. */
  private void expect() {
    for (int slot = 0; !begun && slot < partitions.size(); slot++) {
      partitions.get(slot).expect(status.updates(slot));
    }
  }

  private void receive(int parity, Consumer<DevicePartition> launches, boolean counts) {
    try (DeviceEvent begin = stream.record()) {
      for (BoundaryLink link : in) {
        hubBytes += link.receive(stream, parity);
      }
      rotate();
      try (DeviceEvent end = stream.record()) {
        launch(launches, counts);
        hubNanos += end.nanosSince(begin);
      }
    }
  }

  private void rotate() {
    if (rotates) {
      partitions.forEach(DevicePartition::rotate);
    }
  }

  private boolean faulty() {
    for (int slot = 0; slot < partitions.size(); slot++) {
      if (status.word(slot, StatusWord.FAULT) != 0) {
        return true;
      }
    }
    return false;
  }

  private void send(int parity) {
    if (out.stream().noneMatch(link -> link.route() == Route.HUB)) {
      queueSends(parity);
      return;
    }
    try (DeviceEvent begin = stream.record()) {
      long bytes = queueSends(parity);
      if (bytes > 0) {
        hubBytes += bytes;
        try (DeviceEvent end = stream.record()) {
          stream.synchronize();
          hubNanos += end.nanosSince(begin);
        }
      }
    }
  }

  private long queueSends(int parity) {
    long bytes = 0;
    int list = 0;
    DevicePartition home = null;
    for (BoundaryLink link : out) {
      list = link.home() == home ? list + 1 : 0;
      home = link.home();
      int updates = status.updates(partitions.indexOf(home), list);
      bytes += link.send(stream, parity, home.outboxes(parity).get(list), updates);
    }
    return bytes;
  }

  /**
   * Puts other values in place of those that supersteps have left.
   *
   * @param values of a partition's held vertices and ghosts
   * @param activity who of them is active in the next superstep; null when all always are
   */
  public void restore(
      Function<GraphPartition, Columns> values, Function<GraphPartition, int[]> activity) {
    drain();
    on(
        () -> {
          for (DevicePartition partition : partitions) {
            partition.restore(values.apply(partition.graph()), activity.apply(partition.graph()));
          }
          // What launches between supersteps have told was of the state before.
          status.clear(stream);
        });
    // Nothing was told yet, and the next step begins with who is active.
    rotates = true;
    begun = false;
    allIsTold();
  }

  // ---- results --------------------------------------------------------------------------------

  /** Memory of a column. */
  public interface ColumnMemory {
    DeviceMemory of(int column);
  }

  /**
   * Downloads rows of columns, once everything that was queued is done.
   *
   * @param first the first of them
   * @param at where it goes
   */
  public void download(ColumnMemory from, int first, Columns into, int at, int rows) {
    on(
        () -> {
          stream.synchronize();
          for (int c = 0; c < into.width(); c++) {
            ColumnType type = into.kinds().get(c);
            int width = type.width();
            long offset = (long) type.bytes() * first;
            device().download(from.of(c), offset, into.array(c), at * width, rows * width);
          }
        });
  }

  /** Does something with the device; what it throws says which device it was. */
  public <T> T on(Supplier<T> work) {
    return on.telling(work);
  }

  /** As {@link #on(Supplier)}. */
  public void on(Runnable work) {
    on.telling(work);
  }

  /** Time of the launches since this was last asked, as the device's own clock has it. */
  long takeKernelNanos() {
    long nanos = kernelNanos;
    kernelNanos = 0;
    return nanos;
  }

  /** As above, of what brings changes to other partitions. */
  long takeHubNanos() {
    long nanos = hubNanos;
    hubNanos = 0;
    return nanos;
  }

  /** Bytes copied to and from the hub so far, and bytes that came directly. */
  long hubBytes() {
    return hubBytes;
  }

  // ---- life -----------------------------------------------------------------------------------

  /** Waits for what is queued: nothing is freed while a kernel may still use it. */
  public void drain() {
    on(stream::synchronize);
  }

  @Override
  public void close() {
    Closing.all(resources);
  }
}
