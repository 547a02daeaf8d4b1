package org.sparkgpugraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.TripletFields;
import org.apache.spark.graphx.VertexRDD;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.Tuple2;

/** {@code aggregateMessages} as Java programs call it, against stock GraphX. */
@ExtendWith(SharedSpark.class)
class GpuMessagesTest {
  private static final RunOptions NEVER =
      RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER);
  private static final RunOptions STOCK = RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX);

  /** Messages of two numbers. */
  record Flow(double amount, int edges) implements Serializable {}

  private static Graph<Double, Integer> graph(JavaSparkContext context) {
    TestGraph<Double, Integer> graph =
        RandomGraphs.of(RandomGraphs.Shape.PARALLEL, 8)
            .withAttributes(new Random(2), r -> (double) r.nextInt(20), r -> r.nextInt(9));
    return graph.toGraphx(context, 3, Double.class, Integer.class);
  }

  private static Map<Long, Object> values(VertexRDD<?> messages) {
    Map<Long, Object> values = new TreeMap<>();
    for (Object message : messages.toJavaRDD().collect()) {
      Tuple2<?, ?> pair = (Tuple2<?, ?>) message;
      values.put((Long) pair._1(), pair._2());
    }
    return values;
  }

  @Test
  void messagesAreThoseOfGraphx(JavaSparkContext context) {
    Graph<Double, Integer> graph = graph(context);
    SendMessage<Double, Integer, Flow> send =
        edge -> {
          if (edge.attr() > 3) {
            edge.sendToDst(new Flow(edge.srcAttr() * edge.attr(), 1));
          }
          edge.sendToSrc(new Flow(0, 1));
        };
    MergeMessage<Flow> merge = (a, b) -> new Flow(a.amount + b.amount, a.edges + b.edges);
    Map<Long, Object> expected =
        values(
            GpuMessages.aggregate(
                graph, Double.class, Integer.class, send, merge, TripletFields.All, STOCK));
    Map<Long, Object> found =
        values(
            GpuMessages.aggregate(
                graph, Double.class, Integer.class, send, merge, TripletFields.All, NEVER));
    assertThat(found).isEqualTo(expected).isNotEmpty();
    assertThat(found.size()).isLessThan((int) graph.ops().numVertices());
  }

  @Test
  void aResidentGraphIsLoadedOnce(JavaSparkContext context) {
    Graph<Double, Integer> graph = graph(context);
    RunReport[] last = new RunReport[1];
    RunOptions options =
        NEVER.withObserver(
            new RunObserver() {
              @Override
              public void finished(RunReport report) {
                last[0] = report;
              }
            });
    try (ResidentGraph<Double, Integer> resident =
        GpuPregel.loadWithEdgeAttributes(graph, Double.class, Integer.class, RunOptions.DEFAULT)) {
      for (double factor : List.of(1.0, 2.0)) {
        VertexRDD<Double> found =
            GpuMessages.aggregate(
                resident,
                edge -> edge.sendToDst(factor * edge.srcAttr()),
                Double::sum,
                TripletFields.Src,
                options);
        VertexRDD<Double> expected =
            GpuMessages.aggregate(
                graph,
                Double.class,
                Integer.class,
                edge -> edge.sendToDst(factor * edge.srcAttr()),
                Double::sum,
                TripletFields.Src,
                STOCK);
        assertThat(values(found)).isEqualTo(values(expected)).isNotEmpty();
      }
      // Attributes came with the first run.
      assertThat(last[0].loadSeconds()).isZero();
      assertThat(last[0].engine()).isNotEqualTo("graphx");
      try (ResidentGraph<Double, Integer> reversed = resident.reversed()) {
        assertThatThrownBy(
                () ->
                    GpuMessages.<Double, Integer, Integer>aggregate(
                        reversed, edge -> edge.sendToDst(1), Integer::sum))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("reversed");
      }
    }
  }

  @Test
  void whatCannotBeLiftedSaysWhy(JavaSparkContext context) {
    Graph<Double, Integer> graph = graph(context);
    SendMessage<Double, Integer, String> send = edge -> edge.sendToDst("x" + edge.attr());
    MergeMessage<String> merge = (a, b) -> a.compareTo(b) < 0 ? a : b;
    assertThat(
            GpuMessages.explain(graph, Double.class, Integer.class, send, merge, TripletFields.All))
        .startsWith(
            "engine: stock GraphX, because the functions cannot be lifted\n! sendMessage at")
        .contains("GpuMessagesTest", "java.lang.String.valueOf");
    assertThat(
            GpuMessages.<Double, Integer, Integer>explain(
                graph,
                Double.class,
                Integer.class,
                edge -> edge.sendToDst(edge.attr()),
                Integer::sum,
                TripletFields.EdgeOnly))
        .startsWith("engine: ")
        .contains("message: java.lang.Integer [INT], 4 bytes", "messages go to the destination");
    assertThat(values(GpuMessages.aggregate(graph, Double.class, Integer.class, send, merge)))
        .isNotEmpty();
    assertThatThrownBy(
            () ->
                GpuMessages.aggregate(
                    graph, Double.class, Integer.class, send, merge, TripletFields.All, NEVER))
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("GpuMessagesTest");
    assertThatThrownBy(
            () ->
                GpuMessages.<Double, Integer, Double>aggregate(
                    graph,
                    Double.class,
                    Integer.class,
                    edge -> edge.sendToDst(edge.srcAttr()),
                    Double::sum,
                    TripletFields.Dst,
                    NEVER))
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("reads srcAttr, which its TripletFields leave out");
  }
}
