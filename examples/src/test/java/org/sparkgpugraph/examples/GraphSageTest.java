package org.sparkgpugraph.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Features against those of sequential code. */
class GraphSageTest {
  private static final int VERTICES = 60;

  private final Random random = new Random(3);
  private final List<Edge<Integer>> edges = new ArrayList<>();

  private static float[] numbers(Random random, int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) random.nextGaussian();
    }
    return numbers;
  }

  /** The last vertex hears of nobody; loops and parallel edges are among the edges. */
  private void draw() {
    for (int e = 0; e < 300; e++) {
      long to = random.nextInt(VERTICES - 1);
      edges.add(new Edge<>(e % 20 == 0 ? to : random.nextInt(VERTICES), to, 1));
    }
    edges.add(edges.get(7));
  }

  private double[][] layer(double[][] before, GraphSage.Layer layer, int k) {
    double[][] sums = new double[VERTICES][k];
    int[] heard = new int[VERTICES];
    for (Edge<Integer> edge : edges) {
      heard[(int) edge.dstId()]++;
      for (int i = 0; i < k; i++) {
        sums[(int) edge.dstId()][i] += before[(int) edge.srcId()][i];
      }
    }
    double[][] after = new double[VERTICES][k];
    for (int v = 0; v < VERTICES; v++) {
      for (int i = 0; i < k; i++) {
        double weighted = 0;
        for (int j = 0; j < k; j++) {
          weighted += layer.self()[i * k + j] * before[v][j];
          weighted += layer.neighbours()[i * k + j] * sums[v][j] / Math.max(1, heard[v]);
        }
        after[v][i] = Math.max(0, weighted);
      }
    }
    return after;
  }

  @Test
  void layersAreThoseOfSequentialCode() throws IOException {
    draw();
    try (SparkSession session = EmbeddedSpark.session("test")) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
      for (int k : new int[] {1, 6, 33}) {
        check(context, k);
      }
    }
  }

  private void check(JavaSparkContext context, int k) {
    List<Tuple2<Object, float[]>> vertices = new ArrayList<>();
    double[][] expected = new double[VERTICES][k];
    for (int v = 0; v < VERTICES; v++) {
      float[] features = numbers(random, k);
      vertices.add(new Tuple2<>((long) v, features));
      for (int i = 0; i < k; i++) {
        expected[v][i] = features[i];
      }
    }
    List<GraphSage.Layer> layers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      GraphSage.Layer layer = new GraphSage.Layer(numbers(random, k * k), numbers(random, k * k));
      layers.add(layer);
      expected = layer(expected, layer, k);
    }
    ClassTag<float[]> features = ClassTag$.MODULE$.apply(float[].class);
    ClassTag<Integer> number = ClassTag$.MODULE$.apply(Integer.class);
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    Graph<float[], Integer> graph =
        Graph.apply(
            context.parallelize(vertices).rdd(),
            context.parallelize(edges).rdd(),
            null,
            level,
            level,
            features,
            number);
    for (EngineChoice engine :
        List.of(EngineChoice.CPU, EngineChoice.EMULATED, EngineChoice.GRAPHX)) {
      Map<Object, float[]> found = new HashMap<>();
      GraphSage.run(graph, k, layers, RunOptions.DEFAULT.withEngine(engine))
          .vertices()
          .toJavaRDD()
          .collect()
          .forEach(vertex -> found.put(vertex._1(), vertex._2()));
      assertThat(found).hasSize(VERTICES);
      for (int v = 0; v < VERTICES; v++) {
        for (int i = 0; i < k; i++) {
          assertThat((double) found.get((long) v)[i])
              .as(engine + ", k = " + k + ", vertex " + v + ", feature " + i)
              .isCloseTo(expected[v][i], within(1e-4 * (1 + expected[v][i])));
        }
      }
    }
  }
}
