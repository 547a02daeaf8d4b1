package org.sparkgpugraph.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

class MajorityVoteTest {
  /** 1 follows 2, 3, 4; 10, who is stubborn, follows 1; 2 follows 10 and 3: a tie. */
  @Test
  void opinionsFollowTheMajority() throws IOException {
    try (SparkSession session = EmbeddedSpark.session("test")) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
      ClassTag<Integer> tag = ClassTag$.MODULE$.apply(Integer.class);
      StorageLevel level = StorageLevel.MEMORY_ONLY();
      List<Tuple2<Object, Integer>> opinions =
          List.of(
              new Tuple2<>(1L, 9),
              new Tuple2<>(2L, 7),
              new Tuple2<>(3L, 5),
              new Tuple2<>(4L, 7),
              new Tuple2<>(10L, 4));
      List<Edge<Integer>> follows =
          List.of(
              new Edge<>(1, 2, 1),
              new Edge<>(1, 3, 1),
              new Edge<>(1, 4, 1),
              new Edge<>(10, 1, 1),
              new Edge<>(2, 10, 1),
              new Edge<>(2, 3, 1));
      Graph<Integer, Integer> graph =
          Graph.apply(
              context.parallelize(opinions).rdd(),
              context.parallelize(follows).rdd(),
              0,
              level,
              level,
              tag,
              tag);
      for (EngineChoice engine : List.of(EngineChoice.CPU, EngineChoice.GRAPHX)) {
        Map<Object, Integer> found = new HashMap<>();
        MajorityVote.run(graph, 1, RunOptions.DEFAULT.withEngine(engine))
            .vertices()
            .toJavaRDD()
            .collect()
            .forEach(vertex -> found.put(vertex._1(), vertex._2()));
        assertThat(found).isEqualTo(Map.of(1L, 7, 2L, 4, 3L, 5, 4L, 7, 10L, 4));
      }
    }
  }
}
