package io.sparkgpugraph.spark;

import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.GpuPregel;
import io.sparkgpugraph.MergeMessage;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.testing.Compare;
import io.sparkgpugraph.testing.RandomGraphs;
import io.sparkgpugraph.testing.RandomPrograms.Hop;
import io.sparkgpugraph.testing.TestGraph;
import java.util.Map;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.GraphXUtils;

/** A record graph under a given serializer, in a JVM of its own; run by {@link KryoJobTest}. */
final class KryoJob {
  private KryoJob() {}

  /**
   * @param args settings of Spark, {@code key=value}
   */
  public static void main(String[] args) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("kryo")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    for (String setting : args) {
      conf.set(setting.split("=", 2)[0], setting.split("=", 2)[1]);
    }
    // What GraphX asks of its users under registrationRequired.
    GraphXUtils.registerKryoClasses(conf);
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      TestGraph<Hop, Float> test =
          RandomGraphs.of(RandomGraphs.Shape.UNIFORM, 7)
              .withAttributes(
                  new Random(7),
                  r -> new Hop(r.nextInt(3) == 0 ? 0 : Double.POSITIVE_INFINITY, -1, 0),
                  r -> 1f + r.nextInt(5));
      scalars(context);
      if (conf.getBoolean("spark.test.scalarsOnly", false)) {
        return;
      }
      Graph<Hop, Float> graph = test.toGraphx(context, 2, Hop.class, Float.class);
      Map<Long, Hop> engine = run(graph, EngineChoice.CPU);
      Map<Long, Hop> graphx = run(graph, EngineChoice.GRAPHX);
      if (!engine.equals(graphx) || engine.isEmpty()) {
        throw new AssertionError(engine + " is not " + graphx);
      }
      System.out.println("same results: " + engine.size());
    }
  }

  /** Without records the library needs no registrator. */
  private static void scalars(JavaSparkContext context) {
    TestGraph<Long, Integer> test =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 8)
            .withAttributes(new Random(8), r -> (long) r.nextInt(100), r -> 1);
    Graph<Long, Integer> result =
        GpuPregel.on(
                test.toGraphx(context, 2, Long.class, Integer.class), Long.class, Integer.class)
            .initialMessage(Long.MAX_VALUE)
            .vertexProgram((id, value, message) -> Math.min(value, message))
            .sendMessage(
                edge -> {
                  if (edge.srcAttr() < edge.dstAttr()) {
                    edge.sendToDst(edge.srcAttr());
                  }
                })
            .mergeMessage(Math::min)
            .options(RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER))
            .run();
    System.out.println("scalars: " + Compare.vertices(result).size());
  }

  private static Map<Long, Hop> run(Graph<Hop, Float> graph, EngineChoice engine) {
    MergeMessage<Hop> nearer = (a, b) -> a.distance() <= b.distance() ? a : b;
    return Compare.vertices(
        GpuPregel.on(graph, Hop.class, Float.class)
            .initialMessage(new Hop(Double.POSITIVE_INFINITY, 0, 0))
            .activeDirection(EdgeDirection.Out())
            .vertexProgram(
                (id, value, message) -> message.distance() < value.distance() ? message : value)
            .sendMessage(
                edge -> {
                  double distance = edge.srcAttr().distance() + edge.attr();
                  if (distance < edge.dstAttr().distance()) {
                    edge.sendToDst(new Hop(distance, 0, 1));
                  }
                })
            .mergeMessage(nearer)
            .options(RunOptions.DEFAULT.withEngine(engine).withFallback(RunOptions.Fallback.AUTO))
            .run());
  }
}
