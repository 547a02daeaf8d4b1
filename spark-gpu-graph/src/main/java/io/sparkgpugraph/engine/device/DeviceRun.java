package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.EngineRun;
import io.sparkgpugraph.engine.ExchangeVolume;
import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.engine.ProgramFault;
import io.sparkgpugraph.engine.RunGuard;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.engine.SparseLimit;
import io.sparkgpugraph.engine.SuperstepStats;
import io.sparkgpugraph.engine.WorkerTeam;
import io.sparkgpugraph.exchange.RefinedUpdates;
import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.program.Aggregate;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.cuda.FaultSites;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program on an executor graph on one or several devices, a thread for each. In a superstep a
 * device lets its ghosts take what was told after the one before; queues, for each of its
 * partitions: (sparse) activation of the candidate rows; gather and apply; hubs; commit or exchange
 * of the value buffers; waits for the status; and copies what other devices must know to the hub
 * (see {@link BoundaryLink}). Then all devices meet.
 */
public final class DeviceRun implements EngineRun {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceRun.class);

  private final ExecutorGraph graph;
  private final LiftedProgram program;
  private final RunSettings settings;
  private final KernelShape shape;
  private final List<FaultSites.Site> sites;
  private final Placement placement;
  private final List<Kind> shippedKinds;
  private final boolean refined;
  private final ExchangeVolume fullBytes;
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final WorkerTeam team;
  private final List<DeviceShare> shares;
  private final List<BoundaryLink> links = new ArrayList<>();
  private final RemoteExchange remote;
  private final RunState state;
  private KernelChoice before = KernelChoice.DENSE;
  private long work;
  private KernelChoice chosen = KernelChoice.DENSE;
  private boolean allSelected = true;
  private int superstep;
  private long kernelNanos;
  private long hubNanos;
  private long resultNanos;
  private final RunGuard guard = new RunGuard(() -> superstep);

  /**
   * Allocates and uploads everything.
   *
   * @param holdings of the devices
   * @param modules uses of the program's kernels, one for each device; the run ends them, also when
   *     this throws
   * @param plans of the memory of each device
   */
  DeviceRun(
      RunSpec spec,
      List<DeviceHoldings> holdings,
      List<ModuleCache.Use> modules,
      List<DevicePlan> plans) {
    graph = spec.graph();
    settings = spec.settings();
    program = spec.program();
    shape = spec.kernels().shape();
    sites = spec.kernels().sites();
    placement = spec.lists().placement();
    refined = spec.lists().refined();
    fullBytes = ExchangeVolume.inside(graph, program);
    state = new RunState(spec);
    shippedKinds = spec.shippedKinds();
    resources.addAll(modules);
    try {
      team = keep(new WorkerTeam("device", placement.devices()));
      shares = open(spec, holdings, modules, plans);
      link(spec.lists());
      remote = keep(new RemoteExchange(spec, this::partition, this::share));
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

  private List<DeviceShare> open(
      RunSpec spec,
      List<DeviceHoldings> holdings,
      List<ModuleCache.Use> modules,
      List<DevicePlan> plans) {
    DeviceShare[] opened = new DeviceShare[placement.devices()];
    try {
      together(
          d ->
              opened[d] =
                  new DeviceShare(spec, d, holdings.get(d), modules.get(d).module(), plans.get(d)));
    } finally {
      for (DeviceShare share : opened) {
        if (share != null) {
          resources.add(share);
        }
      }
    }
    return List.of(opened);
  }

  private void link(ExchangeLists lists) {
    for (int p = 0; p < placement.partitions() && shape.tracksChanges(); p++) {
      List<BoundaryList> told = lists.from(p);
      for (int i = 0; i < told.size(); i++) {
        BoundaryList list = told.get(i);
        DevicePartition home = partition(p);
        BoundaryLink link =
            new BoundaryLink(
                list,
                home,
                partition(list.reader()),
                home.outboxes().get(i),
                lists.crosses(list) ? share(p).device() : null,
                shippedKinds);
        links.add(link);
        share(p).link(link);
        if (lists.crosses(list)) {
          share(list.reader()).link(link);
        }
      }
    }
  }

  private DeviceShare share(int partition) {
    return shares.get(placement.device(partition));
  }

  private DevicePartition partition(int partition) {
    return share(partition).partition(placement.slot(partition));
  }

  // ---- devices --------------------------------------------------------------------------------

  /** What each device does. */
  @FunctionalInterface
  private interface Work {
    void of(int device);
  }

  /**
   * Lets every device do something, and waits for all. Of several errors that of the lowest device
   * is thrown.
   */
  private void together(Work work) {
    Throwable[] errors = new Throwable[placement.devices()];
    team.run(
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

  /** Lets every device launch, waits for all and looks whether the program stopped itself. */
  private void run(Consumer<DeviceShare> work) {
    together(device -> work.accept(shares.get(device)));
    kernelNanos += shares.stream().mapToLong(DeviceShare::takeKernelNanos).max().orElse(0);
    hubNanos += shares.stream().mapToLong(DeviceShare::takeHubNanos).max().orElse(0);
    for (int p = 0; p < placement.partitions(); p++) {
      throwFault(p);
    }
  }

  private void throwFault(int partition) {
    long fault = word(partition, DeviceStatus.FAULT);
    if (fault != -1) {
      FaultSites.Site site = sites.get((int) fault);
      throw new ProgramFault(
          site.fail().code(),
          site.fail().detail(),
          site.fail().where(),
          site.function(),
          graph.partitions().get(partition).originalId((int) (fault >>> 32)));
    }
  }

  private long word(int partition, int word) {
    return share(partition).status().word(placement.slot(partition), word);
  }

  /** A status word, added up over the partitions. */
  private long sum(int word) {
    return shares.stream().mapToLong(share -> share.status().sum(word)).sum();
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
              share ->
                  share.run(
                      partition -> {
                        partition.begin(0, neutral);
                        partition.initialise();
                      }));
          return new SuperstepStats(
              0,
              KernelChoice.DENSE,
              sum(DeviceStatus.RAN),
              sum(DeviceStatus.ACTIVATED),
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
          remote.checkTold();
          long start = System.nanoTime();
          superstep++;
          long ghosts = remote.takeWork();
          if (ghosts > 0) {
            chosen = choose(work + ghosts);
          }
          DevicePartition.Mode mode = mode();
          run(
              share ->
                  share.step(
                      superstep,
                      partition -> {
                        partition.begin(superstep, previous);
                        partition.superstep(mode, shape.activityTravels(settings.kernel()));
                      }));
          allSelected = false;
          remote.stepped();
          double[] sums = combined(program.aggregates());
          before = DevicePartition.choice(mode);
          long active = sum(DeviceStatus.ACTIVATED);
          work = active + sum(DeviceStatus.ACTIVE_EDGES);
          chosen = choose(work);
          long[] exchanged = exchanged(countsActivity());
          return new SuperstepStats(
              superstep,
              before,
              sum(DeviceStatus.RAN),
              active,
              sum(DeviceStatus.EDGES),
              exchanged[0],
              exchanged[1],
              fullBytes,
              System.nanoTime() - start,
              sums);
        });
  }

  /**
   * Whether the next superstep reads who is active among the ghosts. Kernels tell it before anybody
   * knows.
   */
  private boolean countsActivity() {
    if (!graph.imports().isEmpty()) {
      // The next superstep is chosen when all imports have come.
      return shape.activityTravels(settings.kernel());
    }
    return !shape.everyVertex() && (chosen == KernelChoice.SPARSE || shape.denseReadsActivity());
  }

  private DevicePartition.Mode mode() {
    if (allSelected || shape.everyVertex()) {
      return DevicePartition.Mode.ALL;
    }
    return chosen == KernelChoice.SPARSE ? DevicePartition.Mode.SPARSE : DevicePartition.Mode.DENSE;
  }

  /**
   * Chooses what the next superstep is.
   *
   * @param work active vertices and edges of theirs
   */
  private KernelChoice choose(long work) {
    if (shape.everyVertex()) {
      return KernelChoice.DENSE;
    }
    if (settings.kernel() != KernelChoice.AUTO) {
      return settings.kernel();
    }
    return work <= SparseLimit.of(before, graph.edgeCount(), graph.heldVertices())
        ? KernelChoice.SPARSE
        : KernelChoice.DENSE;
  }

  /**
   * What the partitions told each other.
   *
   * @param activity activity counts too; otherwise the updates without a value do not
   * @return number of updates, and their bytes as {@link RefinedUpdates} lays them out
   */
  private long[] exchanged(boolean activity) {
    int rowBytes = shippedKinds.stream().mapToInt(Kind::bytes).sum();
    long updates = 0;
    long bytes = 0;
    int list = 0;
    int home = -1;
    for (BoundaryLink link : links) {
      list = link.list().home() == home ? list + 1 : 0;
      home = link.list().home();
      DeviceStatus status = share(home).status();
      int valued = status.valued(placement.slot(home), list);
      int said = activity || !refined ? status.updates(placement.slot(home), list) : valued;
      updates += said;
      bytes += RefinedUpdates.bytes(said, valued, rowBytes);
    }
    return new long[] {updates, bytes};
  }

  // ---- other executor graphs --------------------------------------------------------------------

  @Override
  public List<RefinedUpdates> outgoing() {
    return guard.run(remote::outgoing);
  }

  @Override
  public void incoming(int list, RefinedUpdates updates) {
    guard.run(
        () -> {
          remote.incoming(list, updates);
          return null;
        });
  }

  @Override
  public long[] activity(int partition) {
    if (shape.everyVertex()) {
      return null;
    }
    return guard.run(
        () ->
            allSelected
                ? RunState.all(graph.partitions().get(partition))
                : RunState.activity(share(partition), partition(partition)));
  }

  @Override
  public void restore(int done, List<Columns> values, List<long[]> activity) {
    guard.run(
        () -> {
          superstep = done;
          // In place, what was changed some supersteps before the snapshot may still be untold.
          allSelected = done == 0 || shape.inPlace();
          together(
              d -> {
                DeviceShare share = shares.get(d);
                share.on(
                    () -> {
                      share.drain();
                      for (int p : placement.on(d)) {
                        GraphPartition restored = graph.partitions().get(p);
                        partition(p)
                            .restore(
                                state.values(restored, values),
                                shape.everyVertex() ? null : state.activity(restored, activity));
                      }
                      share.restored();
                      return null;
                    });
              });
          before = KernelChoice.DENSE;
          boolean counts = !shape.everyVertex() && settings.kernel() == KernelChoice.AUTO;
          work = counts ? state.work(activity) : 0;
          chosen = choose(work);
          remote.restored();
          return null;
        });
  }

  // ---- aggregates -----------------------------------------------------------------------------

  private static double[] neutral(List<Aggregate> aggregates) {
    return aggregates.stream().mapToDouble(a -> a.operation().neutral()).toArray();
  }

  /** Aggregates of the last launches, partitions in their order. */
  private double[] combined(List<Aggregate> aggregates) {
    double[] values = neutral(aggregates);
    for (int p = 0; p < placement.partitions(); p++) {
      for (int i = 0; i < values.length; i++) {
        double part = share(p).status().aggregate(placement.slot(p), i);
        values[i] = aggregates.get(i).operation().combine(values[i], part);
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
                share ->
                    share.run(
                        partition -> {
                          partition.begin(superstep, new double[0]);
                          partition.finalAggregates();
                        }));
          }
          return last.isEmpty() ? new double[0] : combined(last);
        });
  }

  // ---- results --------------------------------------------------------------------------------

  @Override
  public Columns values(int partition) {
    return guard.run(
        () -> download(partition, program.state().columns(), partition(partition)::state));
  }

  @Override
  public Columns results(int partition, double[] finalAggregates) {
    if (program.resultFunction() == null) {
      return values(partition);
    }
    return guard.run(
        () -> {
          DevicePartition of = partition(partition);
          share(partition)
              .run(
                  each -> {
                    if (each == of) {
                      each.begin(superstep, finalAggregates);
                      each.result();
                    }
                  });
          throwFault(partition);
          return download(partition, program.result().columns(), of::result);
        });
  }

  private Columns download(int partition, List<Kind> kinds, DeviceShare.ColumnMemory from) {
    long start = System.nanoTime();
    int rows = graph.partitions().get(partition).stored();
    Columns columns = share(partition).download(kinds, rows, from);
    resultNanos += System.nanoTime() - start;
    return columns;
  }

  /** Where the time went so far. */
  public DeviceTimings timings() {
    return new DeviceTimings(
        slowest(share -> share.memory().structureNanos()),
        slowest(share -> share.memory().valueNanos()),
        kernelNanos,
        hubNanos,
        resultNanos,
        shares.stream().mapToLong(DeviceShare::hubBytes).sum());
  }

  private long slowest(ToLongFunction<DeviceShare> time) {
    return shares.stream().mapToLong(time).max().orElse(0);
  }

  /** What was allocated on each device. */
  List<DevicePlan> plans() {
    return shares.stream().map(DeviceShare::plan).toList();
  }

  /** What was allocated on the first device. */
  DevicePlan plan() {
    return plans().get(0);
  }

  /** The refined updates that the last superstep left in each boundary list, in their order. */
  List<DeviceOutbox.Updates> updates() {
    guard.checkOpen();
    shares.forEach(DeviceShare::drain);
    List<DeviceOutbox.Updates> all = new ArrayList<>();
    int list = 0;
    int home = -1;
    for (BoundaryLink link : links) {
      list = link.list().home() == home ? list + 1 : 0;
      home = link.list().home();
      int count = share(home).status().updates(placement.slot(home), list);
      all.add(link.outbox().read(share(home).device(), count, shippedKinds));
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
    RuntimeException first = null;
    for (DeviceShare share : shares) {
      try {
        share.drain();
      } catch (DeviceException e) {
        if (guard.failed()) {
          LOG.debug("a run that failed in superstep {} ends", superstep, e);
        } else if (first == null) {
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

  @Override
  public void close() {
    if (guard.close()) {
      Closing.all(resources);
    }
  }
}
