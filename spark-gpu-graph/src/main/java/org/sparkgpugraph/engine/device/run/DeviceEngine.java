package org.sparkgpugraph.engine.device.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.PartialMessageRules;
import org.sparkgpugraph.engine.PartitionLines;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.MemoryInfo;
import org.sparkgpugraph.engine.device.exchange.DevicePlacement;
import org.sparkgpugraph.engine.device.exchange.ExchangeLists;
import org.sparkgpugraph.engine.device.exchange.Routes;
import org.sparkgpugraph.engine.device.kernels.ArraySharing;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.engine.device.memory.MemoryFit;
import org.sparkgpugraph.engine.device.memory.ModuleCache;
import org.sparkgpugraph.engine.device.memory.ResidentArrays;
import org.sparkgpugraph.engine.device.memory.TableRows;
import org.sparkgpugraph.engine.device.operators.DeviceComponents;
import org.sparkgpugraph.engine.device.operators.InEdges;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.engine.device.partition.RunSpec;
import org.sparkgpugraph.engine.device.plan.DevicePlanner;
import org.sparkgpugraph.engine.device.plan.FixedBorders;
import org.sparkgpugraph.engine.device.plan.HotFirst;
import org.sparkgpugraph.engine.device.plan.Outlining;
import org.sparkgpugraph.engine.device.plan.Permissive;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DevicePartitioning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.engine.device.settings.HotVertices;
import org.sparkgpugraph.engine.device.settings.MergeMode;
import org.sparkgpugraph.engine.device.settings.OutlineSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.engine.device.tuning.ChoicePolicy;
import org.sparkgpugraph.engine.device.tuning.TunedPart;
import org.sparkgpugraph.graphs.build.ShardPlace;
import org.sparkgpugraph.graphs.build.ShardRows;
import org.sparkgpugraph.graphs.hub.HubGraph;
import org.sparkgpugraph.graphs.hub.HubLayout;
import org.sparkgpugraph.graphs.hub.HubLayouts;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.DeviceTable;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.overlap.OverlappingGraph;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.analysis.ResidualProof;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.lanes.ContextForm;
import org.sparkgpugraph.program.lanes.Obstacle;
import org.sparkgpugraph.run.KernelChoice;

/**
 * Runs vertex programs on one or several devices of one host: every program gets kernels of its
 * own, every message is pulled by its receiver, values are columns in the devices' memory.
 * Partition i of a graph is on device i modulo their number; devices behind the number of
 * partitions are not used. The structure of a graph stays on the devices between runs, as long as
 * there is room for it. With as many partitions as devices the borders between these may move; see
 * {@link DevicePartitioning#PERMISSIVE}. What is estimated and described is a run with fixed ones,
 * which is what remains when there is no memory for more. Closing the engine frees that and unloads
 * the kernels; the devices are the caller's.
 */
public final class DeviceEngine implements Engine, OperatorDevice, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceEngine.class);

  private final String name;
  private final List<DeviceHoldings> holdings;
  private final DeviceSettings settings;
  private final Permissive.Trial trial;

  /**
   * @param name as users know it: {@code cuda}, {@code emulated}
   * @param device the device; not closed by the engine
   * @param settings how it is used
   */
  public DeviceEngine(String name, Device device, DeviceSettings settings) {
    this(List.of(new DeviceHoldings(device)), name, settings, null);
  }

  private DeviceEngine(
      List<DeviceHoldings> holdings, String name, DeviceSettings settings, Permissive.Trial trial) {
    this.name = name;
    this.holdings = List.copyOf(holdings);
    // Kernels that meet wait for each other.
    this.settings = sharesGpus() ? settings.withPush(settings.push().withMeets(false)) : settings;
    this.trial = trial;
  }

  /**
   * An engine on the devices of several engines, with the structure and kernels that are there. To
   * close it is to close them.
   *
   * @param engines engines of the same kind on different devices, at least one; name and settings
   *     are those of the first. Devices may be one GPU, opened several times: their kernels then
   *     never wait for each other
   */
  public static DeviceEngine over(List<DeviceEngine> engines) {
    List<DeviceHoldings> all = engines.stream().flatMap(e -> e.holdings.stream()).toList();
    if (all.stream().distinct().count() < all.size()) {
      throw new IllegalArgumentException("a device twice: " + all.stream().map(h -> h.device()));
    }
    return new DeviceEngine(all, engines.get(0).name, engines.get(0).settings, null);
  }

  /**
   * This engine with other settings: on the same devices, with the same structure and kernels
   * there. To close one of them is to close all.
   *
   * @param other how the devices are used
   */
  public DeviceEngine with(DeviceSettings other) {
    return other.equals(settings) ? this : new DeviceEngine(holdings, name, other, trial);
  }

  /** Whether several of its devices are one GPU. Emulated ones never are. */
  private boolean sharesGpus() {
    List<Integer> gpus =
        holdings.stream()
            .map(on -> on.device().properties())
            .filter(device -> !device.emulated())
            .map(DeviceProperties::ordinal)
            .toList();
    return gpus.stream().distinct().count() < gpus.size();
  }

  /** This engine as it gathers rows of a program. */
  private DeviceEngine gathering(LiftedProgram program) {
    return with(ChoicePolicy.gathering(program, settings));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public DeviceSession session(KernelSource source) {
    DeviceHoldings first = holdings.get(0);
    return first.telling(() -> new DeviceSession(first, source, settings.reserveBytes()));
  }

  @Override
  public InEdges inEdges(ExecutorGraph graph, List<DevicePlan.Item> besides, String purpose) {
    DeviceHoldings first = holdings.get(0);
    return first.telling(() -> InEdges.open(graph, first, settings, besides, false, purpose));
  }

  @Override
  public InEdges allEdges(ExecutorGraph graph, List<DevicePlan.Item> besides, String purpose) {
    DeviceHoldings first = holdings.get(0);
    return first.telling(() -> InEdges.open(graph, first, settings, besides, true, purpose));
  }

  @Override
  public int deviceCount() {
    return holdings.size();
  }

  /** The first device. */
  public Device device() {
    return holdings.get(0).device();
  }

  /** The devices. */
  public List<Device> devices() {
    return holdings.stream().map(DeviceHoldings::device).toList();
  }

  /**
   * {@inheritDoc}
   *
   * @throws DeviceOutOfMemoryException when the run does not fit, whatever the vertex grouping
   * @throws KernelCompilationException when the generated kernels do not compile
   * @throws IllegalStateException when the program reads edge values that were not loaded
   */
  @Override
  public DeviceRun open(
      ExecutorGraph graph, ProgramInstance program, List<Columns> attributes, RunSettings run) {
    if (run.maxIterations() < 1) {
      throw new IllegalArgumentException(
          "maxIterations must be greater than 0, but got " + run.maxIterations());
    }
    DeviceEngine by = gathering(program.program());
    if (by != this) {
      return by.open(graph, program, attributes, run);
    }
    if (settings.partitioning() == DevicePartitioning.PERMISSIVE) {
      Optional<DeviceRun> permissive = openPermissive(graph, program, attributes, run);
      if (permissive.isPresent()) {
        return permissive.get();
      }
    }
    ExecutorGraph walked = walked(graph, program.program(), run);
    ProgramKernels kernels = compiled(walked, program.program(), run);
    return open(
        new RunSpec(
            walked,
            program,
            attributes,
            run,
            settings,
            kernels,
            lists(walked, run),
            new FixedBorders(graph)));
  }

  /** The graph as it is walked: where hubs are sent partial messages, another one. */
  private ExecutorGraph walked(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
    boolean sends =
        sendsToHubs(program, run, settings)
            && !(graph.exports().isEmpty() && graph.imports().isEmpty())
            && HubLayout.isFor(graph);
    return sends ? new HubGraph(graph, HubLayouts.of(graph, run.hubs())) : graph;
  }

  private static boolean sendsToHubs(
      LiftedProgram program, RunSettings run, DeviceSettings settings) {
    return run.hubs() > 0
        && settings.virtualWarp() == 0
        && PartialMessageRules.whyNotOnDevices(program, run).isEmpty();
  }

  private DeviceRun open(RunSpec spec) {
    long start = System.nanoTime();
    List<DeviceHoldings> used = used(spec.lists());
    List<ModuleCache.Use> modules = new ArrayList<>();
    try {
      List<KernelSource> sources =
          Relaxing.sources(
              spec.kernels(), spec.program(), spec.device(), spec.settings(), shape(spec));
      for (DeviceHoldings on : used) {
        on.load(sources);
        modules.add(on.use(spec.kernels().source()));
      }
      long loaded = PhaseTimes.ended("open: kernels", start);
      // One run at a time decides what fits and takes it.
      return DeviceHoldings.locked(
          used,
          () -> {
            List<DevicePlan> plans =
                fit(
                    spec.graph(),
                    spec.instance(),
                    spec.kernels(),
                    spec.attributes(),
                    spec.settings(),
                    spec.lists());
            long planned = PhaseTimes.ended("open: plan", loaded);
            for (int d = 0; d < used.size(); d++) {
              used.get(d).remember(spec.whole(), plans.get(d));
            }
            DeviceRun opened = new DeviceRun(spec, used, modules, plans);
            PhaseTimes.ended("open: memory and uploads", planned);
            return opened;
          });
    } catch (RuntimeException | Error e) {
      Closing.after(e, modules);
      throw e;
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws DeviceOutOfMemoryException when there is no room for it
   * @throws KernelCompilationException when the kernels do not compile
   */
  @Override
  public Contraction components(ExecutorGraph graph, int threads) {
    return new DeviceComponents(name, holdings, settings, graph).contract();
  }

  /** A run whose borders move; empty where they cannot, which is logged with the reason. */
  private Optional<DeviceRun> openPermissive(
      ExecutorGraph graph, ProgramInstance program, List<Columns> attributes, RunSettings run) {
    Optional<String> refusal =
        Permissive.refusal(graph, run, holdings.size())
            .or(() -> Permissive.refusal(program.program(), run));
    if (refusal.isPresent()) {
      LOG.info("borders between devices are fixed: {}", refusal.get());
      return Optional.empty();
    }
    Permissive permissive = new Permissive(graph, program, run, settings, holdings, trial);
    for (double share : Permissive.SHARES) {
      if (!permissive.mayFit(share)) {
        continue;
      }
      OverlappingGraph overlapping = permissive.graph(share);
      try {
        return Optional.of(
            open(
                new RunSpec(
                    overlapping,
                    program,
                    permissive.attributes(overlapping, attributes),
                    run,
                    settings,
                    permissive.kernels(),
                    lists(overlapping, run),
                    permissive.borders(overlapping, share))));
      } catch (DeviceOutOfMemoryException e) {
        LOG.debug("an overlap of {} of the neighbours' edges does not fit", share, e);
        permissive.forget(share);
      }
    }
    LOG.info("borders between devices are fixed: there is no memory for an overlap");
    return Optional.empty();
  }

  /**
   * This engine with borders between devices that move as a test says.
   *
   * @param other how they are chosen
   */
  public DeviceEngine with(Permissive.Trial other) {
    return new DeviceEngine(holdings, name, settings, other);
  }

  @Override
  public void prepare(LiftedProgram program, RunSettings run, int partitions) {
    gathering(program).compile(program, run, partitions);
  }

  private void compile(LiftedProgram program, RunSettings run, int partitions) {
    boolean exchanges = partitions > 1;
    ProgramKernels kernels =
        settings.partitioning() == DevicePartitioning.PERMISSIVE
                && exchanges
                && partitions <= holdings.size()
                && Permissive.refusal(program, run).isEmpty()
            ? Permissive.kernels(program, run, settings, false)
            : kernels(program, run, settings, false, exchanges);
    DeviceShape shape = shape(run, settings, exchanges, forcedMerging(run, settings));
    List<KernelSource> sources = Relaxing.sources(kernels, program, settings, run, shape);
    for (DeviceHoldings on :
        holdings.subList(0, DevicePlacement.of(holdings.size(), partitions).devices())) {
      on.load(sources);
    }
  }

  /**
   * Waits for the kernels that runs have compiled beside them, which the next runs take at once: so
   * that these are alike, for measurements.
   */
  public void awaitKernels() {
    holdings.forEach(DeviceHoldings::awaitLater);
  }

  @Override
  public void prepareRows() {
    holdings.get(0).use(RowKernels.source()).close();
  }

  private ExchangeLists lists(ExecutorGraph graph, RunSettings run) {
    DevicePlacement placement = DevicePlacement.of(holdings.size(), graph.partitions().size());
    Routes routes = Routes.of(holdings.subList(0, placement.devices()), settings.exchange());
    return new ExchangeLists(graph, run.exchange(), placement, routes);
  }

  private List<DeviceHoldings> used(ExchangeLists lists) {
    return holdings.subList(0, lists.placement().devices());
  }

  private ProgramKernels kernels(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
    MergeMode merging = forcedMerging(run, settings);
    if (merging == null && !KernelShape.exchanges(graph) && run.kernel() == KernelChoice.AUTO) {
      merging = merging(graph, program, run);
    }
    return kernels(graph, program, run, merging);
  }

  private ProgramKernels kernels(
      ExecutorGraph graph, LiftedProgram program, RunSettings run, MergeMode merging) {
    boolean missing = graph.partitions().stream().anyMatch(p -> p.present() != null);
    boolean exchanges = KernelShape.exchanges(graph);
    KernelShape plain = KernelShape.of(program, run, missing, exchanges);
    ProgramKernels kernels =
        ProgramKernels.of(
            program,
            graph instanceof HubGraph ? plain.takingPartialMessages() : plain,
            shape(run, settings, exchanges, merging));
    Optional<String> refusal =
        Outlining.refusal(graph, program, run, settings, device().properties());
    LOG.debug("supersteps that walk rows {}", outlines(refusal));
    return refusal.isPresent()
        ? hotFirst(graph, kernels, program, run)
        : kernels.outlining(
            program, new DeviceShape(run.activeDirection(), false, settings.tuning()));
  }

  /** With kernels that read hot vertices first, where that can be and may pay. */
  private ProgramKernels hotFirst(
      ExecutorGraph graph, ProgramKernels kernels, LiftedProgram program, RunSettings run) {
    Optional<String> refusal =
        HotFirst.refusal(graph, program, kernels, run, settings, holdings.get(0));
    LOG.debug(
        "hot vertices are {}", refusal.map(why -> "not read first: " + why).orElse("read first"));
    return refusal.isPresent()
        ? kernels
        : kernels.readingHotFirst(
            program, new DeviceShape(run.activeDirection(), false, settings.tuning()));
  }

  /**
   * Without what a rule has chosen, and without what outlines supersteps, where nothing can compile
   * that: the others may be packaged.
   */
  private ProgramKernels compiled(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
    ProgramKernels kernels = kernels(graph, program, run);
    boolean byRule =
        run.kernel() == KernelChoice.AUTO
            && kernels.pushing().map(Pushing::mode).filter(MergeMode::isProgram).isPresent();
    if (byRule) {
      try {
        holdings.get(0).use(kernels.source()).close();
      } catch (CompilerUnavailableException e) {
        LOG.info("gathers, no blocks merge: {}", e.getMessage());
        kernels = kernels(graph, program, run, null);
      }
    }
    return hotWhenLoaded(outlining(kernels));
  }

  /**
   * Nobody waits for kernels that read hot vertices first, unless they are forced: what they save
   * in a run is less than it takes to compile them. They are loaded beside it.
   */
  private ProgramKernels hotWhenLoaded(ProgramKernels kernels) {
    boolean waits =
        settings.tuning().hot().choice() == HotVertices.Choice.AUTO
            && kernels
                .hot()
                .filter(
                    hot ->
                        !holdings
                            .get(0)
                            .areLoaded(List.of(hot.kernels().source(), RowKernels.ranks())))
                .isPresent();
    return waits ? kernels.notReadingHotFirst() : kernels;
  }

  private ProgramKernels outlining(ProgramKernels kernels) {
    try {
      kernels.outlined().ifPresent(o -> holdings.get(0).use(o.kernels().source()).close());
      return kernels;
    } catch (CompilerUnavailableException e) {
      LOG.info("supersteps that walk rows are launched one by one: {}", e.getMessage());
      return kernels.notOutlining();
    }
  }

  private String outlines(Optional<String> refusal) {
    return refusal
        .map(why -> "are launched one by one (" + why + ")")
        .orElse("follow each other in one launch, up to " + settings.outline().supersteps());
  }

  /** How messages are pushed that no atomic operation merges, as a rule has it; null: not. */
  private MergeMode merging(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
    if (settings.push().delegate().reach() == 0
        || !DevicePlanner.areCounted(graph.partitions().get(0))) {
      // Rows that a device makes from edges when they are needed are not made for this.
      return null;
    }
    KernelShape shape = KernelShape.of(program, run, true, false);
    boolean pushes = Pushing.of(program, shape, run.activeDirection()).isPresent();
    return ChoicePolicy.merging(
        program,
        settings.push().delegate(),
        pushes,
        RunChoices.gathered(shape, graph, holdings.get(0)));
  }

  /**
   * The kernels that a run would compile; no device is needed to make them.
   *
   * @param missingVertices edges may name vertices that do not exist
   * @param exchanges there are several partitions, which exchange what changed
   */
  public static ProgramKernels kernels(
      LiftedProgram program,
      RunSettings run,
      DeviceSettings deviceSettings,
      boolean missingVertices,
      boolean exchanges) {
    KernelShape plain = KernelShape.of(program, run, missingVertices, exchanges);
    return ProgramKernels.of(
        program,
        exchanges && sendsToHubs(program, run, deviceSettings)
            ? plain.takingPartialMessages()
            : plain,
        shape(program, run, deviceSettings, exchanges));
  }

  /** What, besides program and kernel shape, decides the kernels that a run would compile. */
  public static DeviceShape shape(
      LiftedProgram program, RunSettings run, DeviceSettings settings, boolean exchanges) {
    DeviceSettings gathering = ChoicePolicy.gathering(program, settings);
    return shape(run, gathering, exchanges, forcedMerging(run, gathering));
  }

  private static DeviceShape shape(
      RunSettings run, DeviceSettings settings, boolean exchanges, MergeMode merging) {
    return new DeviceShape(
        run.activeDirection(),
        settings.virtualWarp() != 0,
        settings.tuning(),
        false,
        asynchronous(run, settings, exchanges),
        settings.push().schedule(),
        merging);
  }

  /** What, besides program and kernel shape, has decided the kernels of a run. */
  static DeviceShape shape(RunSpec spec) {
    return shape(
        spec.settings(),
        spec.device(),
        KernelShape.exchanges(spec.graph()),
        spec.kernels().pushing().map(Pushing::mode).filter(MergeMode::isAskedFor).orElse(null));
  }

  /** How what no atomic operation merges to the bit is pushed, where that is forced; null: not. */
  private static MergeMode forcedMerging(RunSettings run, DeviceSettings settings) {
    if (run.kernel() == KernelChoice.DELEGATED) {
      return settings.push().delegate().mode();
    }
    boolean ends = run.maxIterations() != Integer.MAX_VALUE || run.stopWhen() != null;
    return run.kernel() == KernelChoice.ASYNC && !ends ? MergeMode.RESIDUALS : null;
  }

  /**
   * Whether a run may go on without supersteps; where partitions exchange, only if that is forced.
   */
  private static boolean asynchronous(RunSettings run, DeviceSettings settings, boolean exchanges) {
    return run.maxIterations() == Integer.MAX_VALUE
        && (run.kernel() == KernelChoice.ASYNC
            || !exchanges
                && run.kernel() == KernelChoice.AUTO
                && settings.push().async().after() > 0);
  }

  // ---- memory ---------------------------------------------------------------------------------

  /**
   * For each device the plan with the smallest vertex grouping that fits; room for it is made.
   *
   * @param attributes null: only sizes are wanted; no rows are made on a device, and nothing is
   *     evicted
   */
  private List<DevicePlan> fit(
      ExecutorGraph graph,
      ProgramInstance program,
      ProgramKernels kernels,
      List<Columns> attributes,
      RunSettings run,
      ExchangeLists lists) {
    for (boolean pushes = true; ; pushes = false) {
      List<DevicePlan> plans = new ArrayList<>();
      List<DeviceHoldings> used = used(lists);
      long outside = 0;
      for (int d = 0; d < used.size(); d++) {
        DeviceHoldings on = used.get(d);
        DevicePlanner planner =
            new DevicePlanner(graph, program, kernels, run, settings, lists, d, on);
        String what = what(lists.placement(), d);
        MemoryFit memory = new MemoryFit(on, settings, outside);
        MemoryFit.Found found =
            fit(on, memory, planner, attributes, what, kernels.permissive(), pushes);
        if (attributes != null) {
          memory.makeRoom(found);
        }
        plans.add(found.plan());
        outside += found.hostNeeded();
      }
      // Where one device has no room to push none does.
      if (plans.stream().map(DevicePlan::pushes).distinct().count() == 1) {
        return plans;
      }
    }
  }

  /** What a device runs, for messages. */
  private static String what(DevicePlacement placement, int device) {
    if (placement.devices() == 1) {
      return "a run on " + PartitionLines.count(placement.partitions(), "partition");
    }
    List<Integer> on = placement.on(device);
    String numbers = on.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return "a run on partition"
        + (on.size() == 1 ? " " : "s ")
        + numbers
        + " of "
        + placement.partitions();
  }

  /**
   * How the first plan fits that does.
   *
   * @param modestly what is on the device stays there, and nothing is grouped more than it must be
   * @param pushes whether supersteps may push
   */
  private MemoryFit.Found fit(
      DeviceHoldings on,
      MemoryFit memory,
      DevicePlanner planner,
      List<Columns> attributes,
      String what,
      boolean modestly,
      boolean pushes) {
    List<DevicePlanner.Variant> variants = planner.variants(pushes);
    if (modestly) {
      variants = variants.subList(0, 1);
    }
    MemoryFit.Found found = null;
    // Those that push first, also with edges in the host's memory. Where pulling would fit as a
    // whole, the rows that dense supersteps gather are on the device then, but for graphs on which
    // few supersteps are dense; and pulled rows of grouped vertices are many times as many.
    for (boolean pushing : new boolean[] {true, false}) {
      MemoryFit.Found split = null;
      for (DevicePlanner.Variant variant : variants) {
        if (variant.pushes() == pushing) {
          boolean evicts = !modestly && !variant.hotFirst();
          found = memory.fit(planner.plan(variant, attributes), evicts);
          if (found.fits() && found.isWhole()) {
            return found;
          }
          // Nothing gives way to what gathers can do without.
          split = split == null && found.fits() && !variant.hotFirst() ? found : split;
        }
      }
      if (split != null) {
        return split;
      }
    }
    int last = variants.get(variants.size() - 1).grouping();
    Device device = on.device();
    DeviceOutOfMemoryException refusal =
        MemoryFit.refusal(
            found,
            name(device),
            what + (last == 1 ? "" : " with vertices grouped by " + last),
            advice(on.resident(), planner.denseOnly(), found.available()));
    refusal.on(device.properties().ordinal());
    throw refusal;
  }

  /** A device in messages: by its number, too, where there are several. */
  private String name(Device device) {
    String model = device.properties().name();
    return holdings.size() == 1
        ? model
        : "GPU " + device.properties().ordinal() + " (" + model + ")";
  }

  /**
   * @param dense a plan without sparse supersteps, or null when there would be none anyway
   */
  private String advice(ResidentArrays resident, DevicePlan dense, long available) {
    StringBuilder text = new StringBuilder();
    if (dense != null && dense.missingBytes(resident) <= available) {
      text.append("set spark.gpugraph.kernel = dense (needs ")
          .append(dense.missingBytes(resident))
          .append("), ");
    }
    if (settings.grouping() != 0) {
      text.append("set spark.gpugraph.grouping = auto, ");
    }
    if (settings.reserveBytes() > 0) {
      text.append("leave less than ")
          .append(settings.reserveBytes())
          .append(" bytes to others (spark.gpugraph.gpu.memoryReserve), ");
    }
    return text.append(DeviceOutOfMemoryException.SMALLER_PARTS).toString();
  }

  /**
   * {@inheritDoc}
   *
   * @throws DeviceOutOfMemoryException when the run would not fit
   */
  @Override
  public long estimate(ExecutorGraph graph, ProgramInstance program, RunSettings run) {
    return planned(
        graph,
        program,
        run,
        (used, plans) -> {
          long bytes = 0;
          for (int d = 0; d < plans.size(); d++) {
            bytes += plans.get(d).missingBytes(used.get(d).resident());
          }
          return bytes;
        });
  }

  /** Does something with the plans of a run with fixed borders, by device. */
  private <T> T planned(
      ExecutorGraph graph,
      ProgramInstance program,
      RunSettings run,
      BiFunction<List<DeviceHoldings>, List<DevicePlan>, T> work) {
    DeviceEngine by = gathering(program.program());
    ExecutorGraph walked = by.walked(graph, program.program(), run);
    ExchangeLists lists = lists(walked, run);
    List<DeviceHoldings> used = used(lists);
    return DeviceHoldings.locked(
        used,
        () -> {
          ProgramKernels kernels = by.kernels(walked, program.program(), run);
          return work.apply(used, by.fit(walked, program, kernels, null, run, lists));
        });
  }

  /**
   * Makes a graph of tables that are on the first device; its rows by destination are there alone.
   *
   * @param tables at least one, of at most {@link GraphPartition#MAX_EDGES} edges together
   * @param values whether edges have values: doubles
   * @throws DeviceOutOfMemoryException when there is no room
   */
  public TableRows.Made rowsOf(
      List<DeviceTable> tables, boolean values, int threads, BuildMemory memory) {
    return new TableRows(holdings.get(0), settings.reserveBytes())
        .make(tables, values, threads, memory);
  }

  /** As above, of a shard; see {@link TableRows#make(List, ShardPlace, boolean, BuildMemory)}. */
  public ShardRows rowsOf(
      List<DeviceTable> tables, ShardPlace place, boolean values, BuildMemory memory) {
    return new TableRows(holdings.get(0), settings.reserveBytes())
        .make(tables, place, values, memory);
  }

  /**
   * Frees what runs on this very graph (a reversed view is another one) have left on the devices;
   * what a run uses now, when that run ends. Without this call it is freed once the host has
   * dropped the graph, or when memory is short.
   */
  public void release(ExecutorGraph graph) {
    holdings.forEach(on -> on.release(graph));
  }

  /** Bytes of structure on the devices, of all graphs. */
  public long residentBytes() {
    return holdings.stream().mapToLong(on -> on.resident().bytes()).sum();
  }

  // ---- explain --------------------------------------------------------------------------------

  @Override
  public String describe(LiftedProgram program, RunSettings run) {
    return gathering(program).kernelsOf(program, run);
  }

  private String kernelsOf(LiftedProgram program, RunSettings run) {
    String rows =
        switch (settings.virtualWarp()) {
          case 0 -> settings.tuning().description();
          case 1 -> "a thread per vertex";
          default -> "virtual warps of " + settings.virtualWarp() + " lanes";
        };
    KernelShape shape = KernelShape.of(program, run, true, true);
    String arrays =
        settings.tuning().features() ? ArraySharing.of(program, shape).description() : "";
    return rows
        + ", "
        + shape.describe(run.kernel())
        + pushes(program, run)
        + loops(program)
        + contexts(program)
        + walks(program, run)
        + (arrays.isEmpty() ? "" : ", " + arrays)
        + ", on "
        + models();
  }

  /** Whether lanes share loops of the send function, where that is asked for. */
  private String loops(LiftedProgram program) {
    if (!settings.tuning().tasks() || program.mergesByMode()) {
      return "";
    }
    Optional<Obstacle> obstacle =
        CudaPrinter.tasksObstacle(
            program.send(), program.traits().sendsToDestination() ? Side.DESTINATION : Side.SOURCE);
    return obstacle
        .map(why -> ", loops of edges not shared by lanes: sendMessage " + why)
        .orElse(", loops of edges shared by all lanes of a warp");
  }

  /**
   * Which costly branch of the send function warps collect contexts of, where that is asked for; or
   * where they do not that they might gain by it.
   */
  private String contexts(LiftedProgram program) {
    if (program.mergesByMode()) {
      return "";
    }
    Optional<ContextForm> form = ChoicePolicy.contexts(program);
    DenseTuning tuning = settings.tuning();
    if (tuning.contexts() == 0) {
      String off =
          tuning.contextsFrom() == DenseTuning.NEVER
              ? "off"
              : "from " + tuning.contextsFrom() + " saved instructions on";
      return form.filter(f -> f.estimate().pays())
          .map(
              f ->
                  ", contexts of a costly branch (%s) not collected: %s, though %s"
                      .formatted(f.branch(), off, f.estimate()))
          .orElse("");
    }
    return form.map(
            f ->
                ", contexts of a costly branch (%s) collected by warps, %d bytes each: %s"
                    .formatted(f.branch(), f.bytes(), f.estimate()))
        .orElseGet(
            () ->
                ", contexts not collected: sendMessage "
                    + ChoicePolicy.contextsObstacle(program).orElseThrow());
  }

  /** Whether supersteps may push, and how many of them at a time. */
  private String pushes(LiftedProgram program, RunSettings run) {
    KernelChoice kernel = run.kernel();
    KernelShape shape = KernelShape.of(program, run, true, false);
    Optional<Pushing> pushing =
        Optional.ofNullable(forcedMerging(run, settings))
            .flatMap(mode -> Pushing.askedFor(mode, program, shape, run.activeDirection()))
            .or(() -> Pushing.of(program, shape, run.activeDirection()));
    if (kernel != KernelChoice.AUTO && !kernel.pushes()) {
      return "";
    }
    if (pushing.isEmpty()) {
      return kernel.pushes() ? ", this program never pushes" + notResidual(program, run) : "";
    }
    boolean outlined = kernel != KernelChoice.PUSH && !pushing.get().singleSuperstep();
    boolean async = pushing.get().asynchronous() && asynchronous(run, settings, false);
    return (pushing.get().intoValue() ? ", pushes " : ", a graph of one partition pushes ")
        + (kernel == KernelChoice.AUTO ? "from few active vertices " : "")
        + into(pushing.get().mode())
        + (outlined ? "up to " + settings.push().rounds() + " supersteps" : "one superstep")
        + " a launch"
        + (async ? withoutSupersteps(kernel, pushing.get()) : "")
        + (kernel == KernelChoice.AUTO ? stops(pushing.get()) : "");
  }

  /** Whether rows stop early where many vertices are active. */
  private String stops(Pushing pushing) {
    if (!pushing.stopsEarly() || !settings.push().stops().stops()) {
      return "";
    }
    if (!pushing.sortsRows()) {
      return ", from many active vertices walks rows up to the first message that says as much as any can";
    }
    return switch (settings.push().stops().sorting()) {
      case NEVER -> "";
      case AGAIN ->
          ", from many active vertices on a graph that is run again walks rows sorted by an edge value"
              + " as far as they can improve";
      case ALWAYS ->
          ", from many active vertices walks rows sorted by an edge value as far as they can improve";
    };
  }

  /** Why residuals are not relaxed without supersteps where that is asked for. */
  private static String notResidual(LiftedProgram program, RunSettings run) {
    if (run.kernel() != KernelChoice.ASYNC) {
      return "";
    }
    Optional<String> obstacle = ResidualProof.obstacle(program);
    return ", not by residuals either: "
        + obstacle.orElse(
            "it looks at all vertices or at single supersteps, has a limit of them, or evaluates"
                + " other edges than those of senders");
  }

  /** Whether supersteps that walk rows are outlined, and on which graphs. */
  private String walks(LiftedProgram program, RunSettings run) {
    Optional<String> refusal = Outlining.refusal(program, run, settings, device().properties());
    if (refusal.isPresent()) {
      return ", supersteps that walk rows " + outlines(refusal);
    }
    OutlineSettings outline = settings.outline();
    return ", up to "
        + outline.supersteps()
        + " supersteps that walk rows a launch"
        + (outline.choice() == OutlineSettings.Choice.ON
            ? " (forced)"
            : " where a graph of one partition has at most " + outline.edges() + " edges");
  }

  private static String into(MergeMode mode) {
    return switch (mode) {
      case VALUES -> "into values by atomic operations, ";
      case SLOTS -> "into slots by atomic operations, ";
      case DELEGATED -> "to blocks that merge (forced), ";
      case LOCKED -> "into slots under locks of receivers (forced), ";
      case RESIDUALS -> "residuals into slots by atomic operations, ";
    };
  }

  private String withoutSupersteps(KernelChoice kernel, Pushing pushing) {
    if (pushing.spreadsResiduals()) {
      return ", asynchronously, first come, first served (forced): sums in any order, within the tolerance;"
          + " partitions that exchange run supersteps";
    }
    return ", asynchronously in order of priority"
        + (kernel == KernelChoice.ASYNC
            ? " (forced)"
                + ", partitions that exchange as far as a horizon; an executor with several of them"
                + " and readers elsewhere pulls"
            : " behind "
                + settings.push().async().after()
                + " supersteps that did not end it, where there are no hubs");
  }

  /** {@code "NVIDIA H200"}, {@code "4 × NVIDIA H200"}. */
  private String models() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (DeviceHoldings on : holdings) {
      counts.merge(on.device().properties().name(), 1, Integer::sum);
    }
    return counts.entrySet().stream()
        .map(e -> (e.getValue() == 1 ? "" : e.getValue() + " × ") + e.getKey())
        .collect(Collectors.joining(" and "));
  }

  @Override
  public List<String> describeChoices(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
    return graph.partitions().stream().allMatch(DevicePlanner::areCounted)
        ? gathering(program).choices(graph, program, run)
        : List.of();
  }

  private List<String> choices(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
    DeviceHoldings first = holdings.get(0);
    ProgramKernels kernels = kernels(graph, program, run);
    boolean pushes =
        kernels.pushing().isPresent()
            && (run.kernel() == KernelChoice.AUTO || run.kernel().pushes())
            && (graph.partitions().size() == 1 || kernels.shape().tracksChanges());
    boolean meets = pushes && settings.push().meets() && lists(graph, run).mayMeet();
    List<String> lines =
        new ArrayList<>(
            RunChoices.notes(
                graph,
                program,
                run,
                settings.withPush(push(graph, program, run)),
                kernels,
                first,
                pushes,
                meets));
    for (TunedPart part : pushes ? TunedPart.values() : new TunedPart[] {TunedPart.ROWS}) {
      lines.addAll(RunTuning.describe(part, graph, program, kernels, settings, first));
    }
    return lines;
  }

  /** How a run would push, but for the room that captured tables take. */
  private PushSettings push(ExecutorGraph graph, LiftedProgram program, RunSettings run) {
    try {
      return planned(
          graph,
          new ProgramInstance(program, List.of()),
          run,
          (used, plans) -> RunChoices.push(settings.push(), plans));
    } catch (DeviceOutOfMemoryException e) {
      return settings.push();
    }
  }

  @Override
  public String describeMemory(ExecutorGraph graph, ProgramInstance program, RunSettings run) {
    try {
      return planned(graph, program, run, this::describe);
    } catch (DeviceOutOfMemoryException e) {
      return "does not fit: " + e.getMessage();
    }
  }

  private String describe(List<DeviceHoldings> used, List<DevicePlan> plans) {
    List<String> lines = new ArrayList<>();
    for (int d = 0; d < used.size(); d++) {
      String on = used.size() == 1 ? "" : name(used.get(d).device()) + ": ";
      lines.add(on + describe(used.get(d), plans.get(d)));
    }
    return String.join(" | ", lines);
  }

  private static String describe(DeviceHoldings on, DevicePlan plan) {
    MemoryInfo memory = on.device().memory();
    return plan.describe(4)
        + "; "
        + plan.missingBytes(on.resident())
        + " not on the device yet, "
        + memory.free()
        + " of "
        + memory.total()
        + " free"
        + (plan.grouping() == 1 ? "" : "; vertices grouped by " + plan.grouping())
        + (plan.outsideBytes() == 0 ? "" : "; " + on.streamed(plan));
  }

  @Override
  public void close() {
    Closing.all(holdings);
  }
}
