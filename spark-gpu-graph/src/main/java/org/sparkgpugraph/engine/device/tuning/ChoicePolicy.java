package org.sparkgpugraph.engine.device.tuning;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sparkgpugraph.engine.DegreeSkew;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.DelegateLayout;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.MergeMode;
import org.sparkgpugraph.engine.device.settings.TileSettings;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.lanes.ContextForm;
import org.sparkgpugraph.program.lanes.Obstacle;

/**
 * Rules by which {@code kernel = auto} leaves supersteps that gather and push for other methods,
 * and rows are gathered in another way than streamed, and the figures that they look at. {@link
 * AsyncSettings#after}, {@link DelegateSettings#reach} and {@link DenseTuning#contextsFrom} turn
 * them off.
 */
public final class ChoicePolicy {
  /** Most bytes of a message that goes over a ring: beyond, its way there costs what it saves. */
  static final int MOST_BYTES = 64;

  /** Most messages that one receiver may get in a superstep, about: one block merges them. */
  static final double MOST_TO_ONE = 1000;

  private ChoicePolicy() {}

  /**
   * Whether a search goes on without supersteps on a graph with such rows: not where hubs make all
   * ways short. It has to be long, too, see {@link AsyncSettings#after}, which none is where a way
   * cannot have so many edges.
   *
   * @param skew of the rows that active vertices push along, see {@link DegreeSkew}
   * @param vertices of the graph
   */
  public static boolean relaxes(AsyncSettings settings, double skew, long vertices) {
    return isLarge(settings, vertices) && skew < DegreeSkew.HUBS;
  }

  private static boolean isLarge(AsyncSettings settings, long vertices) {
    return settings.after() > 0 && vertices > settings.after();
  }

  /** What is decided of {@link #relaxes}, and by what. */
  public static String relaxesNote(AsyncSettings settings, double skew, long vertices) {
    return String.format(
        Locale.ROOT,
        "%s: %s",
        relaxes(settings, skew, vertices)
            ? "goes on without supersteps when " + settings.after() + " have not ended it"
            : "never goes on without supersteps",
        isLarge(settings, vertices)
            ? DegreeSkew.describe(skew)
            : vertices + " vertices are reached in no more than " + settings.after());
  }

  /** What is decided of who relaxes, and by what. */
  public static String tilesNote(TileSettings settings, double inside, boolean owned) {
    return String.format(
        Locale.ROOT,
        "%s: %.0f %% of the edges are inside of tiles of %d vertices, at least %.0f %s",
        owned
            ? "blocks that own tiles go on without supersteps"
            : "workers that a manager hands vertices to go on without supersteps",
        100 * inside,
        settings.vertices(),
        100 * settings.inside(),
        settings.form() == TileSettings.Form.TILES ? "where it is not forced" : "for owners");
  }

  /**
   * How messages are pushed to servers that merge them; null: they are gathered. Where rows are
   * gathered, an active edge costs as many evaluations as the row has edges that it is in; a
   * message to a server costs its way over a ring, whatever the row. Only where no atomic operation
   * merges, and not where floating point would show the order. Supersteps with more work than
   * {@link DelegateSettings#share} gather nevertheless: then a gather has few edges to walk for
   * each message. Nor where one receiver would get most of them, which one block merges.
   *
   * @param pushing how the program pushes otherwise
   * @param rows that edges are gathered in
   */
  public static MergeMode merging(
      LiftedProgram program, DelegateSettings settings, boolean pushing, GraphClass.Degrees rows) {
    return settings.reach() > 0 && !pushing && merges(program, settings, rows)
        ? settings.mode()
        : null;
  }

  private static boolean merges(
      LiftedProgram program, DelegateSettings settings, GraphClass.Degrees rows) {
    return reached(rows) >= settings.reach()
        && rows.longest() * settings.share() <= MOST_TO_ONE
        && isCheap(program);
  }

  /** Mean length of the row that an edge is gathered in. */
  private static double reached(GraphClass.Degrees rows) {
    return rows.skew() * rows.edges() / Math.max(1, rows.rows());
  }

  /** What is decided of {@link #merging}, and by what. */
  public static String mergingNote(
      LiftedProgram program, DelegateSettings settings, GraphClass.Degrees rows) {
    return String.format(
        Locale.ROOT,
        "%s: an active edge ends in a row of %.0f edges, servers from %d on; the longest row has %d"
            + " of at most %.0f; a message has %d bytes of at most %d",
        merges(program, settings, rows)
            ? settings.locks() ? "merges under locks" : "pushes to blocks that merge"
            : "gathers, no blocks merge",
        reached(rows),
        settings.reach(),
        rows.longest(),
        MOST_TO_ONE / settings.share(),
        bytes(program),
        MOST_BYTES);
  }

  /**
   * How a program's rows are gathered: where the send function has a costly branch that some edges
   * take, warps collect what it needs of them instead of streaming rows, from an estimate of what
   * that saves on ({@link DenseTuning#contextsFrom}). Nothing changes where rows are not streamed
   * or something is forced.
   */
  public static DeviceSettings gathering(LiftedProgram program, DeviceSettings settings) {
    DenseTuning tuning = settings.tuning();
    boolean asks =
        tuning.contextsFrom() != DenseTuning.NEVER
            && tuning.streams()
            && settings.virtualWarp() == 0;
    return asks
            && contexts(program)
                .map(ContextForm::estimate)
                .filter(e -> e.pays() && e.saved() >= tuning.contextsFrom())
                .isPresent()
        ? settings.withTuning(tuning.collecting())
        : settings;
  }

  /** The costly branch of a program whose contexts can be collected; empty where there is none. */
  public static Optional<ContextForm> contexts(LiftedProgram program) {
    return program.mergesByMode()
        ? Optional.empty()
        : CudaPrinter.contexts(program.send(), side(program), program.mergesInAnyOrder());
  }

  /** Why there is none. */
  public static Optional<Obstacle> contextsObstacle(LiftedProgram program) {
    return CudaPrinter.contextsObstacle(program.send(), side(program), program.mergesInAnyOrder());
  }

  private static Side side(LiftedProgram program) {
    return program.traits().sendsToDestination() ? Side.DESTINATION : Side.SOURCE;
  }

  private static boolean isCheap(LiftedProgram program) {
    List<ColumnType> columns = program.message().columns();
    boolean real = columns.stream().anyMatch(column -> !column.kind().isIntegral());
    boolean first = program.traits().merge().contains(MergeAlgebra.FIRST);
    return !real && !first && bytes(program) <= MOST_BYTES;
  }

  private static int bytes(LiftedProgram program) {
    return Long.BYTES * DelegateLayout.words(program.message().columns());
  }
}
