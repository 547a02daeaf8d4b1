package org.sparkgpugraph.engine.louvain;

import java.util.Arrays;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.engine.device.operators.InEdges;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/**
 * The rows of a graph and the strengths of its vertices on a device: made there of the in-edges, or
 * copied from the host's {@link GraphRows}.
 */
final class FirstLevel {
  private final ExecutorGraph graph;
  private final LouvainOperator operator;
  private final DeviceSession session;
  private final FrameLayout.Frame frame;
  private final WorkerTeam team;
  private final LocalMoving.Tools[] tools;
  private LevelMemory rows;
  private boolean areInEdges;

  /** How often a loop of the rows counts. */
  private int loops;

  /** What the weights of loops, and all strengths, add up to, where the host knows that. */
  private long[] sums;

  FirstLevel(
      ExecutorGraph graph,
      LouvainOperator operator,
      DeviceSession session,
      FrameLayout.Frame frame,
      WorkerTeam team,
      LocalMoving.Tools[] tools) {
    this.graph = graph;
    this.operator = operator;
    this.session = session;
    this.frame = frame;
    this.team = team;
    this.tools = tools;
  }

  /**
   * Makes the rows of the in-edges, where {@link UndirectedRows#canMake}.
   *
   * @param state words that the kernels count in
   * @param flags an {@code int} for each vertex
   * @throws IllegalArgumentException when a weight is negative or no finite number
   */
  void make(InEdges edges, DeviceMemory state, DeviceMemory flags) {
    UndirectedRows making = new UndirectedRows(session, frame, graph, edges, state, flags);
    if (operator.weighted()) {
      GraphRows weights = new GraphRows(graph, true, team);
      weights.scale(weights.largest(), graph.edgeCount(), false);
      making.weights(weights.scale());
    }
    boolean mirrored = making.isMirrored();
    loops = mirrored ? 1 : 2;
    areInEdges = making.areInEdges(mirrored);
    rows = areInEdges ? making.inEdges() : making.make(mirrored);
  }

  /**
   * Copies the host's rows, and strengths.
   *
   * @return false: they have too many entries
   * @throws IllegalArgumentException when a weight is negative or no finite number
   */
  boolean upload(DeviceCoarsening coarsening) {
    GraphRows ofHost = new GraphRows(graph, operator.weighted(), team);
    ofHost.scale(ofHost.largest(), graph.edgeCount(), ofHost.isSymmetric());
    long[] strengths = new long[Math.toIntExact(graph.ids().size())];
    long inside = ofHost.strengths(strengths);
    sums = new long[] {inside, Arrays.stream(strengths).sum()};
    HostRows host = HostRows.of(ofHost, !operator.weighted(), team, tools);
    if (host == null) {
      return false;
    }
    coarsening.strengths(strengths);
    int entries = host.neighbours().length;
    rows =
        new LevelMemory(
            strengths.length,
            entries,
            session.upload(host.offsets(), host.offsets().length, "offsets of rows"),
            session.upload(host.neighbours(), entries, "rows"),
            host.weights() == null ? null : session.upload(host.weights(), entries, "weights"));
    return true;
  }

  /** The rows. */
  LevelMemory rows() {
    return rows;
  }

  /** Whether they are the in-edges themselves, which must stay then. */
  boolean areInEdges() {
    return areInEdges;
  }

  /**
   * Has strengths computed, unless the host has; the frame has the rows.
   *
   * @return the sum of the weights of loops, as they are in strengths, and that of all strengths
   */
  long[] strengths(DeviceMoving moving) {
    return sums == null ? moving.strengths(rows, loops) : sums;
  }
}
