package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.EngineRun;
import io.sparkgpugraph.engine.FunctionTraits;
import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.engine.ProgramFault;
import io.sparkgpugraph.engine.RunGuard;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.engine.SparseLimit;
import io.sparkgpugraph.engine.SuperstepStats;
import io.sparkgpugraph.exchange.RefinedUpdates;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.program.Aggregate;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.ProgramInstance;
import io.sparkgpugraph.program.cuda.FaultSites;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program on an executor graph on one device. A superstep queues, for every partition: (sparse)
 * activation of the candidate rows; gather and apply; hubs; commit or exchange of the value
 * buffers; and waits once, for the status. Then the ghosts take what the outboxes say.
 */
public final class DeviceRun implements EngineRun {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceRun.class);

  private final Device device;
  private final ExecutorGraph graph;
  private final LiftedProgram program;
  private final RunSettings settings;
  private final KernelShape shape;
  private final List<FaultSites.Site> sites;
  private final List<DevicePartition> partitions = new ArrayList<>();
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final DevicePlan plan;
  private final DeviceAllocations memory;
  private final DeviceStream stream;
  private final DeviceStatus status;
  private final List<Kind> shippedKinds;
  private KernelChoice chosen = KernelChoice.DENSE;
  private boolean allSelected = true;
  private int superstep;
  private long kernelNanos;
  private long resultNanos;
  private final RunGuard guard = new RunGuard(() -> superstep);

  /**
   * Allocates and uploads everything.
   *
   * @param module use of the program's kernels; the run ends it, also when this throws
   */
  DeviceRun(
      DeviceHoldings holdings,
      ExecutorGraph graph,
      ProgramInstance instance,
      List<Columns> attributes,
      RunSettings settings,
      DeviceSettings deviceSettings,
      ProgramKernels kernels,
      ModuleCache.Use module,
      DevicePlan plan) {
    device = holdings.device();
    this.graph = graph;
    this.settings = settings;
    this.plan = plan;
    program = instance.program();
    shape = kernels.shape();
    sites = kernels.sites();
    shippedKinds =
        Arrays.stream(FunctionTraits.shippedColumns(program))
            .mapToObj(program.state().columns()::get)
            .toList();
    resources.add(module);
    try {
      memory =
          keep(new DeviceAllocations(device, holdings.resident(), plan, graph.partitions().size()));
      stream = keep(device.newStream());
      KernelLauncher launcher = new KernelLauncher(device, stream, module.module());
      for (GraphPartition partition : graph.partitions()) {
        DevicePartition on =
            new DevicePartition(
                graph,
                partition,
                instance,
                kernels,
                settings,
                deviceSettings,
                plan,
                memory,
                launcher);
        on.attributes(attributes.get(partition.index()), device);
        partitions.add(on);
      }
      status = keep(new DeviceStatus(device, partitions));
      // Closed first: nothing is freed while a kernel may still use it.
      resources.add(this::drain);
    } catch (RuntimeException | Error e) {
      Closing.after(e, resources);
      throw e;
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    resources.add(resource);
    return resource;
  }

  // ---- supersteps -----------------------------------------------------------------------------

  @Override
  public SuperstepStats initialise() {
    return guard.run(
        () -> {
          checkInterrupt();
          long start = System.nanoTime();
          double[] neutral = neutral(program.aggregates());
          run(
              partition -> {
                partition.begin(0, neutral);
                partition.initialise();
              });
          return new SuperstepStats(
              0,
              KernelChoice.DENSE,
              status.sum(DeviceStatus.RAN),
              status.sum(DeviceStatus.ACTIVATED),
              0,
              0,
              0,
              System.nanoTime() - start,
              combined(program.aggregates()));
        });
  }

  @Override
  public SuperstepStats step(double[] previous) {
    return guard.run(
        () -> {
          checkInterrupt();
          long start = System.nanoTime();
          superstep++;
          DevicePartition.Mode mode = mode();
          boolean mayShip =
              !shape.everyVertex()
                  && (settings.kernel() != KernelChoice.DENSE || shape.denseReadsActivity());
          run(
              partition -> {
                partition.begin(superstep, previous);
                partition.superstep(mode, mayShip);
              });
          allSelected = false;
          double[] sums = combined(program.aggregates());
          KernelChoice used = DevicePartition.choice(mode);
          long active = status.sum(DeviceStatus.ACTIVATED);
          if (!shape.everyVertex()) {
            chosen = choose(used, active);
          }
          boolean activity =
              !shape.everyVertex() && (chosen == KernelChoice.SPARSE || shape.denseReadsActivity());
          long[] exchanged = exchange(activity);
          return new SuperstepStats(
              superstep,
              used,
              status.sum(DeviceStatus.RAN),
              active,
              status.sum(DeviceStatus.EDGES),
              exchanged[0],
              exchanged[1],
              System.nanoTime() - start,
              sums);
        });
  }

  private DevicePartition.Mode mode() {
    if (allSelected || shape.everyVertex()) {
      return DevicePartition.Mode.ALL;
    }
    return chosen == KernelChoice.SPARSE ? DevicePartition.Mode.SPARSE : DevicePartition.Mode.DENSE;
  }

  private KernelChoice choose(KernelChoice before, long active) {
    if (settings.kernel() != KernelChoice.AUTO) {
      return settings.kernel();
    }
    long work = active + status.sum(DeviceStatus.ACTIVE_EDGES);
    return work <= SparseLimit.of(before, graph.edgeCount(), graph.vertexCount())
        ? KernelChoice.SPARSE
        : KernelChoice.DENSE;
  }

  /** What all partitions are told to do. */
  @FunctionalInterface
  private interface Launches {
    void queue(DevicePartition partition);
  }

  /** Queues launches for all partitions, waits for them and looks whether the program stopped. */
  private void run(Launches launches) {
    try (DeviceEvent begin = stream.record()) {
      partitions.forEach(launches::queue);
      try (DeviceEvent end = stream.record()) {
        status.download(stream);
        stream.synchronize();
        kernelNanos += end.nanosSince(begin);
      }
    }
    for (int p = 0; p < partitions.size(); p++) {
      long fault = status.word(p, DeviceStatus.FAULT);
      if (fault != -1) {
        FaultSites.Site site = sites.get((int) fault);
        throw new ProgramFault(
            site.fail().code(),
            site.fail().detail(),
            site.fail().where(),
            site.function(),
            graph.partitions().get(p).originalId((int) (fault >>> 32)));
      }
    }
  }

  /**
   * Ghosts take what changed; activity changes places.
   *
   * @param activity activity travels too; otherwise the updates without a value are not counted
   * @return number of updates, and their bytes as {@link RefinedUpdates} lays them out
   */
  private long[] exchange(boolean activity) {
    int rowBytes = shippedKinds.stream().mapToInt(Kind::bytes).sum();
    long updates = 0;
    long bytes = 0;
    for (int p = 0; p < partitions.size(); p++) {
      DevicePartition home = partitions.get(p);
      for (DeviceOutbox outbox : home.outboxes()) {
        int count = status.updates(p, outbox.index());
        int valued = status.valued(p, outbox.index());
        partitions.get(outbox.list().reader()).receive(home, outbox, count);
        int said = activity ? count : valued;
        updates += said;
        bytes += RefinedUpdates.bytes(said, valued, rowBytes);
      }
    }
    if (!shape.everyVertex()) {
      partitions.forEach(DevicePartition::rotate);
    }
    return new long[] {updates, bytes};
  }

  // ---- aggregates -----------------------------------------------------------------------------

  private static double[] neutral(List<Aggregate> aggregates) {
    return aggregates.stream().mapToDouble(a -> a.operation().neutral()).toArray();
  }

  /** Aggregates of the last launches, partitions in their order. */
  private double[] combined(List<Aggregate> aggregates) {
    double[] values = neutral(aggregates);
    for (int p = 0; p < partitions.size(); p++) {
      for (int i = 0; i < values.length; i++) {
        values[i] = aggregates.get(i).operation().combine(values[i], status.aggregate(p, i));
      }
    }
    return values;
  }

  @Override
  public double[] finalAggregates() {
    List<Aggregate> last = program.finalAggregates();
    return guard.run(
        () -> {
          if (!last.isEmpty()) {
            run(
                partition -> {
                  partition.begin(superstep, new double[0]);
                  partition.finalAggregates();
                });
          }
          return last.isEmpty() ? new double[0] : combined(last);
        });
  }

  // ---- results --------------------------------------------------------------------------------

  @Override
  public Columns values(int partition) {
    return guard.run(
        () -> {
          stream.synchronize();
          DevicePartition from = partitions.get(partition);
          return download(program.state().columns(), from.graph().stored(), from::state);
        });
  }

  @Override
  public Columns results(int partition, double[] finalAggregates) {
    if (program.resultFunction() == null) {
      return values(partition);
    }
    return guard.run(
        () -> {
          DevicePartition of = partitions.get(partition);
          run(
              each -> {
                if (each == of) {
                  each.begin(superstep, finalAggregates);
                  each.result();
                }
              });
          return download(program.result().columns(), of.graph().stored(), of::result);
        });
  }

  private interface ColumnMemory {
    DeviceMemory of(int column);
  }

  private Columns download(List<Kind> kinds, int rows, ColumnMemory from) {
    long start = System.nanoTime();
    Columns columns = Columns.allocate(kinds, rows);
    for (int c = 0; c < columns.width(); c++) {
      device.download(from.of(c), 0, columns.array(c), 0, rows);
    }
    resultNanos += System.nanoTime() - start;
    return columns;
  }

  /** Where the time went so far. */
  public DeviceTimings timings() {
    return new DeviceTimings(
        memory.structureNanos(), memory.valueNanos(), kernelNanos, resultNanos);
  }

  /** What was allocated. */
  DevicePlan plan() {
    return plan;
  }

  /** The refined updates that the last superstep left in each boundary list, in their order. */
  List<DeviceOutbox.Updates> updates() {
    guard.checkOpen();
    stream.synchronize();
    List<DeviceOutbox.Updates> all = new ArrayList<>();
    for (int p = 0; p < partitions.size(); p++) {
      for (DeviceOutbox outbox : partitions.get(p).outboxes()) {
        all.add(outbox.read(device, status.updates(p, outbox.index()), shippedKinds));
      }
    }
    return all;
  }

  // ---- life -----------------------------------------------------------------------------------

  /** An executor interrupts a task to kill it. */
  private void checkInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted in superstep " + superstep);
    }
  }

  /** Waits for what is queued; an error of a run that has failed was told already. */
  private void drain() {
    try {
      stream.synchronize();
    } catch (DeviceException e) {
      if (!guard.failed()) {
        throw e;
      }
      LOG.debug("a run that failed in superstep {} ends", superstep, e);
    }
  }

  @Override
  public void close() {
    if (guard.close()) {
      Closing.all(resources);
    }
  }
}
