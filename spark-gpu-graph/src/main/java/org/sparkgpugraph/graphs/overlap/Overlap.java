package org.sparkgpugraph.graphs.overlap;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.VertexRange;

/**
 * Ranges of a whole graph that may overlap, each with its rows, and what connects them (permissive
 * partitioning, Khorasani 2016, chapter 3). A vertex that several hold, or that one holds and
 * another has as a ghost, is in a {@linkplain BoundaryList boundary list} for each ordered pair of
 * them, since any holder may be the one that computes it. It does not keep the graph itself.
 */
public final class Overlap {
  private final HeldRows rows;
  private final List<OverlappingPartition> partitions = new ArrayList<>();
  private final List<BoundaryList> boundaries = new ArrayList<>();
  private final Map<BoundaryList, int[]> locals = new IdentityHashMap<>();

  /**
   * What to make.
   *
   * @param ranges their begins and their ends ascend; together they cover the graph
   * @param in whether the rows are wanted as in-edges
   * @param out whether they are wanted as out-edges
   */
  public record Wanted(List<VertexRange> ranges, boolean in, boolean out) {
    public Wanted {
      ranges = List.copyOf(ranges);
    }
  }

  /**
   * Makes the partitions, and the structure that programs read when they first read it.
   *
   * @param graph a whole one
   * @param threads to build with
   */
  public Overlap(ExecutorGraph graph, Wanted wanted, int threads) {
    if (!graph.imports().isEmpty() || !graph.exports().isEmpty() || graph.firstHeld() != 0) {
      throw new IllegalArgumentException("ranges that overlap are made of whole graphs only");
    }
    rows = new HeldRows(graph);
    List<VertexRange> ranges = wanted.ranges();
    long covered = 0;
    for (int i = 0; i < ranges.size(); i++) {
      if (ranges.get(i).from() > covered) {
        throw new IllegalArgumentException("nobody holds vertex " + covered + ": " + ranges);
      }
      covered = Math.max(covered, ranges.get(i).to());
      partitions.add(
          new OverlappingPartition(i, ranges.get(i), rows, wanted.in(), wanted.out(), threads));
    }
    if (covered < graph.endHeld()) {
      throw new IllegalArgumentException("nobody holds vertex " + covered + ": " + ranges);
    }
    for (OverlappingPartition home : partitions) {
      for (OverlappingPartition reader : partitions) {
        if (home != reader) {
          link(home, reader);
        }
      }
    }
  }

  private void link(OverlappingPartition home, OverlappingPartition reader) {
    VertexRange range = home.range();
    VertexRange both = range.common(reader.range());
    LongStream before =
        LongStream.of(reader.ghostIds()).filter(g -> range.contains(g) && g < both.from());
    LongStream after =
        LongStream.of(reader.ghostIds()).filter(g -> range.contains(g) && g >= both.from());
    int[] vertices =
        LongStream.concat(
                LongStream.concat(before, LongStream.range(both.from(), both.to())), after)
            .mapToInt(dense -> (int) (dense - range.from()))
            .toArray();
    if (vertices.length > 0) {
      BoundaryList list = new BoundaryList(home.index(), reader.index(), vertices, -1);
      boundaries.add(list);
      int[] at = new int[vertices.length];
      for (int i = 0; i < at.length; i++) {
        at[i] = reader.local(range.from() + vertices[i]);
      }
      locals.put(list, at);
    }
  }

  List<OverlappingPartition> partitions() {
    return partitions;
  }

  List<BoundaryList> boundaries() {
    return boundaries;
  }

  /** Local index at the reader of each vertex of a boundary list: held there, or a ghost. */
  public int[] locals(BoundaryList list) {
    return locals.get(list);
  }

  HeldRows rows() {
    return rows;
  }
}
