package org.sparkgpugraph.examples;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.vector.Vectors;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Inference of a graph neural network whose vertices have k features: a superstep is a layer with
 * the mean aggregator of GraphSAGE (Hamilton et al.: Inductive representation learning on large
 * graphs, 2017),
 *
 * <pre>h'(v) = relu(S h(v) + N · mean of h(u) over the in-neighbours u)</pre>
 *
 * with matrices S and N of k × k for each layer, which training has given. {@code GraphSage
 * [VERTICES [FEATURES]]}, 10 000 and 16 unless given.
 */
public final class GraphSage {
  private static final int GROUPS = 4;
  private static final int HEARD = 8;

  private GraphSage() {}

  /**
   * A vertex between two layers.
   *
   * @param features k of them
   * @param heard number of in-neighbours, parallel edges counted
   */
  public record Node(float[] features, int heard) implements Serializable {}

  /**
   * A layer.
   *
   * @param self {@code float[k * k]}: S, row by row
   * @param neighbours {@code float[k * k]}: N, row by row
   */
  public record Layer(float[] self, float[] neighbours) {}

  /**
   * Applies the layers, one a superstep.
   *
   * @param graph features of the vertices, {@code float[k]}; an edge tells its destination
   * @param k number of features, 1 to 1024
   * @param layers at least one
   * @return the graph with the features behind the last layer
   */
  public static Graph<float[], Integer> run(
      Graph<float[], Integer> graph, int k, List<Layer> layers, RunOptions options) {
    // One array for all layers: which of them it is tells the superstep.
    float[] self = new float[layers.size() * k * k];
    float[] neighbours = new float[layers.size() * k * k];
    for (int layer = 0; layer < layers.size(); layer++) {
      System.arraycopy(layers.get(layer).self(), 0, self, layer * k * k, k * k);
      System.arraycopy(layers.get(layer).neighbours(), 0, neighbours, layer * k * k, k * k);
    }
    return GpuPregel.on(graph, float[].class, Integer.class)
        .state((id, features, inDegree, outDegree) -> new Node(features, inDegree))
        .everyVertex(new float[k])
        .maxIterations(layers.size())
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr().features()))
        .mergeMessage(Vectors::add)
        .vertexProgram(
            (id, node, sum, run) -> {
              if (run.superstep() == 0) {
                return node;
              }
              int layer = (run.superstep() - 1) * k * k;
              float share = node.heard() == 0 ? 0.0f : 1.0f / node.heard();
              float[] next = new float[k];
              for (int i = 0; i < k; i++) {
                float weighted = 0.0f;
                for (int j = 0; j < k; j++) {
                  int at = layer + i * k + j;
                  weighted += self[at] * node.features()[j] + neighbours[at] * (share * sum[j]);
                }
                next[i] = Math.max(0.0f, weighted);
              }
              return new Node(next, node.heard());
            })
        .result((id, features, node) -> node.features())
        .options(options)
        .run();
  }

  /** Prints how many vertices can be told their group by their largest feature. */
  public static void main(String[] args) throws IOException {
    int vertices = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
    int k = args.length > 1 ? Integer.parseInt(args[1]) : 16;
    if (k < GROUPS) {
      throw new IllegalArgumentException(
          k + " features, but there are " + GROUPS + " groups to tell: use as many at least");
    }
    try (SparkSession session = EmbeddedSpark.session("GraphSAGE")) {
      Graph<float[], Integer> graph =
          groups(JavaSparkContext.fromSparkContext(session.sparkContext()), vertices, k);
      Layer layer = new Layer(diagonal(k, 0.3f), diagonal(k, 0.7f));
      Graph<float[], Integer> result = run(graph, k, List.of(layer, layer), RunOptions.DEFAULT);
      System.out.printf(
          Locale.ROOT,
          "largest feature is that of the group: %.0f %% of the vertices, after two layers %.0f %%%n",
          told(graph),
          told(result));
    }
  }

  private static float[] diagonal(int k, float value) {
    float[] matrix = new float[k * k];
    for (int i = 0; i < k; i++) {
      matrix[i * k + i] = value;
    }
    return matrix;
  }

  /** Vertices whose features have more noise than of their group, who mostly hear their group. */
  private static Graph<float[], Integer> groups(JavaSparkContext context, int count, int k) {
    Random random = new Random(1);
    List<Tuple2<Object, float[]>> vertices = new ArrayList<>();
    List<Edge<Integer>> edges = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      float[] features = new float[k];
      for (int i = 0; i < k; i++) {
        features[i] = (float) (random.nextGaussian() + (i == id % GROUPS ? 1 : 0));
      }
      vertices.add(new Tuple2<>((long) id, features));
      for (int i = 0; i < HEARD; i++) {
        int other = random.nextInt(count);
        boolean own = random.nextInt(10) > 0;
        int heard = own ? other - other % GROUPS + id % GROUPS : other;
        edges.add(new Edge<>(heard % count, id, 1));
      }
    }
    ClassTag<float[]> features = ClassTag$.MODULE$.apply(float[].class);
    ClassTag<Integer> number = ClassTag$.MODULE$.apply(Integer.class);
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    return Graph.apply(
        context.parallelize(vertices).rdd(),
        context.parallelize(edges).rdd(),
        new float[k],
        level,
        level,
        features,
        number);
  }

  /** In per cent. */
  private static double told(Graph<float[], Integer> graph) {
    List<Boolean> told =
        graph
            .vertices()
            .toJavaRDD()
            .map(vertex -> largest(vertex._2()) == (Long) vertex._1() % GROUPS)
            .collect();
    return 100.0 * told.stream().filter(right -> right).count() / told.size();
  }

  private static int largest(float[] features) {
    int largest = 0;
    for (int i = 1; i < features.length; i++) {
      largest = features[i] > features[largest] ? i : largest;
    }
    return largest;
  }
}
