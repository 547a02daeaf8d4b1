package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.ConnectedComponents;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.load.LoadTask;
import org.sparkgpugraph.testing.SharedSpark;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/** Which rows a job on the CPU engine makes, and when. */
@ExtendWith(SharedSpark.class)
class RowsWaitTest {
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
  private static final String LOADING = "build: rows";
  private static final String BY_DESTINATION = "rows on the host: by destination";
  private static final String PUSHED = "rows on the host: by source, unsorted";

  /** How the edges of a graph come. */
  private enum Edges {
    /** Anew every time. */
    NOT_CACHED,
    /** In Spark's memory, with a box for each attribute. */
    BOXES,
    /** In Spark's memory, with an array of attributes. */
    PRIMITIVE
  }

  private final Graph<Double, Double> boxes;
  private final Map<Long, Double> distances;

  RowsWaitTest(JavaSparkContext sc) {
    boxes = DeviceJobTest.graph(sc);
    try (ResidentGraph<Double, Double> held =
        GpuPregel.loadWithEdgeAttributes(boxes, Double.class, Double.class, CPU)) {
      distances = Sssp.run(held, DeviceJobTest.id(3), CPU).collectAsMap();
    }
  }

  @AfterEach
  void stop() {
    PhaseTimes.stop();
  }

  private static final class Unbox extends AbstractFunction1<Object, Object>
      implements java.io.Serializable {
    @Override
    public Object apply(Object edge) {
      return ((org.apache.spark.graphx.Edge<?>) edge).attr();
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private Graph<Double, Double> graph(Edges how) {
    if (how == Edges.BOXES) {
      // GraphX caches what it makes of edges and vertices.
      return boxes;
    }
    boolean primitive = how == Edges.PRIMITIVE;
    ClassTag<?> tag =
        primitive
            ? (ClassTag<?>) ClassTag$.MODULE$.Double()
            : ClassTag$.MODULE$.apply(Double.class);
    Graph graph = boxes.mapEdges((AbstractFunction1) new Unbox(), tag);
    if (primitive) {
      graph.cache();
      graph.edges().count();
    }
    return graph;
  }

  /** The names of all phases in which rows are made. */
  private static Set<String> rows(Supplier<Graph<?, ?>> job) {
    PhaseTimes.start();
    job.get().unpersist(false);
    Set<String> names =
        PhaseTimes.stop().stream().map(PhaseTimes.Phase::name).collect(Collectors.toSet());
    names.retainAll(Set.of(LOADING, BY_DESTINATION, PUSHED));
    return new HashSet<>(names);
  }

  @Test
  void aProgramMakesTheRowsThatItNeeds() {
    long source = DeviceJobTest.id(3);
    for (Edges how : Edges.values()) {
      Graph<Double, Double> graph = graph(how);
      try {
        assertThat(rows(() -> Bfs.run(graph, source, CPU))).as("%s", how).containsOnly(PUSHED);
        // They would be there as boxes, as loaded and in order.
        boolean twice = how == Edges.BOXES;
        assertThat(
                rows(
                    () -> {
                      Graph<Double, Double> found = Sssp.run(graph, source, CPU);
                      assertThat(
                              found.vertices().toJavaRDD().collect().stream()
                                  .collect(Collectors.toMap(t -> (Long) t._1(), t -> t._2())))
                          .isEqualTo(distances);
                      return found;
                    }))
            .as("%s", how)
            .containsOnly(twice ? LOADING : PUSHED);
        assertThat(rows(() -> ConnectedComponents.run(graph, Integer.MAX_VALUE, CPU)))
            .as("%s", how)
            .containsOnly(BY_DESTINATION);
      } finally {
        if (graph != boxes) {
          graph.unpersist(true);
        }
      }
    }
  }

  @Test
  void edgesOfTheGraphsOwnWaitOnlyWhereTheirRowsFitBesideThem() {
    LoadTask task =
        new LoadTask(
            "graph",
            null,
            null,
            new LoadTask.Source(
                new ValueType.Scalar(Kind.DOUBLE),
                new ValueType.Scalar(Kind.DOUBLE),
                false,
                -1,
                false),
            new LoadTask.How(EngineChoice.CPU, null, 1, 1, true),
            new Needs(false, true, false),
            false,
            List.of());
    long heap = Runtime.getRuntime().maxMemory();
    assertThat(task.rowsMade(1000, true, true)).isEqualTo(RowsMade.LATER_OF_OWN);
    // 4 bytes for an edge's row, 8 for its value there; the edges themselves are reserved already.
    assertThat(task.rowsMade(heap / 12, true, true)).isEqualTo(RowsMade.NOW);
    assertThat(task.rowsMade(heap, false, false)).isEqualTo(RowsMade.LATER_ON_HOST);
    assertThat(task.rowsMade(1000, false, true)).isEqualTo(RowsMade.NOW);
  }

  @Test
  void aGraphThatIsKeptHasItsRows() {
    PhaseTimes.start();
    try (ResidentGraph<Double, Double> held =
            GpuPregel.load(boxes, Double.class, Double.class, CPU);
        VertexResult<Integer> levels = Bfs.run(held, DeviceJobTest.id(3), CPU)) {
      assertThat(levels.collectAsMap()).isNotEmpty();
      assertThat(PhaseTimes.stop().stream().map(PhaseTimes.Phase::name))
          .contains(LOADING)
          .doesNotContain(BY_DESTINATION, PUSHED);
    }
  }
}
