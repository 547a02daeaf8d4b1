package org.sparkgpugraph.engine.device.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.SuperstepKernels;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceShare;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.partition.RunSpec;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.engine.device.tuning.Candidate;
import org.sparkgpugraph.engine.device.tuning.Candidates;
import org.sparkgpugraph.engine.device.tuning.Choice;
import org.sparkgpugraph.engine.device.tuning.ChoiceKey;
import org.sparkgpugraph.engine.device.tuning.Choices;
import org.sparkgpugraph.engine.device.tuning.GraphClass;
import org.sparkgpugraph.engine.device.tuning.Trial;
import org.sparkgpugraph.engine.device.tuning.TunedPart;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.FaultSite;

/**
 * A part of a run that may be done in several ways: which one its next launch takes. What was found
 * before for the program, the class of the graph and the GPU is taken from the start; otherwise the
 * launches try all ways in turn, and the trial goes on in the next run where this one is too short.
 * A way that cannot be compiled or loaded is left out, and the run goes on without it.
 */
public final class RunTuning {
  /** Supersteps of a launch that is timed: so many that what begins and ends it does not count. */
  static final int TRIAL_ROUNDS = 16;

  private static final Logger LOG = LoggerFactory.getLogger(RunTuning.class);

  private final TunedPart part;

  /** Null where nothing is run. */
  private final DeviceTeam team;

  private final Candidates candidates;
  private final GraphClass graph;
  private final List<SuperstepKernels> kernels = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private Choices choices;

  /** Null where nothing is tuned. */
  private ChoiceKey key;

  private Choice choice;

  /** Null where nothing is tried. */
  private Trial trial;

  private boolean remembered;
  private int taken;
  private long work;

  private RunTuning(TunedPart part, DeviceTeam team, Candidates candidates, GraphClass graph) {
    this.part = part;
    this.team = team;
    this.candidates = candidates;
    this.graph = graph;
  }

  /** A part of a run, whose first launch may follow. */
  static RunTuning of(
      TunedPart part, RunSpec spec, List<DeviceHoldings> holdings, DeviceTeam team) {
    RunTuning tuning =
        of(
            part,
            spec.graph(),
            spec.program(),
            spec.kernels(),
            spec.device(),
            holdings.get(0),
            team);
    if (tuning.key != null) {
      tuning.open(spec, holdings.get(0));
    }
    return tuning;
  }

  /** What a run would take, as far as that is known before. */
  static List<String> describe(
      TunedPart part,
      ExecutorGraph graph,
      LiftedProgram program,
      ProgramKernels kernels,
      DeviceSettings settings,
      DeviceHoldings on) {
    RunTuning tuning = of(part, graph, program, kernels, settings, on, null);
    tuning
        .find()
        .ifPresent(
            found -> {
              tuning.taken = tuning.index(found);
              tuning.choice = found;
              tuning.remembered = true;
            });
    return tuning.notes();
  }

  private static RunTuning of(
      TunedPart part,
      ExecutorGraph graph,
      LiftedProgram program,
      ProgramKernels kernels,
      DeviceSettings settings,
      DeviceHoldings on,
      DeviceTeam team) {
    KernelShape shape = kernels.shape();
    boolean rows = part == TunedPart.ROWS;
    GraphClass graphClass =
        graphClass(
            graph,
            on,
            rows
                ? p -> RunChoices.gathered(shape, p)
                : p -> RunChoices.pushed(kernels, p).stream());
    Candidates candidates =
        rows
            ? Candidates.rows(program, kernels, settings, graphClass)
            : Candidates.pushes(kernels, settings, graphClass);
    RunTuning tuning = new RunTuning(part, team, candidates, graphClass);
    if (settings.tunes() && candidates.several()) {
      tuning.choices = on.choices();
      tuning.key = ChoiceKey.of(kernels.source(), part, graphClass, on.device().properties());
    }
    return tuning;
  }

  private interface RowsOf {
    Stream<Csr> of(GraphPartition partition);
  }

  private static GraphClass graphClass(ExecutorGraph graph, DeviceHoldings on, RowsOf rows) {
    return GraphClass.of(
        GraphClass.Degrees.of(
            graph.partitions().stream().flatMap(rows::of).map(on.derived()::degrees)));
  }

  private void open(RunSpec spec, DeviceHoldings first) {
    DeviceShape shape = DeviceEngine.shape(spec);
    for (Candidate way : candidates.ways()) {
      kernels.add(isOwn(spec, way) ? null : kernels(spec, shape, way));
    }
    Optional<Choice> found = find();
    if (found.isPresent()) {
      int way = index(found.get());
      if (load(way)) {
        choice = found.get();
        remembered = true;
        take(way);
      }
      return;
    }
    trial = choices.trial(key, candidates.ways().stream().map(Candidate::title).toList());
    List<Integer> left = IntStream.range(1, kernels.size()).filter(trial::isLeft).boxed().toList();
    LOG.info(
        "{} of {} are tried in {} ways, whose kernels are compiled first: {}",
        part.title(),
        spec.kernels().source().name(),
        left.size() + 1,
        graph);
    compileTogether(first, left.stream().filter(way -> kernels.get(way) != null).toList());
    for (int way : left) {
      load(way);
    }
  }

  /** Whether the run's own kernels do it: who takes which piece is not in their text. */
  private static boolean isOwn(RunSpec spec, Candidate way) {
    return way.rows() == null
        ? way.pushes().equals(spec.device().push().schedule())
        : way.rows().withPieces(0).equals(spec.device().tuning().withPieces(0));
  }

  private static SuperstepKernels kernels(RunSpec spec, DeviceShape shape, Candidate way) {
    return way.rows() == null
        ? spec.kernels().pushing(spec.program(), shape.with(way.pushes()))
        : spec.kernels().gathering(spec.program(), shape.with(way.rows()));
  }

  /** What was found before. */
  private Optional<Choice> find() {
    return key == null ? Optional.empty() : choices.find(key).filter(known -> index(known) >= 0);
  }

  /** Its place among the ways; −1: it is none of them, of another version. */
  private int index(Choice known) {
    List<String> titles = candidates.ways().stream().map(Candidate::title).toList();
    return titles.indexOf(known.title());
  }

  /** Several at a time; what fails fails again where it is loaded, one by one. */
  private void compileTogether(DeviceHoldings first, List<Integer> ways) {
    try {
      first.load(ways.stream().map(way -> kernels.get(way).source()).toList());
    } catch (DeviceLostException e) {
      throw e;
    } catch (DeviceException e) {
      LOG.debug("some kernels that were to be tried cannot be loaded", e);
    }
  }

  /** Loads the kernels of a way on all devices; false, and a note, where that fails. */
  private boolean load(int way) {
    SuperstepKernels loaded = kernels.get(way);
    if (loaded == null) {
      return true;
    }
    try {
      team.together(
          device -> {
            KernelLauncher by = team.shares().get(device).launcher(loaded);
            // What is loaded when it is first launched would count as its time.
            loaded.source().kernels().forEach(by::resident);
          });
      return true;
    } catch (DeviceLostException e) {
      throw e;
    } catch (DeviceException e) {
      String title = candidates.ways().get(way).title();
      String why = e.getMessage().lines().findFirst().orElse("");
      LOG.warn("{} by {} cannot be tried: {}", part.title(), title, why);
      faults.add(part.title() + ": " + title + " is left out: " + why);
      if (trial != null) {
        trial.failed(way, why);
      }
      return false;
    }
  }

  private void take(int way) {
    if (way == taken) {
      return;
    }
    taken = way;
    Candidate by = candidates.ways().get(way);
    for (DeviceShare share : team.shares()) {
      KernelLauncher launcher = share.launcher(kernels.get(way));
      for (DevicePartition partition : share.partitions()) {
        if (part == TunedPart.ROWS) {
          partition.gatherBy(by.rows(), launcher);
        } else {
          partition.pushBy(launcher);
        }
      }
    }
  }

  /** Whether launches are timed. */
  public boolean tries() {
    return trial != null && trial.winner().isEmpty();
  }

  /** Whether the run's own kernels do it, and are not timed. */
  boolean isOwn() {
    return !tries() && (taken == 0 || kernels.get(taken) == null);
  }

  /**
   * Takes the way whose turn it is, for the next launch.
   *
   * @param next edges and vertices that it begins with
   */
  void begin(long next) {
    if (trial != null) {
      work = next;
      take(trial.next(next));
    }
  }

  /**
   * Takes the time of what was begun.
   *
   * @param edges evaluated
   * @param nanos of the device, of the slowest one
   */
  void ended(long edges, long nanos) {
    if (!tries()) {
      return;
    }
    trial.measured(taken, work, edges, nanos);
    if (!tries()) {
      choice = trial.choice();
      choices.keep(key, choice, !trial.anyFailed());
      LOG.info("{}", decision());
    }
  }

  /**
   * Where the program may stop itself in what is launched.
   *
   * @param own those of the run's own kernels
   */
  List<FaultSite> sites(List<FaultSite> own) {
    return taken == 0 || kernels.get(taken) == null ? own : kernels.get(taken).sites();
  }

  /** What was tried until now, of a run that tries; empty otherwise. */
  public List<Trial.Row> rows() {
    return trial == null ? List.of() : trial.rows();
  }

  public TunedPart part() {
    return part;
  }

  /** What was chosen and why, what could not be tried, and the class of the graph. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(List.of(decision()));
    notes.addAll(faults);
    return notes;
  }

  private String decision() {
    String title = candidates.ways().get(taken).title();
    String on = " (" + graph + ")";
    if (choice != null) {
      return part.title()
          + ": "
          + title
          + (remembered ? ": remembered, " : ": tuned, ")
          + choice.figures()
          + on;
    }
    if (key != null && (trial != null || team == null)) {
      return part.title()
          + (team == null ? ": tuned by the next run" : ": still tuned, the next run goes on")
          + on;
    }
    return part.title()
        + ": "
        + title
        + (candidates.obstacle().isEmpty()
            ? ", not tuned (spark.gpugraph.gpu.tuning)"
            : ": " + candidates.obstacle())
        + on;
  }
}
