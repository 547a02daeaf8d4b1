package org.sparkgpugraph.graphs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.Kind;

/** The oracle of the builder's tests: an object per edge, sorted by the order that is promised. */
public final class GraphOracle {
  public record Edge(long source, long destination, int block, int position, double value) {}

  public final List<Edge> edges = new ArrayList<>();
  public final TreeSet<Long> vertices = new TreeSet<>();
  final TreeSet<Long> ids = new TreeSet<>();

  /** Takes the edges out of blocks, one by one. */
  public GraphOracle(List<? extends EdgeBlock> blocks, List<VertexBlock> vertexBlocks) {
    for (int b = 0; b < blocks.size(); b++) {
      EdgeBlock block = blocks.get(b);
      for (int i = 0; i < block.size(); i++) {
        double value = block.values() == null ? 0 : ((double[]) block.values())[i];
        edges.add(new Edge(block.source(i), block.destination(i), b, i, value));
      }
    }
    for (Edge edge : edges) {
      ids.add(edge.source);
      ids.add(edge.destination);
    }
    if (vertexBlocks == null) {
      vertices.addAll(ids);
    } else {
      for (VertexBlock block : vertexBlocks) {
        for (int i = 0; i < block.size(); i++) {
          vertices.add(block.ids()[i]);
        }
      }
    }
    ids.addAll(vertices);
  }

  public void assertSame(ExecutorGraph graph) {
    List<Long> expectedIds = new ArrayList<>(ids);
    assertThat(graph.ids().size()).isEqualTo(expectedIds.size());
    for (int i = 0; i < expectedIds.size(); i++) {
      assertThat(graph.ids().original(i)).isEqualTo(expectedIds.get(i));
      GraphPartition home = graph.partitions().get(graph.partitionOf(i));
      assertThat(GraphInvariants.isPresent(home, (int) (i - home.firstVertex())))
          .as("vertex " + expectedIds.get(i))
          .isEqualTo(vertices.contains(expectedIds.get(i)));
    }
    assertThat(graph.vertexCount()).isEqualTo(vertices.size());
    assertThat(graph.edgeCount()).isEqualTo(edges.size());
    Comparator<Edge> position =
        Comparator.comparingInt(Edge::block).thenComparingInt(Edge::position);
    List<Edge> in = new ArrayList<>(edges);
    in.sort(
        Comparator.comparingLong(Edge::destination)
            .thenComparingLong(Edge::source)
            .thenComparing(position));
    List<Edge> out = new ArrayList<>(edges);
    out.sort(
        Comparator.comparingLong(Edge::source)
            .thenComparingLong(Edge::destination)
            .thenComparing(position));
    List<Object> expected = new ArrayList<>();
    List<Object> found = new ArrayList<>();
    for (Edge edge : in) {
      expected.add(List.of(edge.source, edge.destination, edge.value));
    }
    for (GraphPartition p : graph.partitions()) {
      for (int row = 0; row < p.stored(); row++) {
        for (int e = p.inEdges().offsets()[row]; e < p.inEdges().offsets()[row + 1]; e++) {
          found.add(
              List.of(
                  p.originalId(p.inEdges().neighbours()[e]),
                  p.originalId(row),
                  value(p.inEdgeValues(), e)));
        }
      }
    }
    assertThat(found).isEqualTo(expected);
    expected.clear();
    found.clear();
    for (Edge edge : out) {
      expected.add(List.of(edge.source, edge.destination, edge.value));
    }
    for (GraphPartition p : graph.partitions()) {
      for (int row = 0; row < p.stored(); row++) {
        for (int e = p.outEdges().offsets()[row]; e < p.outEdges().offsets()[row + 1]; e++) {
          found.add(
              List.of(
                  p.originalId(row),
                  p.originalId(p.outEdges().neighbours()[e]),
                  value(p.outEdgeValues(), e)));
        }
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  private static double value(Columns values, int row) {
    if (values == null) {
      return 0;
    }
    assertThat(values.kinds()).containsExactly(Kind.DOUBLE);
    return values.doubles(0)[row];
  }
}
