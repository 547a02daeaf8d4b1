package org.sparkgpugraph.engine.device.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.DeviceTimings;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.PartialExchange;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RunGuard;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SparseLimit;
import org.sparkgpugraph.engine.UnrefinedExchange;
import org.sparkgpugraph.engine.WorkBudget;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.kernels.KernelsByKind;
import org.sparkgpugraph.engine.device.kernels.StatusWord;
import org.sparkgpugraph.engine.device.kernels.SuperstepKernels;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.memory.DerivedArrays;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.ModuleCache;
import org.sparkgpugraph.engine.device.partition.BoundaryLink;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceShare;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.partition.OutlinedLoop;
import org.sparkgpugraph.engine.device.partition.PushQueue;
import org.sparkgpugraph.engine.device.partition.RunSpec;
import org.sparkgpugraph.engine.device.partition.SearchRing;
import org.sparkgpugraph.engine.device.plan.Borders;
import org.sparkgpugraph.engine.device.plan.SuperstepChain;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.engine.device.settings.EdgeOrder;
import org.sparkgpugraph.engine.device.settings.OutlineSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.engine.device.settings.StopLayout;
import org.sparkgpugraph.engine.device.tuning.TunedPart;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.hub.HubGraph;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.FaultSite;
import org.sparkgpugraph.run.ExchangeVolume;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.LaneUse;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.run.SuperstepTimes;

/**
 * A program on an executor graph on one or several devices, a thread for each. In a superstep a
 * device lets its ghosts take what was told after the one before; queues, for each of its
 * partitions: (sparse) activation of the candidate rows; gather and apply; hubs; commit or exchange
 * of the value buffers; waits for the status; and copies what devices must know that it does not
 * reach to the hub (see {@link BoundaryLink}). Then all devices meet.
 */
public final class DeviceRun implements EngineRun {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceRun.class);

  /** Supersteps in which devices meet, of a launch: a meeting costs some microseconds. */
  private static final int MEETINGS = 32;

  /** Supersteps whose kernels are loaded before the run begins. */
  private static final int KINDS_AHEAD = 1024;

  private final ExecutorGraph graph;
  private final ExecutorGraph whole;
  private final Borders borders;
  private final LiftedProgram program;
  private final RunSettings settings;
  private final PushSettings pushSettings;
  private final OutlineSettings outline;
  private final KernelShape shape;
  private final List<FaultSite> sites;
  private final KernelsByKind kinds;

  /** The same of outlined supersteps that walk rows; null: there are none. */
  private final List<FaultSite> outlinedSites;

  /** The same of gathers of all rows. */
  private final List<FaultSite> gatherSites;

  /** Where the program may stop itself in what was launched last. */
  private List<FaultSite> launched;

  private final ExchangeVolume fullBytes;
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final DeviceTeam team;
  final LocalExchange exchange;
  private final RemoteExchange remote;

  /** Null where hubs are not sent partial messages. */
  private final DeviceHubs hubs;

  private final RunState state;
  private KernelChoice before = KernelChoice.DENSE;
  private long work;
  private KernelChoice chosen = KernelChoice.DENSE;
  private boolean allSelected = true;
  private boolean counted;
  int superstep;
  private DeviceTimings timed = new DeviceTimings(0, 0, 0, 0, 0, 0, List.of());
  private long resultNanos;
  private final RunTuning rows;

  /** Null where no superstep pushes. */
  private final RunTuning pushed;

  private final Relaxing relaxing;
  private final EarlyStops stops;

  /** By what rows have to be sorted to stop early; null: by nothing. */
  private final EdgeOrder order;

  private final boolean sorted;

  private final List<String> choices;
  private final boolean pushes;
  private final boolean byProgram;
  private final boolean singleSuperstep;
  private final boolean prunesSenders;
  private final DerivedArrays derived;
  private final Deque<SuperstepStats> done = new ArrayDeque<>();

  /** What the superstep behind those that are done stopped itself with; 0: nothing. */
  private long stopped;

  /** Where the program may stop itself in that superstep. */
  private List<FaultSite> stoppedSites;

  private boolean ahead;

  /** Whether supersteps of a search were so small at its end that fewer blocks do. */
  private boolean searchedSmall;

  /** Whether a search behind superstep 0 has found too much to do for pushing. */
  private boolean refused;

  /** Supersteps that may be done at once although readers elsewhere wait for what they change. */
  private int local = 1;

  /** What may be walked without supersteps, beside what one does, although they wait. */
  private long localWork;

  /** Launches without supersteps. */
  private int relaxed;

  /** What the last superstep took that gathered all rows, as the device has it; 0: none did. */
  private long gatherNanos;

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
    whole = spec.whole();
    borders = spec.borders();
    settings = spec.settings();
    pushSettings = RunChoices.push(spec.device().push(), plans);
    outline = spec.device().outline();
    outlinedSites = spec.kernels().outlined().map(o -> o.kernels().sites()).orElse(null);
    singleSuperstep = spec.kernels().pushing().filter(Pushing::singleSuperstep).isPresent();
    program = spec.program();
    shape = spec.kernels().shape();
    sites = spec.kernels().sites();
    launched = sites;
    kinds =
        new KernelsByKind(
            program,
            spec.kernels(),
            new DeviceShape(
                settings.activeDirection(),
                spec.device().virtualWarp() != 0,
                spec.device().tuning()),
            spec.instance().captureArray());
    fullBytes = UnrefinedExchange.inside(whole, program);
    state = new RunState(spec);
    derived = holdings.get(0).derived();
    resources.addAll(modules);
    try {
      team = keep(new DeviceTeam(spec, holdings, modules, plans));
      loadKinds(holdings.get(0));
      exchange = new LocalExchange(spec, team);
      remote = keep(new RemoteExchange(spec, team));
      hubs =
          shape.partialMessages()
              ? new DeviceHubs(spec, (HubGraph) spec.graph(), team, remote)
              : null;
      // Closed first: nothing is freed while a kernel may still use it.
      resources.add(this::drain);
      pushes = partitions().allMatch(DevicePartition::pushes);
      byProgram = spec.kernels().pushing().filter(p -> p.mode().isProgram()).isPresent();
      prunesSenders = pushes && spec.kernels().pushing().filter(Pushing::prunesSenders).isPresent();
      rows = RunTuning.of(TunedPart.ROWS, spec, holdings, team);
      pushed = pushes ? RunTuning.of(TunedPart.PUSHES, spec, holdings, team) : null;
      relaxing = new Relaxing(spec, holdings.get(0), team, pushes);
      boolean mayStop =
          pushes && spec.kernels().stopsEarly() && settings.kernel() == KernelChoice.AUTO;
      order = mayStop ? spec.kernels().edgeOrder().orElse(null) : null;
      sorted = order != null && partitions().allMatch(DevicePartition::hasSortedRows);
      stops =
          mayStop && (order == null || sorted)
              ? new EarlyStops(
                  team,
                  pushSettings.stops(),
                  graph.edgeCount() + graph.heldVertices(),
                  graph.partitions().size(),
                  shape.tracksChanges(),
                  sorted)
              : EarlyStops.NEVER;
      choices =
          RunChoices.notes(
              graph,
              program,
              settings,
              spec.device().withPush(pushSettings),
              spec.kernels(),
              holdings.get(0),
              pushes,
              exchange.meets);
      boolean readsHotFirst = partitions().anyMatch(DevicePartition::readsHotFirst);
      gatherSites =
          readsHotFirst
              ? spec.kernels().hot().orElseThrow().kernels().sites()
              : spec.kernels().sites();
      if (spec.kernels().hot().isPresent() && !readsHotFirst) {
        choices.add(
            "hot vertices are not read first after all: few edges end at them, or ranks of vertices have"
                + " no room");
      }
      for (int d = 0; d < plans.size(); d++) {
        if (plans.get(d).outsideBytes() > 0) {
          choices.add(holdings.get(d).streamed(plans.get(d)));
        }
      }
    } catch (RuntimeException | Error e) {
      Closing.after(e, resources);
      throw e;
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    resources.add(resource);
    return resource;
  }

  /** What the compiler refuses is refused before anything runs. */
  private void loadKinds(DeviceHoldings first) {
    // Outlined supersteps have kernels for all of them.
    int last =
        program.phased() && outlinedSites == null
            ? Math.min(settings.maxIterations(), KINDS_AHEAD)
            : 0;
    Set<SuperstepKernels> ahead = new LinkedHashSet<>();
    for (int step = 1; step <= last; step++) {
      ahead.add(kinds.of(step));
    }
    ahead.remove(null);
    first.load(ahead.stream().map(SuperstepKernels::source).toList());
    for (SuperstepKernels kind : ahead) {
      team.together(device -> team.shares().get(device).launcher(kind));
    }
  }

  /** Lets every device launch, waits for all and looks whether the program stopped itself. */
  private void run(Consumer<DeviceShare> work) {
    team.launch(work);
    for (int p = 0; p < graph.partitions().size(); p++) {
      throwFault(p);
    }
  }

  private void throwFault(int partition) {
    throwFault(partition, team.word(partition, StatusWord.FAULT), launched);
  }

  private void throwFault(int partition, long told, List<FaultSite> sites) {
    long fault = ~told;
    if (fault != -1) {
      FaultSite site = sites.get((int) fault);
      throw new ProgramFault(
          site.fail().code(),
          site.fail().detail(),
          site.fail().where(),
          site.function(),
          graph.partitions().get(partition).originalId((int) (fault >>> 32)));
    }
  }

  // ---- supersteps -----------------------------------------------------------------------------

  @Override
  public SuperstepStats initialise() {
    return guard.run(
        () -> {
          checkInterrupt();
          long start = System.nanoTime();
          double[] neutral = DeviceTeam.neutral(program.aggregates());
          Consumer<DevicePartition> launches =
              partition -> {
                partition.begin(0, neutral);
                partition.initialise();
              };
          boolean searches = prunesSenders && maySearch();
          if (searches) {
            run(share -> share.step(1, launches.andThen(this::searchFirst)));
          } else {
            run(share -> share.run(launches));
          }
          remote.initialised();
          long search = searches ? team.partition(0).searchNanos() : 0;
          SuperstepStats stats =
              new SuperstepStats(
                  0,
                  KernelChoice.DENSE,
                  team.sum(StatusWord.RAN),
                  team.sum(StatusWord.ACTIVATED),
                  0,
                  Math.max(0, System.nanoTime() - start - search),
                  team.combined(program.aggregates()));
          return searches ? searchedFirst(stats, search) : timed(stats);
        });
  }

  /** Lets a search follow superstep 0 without a wait. */
  private void searchFirst(DevicePartition partition) {
    partition.begin(1, new double[0]);
    // Superstep 0 is none of those that are left.
    search(partition, true, Math.min(searchRounds(), settings.maxIterations()));
  }

  /**
   * Superstep 0, behind which a search was done: its supersteps are told when they are asked for.
   *
   * @param search what it took of the device's time
   */
  private SuperstepStats searchedFirst(SuperstepStats initial, long search) {
    DeviceTimings all = timings();
    timed = all.withoutKernels(search);
    superstep = 1;
    Optional<SuperstepStats> first = searched(System.nanoTime() - search);
    superstep = 0;
    refused = first.isEmpty();
    first.ifPresent(done::addFirst);
    if (initial.activeVertices() == 0) {
      // The run ends here.
      done.clear();
    }
    long kernels = Math.max(0, all.kernelNanos() - search);
    return initial.timed(new SuperstepTimes(kernels, 0, 0, 0, initial.nanos()));
  }

  @Override
  public SuperstepStats step(double[] previous) {
    return guard.run(
        () -> {
          checkInterrupt();
          remote.checkTold();
          long start = System.nanoTime();
          superstep++;
          if (!done.isEmpty()) {
            return done.poll();
          }
          throwFault(0, stopped, stoppedSites);
          long ghosts = remote.takeWork() + (hubs == null ? 0 : hubs.takeWork());
          if (ghosts > 0) {
            work += ghosts;
            chosen = choose(work);
          }
          if (allSelected && prunesSenders && settings.kernel() != KernelChoice.DENSE && !refused) {
            if (maySearch()) {
              Optional<SuperstepStats> searched = search(true, start, previous);
              if (searched.isPresent()) {
                return searched.get();
              }
            } else {
              selectSenders();
            }
          }
          refused = false;
          if (mode() == DevicePartition.Mode.DENSE && stops.asksFirst()) {
            askFirst();
          }
          DevicePartition.Mode mode = mode();
          if (mode == DevicePartition.Mode.PUSH) {
            if (relaxing.takes()) {
              return relax(start, previous);
            }
            return maySearch()
                ? search(false, start, previous).orElseThrow()
                : push(start, previous);
          }
          if (ahead && graph.partitions().size() == 1 && team.partition(0).outlines(mode)) {
            return outlined(start, previous, mode);
          }
          int chained = chained();
          if (chained > 1) {
            return chain(start, chained);
          }
          if (borders.canMove()) {
            slide(mode);
          }
          SuperstepKernels kind = kinds.of(superstep);
          boolean tuned = kind == null && mode == tunedMode();
          if (tuned) {
            // Where all rows are gathered always, all supersteps are alike.
            rows.begin(shape.everyVertex() ? 0 : work);
          }
          boolean all = mode == DevicePartition.Mode.ALL || mode == DevicePartition.Mode.DENSE;
          launched = kind != null ? kind.sites() : all ? rows.sites(gatherSites) : sites;
          run(
              share -> {
                KernelLauncher by = share.launcher(kind);
                share.step(
                    superstep,
                    partition -> {
                      partition.begin(superstep, previous);
                      partition.counts(counted);
                      if (hubs != null) {
                        hubs.before(partition, mode == DevicePartition.Mode.ALL);
                      }
                      partition.superstep(mode, shape.activityTravels(settings.kernel()), kind, by);
                      stops.ask(partition, StopLayout.Behind.GATHERED);
                    });
              });
          stops.stepped(mode, work, team.sum(StatusWord.EDGES));
          decideSorting(mode);
          launched = sites;
          allSelected = false;
          remote.stepped();
          double[] sums = team.combined(program.aggregates());
          before = DevicePartition.choice(mode);
          long active = team.sum(StatusWord.ACTIVATED);
          work = active + team.sum(StatusWord.ACTIVE_EDGES);
          chosen = choose(work);
          LocalExchange.Volume told = exchange.volume(countsActivity());
          SuperstepStats stats =
              new SuperstepStats(
                  superstep,
                  before,
                  team.sum(StatusWord.RAN),
                  active,
                  team.sum(StatusWord.EDGES) + edgesOfHubs(mode),
                  System.nanoTime() - start,
                  sums);
          if (LOG.isDebugEnabled() && team.shares().size() > 1) {
            LOG.debug(
                "superstep {} ({}): active edges by device {}{}",
                superstep,
                before,
                edgesByDevice(),
                borders.vertices().isEmpty()
                    ? ""
                    : ", borders before vertices " + borders.vertices());
          }
          SuperstepStats timed =
              timed(stats.using(lanes()).exchanging(told.updates(), told.bytes(), fullBytes));
          gatherNanos = timed.times().kernelNanos();
          if (tuned) {
            rows.ended(timed.edgesEvaluated(), gatherNanos);
          }
          return timed;
        });
  }

  /**
   * Lets the next run have sorted rows if this one has gathered all; never where they gain nothing.
   */
  private void decideSorting(DevicePartition.Mode mode) {
    boolean wants = !sorted && mode == DevicePartition.Mode.DENSE;
    if (order == null || !wants && !stops.gainsNothing()) {
      return;
    }
    for (GraphPartition p : graph.partitions()) {
      Columns values = p.edgeValues(order.in());
      if (wants) {
        derived.wantSorted(values, order.column(), order.falls());
      } else {
        derived.refuseSorted(values, order.column(), order.falls());
      }
    }
  }

  private long edgesOfHubs(DevicePartition.Mode mode) {
    return hubs == null ? 0 : hubs.takeEdges(mode == DevicePartition.Mode.ALL);
  }

  /** Supersteps that gather all rows, those of the program that come again and again. */
  private DevicePartition.Mode tunedMode() {
    return shape.everyVertex() ? DevicePartition.Mode.ALL : DevicePartition.Mode.DENSE;
  }

  /** How well lanes were used in what was launched last. */
  private LaneUse lanes() {
    return LaneUse.counted(
        team.sum(StatusWord.EDGES) + team.sum(StatusWord.AGAIN),
        team.sum(StatusWord.EDGE_LANES),
        team.sum(StatusWord.ROWS),
        team.sum(StatusWord.ROW_LANES));
  }

  /** Moves the borders between the devices to where the superstep's work is shared out evenly. */
  private void slide(DevicePartition.Mode mode) {
    boolean sparse = mode == DevicePartition.Mode.SPARSE;
    boolean moved =
        borders.decide(
            superstep,
            sparse,
            before == KernelChoice.SPARSE ? edgesByDevice() : null,
            counted ? (device, section) -> team.share(device).sections().rows(section) : null);
    long each = graph.edgeCount() / team.shares().size();
    counted = borders.counts(sparse ? edgesByDevice() : new long[] {each});
    if (moved) {
      for (int d = 0; d < team.shares().size(); d++) {
        team.partition(d).assign(borders.firstRow(d), borders.endRow(d));
      }
    }
  }

  @Override
  public void runAhead() {
    ahead = true;
  }

  @Override
  public void mayRunAhead(int supersteps, long work) {
    local = supersteps;
    localWork = work;
  }

  @Override
  public boolean isAhead() {
    return !done.isEmpty() || stopped != 0;
  }

  /** All are active: whether there are so few that send anything that these push it. */
  private void selectSenders() {
    long limit = settings.kernel() == KernelChoice.AUTO ? pushLimit() : Long.MAX_VALUE;
    run(share -> share.begin(superstep, each -> each.select(derived, limit)));
    long sending = partitions().mapToLong(each -> each.selectedWork(derived)).sum();
    KernelChoice choice = choose(sending, limit);
    if (choice.pushes()) {
      allSelected = false;
      work = sending;
      chosen = choice;
    }
  }

  /** Begins the superstep, and asks what active vertices say in it. */
  private void askFirst() {
    run(share -> share.begin(superstep, each -> stops.ask(each, StopLayout.Behind.BEGUN)));
    stops.hear();
    chosen = choose(work);
  }

  /**
   * Goes on without supersteps, as far as {@link #horizon} says; what waits behind it, or what the
   * memory for it does not hold, comes next.
   */
  private SuperstepStats relax(long start, double[] previous) {
    long walk = horizon();
    launched = relaxing.sites();
    stepEach(previous, each -> each.relax(walk));
    stops.forget();
    launched = sites;
    before = KernelChoice.ASYNC;
    remote.stepped();
    return doneByParts(start, partitions().map(each -> List.of(each.relaxed())).toList());
  }

  /**
   * How much a launch without supersteps may walk on each partition, beside what is active: all on
   * a partition that is the graph; what is left to it before the exchange where others are told;
   * and what {@link WorkBudget} allows where partitions here meet behind each launch. The values
   * are the same: of a program in place they only ever get better, whatever the order, and what is
   * not walked is active when the next launch begins.
   */
  private long horizon() {
    long allowed = localWork;
    local = 1;
    localWork = 0;
    if (!shape.tracksChanges()) {
      return Long.MAX_VALUE;
    }
    if (graph.boundaries().isEmpty()) {
      return allowed;
    }
    int parts = graph.partitions().size();
    relaxed++;
    return ahead
        ? (long) WorkBudget.of(relaxed, graph.edgeCount() / parts, graph.heldVertices() / parts)
        : 0;
  }

  /** Begins a superstep on every partition, and launches what several of them are done by. */
  private void stepEach(double[] previous, Consumer<DevicePartition> launches) {
    run(
        share ->
            share.step(
                superstep,
                each -> {
                  each.begin(superstep, previous);
                  launches.accept(each);
                }));
  }

  private Stream<DevicePartition> partitions() {
    return IntStream.range(0, graph.partitions().size()).mapToObj(team::partition);
  }

  /** Supersteps that push: this one and, ahead, those after it. */
  private SuperstepStats push(long start, double[] previous) {
    KernelChoice forced = settings.kernel();
    int rounds = forced == KernelChoice.PUSH || singleSuperstep ? 1 : rounds();
    boolean outlined = forced != KernelChoice.PUSH && !singleSuperstep && (ahead || local > 1);
    boolean meets = outlined && meetsNow();
    local = 1;
    localWork = 0;
    long limit = forced == KernelChoice.AUTO ? stops.launchLimit(pushLimit()) : Long.MAX_VALUE;
    int most = pushed.tries() ? Math.min(rounds, RunTuning.TRIAL_ROUNDS) : rounds;
    long begun = work;
    pushed.begin(begun);
    launched = pushed.sites(sites);
    stepEach(
        previous,
        each -> {
          if (meets) {
            each.pushMeeting(most, begun, limit);
          } else {
            each.push(most, begun, limit, outlined);
          }
          stops.ask(each, StopLayout.Behind.PUSHED);
        });
    stops.stepped(DevicePartition.Mode.PUSH, 0, 0);
    List<List<PushQueue.Step>> steps = partitions().map(DevicePartition::pushed).toList();
    launched = sites;
    pushed.ended(
        steps.stream().flatMap(List::stream).mapToLong(PushQueue.Step::edges).sum(),
        timings().kernelNanos() - timed.kernelNanos());
    relaxing.pushed(steps.get(0).size());
    before =
        byProgram ? KernelChoice.DELEGATED : outlined ? KernelChoice.OUTLINED : KernelChoice.PUSH;
    remote.stepped();
    if (meets) {
      return doneTogether(start, tellRest(together(steps)), step -> new double[0]);
    }
    return steps.size() == 1
        ? doneTogether(start, steps.get(0), step -> new double[0])
        : doneByParts(start, steps);
  }

  /**
   * Whether the superstep, which pushes, begins a launch that goes on with rows that stop early.
   * One that ended small is not followed by another as long as fewer blocks do.
   */
  private boolean maySearch() {
    return ahead
        && settings.kernel() == KernelChoice.AUTO
        && pushSettings.searches()
        && stops.maySearch()
        && pushed.isOwn()
        && graph.partitions().size() == 1
        && team.partition(0).searches()
        && !(searchedSmall && areSmall());
  }

  /**
   * Supersteps that push or whose rows stop early: this one and those after it, in one launch.
   *
   * @param selects whether all are active, and it begins with those that send anything; empty if
   *     these are so many that all rows are gathered instead
   */
  private Optional<SuperstepStats> search(boolean selects, long start, double[] previous) {
    int rounds = searchRounds();
    stepEach(previous, each -> search(each, selects, rounds));
    return searched(start);
  }

  private int searchRounds() {
    return Math.min(SearchRing.MOST, rounds());
  }

  private void search(DevicePartition partition, boolean selects, int rounds) {
    partition.search(selects, rounds, stops.searchFrom(), stops.searchUntil(), pushLimit());
  }

  /** What a search has done from this superstep on; empty: nothing. */
  private Optional<SuperstepStats> searched(long start) {
    List<SearchRing.Step> steps = team.partition(0).searched();
    if (steps.isEmpty()) {
      return Optional.empty();
    }
    allSelected = false;
    SearchRing.Step last = steps.get(steps.size() - 1);
    List<SearchRing.Step> told = withoutFault(steps, last.fault(), sites);
    long stopping = told.stream().filter(SearchRing.Step::stopped).count();
    stops.searched(stopping);
    relaxing.pushed(told.size() - (int) stopping);
    remote.stepped();
    SuperstepStats stats =
        doneTogether(
            start,
            told.stream().map(SearchRing.Step::counts).toList(),
            step -> new double[0],
            step -> told.get(step).stopped() ? KernelChoice.DENSE : KernelChoice.OUTLINED);
    before = told.get(told.size() - 1).stopped() ? KernelChoice.DENSE : KernelChoice.OUTLINED;
    searchedSmall = areSmall();
    return Optional.of(stats);
  }

  /** Supersteps that walk rows: this one and those after it, in one launch. */
  private SuperstepStats outlined(long start, double[] previous, DevicePartition.Mode mode) {
    DevicePartition partition = team.partition(0);
    boolean chooses = settings.kernel() == KernelChoice.AUTO && !shape.everyVertex();
    boolean sparse = mode == DevicePartition.Mode.SPARSE;
    // As choose() decides: from a limit on work is dense.
    long limit =
        pushes
            ? pushLimit()
            : SparseLimit.of(DevicePartition.choice(mode), graph.edgeCount(), graph.heldVertices());
    long least = chooses && !sparse ? limit + 1 : 0;
    long most = chooses && sparse ? limit : Long.MAX_VALUE;
    long left = (long) settings.maxIterations() - superstep + 1;
    int rounds = (int) Math.min(outline.supersteps(), left);
    stepEach(previous, each -> each.outline(mode, rounds, least, most));
    stops.forget();
    allSelected = false;
    remote.stepped();
    before = DevicePartition.choice(mode);
    List<OutlinedLoop.Step> steps = partition.outlined(mode);
    OutlinedLoop.Step last = steps.get(steps.size() - 1);
    List<OutlinedLoop.Step> told = withoutFault(steps, last.fault(), outlinedSites);
    return doneTogether(
        start,
        told.stream().map(OutlinedLoop.Step::counts).toList(),
        step -> told.get(step).aggregates());
  }

  /**
   * The supersteps of a launch that were done. One that stopped itself, its last, is told when it
   * is asked for: at once if it was the only one.
   *
   * @param fault of that one; 0: none
   * @param sites where the program may stop itself in these
   */
  private <T> List<T> withoutFault(List<T> steps, long fault, List<FaultSite> sites) {
    if (fault == 0) {
      return steps;
    }
    if (steps.size() == 1) {
      throwFault(0, fault, sites);
    }
    stopped = fault;
    stoppedSites = sites;
    return steps.subList(0, steps.size() - 1);
  }

  /** How many of the supersteps that come follow each other without a wait. */
  private int chained() {
    return ahead && team.share(0).chains() && !rows.tries()
        ? SuperstepChain.length((long) settings.maxIterations() - superstep + 1, gatherNanos)
        : 1;
  }

  /** Supersteps in which every vertex runs: this one and those after it, launched at once. */
  private SuperstepStats chain(long start, int supersteps) {
    List<PushQueue.Step> steps = new ArrayList<>();
    team.launch(
        share ->
            steps.addAll(
                share.chain(
                    supersteps,
                    (partition, i) -> {
                      partition.begin(superstep + i, new double[0]);
                      partition.superstep(DevicePartition.Mode.ALL, false, null, null);
                    })));
    gatherNanos = steps.get(supersteps - 1).nanos() / supersteps;
    before = KernelChoice.DENSE;
    return doneTogether(start, steps, step -> new double[0]);
  }

  /**
   * How many supersteps a launch may do. Devices that wait for each other do several before they
   * exchange as long as the barriers between them are what takes the time, and meet behind each
   * where memory does; a launch that has begun so ends what has become small, if that does not take
   * long.
   */
  private int rounds() {
    long left = (long) settings.maxIterations() - superstep + 1;
    if (meetsNow()) {
      return (int) Math.min(Math.min(MEETINGS, pushSettings.rounds()), ahead ? left : 1);
    }
    if (graph.partitions().size() > 1) {
      return ahead && shape.inPlace() && areSmall() ? pushSettings.rounds() : 1;
    }
    int most = relaxing.most(pushSettings.rounds());
    return (int) Math.min(most, ahead ? left : local);
  }

  /** Tells readers what devices that met have not told: who is put off. */
  private List<PushQueue.Step> tellRest(List<PushQueue.Step> steps) {
    team.shares().forEach(DeviceShare::allIsTold);
    PushQueue.Step end = steps.get(steps.size() - 1);
    if (end.putOff() == 0) {
      return steps;
    }
    int last = superstep + steps.size() - 1;
    run(share -> share.tell(last, each -> each.tellPutOff(last)));
    List<PushQueue.Step> all = new ArrayList<>(steps);
    all.set(all.size() - 1, end.telling(exchange.volume(true).updates()));
    return all;
  }

  /** The supersteps of partitions that have all in common. */
  private static List<PushQueue.Step> together(List<List<PushQueue.Step>> partitions) {
    List<PushQueue.Step> sums = partitions.get(0);
    for (List<PushQueue.Step> steps : partitions.subList(1, partitions.size())) {
      List<PushQueue.Step> before = sums;
      sums =
          IntStream.range(0, steps.size()).mapToObj(i -> before.get(i).plus(steps.get(i))).toList();
    }
    return sums;
  }

  private boolean areSmall() {
    return partitions().allMatch(p -> p.isSmall(work));
  }

  private boolean meetsNow() {
    return exchange.meets && !areSmall();
  }

  /** What the supersteps of a launch did, on the only partition or on all of them. */
  private SuperstepStats doneTogether(
      long start, List<PushQueue.Step> steps, IntFunction<double[]> aggregates) {
    return doneTogether(start, steps, aggregates, step -> before);
  }

  /**
   * The same.
   *
   * @param choice what each of them was
   */
  private SuperstepStats doneTogether(
      long start,
      List<PushQueue.Step> steps,
      IntFunction<double[]> aggregates,
      IntFunction<KernelChoice> choice) {
    PushQueue.Step last = steps.get(steps.size() - 1);
    // What was told at the end may wake readers only.
    work = Math.max(last.told(), last.activated() + last.activeEdges());
    chosen = choose(work);
    DeviceTimings now = timings();
    long later = last.nanos() - steps.get(0).nanos();
    long kernels = Math.max(0, now.kernelNanos() - timed.kernelNanos() - later);
    long nanos = Math.max(kernels, System.nanoTime() - start - later);
    timed = now;
    for (int i = 0; i < steps.size(); i++) {
      PushQueue.Step step = steps.get(i);
      if (i > 0) {
        kernels = step.nanos() - steps.get(i - 1).nanos();
        nanos = kernels;
      }
      LocalExchange.Volume told = exchange.told(step.told());
      done.add(
          new SuperstepStats(
                  superstep + i,
                  choice.apply(i),
                  step.ran(),
                  Math.max(step.told(), step.activated() + step.putOff()),
                  step.edges(),
                  nanos,
                  aggregates.apply(i))
              .using(step.lanes())
              .exchanging(told.updates(), told.bytes(), fullBytes)
              .timed(new SuperstepTimes(kernels, 0, 0, 0, nanos)));
    }
    return done.poll();
  }

  /** What a launch did whose partitions have no supersteps in common: as one. */
  private SuperstepStats doneByParts(long start, List<List<PushQueue.Step>> partitions) {
    LocalExchange.Volume told = exchange.volume(true);
    long edges = 0;
    long ran = 0;
    long active = 0;
    LaneUse lanes = LaneUse.NONE;
    work = 0;
    for (List<PushQueue.Step> steps : partitions) {
      PushQueue.Step last = steps.get(steps.size() - 1);
      edges += steps.stream().mapToLong(PushQueue.Step::edges).sum();
      ran += steps.stream().mapToLong(PushQueue.Step::ran).sum();
      lanes = steps.stream().map(PushQueue.Step::lanes).reduce(lanes, LaneUse::plus);
      active += last.activated() + last.putOff();
      work += last.activated() + last.activeEdges();
    }
    // Who changed before a partition's last superstep wakes readers only.
    active = Math.max(active, told.updates());
    work = Math.max(work, told.updates());
    chosen = choose(work);
    SuperstepStats stats =
        new SuperstepStats(
            superstep, before, ran, active, edges, System.nanoTime() - start, new double[0]);
    return timed(stats.using(lanes).exchanging(told.updates(), told.bytes(), fullBytes));
  }

  private long pushLimit() {
    return RunChoices.pushLimit(pushSettings, byProgram, graph);
  }

  /** Nothing is known any more of a superstep between others that were done together. */
  private void checkNotAhead() {
    if (isAhead()) {
      throw new IllegalStateException(
          "superstep "
              + (superstep + done.size() + (stopped == 0 ? 0 : 1))
              + " was done ahead: nothing can be asked for behind superstep "
              + superstep
              + " (do not call runAhead(), or take what isAhead())");
    }
  }

  /** With what the devices' clocks say of the superstep. */
  private SuperstepStats timed(SuperstepStats stats) {
    DeviceTimings now = timings();
    long kernels = now.kernelNanos() - timed.kernelNanos();
    long hub = now.hubNanos() - timed.hubNanos();
    timed = now;
    return stats.timed(new SuperstepTimes(kernels, hub, 0, 0, stats.nanos()));
  }

  /**
   * Whether the next superstep reads who is active among the ghosts. Must be known before the
   * launch, since kernels write the activity.
   */
  private boolean countsActivity() {
    if (!graph.imports().isEmpty()) {
      // The next superstep is chosen when all imports have come.
      return shape.activityTravels(settings.kernel());
    }
    return !shape.everyVertex() && (chosen.isSparse() || shape.denseReadsActivity());
  }

  private DevicePartition.Mode mode() {
    if (allSelected || shape.everyVertex()) {
      return DevicePartition.Mode.ALL;
    }
    return switch (chosen) {
      case SPARSE -> DevicePartition.Mode.SPARSE;
      case PUSH, OUTLINED, ASYNC, DELEGATED -> DevicePartition.Mode.PUSH;
      case DENSE, AUTO -> stops.now() ? DevicePartition.Mode.STOPPING : DevicePartition.Mode.DENSE;
    };
  }

  /**
   * Chooses what the next superstep is.
   *
   * @param work active vertices and edges of theirs
   */
  private KernelChoice choose(long work) {
    return choose(work, stops.limit(pushLimit()));
  }

  private KernelChoice choose(long work, long mostPushed) {
    if (shape.everyVertex()) {
      return KernelChoice.DENSE;
    }
    KernelChoice forced = settings.kernel();
    if (forced != KernelChoice.AUTO) {
      return pushes ? forced : forced.pulling();
    }
    if (pushes) {
      return work <= mostPushed ? KernelChoice.OUTLINED : KernelChoice.DENSE;
    }
    return work <= SparseLimit.of(before, graph.edgeCount(), graph.heldVertices())
        ? KernelChoice.SPARSE
        : KernelChoice.DENSE;
  }

  // ---- other executor graphs --------------------------------------------------------------------

  @Override
  public List<RefinedUpdates> outgoing() {
    return guard.run(
        () -> {
          checkNotAhead();
          return remote.outgoing();
        });
  }

  @Override
  public void incoming(int list, List<RefinedUpdates> parts) {
    guard.run(
        () -> {
          remote.incoming(list, parts);
          return null;
        });
  }

  @Override
  public Optional<PartialExchange> partialExchange() {
    return Optional.ofNullable(hubs).map(Sending::new);
  }

  /** The exchange of a run that sends hubs partial messages. */
  private final class Sending implements PartialExchange {
    private final PartialExchange hubs;

    Sending(PartialExchange hubs) {
      this.hubs = hubs;
    }

    @Override
    public Outgoing outgoing() {
      return guard.run(
          () -> {
            checkNotAhead();
            return hubs.outgoing();
          });
    }

    @Override
    public void incomingValues(int list, List<RefinedUpdates> parts) {
      guard.run(
          () -> {
            hubs.incomingValues(list, parts);
            return null;
          });
    }

    @Override
    public void incomingMessages(int list, List<RefinedUpdates> parts) {
      guard.run(
          () -> {
            hubs.incomingMessages(list, parts);
            return null;
          });
    }
  }

  @Override
  public long[] activity(int partition) {
    if (shape.everyVertex()) {
      return null;
    }
    return guard.run(
        () -> {
          checkNotAhead();
          if (allSelected) {
            return RunState.all(whole.partitions().get(partition));
          }
          return state.activity(team, whole.partitions().get(partition));
        });
  }

  @Override
  public void restore(int last, List<Columns> values, List<long[]> activity) {
    guard.run(
        () -> {
          done.clear();
          stopped = 0;
          superstep = last;
          // In place, what was changed some supersteps before the snapshot may still be untold.
          allSelected = last == 0 || shape.inPlace();
          counted = false;
          team.together(
              device ->
                  team.shares()
                      .get(device)
                      .restore(
                          restored -> borders.spread(restored.index(), values),
                          restored ->
                              shape.everyVertex()
                                  ? null
                                  : borders.spreadBits(restored.index(), activity)));
          before = KernelChoice.DENSE;
          stops.forget();
          boolean counts = !shape.everyVertex() && settings.kernel() == KernelChoice.AUTO;
          work = counts ? state.work(activity) : 0;
          chosen = choose(work);
          remote.restored();
          if (hubs != null) {
            hubs.restored();
          }
          return null;
        });
  }

  // ---- aggregates -----------------------------------------------------------------------------

  @Override
  public double[] finalAggregates() {
    List<Aggregate> last = program.finalAggregates();
    return guard.run(
        () -> {
          checkNotAhead();
          if (!last.isEmpty()) {
            run(
                share ->
                    share.run(
                        partition -> {
                          partition.begin(superstep, new double[0]);
                          partition.finalAggregates();
                        }));
          }
          return last.isEmpty() ? new double[0] : team.combined(last);
        });
  }

  // ---- results --------------------------------------------------------------------------------

  @Override
  public Columns values(int partition) {
    return state(partition, program.state().columns());
  }

  /** The first columns of the state. */
  private Columns state(int partition, List<ColumnType> kinds) {
    return guard.run(() -> download(kinds, borders.owners(partition), DevicePartition::state));
  }

  @Override
  public Columns results(int partition, double[] finalAggregates) {
    if (program.resultFunction() == null) {
      return state(partition, program.result().columns());
    }
    return guard.run(
        () -> {
          List<Borders.Owned> owners = borders.owners(partition);
          for (Borders.Owned owned : owners) {
            DevicePartition of = team.partition(owned.holder());
            team.share(owned.holder())
                .run(
                    each -> {
                      if (each == of) {
                        each.begin(superstep, finalAggregates);
                        each.result();
                      }
                    });
            throwFault(owned.holder());
          }
          return download(program.result().columns(), owners, DevicePartition::result);
        });
  }

  /** Memory of a column on a device. */
  private interface ColumnOf {
    DeviceMemory of(DevicePartition partition, int column);
  }

  private Columns download(List<ColumnType> kinds, List<Borders.Owned> owners, ColumnOf from) {
    checkNotAhead();
    long start = System.nanoTime();
    int rows = owners.stream().mapToInt(Borders.Owned::count).sum();
    Columns columns = Columns.allocate(kinds, rows);
    for (Borders.Owned owned : owners) {
      DevicePartition partition = team.partition(owned.holder());
      team.share(owned.holder())
          .download(
              column -> from.of(partition, column),
              owned.row(),
              columns,
              owned.at(),
              owned.count());
    }
    resultNanos += System.nanoTime() - start;
    return columns;
  }

  @Override
  public Optional<DeviceTimings> deviceTimings() {
    return Optional.of(timings());
  }

  /** Where the time went so far. */
  public DeviceTimings timings() {
    return team.timings(resultNanos);
  }

  /** What is tried, or was chosen, of the parts of this run that may be done in several ways. */
  public List<RunTuning> tuned() {
    return pushed == null ? List.of(rows) : List.of(rows, pushed);
  }

  @Override
  public List<String> notes() {
    List<String> notes = new ArrayList<>(choices);
    tuned().forEach(part -> notes.addAll(part.notes()));
    notes.addAll(relaxing.notes());
    if (stops.supersteps() > 0) {
      notes.add(EngineRun.stopNote(stops.supersteps()));
    }
    return notes;
  }

  /** Edges that each device evaluated in the last superstep. */
  public long[] edgesByDevice() {
    return team.shares().stream().mapToLong(s -> s.status().sum(StatusWord.EDGES)).toArray();
  }

  /** What was allocated on each device. */
  public List<DevicePlan> plans() {
    return team.shares().stream().map(DeviceShare::plan).toList();
  }

  /** What each device computes. */
  public Borders borders() {
    return borders;
  }

  /** Supersteps so far in which rows stopped early. */
  public long stopped() {
    return stops.supersteps();
  }

  /** Launches so far of several supersteps that push or whose rows stop early. */
  public int searches() {
    return stops.searches();
  }

  /** Whether sparse supersteps push. */
  public boolean pushes() {
    return pushes;
  }

  /** Whether devices that push tell each other what changed behind each superstep of a launch. */
  public boolean meets() {
    return exchange.meets;
  }

  /** What was allocated on the first device. */
  public DevicePlan plan() {
    return plans().get(0);
  }

  // ---- life -----------------------------------------------------------------------------------

  /** An executor interrupts a task to kill it. */
  private void checkInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted in superstep " + superstep);
    }
  }

  /** Waits for what is queued; errors are ignored: the run's own error has been thrown. */
  private void drain() {
    try {
      team.drain();
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
