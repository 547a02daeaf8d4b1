package org.sparkgpugraph.adapter.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sparkgpugraph.adapter.data.GraphXGraphs.function;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeTriplet;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.PartitionStrategy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.graphs.GraphInvariants;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder.Options;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import scala.Tuple2;

class GraphXReaderTest {
  private static final ValueType DOUBLE = new ValueType.Scalar(Kind.DOUBLE);

  static Stream<Arguments> graphs() {
    Graph<Object, Object> graph = GraphXGraphs.random(1, 40, 200, 3);
    return Stream.of(
        Arguments.of("as made", graph),
        Arguments.of("cached", GraphXGraphs.random(2, 10, 80, 2).cache()),
        Arguments.of("reversed", graph.reverse()),
        Arguments.of(
            "mapped edges",
            graph.mapEdges(
                function((Edge<Object> e) -> (Object) ((Double) e.attr() + 1)),
                GraphXGraphs.doubles())),
        Arguments.of(
            "edges as objects",
            graph.mapEdges(function((Edge<Object> e) -> e.attr()), GraphXGraphs.tag(Object.class))),
        Arguments.of(
            "partitioned", graph.partitionBy(PartitionStrategy.EdgePartition2D$.MODULE$, 4)),
        Arguments.of(
            "subgraph",
            graph.subgraph(
                function((EdgeTriplet<Object, Object> t) -> (Object) ((Double) t.attr() < 500)),
                function((Object id, Object value) -> (Object) ((Long) id % 3 != 0)))),
        Arguments.of(
            "after aggregateMessages",
            graph.outerJoinVertices(
                graph.ops().inDegrees(),
                new Join(),
                GraphXGraphs.tag(Object.class),
                GraphXGraphs.doubles(),
                null)),
        Arguments.of("empty", GraphXGraphs.random(3, 0, 0, 2)),
        Arguments.of("one vertex", GraphXGraphs.random(4, 1, 3, 2)));
  }

  private static final class Join
      extends scala.runtime.AbstractFunction3<Object, Object, scala.Option<Object>, Object>
      implements java.io.Serializable {
    @Override
    public Object apply(Object id, Object value, scala.Option<Object> degree) {
      return (Double) value + (degree.isDefined() ? (Integer) degree.get() : 0);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("graphs")
  void readsWhatThePublicApiShows(String name, Graph<Object, Object> graph) {
    assertThat(EdgePartitionFields.available()).isTrue();
    List<EdgeBlock> direct = GraphXReader.edgeBlocks(graph).collect();
    List<EdgeBlock> oneByOne = GraphXReader.edgeBlocksOneByOne(graph).collect();
    assertThat(direct).hasSameSizeAs(oneByOne).hasSize(graph.edges().getNumPartitions());
    for (int b = 0; b < direct.size(); b++) {
      assertThat(direct.get(b)).isInstanceOf(LocalEdgeBlock.class);
      assertThat(edges(direct.get(b))).isEqualTo(edges(oneByOne.get(b)));
    }
    Map<Long, Object> vertices = new TreeMap<>();
    for (VertexBlock block : GraphXReader.vertexBlocks(graph).collect()) {
      for (int i = 0; i < block.size(); i++) {
        vertices.put(block.ids()[i], Array.get(block.values(), block.slot(i)));
      }
    }
    Map<Long, Object> expected = new TreeMap<>();
    for (Tuple2<Object, Object> vertex : graph.vertices().toJavaRDD().collect()) {
      expected.put((Long) vertex._1(), vertex._2());
    }
    assertThat(vertices).isEqualTo(expected);
  }

  private static List<List<Object>> edges(EdgeBlock block) {
    List<List<Object>> edges = new ArrayList<>();
    for (int i = 0; i < block.size(); i++) {
      edges.add(List.of(block.source(i), block.destination(i), Array.get(block.values(), i)));
    }
    return edges;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("graphs")
  void buildsExecutorGraphs(String name, Graph<Object, Object> graph) {
    List<EdgeBlock> edges = GraphXReader.edgeBlocks(graph).collect();
    List<VertexBlock> vertices = GraphXReader.vertexBlocks(graph).collect();
    for (int partitions = 1; partitions <= 3; partitions++) {
      ExecutorGraph built =
          ExecutorGraphBuilder.build(edges, vertices, new Options(partitions, 2, DOUBLE));
      GraphInvariants.check(built);
      assertThat(built.vertexCount()).isEqualTo(graph.vertices().count());
      assertThat(built.edgeCount()).isEqualTo(graph.edges().count());
      ValueCodec codec = ValueCodec.of(DOUBLE);
      Columns table = attributes(built, codec, vertices);
      for (VertexBlock block : vertices) {
        Object array = collect(built, codec, table, block);
        for (int i = 0; i < block.size(); i++) {
          assertThat(Array.get(array, block.slot(i)))
              .isEqualTo(Array.get(block.values(), block.slot(i)));
        }
      }
    }
  }

  /** By dense id. */
  private static Columns attributes(
      ExecutorGraph graph, ValueCodec codec, List<VertexBlock> blocks) {
    Columns table = Columns.allocate(codec.kinds(), (int) graph.ids().size());
    for (VertexBlock block : blocks) {
      codec.read(
          block.values(),
          block.slots(),
          0,
          block.size(),
          table,
          rows(graph, block),
          i -> "vertex " + block.ids()[i]);
    }
    return table;
  }

  private static Object collect(
      ExecutorGraph graph, ValueCodec codec, Columns table, VertexBlock block) {
    double[] array = new double[block.capacity()];
    codec.write(table, rows(graph, block), 0, block.size(), array, block.slots());
    return array;
  }

  private static int[] rows(ExecutorGraph graph, VertexBlock block) {
    int[] rows = new int[block.size()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = (int) graph.ids().dense(block.ids()[i]);
    }
    return rows;
  }
}
