package org.sparkgpugraph.engine.device.tuning;

import java.util.List;
import java.util.Locale;
import org.sparkgpugraph.engine.DegreeSkew;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.DelegateLayout;
import org.sparkgpugraph.engine.device.settings.DelegateSettings;
import org.sparkgpugraph.engine.device.settings.MergeMode;
import org.sparkgpugraph.engine.device.settings.TileSettings;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * Rules by which {@code kernel = auto} leaves supersteps that gather and push for other methods,
 * and the figures that they look at. The second one is off in the defaults: {@link
 * DelegateSettings#reach} turns it on; {@link AsyncSettings#after} turns the first one off.
 */
public final class ChoicePolicy {
  /** Most bytes of a message that goes over a ring: beyond, its way there costs what it saves. */
  static final int MOST_BYTES = 64;

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
   * merges, and not where floating point would show the order.
   *
   * @param pushing how the program pushes otherwise
   * @param reached mean length of the row that an edge is gathered in
   */
  public static MergeMode merging(
      LiftedProgram program, DelegateSettings settings, boolean pushing, double reached) {
    return settings.reach() > 0 && !pushing && reached >= settings.reach() && isCheap(program)
        ? MergeMode.DELEGATED
        : null;
  }

  /** What is decided of {@link #merging}, and by what. */
  public static String mergingNote(
      LiftedProgram program, DelegateSettings settings, double reached) {
    return String.format(
        Locale.ROOT,
        "%s: an active edge ends in a row of %.0f edges, servers from %d on; a message has %d bytes"
            + " of at most %d",
        reached >= settings.reach() && isCheap(program)
            ? "pushes to blocks that merge"
            : "gathers, no blocks merge",
        reached,
        settings.reach(),
        bytes(program),
        MOST_BYTES);
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
