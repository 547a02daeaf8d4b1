package org.sparkgpugraph.examples;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.run.RunOptions;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A program of one's own over the most frequent message: everybody takes, round by round, the
 * opinion that most of those whom they follow have, the smallest of several; every tenth never
 * changes theirs. {@code MajorityVote [PEOPLE [ROUNDS]]}, 10 000 and 20 unless given.
 */
public final class MajorityVote {
  private static final int OPINIONS = 4;
  private static final int FOLLOWED = 8;

  /** Who has an id that is a multiple of this keeps the first opinion. */
  private static final int STUBBORN = 10;

  private MajorityVote() {}

  /**
   * Lets opinions spread.
   *
   * @param graph opinions of the vertices; an edge leads to whom its source follows
   * @param rounds at least 1
   */
  public static Graph<Integer, Integer> run(
      Graph<Integer, Integer> graph, int rounds, RunOptions options) {
    return GpuPregel.on(graph, Integer.class, Integer.class)
        .initialMessage(0)
        .maxIterations(rounds)
        .vertexProgram(
            (id, opinion, heard, run) ->
                run.superstep() == 0 || id % STUBBORN == 0 ? opinion : heard)
        .sendMessage(edge -> edge.sendToSrc(edge.dstAttr()))
        .mergeMode()
        .options(options)
        .run();
  }

  /** Prints how many have each opinion before and after. */
  public static void main(String[] args) throws IOException {
    int people = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    try (SparkSession session = EmbeddedSpark.session("majority vote")) {
      Graph<Integer, Integer> graph =
          people(JavaSparkContext.fromSparkContext(session.sparkContext()), people);
      System.out.println("at first        " + counts(graph));
      System.out.println(
          "after " + rounds + " rounds " + counts(run(graph, rounds, RunOptions.DEFAULT)));
    }
  }

  /** People with random opinions, the low ones more frequent, who follow some others. */
  private static Graph<Integer, Integer> people(JavaSparkContext context, int count) {
    Random random = new Random(1);
    List<Tuple2<Object, Integer>> opinions = new ArrayList<>();
    List<Edge<Integer>> follows = new ArrayList<>();
    for (long id = 0; id < count; id++) {
      opinions.add(new Tuple2<>(id, Math.min(random.nextInt(OPINIONS), random.nextInt(OPINIONS))));
      for (int i = 0; i < FOLLOWED; i++) {
        follows.add(new Edge<>(id, random.nextInt(count), 1));
      }
    }
    JavaRDD<Tuple2<Object, Integer>> vertices = context.parallelize(opinions);
    ClassTag<Integer> tag = ClassTag$.MODULE$.apply(Integer.class);
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    return Graph.apply(
        vertices.rdd(), context.parallelize(follows).rdd(), 0, level, level, tag, tag);
  }

  private static Map<Integer, Integer> counts(Graph<Integer, Integer> graph) {
    Map<Integer, Integer> counts = new TreeMap<>();
    for (Tuple2<Object, Integer> vertex : graph.vertices().toJavaRDD().collect()) {
      counts.merge(vertex._2(), 1, Integer::sum);
    }
    return counts;
  }
}
