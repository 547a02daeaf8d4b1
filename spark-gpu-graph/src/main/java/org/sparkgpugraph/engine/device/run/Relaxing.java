package org.sparkgpugraph.engine.device.run;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.SuperstepKernels;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.Tiles;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.partition.RunSpec;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.engine.device.settings.TileLayout;
import org.sparkgpugraph.engine.device.settings.TileSettings;
import org.sparkgpugraph.engine.device.tuning.ChoicePolicy;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.FaultSite;
import org.sparkgpugraph.run.KernelChoice;

/**
 * Whether a run goes on without supersteps, and from when on: always where that is forced, else
 * where {@link ChoicePolicy#relaxes} says so and {@link AsyncSettings#after} supersteps that pushed
 * did not end it. The kernels of that are a module of their own, which few runs need. Where nothing
 * is forced it is loaded beside the run once that is a part of the way there; the run pushes until
 * the kernels have come, or to its end where they cannot be loaded.
 */
final class Relaxing {
  /** The kernels are asked for behind this part of the supersteps that have to push. */
  private static final int PART = 4;

  /** Supersteps of a launch while the kernels are awaited. */
  private static final int BETWEEN = 64;

  private static final Logger LOG = LoggerFactory.getLogger(Relaxing.class);

  private final RunSpec spec;
  private final DeviceHoldings first;
  private final DeviceTeam team;
  private final int after;
  private final List<String> notes = new CopyOnWriteArrayList<>();
  private boolean may;
  private int pushed;

  /** Null where the kernels have not been asked for. */
  private Future<SuperstepKernels> loading;

  /** Null where they have not come yet. */
  private SuperstepKernels kernels;

  /** Null where no block owns vertices; known when the kernels have come. */
  private volatile Tiles tiles;

  /**
   * Loads the kernels where they are forced.
   *
   * @param first of the devices; the only one where nothing is forced
   * @param pushes whether supersteps may push
   */
  Relaxing(RunSpec spec, DeviceHoldings first, DeviceTeam team, boolean pushes) {
    this.spec = spec;
    this.first = first;
    this.team = team;
    after = spec.device().push().async().after();
    may =
        pushes
            && spec.kernels().relaxingFrame().isPresent()
            && partitions().stream().allMatch(DevicePartition::mayRelax);
    if (may && isForced(spec.kernels(), spec.settings())) {
      take(kernels());
    }
  }

  private static boolean isForced(ProgramKernels kernels, RunSettings run) {
    return run.kernel() == KernelChoice.ASYNC && kernels.relaxingFrame().isPresent();
  }

  /**
   * What a run needs from its start on.
   *
   * @param shape by which the kernels were made
   */
  static List<KernelSource> sources(
      ProgramKernels kernels,
      LiftedProgram program,
      DeviceSettings how,
      RunSettings run,
      DeviceShape shape) {
    TileSettings.Form form = how.push().async().tiles().form();
    // Of these no block owns vertices.
    boolean shared = kernels.shape().tracksChanges() || kernels.spreadsResiduals();
    if (!isForced(kernels, run) || form == TileSettings.Form.AUTO && !shared) {
      return List.of(kernels.source());
    }
    boolean tiled = form == TileSettings.Form.TILES && !shared;
    return List.of(kernels.source(), kernels.relaxing(program, shape, tiled).source());
  }

  private SuperstepKernels kernels() {
    tiles = tiles();
    return spec.kernels().relaxing(spec.program(), DeviceEngine.shape(spec), tiles != null);
  }

  /** The tiles whose owners do it; null: workers do. */
  private Tiles tiles() {
    TileSettings how = spec.device().push().async().tiles();
    boolean owned = partitions().stream().allMatch(DevicePartition::ownsTiles);
    if (!owned && spec.kernels().shape().tracksChanges()) {
      return null;
    }
    GraphPartition graph = spec.graph().partitions().get(0);
    Csr rows = spec.kernels().pushing().orElseThrow().out() ? graph.outEdges() : graph.inEdges();
    if (!owned) {
      if (!rows.onHeap()) {
        notes.add("relaxes in buckets, not in tiles: these need the edges on the heap");
      }
      return null;
    }
    int most = how.owners(TileSettings.mostOwners(first.device().properties().multiprocessors()));
    Tiles made =
        first.derived().tiles(rows, graph.stored(), most, how.vertices() / TileLayout.WORD);
    boolean chosen = how.form() == TileSettings.Form.TILES || made.inside() >= how.inside();
    notes.add(ChoicePolicy.tilesNote(how, made.inside(), chosen));
    return chosen ? made : null;
  }

  private List<DevicePartition> partitions() {
    return team.shares().stream().flatMap(share -> share.partitions().stream()).toList();
  }

  private void take(SuperstepKernels loaded) {
    team.together(device -> team.shares().get(device).relaxBy(spec, loaded, tiles));
    if (partitions().stream().allMatch(DevicePartition::relaxes)) {
      kernels = loaded;
    } else {
      giveUp("the device does not hold two blocks of its kernel at a time", false);
    }
  }

  /**
   * @param mended whether somebody might mend it
   */
  private void giveUp(String why, boolean mended) {
    may = false;
    notes.add("goes on in supersteps: " + why);
    String message = "{} goes on in supersteps: {}";
    if (mended) {
      LOG.warn(message, spec.kernels().source().name(), why);
    } else {
      LOG.info(message, spec.kernels().source().name(), why);
    }
  }

  private int ahead() {
    return Math.max(1, after / PART);
  }

  /** How many supersteps the next launch may push, of as many as others allow. */
  int most(int rounds) {
    if (!may || kernels != null) {
      return rounds;
    }
    int next = loading == null ? ahead() : after;
    return Math.min(rounds, pushed < next ? next - pushed : BETWEEN);
  }

  /** Counts supersteps that pushed. */
  void pushed(int supersteps) {
    pushed += supersteps;
    if (may && kernels == null && loading == null && pushed >= ahead()) {
      loading = first.later(this::kernels, SuperstepKernels::source);
    }
  }

  /**
   * Whether what is next is no superstep that pushes, but all that is left.
   *
   * @throws DeviceLostException when loading the kernels showed that the device is lost
   */
  boolean takes() {
    if (may && kernels == null && pushed >= after && loading != null && loading.isDone()) {
      arrived();
    }
    return kernels != null;
  }

  private void arrived() {
    try {
      take(loading.get());
    } catch (InterruptedException e) {
      // Nobody waits here: it is done.
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      failed(e.getCause());
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void failed(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof DeviceLostException lost) {
      throw lost;
    }
    String why = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    LOG.debug("kernels that relax without supersteps", cause);
    // Where the other kernels are packaged there need not be a compiler.
    giveUp(why, !(cause instanceof CompilerUnavailableException));
  }

  /** Where the program may stop itself in what relaxes. */
  List<FaultSite> sites() {
    return kernels.sites();
  }

  /** Why it does not do so after all; empty where it may. */
  List<String> notes() {
    return notes;
  }
}
