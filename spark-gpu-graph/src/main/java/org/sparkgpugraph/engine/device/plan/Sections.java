package org.sparkgpugraph.engine.device.plan;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.VertexRange;

/**
 * A whole graph's vertices in sections of neighbouring ones, between which borders may lie, and how
 * many edges each section's rows have.
 *
 * @param rows rows of a section, a multiple of 32; the last one may have less
 * @param vertices number of vertices
 * @param edgesBefore {@code long[sections + 1]}: edges of the rows before each section
 * @param core where the graph's own partitions begin, and behind the last one: sections
 */
public record Sections(int rows, long vertices, long[] edgesBefore, int[] core) {
  /** As many vertices as a thread block of the dissertation has threads. */
  public static final int ROWS = 128;

  /**
   * Counts.
   *
   * @param in whether in-edges count
   * @param out whether out-edges count
   */
  static Sections of(ExecutorGraph graph, int rows, boolean in, boolean out) {
    long vertices = graph.endHeld();
    int sections = (int) ((vertices + rows - 1) / rows);
    long[] before = new long[sections + 1];
    int[] core = new int[graph.partitions().size() + 1];
    long edges = 0;
    int section = 0;
    for (GraphPartition p : graph.partitions()) {
      long first = p.firstVertex();
      core[p.index()] = (int) ((first + rows / 2) / rows);
      for (; (long) section * rows < first + p.stored(); section++) {
        int row = (int) ((long) section * rows - first);
        before[section] = edges + edges(p, row, in, out);
      }
      edges += edges(p, p.stored(), in, out);
    }
    before[sections] = edges;
    core[core.length - 1] = sections;
    for (int d = 1; d < core.length; d++) {
      core[d] = Math.min(core[d], sections);
    }
    return new Sections(rows, vertices, before, core);
  }

  /** Edges of the first rows of a partition. */
  private static long edges(GraphPartition p, int rows, boolean in, boolean out) {
    return (in ? before(p.inEdges(), rows) : 0) + (out ? before(p.outEdges(), rows) : 0);
  }

  private static long before(Csr csr, int rows) {
    return csr.offsets()[rows];
  }

  /** Number of sections. */
  int count() {
    return edgesBefore.length - 1;
  }

  /** Number of devices. */
  int devices() {
    return core.length - 1;
  }

  /** Dense id of the first vertex of a section; for the one behind the last, of the end. */
  long vertex(int section) {
    return Math.min(vertices, (long) section * rows);
  }

  /** Edges of the rows of some sections. */
  long edges(int from, int to) {
    return edgesBefore[to] - edgesBefore[from];
  }

  /** As above, of a range of whole sections. */
  long edges(VertexRange range) {
    return edges(section(range.from()), section(range.to()));
  }

  /** The section that begins with a vertex, or the number of sections. */
  int section(long vertex) {
    return (int) ((vertex + rows - 1) / rows);
  }

  /**
   * What devices hold when each holds, beside its own range, a share of its two neighbours'.
   *
   * @param share of their edges, from 0 to 1
   */
  List<VertexRange> ranges(double share) {
    List<VertexRange> ranges = new ArrayList<>();
    for (int d = 0; d < devices(); d++) {
      int from = core[d];
      int to = core[d + 1];
      if (d > 0) {
        long wanted = (long) (share * edges(core[d - 1], from));
        while (from > core[d - 1] && edges(from - 1, core[d]) <= wanted) {
          from--;
        }
      }
      if (d + 1 < devices()) {
        long wanted = (long) (share * edges(to, core[d + 2]));
        while (to < core[d + 2] && edges(core[d + 1], to + 1) <= wanted) {
          to++;
        }
      }
      ranges.add(new VertexRange(vertex(from), vertex(to)));
    }
    return ranges;
  }
}
