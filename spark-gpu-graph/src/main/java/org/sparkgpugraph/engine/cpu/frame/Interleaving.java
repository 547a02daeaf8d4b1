package org.sparkgpugraph.engine.cpu.frame;

import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * Copies of the state columns that edges read of their other ends, vertex by vertex: an edge finds
 * them in one or two lines of the cache, where columns of their own would take a line each. They
 * are made before each superstep that reads them, in one pass over the vertices, of which there are
 * fewer than edges.
 *
 * @param fewest columns of which a copy is made
 */
public record Interleaving(int fewest) {
  /** No copies. */
  public static final Interleaving NONE = new Interleaving(Integer.MAX_VALUE);

  /** Copies where they pay. */
  public static final Interleaving WIDE = new Interleaving(4);

  private static final Interleaving GROUPED = new Interleaving(1);

  /** Copies of whatever can be copied, for tests. */
  public static final Interleaving ALWAYS = new Interleaving(1);

  /** Edges per vertex for which it pays. */
  private static final int DEGREE = 2;

  /** Vertices that are copied column by column: as many as stay in a core's cache. */
  private static final int TILE = 512;

  /** Vertices that a thread takes at once. */
  private static final int CHUNK = 16 * TILE;

  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  /**
   * The columns, ascending; none where there are too few.
   *
   * @param side whose messages are pulled: edges to destinations read sources
   */
  int[] columns(LiftedProgram program, Side side) {
    Role neighbour = side == Side.DESTINATION ? Role.SOURCE : Role.DESTINATION;
    int[] columns =
        program.send().parameters().stream()
            .filter(p -> p.role() == neighbour)
            .mapToInt(Param::index)
            .filter(c -> program.state().columns().get(c) == Kind.DOUBLE)
            .sorted()
            .toArray();
    return columns.length < fewest ? new int[0] : columns;
  }

  /** The columns of both sides, of a program of a shape. */
  private int width(LiftedProgram program, KernelShape shape) {
    return (shape.inRows() ? columns(program, Side.DESTINATION).length : 0)
        + (shape.outRows() ? columns(program, Side.SOURCE).length : 0);
  }

  /** Bytes per vertex of the copies that the program's supersteps on a graph read. */
  public long bytes(LiftedProgram program, KernelShape shape, ExecutorGraph graph) {
    return 8L * on(graph, program, shape).width(program, shape);
  }

  /** This, or none where it does not pay or arrays would become too long. */
  public Interleaving on(ExecutorGraph graph, LiftedProgram program, KernelShape shape) {
    long width = width(program, shape);
    boolean pays =
        shape.everyVertex()
            && width > 0
            && (this == ALWAYS || graph.edgeCount() >= DEGREE * graph.heldVertices())
            && graph.partitions().stream().allMatch(p -> locals(p) * width <= LONGEST_ARRAY);
    return pays ? this : NONE;
  }

  /** This of runs whose copies are in groups: they are made however few columns there are. */
  public Interleaving ofGroups() {
    return this == ALWAYS ? this : GROUPED;
  }

  private static long locals(GraphPartition partition) {
    return (long) partition.stored() + partition.ghosts();
  }

  /**
   * Makes the copies that a kernel reads, of all vertices.
   *
   * @param oneThread up to how many vertices the caller makes them, without the team
   */
  public static void fill(
      KernelColumns kernel, KernelFrame[] frames, WorkerTeam team, long oneThread) {
    if (kernel.inWide().length + kernel.outWide().length == 0) {
      return;
    }
    long total = 0;
    int[] firstChunk = new int[frames.length + 1];
    for (int p = 0; p < frames.length; p++) {
      KernelFrame frame = frames[p];
      int locals = (int) locals(frame.partition);
      total += locals;
      firstChunk[p + 1] = firstChunk[p] + (locals + CHUNK - 1) / CHUNK;
      frame.inWide = array(frame.inWide, kernel.inWide(), locals);
      frame.outWide = array(frame.outWide, kernel.outWide(), locals);
    }
    team.each(
        total > oneThread,
        firstChunk[frames.length],
        (member, chunk) -> {
          int p = 0;
          while (chunk >= firstChunk[p + 1]) {
            p++;
          }
          KernelFrame frame = frames[p];
          int from = (chunk - firstChunk[p]) * CHUNK;
          int to = (int) Math.min(locals(frame.partition), from + (long) CHUNK);
          if (frame.inPlaces == null) {
            copy(frame.current, kernel.inWide(), from, to, frame.inWide);
          } else {
            copyTo(frame.inPlaces, frame.current, kernel.inWide(), from, to, frame.inWide);
          }
          copy(frame.current, kernel.outWide(), from, to, frame.outWide);
        });
  }

  private static double[] array(double[] held, int[] columns, int locals) {
    int length = columns.length * locals;
    return held != null && held.length >= length ? held : new double[length];
  }

  private static void copy(Object[] state, int[] columns, int from, int to, double[] wide) {
    for (int tile = from; tile < to; tile += TILE) {
      int end = Math.min(to, tile + TILE);
      for (int k = 0; k < columns.length; k++) {
        column(
            (double[]) state[columns[k]],
            tile,
            end,
            wide,
            tile * columns.length + k,
            columns.length);
      }
    }
  }

  private static void copyTo(
      int[] places, Object[] state, int[] columns, int from, int to, double[] wide) {
    for (int k = 0; k < columns.length; k++) {
      double[] column = (double[]) state[columns[k]];
      for (int v = from; v < to; v++) {
        wide[places[v] * columns.length + k] = column[v];
      }
    }
  }

  private static void column(
      double[] column, int from, int to, double[] wide, int first, int step) {
    for (int v = from, at = first; v < to; v++, at += step) {
      wide[at] = column[v];
    }
  }
}
