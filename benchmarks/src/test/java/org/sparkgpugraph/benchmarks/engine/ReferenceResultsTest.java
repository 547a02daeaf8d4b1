package org.sparkgpugraph.benchmarks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/** On the graph 0 -9-> 1 -200-> 2, 0 -255-> 2, 4 -1-> 3, worked out by hand. */
@Tag("any-spark")
class ReferenceResultsTest {
  private final ReferenceResults reference = new ReferenceResults(graph(), 0, 2);

  private static ExecutorGraph graph() {
    EdgeBlock edges =
        new IntEdgeBlock(
            4, new int[] {0, 1, 0, 4}, new int[] {1, 2, 2, 3}, new int[] {9, 200, 255, 1});
    return ExecutorGraphBuilder.build(
        List.of(edges),
        null,
        new ExecutorGraphBuilder.Options(1, 1, new ValueType.Scalar(Kind.INT)));
  }

  private static Columns ints(int... values) {
    return new Columns(List.of(Kind.INT), new Object[] {values}, values.length);
  }

  @Test
  void levels() {
    int far = Workload.UNREACHED;
    assertThat(reference.difference(Workload.BFS, ints(0, 1, 1, far, far))).isNull();
    assertThat(reference.difference(Workload.BFS, ints(0, 1, 2, far, far)))
        .isEqualTo("vertex 2 has 2, expected 1");
  }

  @Test
  void distances() {
    int far = Workload.UNREACHED;
    assertThat(reference.difference(Workload.SSSP, ints(0, 9, 209, far, far))).isNull();
    assertThat(reference.difference(Workload.SSSP, ints(0, 9, 255, far, far)))
        .isEqualTo("vertex 2 has 255, expected 209");
  }

  @Test
  void components() {
    assertThat(reference.difference(Workload.CC, ints(0, 0, 0, 3, 3))).isNull();
    assertThat(reference.difference(Workload.CC, ints(0, 0, 0, 3, 4)))
        .isEqualTo("vertex 4 has 4, expected 3");
    Columns ids = new Columns(List.of(Kind.LONG), new Object[] {new long[] {0, 0, 0, 3, 3}}, 5);
    assertThat(reference.difference(Workload.CC_LONG, ids)).isNull();
  }

  @Test
  void ranks() {
    // Iteration 1: 0.15, 0.575, 1.425, 1, 0.15; iteration 2 from these.
    double one = 0.15 + 0.85 * 0.15 / 2;
    double two = 0.15 + 0.85 * (0.575 + 0.15 / 2);
    double three = 0.15 + 0.85 * 0.15;
    double[] exact = {0.15, one, two, three, 0.15};
    Columns doubles = new Columns(List.of(Kind.DOUBLE), new Object[] {exact}, 5);
    assertThat(reference.difference(Workload.PAGERANK_F64, doubles)).isNull();

    float[] floats = new float[5];
    for (int v = 0; v < 5; v++) {
      floats[v] = (float) exact[v];
    }
    Columns single = new Columns(List.of(Kind.FLOAT), new Object[] {floats}, 5);
    assertThat(reference.difference(Workload.PAGERANK, single)).isNull();
    floats[2] *= 1.0002f;
    assertThat(reference.difference(Workload.PAGERANK, single)).startsWith("vertex 2 has ");
    floats[2] = Float.NaN;
    assertThat(reference.difference(Workload.PAGERANK, single)).startsWith("vertex 2 has NaN");
  }

  @Test
  void ranksThatConverge() {
    double one = 0.15 + 0.85 * 0.15 / 2;
    double[] ranks = {0.15, one, 0.15 + 0.85 * (one + 0.15 / 2), 0.15 + 0.85 * 0.15, 0.15};
    Columns values = new Columns(List.of(Kind.DOUBLE), new Object[] {ranks}, 5);
    assertThat(reference.difference(Workload.PAGERANK_CONVERGING, values)).isNull();
    ranks[2] -= 19 * Workload.TOLERANCE;
    assertThat(reference.difference(Workload.PAGERANK_CONVERGING, values)).isNull();
    ranks[2] -= 2 * Workload.TOLERANCE;
    assertThat(reference.difference(Workload.PAGERANK_CONVERGING, values)).startsWith("0.021");
    ranks[2] = Double.NaN;
    assertThat(reference.difference(Workload.PAGERANK_CONVERGING, values)).startsWith("NaN");
  }
}
