package org.sparkgpugraph.engine;

import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/**
 * What, besides the program, decides the code of a kernel.
 *
 * @param inRows whether messages to destinations are pulled over in-edges
 * @param outRows whether messages to sources are pulled over out-edges
 * @param inFilter edge filter of an in-row
 * @param outFilter edge filter of an out-row
 * @param gatherAll a row with a selected edge evaluates all its edges
 * @param everyVertex every vertex runs, all edges are evaluated
 * @param startsWithMessage superstep 0 runs the vertex program
 * @param missingVertices edges may name vertices that do not exist
 * @param inPlace values are updated in place; active is what changed
 * @param tracksChanges changes of shipped columns are recorded, for the exchange
 * @param edgesByAddress pulled edges are read by address, neighbours and values but for those that
 *     are arrays; else from arrays of the heap (CPU engine)
 * @param partialMessages in-rows may begin with messages that were merged elsewhere
 */
public record KernelShape(
    boolean inRows,
    boolean outRows,
    Filter inFilter,
    Filter outFilter,
    boolean gatherAll,
    boolean everyVertex,
    boolean startsWithMessage,
    boolean missingVertices,
    boolean inPlace,
    boolean tracksChanges,
    boolean edgesByAddress,
    boolean partialMessages) {

  /** The same shape of supersteps that walk only some of the sides, or none. */
  public KernelShape walking(boolean in, boolean out) {
    Filter ofIn = in ? inFilter : Filter.NONE;
    Filter ofOut = out ? outFilter : Filter.NONE;
    return with(in, out, ofIn, ofOut, edgesByAddress, partialMessages);
  }

  /** The same shape of kernels that read edges by address. */
  public KernelShape byAddress() {
    return with(inRows, outRows, inFilter, outFilter, true, partialMessages);
  }

  /** The same shape of kernels that take partial messages. */
  public KernelShape takingPartialMessages() {
    return with(inRows, outRows, inFilter, outFilter, edgesByAddress, true);
  }

  private KernelShape with(
      boolean in, boolean out, Filter ofIn, Filter ofOut, boolean byAddress, boolean partial) {
    return new KernelShape(
        in,
        out,
        ofIn,
        ofOut,
        gatherAll,
        everyVertex,
        startsWithMessage,
        missingVertices,
        inPlace,
        tracksChanges,
        byAddress,
        partial);
  }

  /**
   * Whether what a vertex was sent by partial messages stays until it is sent something else: every
   * edge counts in every superstep, or counts more than once without harm. Otherwise only sources
   * that are active say anything, and what they said counts once.
   */
  public boolean keepsPartialMessages() {
    return inPlace || inFilter == Filter.NONE;
  }

  /** Edges of the rows of a partition that are gathered, on both sides. */
  public long gatheredEdges(GraphPartition partition) {
    long in = inRows ? partition.inEdges().edges() : 0;
    return in + (outRows ? partition.outEdges().edges() : 0);
  }

  /** Which edges of a gathered row are evaluated. */
  public enum Filter {
    /** All of them. */
    NONE,
    /** All, if the row's own vertex is active. */
    ROW,
    /** Those whose other end is active. */
    NEIGHBOUR,
    /** Those of which one end is active. */
    ROW_OR_NEIGHBOUR,
    /** Those of which both ends are active. */
    ROW_AND_NEIGHBOUR;

    public boolean readsRow() {
      return this == ROW || this == ROW_OR_NEIGHBOUR || this == ROW_AND_NEIGHBOUR;
    }

    public boolean readsNeighbour() {
      return this == NEIGHBOUR || this == ROW_OR_NEIGHBOUR || this == ROW_AND_NEIGHBOUR;
    }
  }

  public static KernelShape of(
      LiftedProgram program, RunSettings settings, boolean missingVertices, boolean exchanges) {
    boolean inRows = program.traits().sendsToDestination();
    boolean outRows = program.traits().sendsToSource();
    boolean repeats = program.activeWhen() != null || readsContext(program.send());
    return new KernelShape(
        inRows,
        outRows,
        inRows ? filter(settings, repeats, true) : Filter.NONE,
        outRows ? filter(settings, repeats, false) : Filter.NONE,
        settings.gather() == Gather.ALL && !settings.everyVertex(),
        settings.everyVertex(),
        settings.initialMessage() != null,
        missingVertices,
        inPlace(program, settings),
        exchanges,
        false,
        false);
  }

  /**
   * Whether values are updated in place. Only then may several supersteps pass between two
   * exchanges: reordered supersteps would show in aggregates, in activity that the user defines and
   * in whatever asks for the superstep's number.
   */
  public static boolean inPlace(LiftedProgram program, RunSettings settings) {
    return settings.inPlace()
        && !settings.everyVertex()
        && !program.mergesByMode()
        && program.aggregates().isEmpty()
        && program.activeWhen() == null
        && settings.stopWhen() == null
        && !readsContext(program.send())
        && !readsContext(program.vertexProgram());
  }

  /** Whether anything is exchanged: between partitions of a graph, or with other executors. */
  public static boolean exchanges(ExecutorGraph graph) {
    return !graph.boundaries().isEmpty()
        || !graph.exports().isEmpty()
        || !graph.imports().isEmpty();
  }

  /** Whether a function may say something else although all values are the same. */
  private static boolean readsContext(IrFunction function) {
    return function.reads(Role.SUPERSTEP) || function.reads(Role.AGGREGATE);
  }

  private static Filter filter(RunSettings settings, boolean repeats, boolean inRow) {
    if (settings.everyVertex()) {
      return Filter.NONE;
    }
    return switch (settings.activeDirection()) {
      case OUT -> inRow ? Filter.NEIGHBOUR : Filter.ROW;
      case IN -> inRow ? Filter.ROW : Filter.NEIGHBOUR;
      // An edge with both ends inactive would repeat what it said last time: nothing, unless
      // activity is not the same as having received a message.
      case EITHER -> repeats ? Filter.ROW_OR_NEIGHBOUR : Filter.NONE;
      case BOTH -> Filter.ROW_AND_NEIGHBOUR;
    };
  }

  /**
   * For explain(): over which edges messages are pulled, when supersteps are sparse, how values are
   * kept.
   */
  public String describe(KernelChoice kernel) {
    String edges = inRows && outRows ? "in- and out-edges" : outRows ? "out-edges" : "in-edges";
    String walks =
        everyVertex
            ? "every vertex in every superstep (dense)"
            : switch (kernel) {
              case AUTO -> "dense or sparse by active edges";
              case DENSE -> "always dense";
              case SPARSE -> "always sparse";
              case PUSH -> "always sparse, pushed where the program allows it";
              case OUTLINED ->
                  "always sparse, pushed by outlined supersteps where the program allows it";
              case ASYNC -> "always sparse, relaxed without supersteps where the program allows it";
              case DELEGATED ->
                  "always sparse, pushed to blocks that merge where the program allows it";
            };
    return "pulls over "
        + edges
        + ", "
        + walks
        + (inPlace ? ", values updated in place" : ", two value buffers");
  }

  /** Whether activity selects edges. */
  public boolean filters() {
    return inFilter != Filter.NONE || outFilter != Filter.NONE;
  }

  /** Whether supersteps that are forced to be dense read activity at all. */
  public boolean denseReadsActivity() {
    return !inPlace && filters();
  }

  /**
   * Whether activity travels between executor graphs: each chooses its kernel for itself, so it
   * does unless none can read it.
   *
   * @param kernel AUTO, or forced
   */
  public boolean activityTravels(KernelChoice kernel) {
    return !everyVertex && (kernel != KernelChoice.DENSE || denseReadsActivity());
  }

  /** Whether rows of active vertices are candidates themselves, beside their neighbours. */
  public static boolean activeRowsAreCandidates(ActiveDirection direction, boolean inRow) {
    return switch (direction) {
      case OUT -> !inRow;
      case IN -> inRow;
      case EITHER, BOTH -> true;
    };
  }

  /** Whether rows next to active vertices are candidates. */
  public static boolean neighbourRowsAreCandidates(ActiveDirection direction, boolean inRow) {
    return switch (direction) {
      case OUT -> inRow;
      case IN -> !inRow;
      case EITHER -> true;
      case BOTH -> false;
    };
  }
}
