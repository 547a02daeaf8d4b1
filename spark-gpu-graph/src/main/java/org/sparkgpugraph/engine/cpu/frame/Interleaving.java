package org.sparkgpugraph.engine.cpu.frame;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * Copies of the state columns of one kind that edges read of their other ends, vertex by vertex: an
 * edge finds them in one or two lines of the cache, where columns of their own would take a line
 * each. They are made before each superstep that reads them, in one pass over the vertices, of
 * which there are fewer than edges.
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

  /** Of which there may be copies: those that are looked for first come first. */
  private static final List<Kind> KINDS = List.of(Kind.DOUBLE, Kind.FLOAT);

  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  /** Whether there may be copies of columns of a kind. */
  public static boolean copies(ColumnType type) {
    return KINDS.contains(type);
  }

  /**
   * The columns, ascending: doubles, or floats where there are too few of these; none where there
   * are too few of both.
   *
   * @param side whose messages are pulled: edges to destinations read sources
   */
  int[] columns(LiftedProgram program, Side side) {
    return KINDS.stream()
        .map(kind -> columns(program, side, kind))
        .filter(columns -> columns.length >= fewest)
        .findFirst()
        .orElseGet(() -> new int[0]);
  }

  private static int[] columns(LiftedProgram program, Side side, Kind kind) {
    Role neighbour = side == Side.DESTINATION ? Role.SOURCE : Role.DESTINATION;
    return program.send().parameters().stream()
        .filter(p -> p.role() == neighbour)
        .mapToInt(Param::index)
        .filter(c -> program.state().columns().get(c) == kind)
        .sorted()
        .toArray();
  }

  /** The columns of both sides, of a program of a shape. */
  private int[] columns(LiftedProgram program, KernelShape shape) {
    int[] none = {};
    return IntStream.concat(
            Arrays.stream(shape.inRows() ? columns(program, Side.DESTINATION) : none),
            Arrays.stream(shape.outRows() ? columns(program, Side.SOURCE) : none))
        .toArray();
  }

  /** Bytes per vertex of the copies that the program's supersteps on a graph read. */
  public long bytes(LiftedProgram program, KernelShape shape, ExecutorGraph graph) {
    return Arrays.stream(on(graph, program, shape).columns(program, shape))
        .mapToLong(c -> program.state().columns().get(c).bytes())
        .sum();
  }

  /** This, or none where it does not pay or arrays would become too long. */
  public Interleaving on(ExecutorGraph graph, LiftedProgram program, KernelShape shape) {
    long width = columns(program, shape).length;
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
      frame.inWide = array(frame.inWide, frame.current, kernel.inWide(), locals);
      frame.outWide = array(frame.outWide, frame.current, kernel.outWide(), locals);
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

  /** The array for copies of columns, the one at hand if it will do. */
  private static Object array(Object held, Object[] state, int[] columns, int locals) {
    if (columns.length == 0) {
      return held;
    }
    Class<?> type = state[columns[0]].getClass();
    int length = columns.length * locals;
    return held != null && held.getClass() == type && Array.getLength(held) >= length
        ? held
        : Array.newInstance(type.getComponentType(), length);
  }

  private static void copy(Object[] state, int[] columns, int from, int to, Object wide) {
    for (int tile = from; tile < to; tile += TILE) {
      int end = Math.min(to, tile + TILE);
      for (int k = 0; k < columns.length; k++) {
        Object column = state[columns[k]];
        int first = tile * columns.length + k;
        if (column instanceof double[] doubles) {
          column(doubles, tile, end, (double[]) wide, first, columns.length);
        } else {
          column((float[]) column, tile, end, (float[]) wide, first, columns.length);
        }
      }
    }
  }

  private static void copyTo(
      int[] places, Object[] state, int[] columns, int from, int to, Object wide) {
    for (int k = 0; k < columns.length; k++) {
      Object column = state[columns[k]];
      if (column instanceof double[] doubles) {
        columnTo(places, doubles, from, to, (double[]) wide, k, columns.length);
      } else {
        columnTo(places, (float[]) column, from, to, (float[]) wide, k, columns.length);
      }
    }
  }

  private static void columnTo(
      int[] places, double[] column, int from, int to, double[] wide, int first, int step) {
    for (int v = from; v < to; v++) {
      wide[places[v] * step + first] = column[v];
    }
  }

  private static void columnTo(
      int[] places, float[] column, int from, int to, float[] wide, int first, int step) {
    for (int v = from; v < to; v++) {
      wide[places[v] * step + first] = column[v];
    }
  }

  private static void column(
      double[] column, int from, int to, double[] wide, int first, int step) {
    for (int v = from, at = first; v < to; v++, at += step) {
      wide[at] = column[v];
    }
  }

  private static void column(float[] column, int from, int to, float[] wide, int first, int step) {
    for (int v = from, at = first; v < to; v++, at += step) {
      wide[at] = column[v];
    }
  }
}
