package org.sparkgpugraph.graphs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.graphs.model.VertexIds;

/** Checks what must hold of every executor graph, whoever built it. */
public final class GraphInvariants {
  private GraphInvariants() {}

  /**
   * Checks everything, deriving all lazily built parts.
   *
   * @throws AssertionError when something does not hold
   */
  public static void check(ExecutorGraph graph) {
    check(graph, true);
  }

  /**
   * Checks everything that is there.
   *
   * @param out whether out-edges are: false for a shard that was loaded without them
   */
  public static void check(ExecutorGraph graph, boolean out) {
    checkIds(graph.ids());
    long next = graph.firstHeld();
    long edges = 0;
    long vertices = 0;
    int index = 0;
    for (GraphPartition partition : graph.partitions()) {
      assertThat(partition.index()).isEqualTo(index++);
      assertThat(partition.firstVertex()).isEqualTo(next);
      for (int local = 0; local < partition.stored(); local++) {
        assertThat(graph.partitionOf(next + local)).isEqualTo(partition.index());
        vertices += isPresent(partition, local) ? 1 : 0;
      }
      next += partition.stored();
      edges += partition.inEdges().edges();
      checkPartition(graph, partition, out);
    }
    assertThat(next).isEqualTo(graph.endHeld());
    assertThat(graph.partitionOf(graph.firstHeld() - 1)).isEqualTo(-1);
    assertThat(graph.partitionOf(graph.endHeld())).isEqualTo(-1);
    assertThat(edges).isEqualTo(graph.edgeCount());
    assertThat(vertices).isEqualTo(graph.heldVertices());
    checkBoundaries(graph);
    assertThat(graph.bytes())
        .isGreaterThanOrEqualTo(graph.partitions().stream().mapToLong(GraphPartition::bytes).sum());
  }

  private static void checkIds(VertexIds ids) {
    long previous = 0;
    for (long dense = 0; dense < ids.size(); dense++) {
      long original = ids.original(dense);
      assertThat(ids.dense(original)).isEqualTo(dense);
      if (dense > 0 && ids.ascending()) {
        assertThat(original).isGreaterThan(previous);
      }
      previous = original;
    }
  }

  public static boolean isPresent(GraphPartition partition, int local) {
    return partition.present() == null || (partition.present()[local >>> 6] >>> local & 1) != 0;
  }

  private static void checkPartition(ExecutorGraph graph, GraphPartition partition, boolean out) {
    int stored = partition.stored();
    int all = stored + partition.ghosts();
    assertThat(partition.ghostIds()).hasSize(partition.ghosts());
    for (int g = 0; g < partition.ghosts(); g++) {
      long ghost = partition.ghostIds()[g];
      assertThat(ghost).isBetween(0L, graph.ids().size() - 1);
      assertThat(ghost - partition.firstVertex()).matches(d -> d < 0 || d >= stored);
      if (g > 0) {
        assertThat(ghost).isGreaterThan(partition.ghostIds()[g - 1]);
      }
    }
    checkCsr(partition, partition.inEdges(), stored, all, partition.inEdgeValues());
    checkTranspose(partition.inEdges(), partition.inTranspose(), all);
    if (out) {
      checkCsr(partition, partition.outEdges(), stored, all, partition.outEdgeValues());
      checkTranspose(partition.outEdges(), partition.outTranspose(), all);
    }
    for (int local = 0; local < stored; local++) {
      assertThat(partition.inDegree(local)).isEqualTo(degree(partition.inEdges(), local));
      if (out) {
        assertThat(partition.outDegree(local)).isEqualTo(degree(partition.outEdges(), local));
      }
    }
    for (int local = 0; local < all; local++) {
      assertThat(partition.originalIds()[local]).isEqualTo(partition.originalId(local));
      assertThat(partition.originalId(local))
          .isEqualTo(graph.ids().original(dense(partition, local)));
    }
    for (int ghost = stored; ghost < all; ghost++) {
      long dense = partition.ghostIds()[ghost - stored];
      if (graph.partitionOf(dense) < 0) {
        assertThat(dense).matches(d -> d < graph.firstHeld() || d >= graph.endHeld());
        continue;
      }
      GraphPartition home = graph.partitions().get(graph.partitionOf(dense));
      int local = (int) (dense - home.firstVertex());
      assertThat(partition.inDegree(ghost)).isEqualTo(home.inDegree(local));
      assertThat(partition.outDegree(ghost)).isEqualTo(home.outDegree(local));
      assertThat(isPresent(partition, ghost)).isEqualTo(isPresent(home, local));
    }
  }

  private static int degree(Csr csr, int row) {
    return csr.offsets()[row + 1] - csr.offsets()[row];
  }

  private static long dense(GraphPartition partition, int local) {
    return local < partition.stored()
        ? partition.firstVertex() + local
        : partition.ghostIds()[local - partition.stored()];
  }

  private static void checkCsr(
      GraphPartition partition, Csr csr, int rows, int columns, Columns values) {
    assertThat(csr.rows()).isEqualTo(rows);
    assertThat(csr.offsets()[0]).isZero();
    assertThat(csr.neighbours()).hasSize(csr.edges());
    for (int row = 0; row < rows; row++) {
      assertThat(csr.offsets()[row + 1]).isGreaterThanOrEqualTo(csr.offsets()[row]);
      for (int e = csr.offsets()[row]; e < csr.offsets()[row + 1]; e++) {
        assertThat(csr.neighbours()[e]).isBetween(0, columns - 1);
        if (e > csr.offsets()[row]) {
          assertThat(partition.originalId(csr.neighbours()[e]))
              .isGreaterThanOrEqualTo(partition.originalId(csr.neighbours()[e - 1]));
        }
      }
    }
    if (values != null) {
      assertThat(values.length()).isEqualTo(csr.edges());
    }
  }

  private static void checkTranspose(Csr csr, Csr transpose, int rows) {
    assertThat(transpose.rows()).isEqualTo(rows);
    long[] forward = new long[csr.edges()];
    for (int row = 0; row < csr.rows(); row++) {
      for (int e = csr.offsets()[row]; e < csr.offsets()[row + 1]; e++) {
        forward[e] = (long) csr.neighbours()[e] << 32 | row;
      }
    }
    Arrays.sort(forward);
    long[] backward = new long[transpose.edges()];
    for (int row = 0; row < rows; row++) {
      for (int e = transpose.offsets()[row]; e < transpose.offsets()[row + 1]; e++) {
        backward[e] = (long) row << 32 | transpose.neighbours()[e];
      }
    }
    assertThat(backward).as("transpose, rows ascending").isEqualTo(forward);
  }

  private static void checkBoundaries(ExecutorGraph graph) {
    int[] covered = new int[graph.partitions().size()];
    for (BoundaryList list : graph.boundaries()) {
      assertThat(list.size()).isPositive();
      assertThat(list.home()).isNotEqualTo(list.reader());
      GraphPartition home = graph.partitions().get(list.home());
      GraphPartition reader = graph.partitions().get(list.reader());
      for (int i = 0; i < list.size(); i++) {
        assertThat(list.homeVertices()[i]).isBetween(0, home.stored() - 1);
        assertThat(dense(reader, list.firstGhost() + i))
            .isEqualTo(home.firstVertex() + list.homeVertices()[i]);
      }
      covered[list.reader()] += list.size();
    }
    for (RemoteBoundary remote : graph.imports()) {
      BoundaryList list = remote.list();
      assertThat(list.size()).isPositive();
      GraphPartition reader = graph.partitions().get(list.reader());
      for (int i = 0; i < list.size(); i++) {
        assertThat(graph.partitionOf(dense(reader, list.firstGhost() + i))).isEqualTo(-1);
      }
      covered[list.reader()] += list.size();
    }
    for (GraphPartition partition : graph.partitions()) {
      assertThat(covered[partition.index()]).isEqualTo(partition.ghosts());
    }
  }
}
