package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs through spark-submit: the product comes with --jars, Spark's own class path has none of it.
 */
class SubmittedJobTest {
  private static final String CLUSTER = "local-cluster[2,1,512]";
  private static final String PLUGIN = "org.sparkgpugraph.GpuGraphPlugin";

  /**
   * A user's job: shortest paths that remember the predecessor, in a record of the user's jar. Its
   * last line counts the vertices that its lambdas and a plain loop see alike.
   */
  private static final String USER_JOB =
      """
      package user;

      import org.sparkgpugraph.*;
      import org.sparkgpugraph.function.*;
      import org.sparkgpugraph.run.*;
      import org.sparkgpugraph.lib.Sssp;
      import org.sparkgpugraph.algorithm.support.Internals;
      import java.io.Serializable;
      import java.util.*;
      import org.apache.spark.*;
      import org.apache.spark.api.java.JavaSparkContext;
      import org.apache.spark.graphx.*;
      import org.apache.spark.storage.StorageLevel;
      import scala.Tuple2;
      import scala.reflect.ClassTag;
      import scala.reflect.ClassTag$;

      public final class UserJob {
        public record Hop(double distance, long from) implements Serializable {}

        static Hop nearer(Hop a, Hop b) {
          return a.distance() < b.distance() || a.distance() == b.distance() && a.from() <= b.from() ? a : b;
        }

        public static void main(String[] arguments) {
          int n = Integer.parseInt(arguments[0]);
          long source = 1;
          List<Edge<Double>> edges = new ArrayList<>();
          for (long v = 1; v <= n; v++) {
            edges.add(new Edge<>(v, v % n + 1, 1.0));
            if (v % 7 == 0) {
              edges.add(new Edge<>(v, v / 7, 0.5));
            }
          }
          try (JavaSparkContext sc = new JavaSparkContext(new SparkConf().setAppName("user"))) {
            StorageLevel level = StorageLevel.MEMORY_ONLY();
            ClassTag<Hop> hops = ClassTag$.MODULE$.apply(Hop.class);
            ClassTag<Double> doubles = (ClassTag) ClassTag$.MODULE$.Double();
            Graph<Hop, Double> graph = Graph.fromEdges(
                sc.parallelize(edges, 4).rdd(), new Hop(0, -1), level, level, hops, doubles);
            Graph<Hop, Double> paths = GpuPregel.on(graph, Hop.class, Double.class)
                .state((id, attribute, in, out) ->
                    new Hop(id == source ? 0 : Double.POSITIVE_INFINITY, attribute.from()))
                .initialMessage(new Hop(Double.POSITIVE_INFINITY, Long.MAX_VALUE))
                .activeDirection(EdgeDirection.Out())
                .vertexProgram((id, value, message) ->
                    message.distance() < value.distance() ? message : value)
                .sendMessage(edge -> {
                  double distance = edge.srcAttr().distance() + edge.attr();
                  if (distance < edge.dstAttr().distance()) {
                    edge.sendToDst(new Hop(distance, edge.srcId()));
                  }
                })
                .mergeMessage(UserJob::nearer)
                .run();
            Map<Long, Hop> found = new TreeMap<>();
            for (Tuple2<Object, Hop> vertex : paths.vertices().toJavaRDD().collect()) {
              found.put((Long) vertex._1(), vertex._2());
            }
            Map<Long, Double> expected = new HashMap<>();
            expected.put(source, 0.0);
            for (boolean changed = true; changed; ) {
              changed = false;
              for (Edge<Double> edge : edges) {
                double far = Double.POSITIVE_INFINITY;
                double distance = expected.getOrDefault(edge.srcId(), far) + edge.attr();
                if (distance < expected.getOrDefault(edge.dstId(), far)) {
                  expected.put(edge.dstId(), distance);
                  changed = true;
                }
              }
            }
            long same = found.entrySet().stream()
                .filter(v -> v.getValue().distance() == expected.get(v.getKey())).count();
            System.out.println("vertex 9 is reached from " + found.get(9L).from());
            System.out.println("same distances: " + same + " of " + found.size());
            Graph<Object, Double> weighted = (Graph) graph;
            waitForOwner(sc, weighted, found);
            refuse(sc, weighted, doubles);
          }
        }

        /** Runs while the executor that holds the graph is busy. */
        private static void waitForOwner(
            JavaSparkContext sc, Graph<Object, Double> graph, Map<Long, Hop> found) {
          try (ResidentGraph<Object, Double> resident =
              GpuPregel.load(graph, Object.class, Double.class)) {
            String owner = "" + Internals.state(resident).handle().locations().get(0);
            var busy = sc.parallelize(List.of(1, 2), 2).map(i -> {
              Thread.sleep(owner.endsWith("_" + SparkEnv.get().executorId()) ? 2500 : 100);
              return i;
            }).collectAsync();
            try (VertexResult<Double> distances = Sssp.run(resident, 1, RunOptions.DEFAULT)) {
              long same = distances.collectAsMap().entrySet().stream()
                  .filter(v -> v.getValue() == found.get(v.getKey()).distance()).count();
              System.out.println("same after waiting: " + same);
            }
            busy.cancel(true);
          }
        }

        /** What an executor throws arrives as it is. */
        private static void refuse(
            JavaSparkContext sc, Graph<Object, Double> graph, ClassTag<Double> doubles) {
          StorageLevel level = StorageLevel.MEMORY_ONLY();
          Graph<Double, Double> negative = Graph.fromEdges(
              sc.parallelize(List.of(new Edge<>(1L, 2L, -1.0)), 1).rdd(),
              0.0, level, level, doubles, doubles);
          try {
            Sssp.run(negative, 1);
            System.out.println("not refused");
          } catch (RuntimeException e) {
            System.out.println("refused by " + e.getClass().getSimpleName() + ": " + e.getMessage());
          }
        }
      }
      """;

  @TempDir static Path shared;
  @TempDir Path scratch;
  private static Path userJar;

  @BeforeAll
  static void compile() throws Exception {
    userJar = Jars.compiled(shared, "user.UserJob", USER_JOB);
  }

  @Tag("smoke")
  @ParameterizedTest
  @CsvSource({"'local[2]',Java", "'" + CLUSTER + "',Java", "'" + CLUSTER + "',Kryo"})
  void lambdasAndRecordsOfTheUsersJarAreLifted(String master, String serializer) throws Exception {
    Path metrics = Files.createTempDirectory(scratch, "metrics");
    Command.Ended ended =
        Command.sparkSubmit(
            scratch,
            List.of(
                "--master",
                master,
                "--jars",
                Product.libraryJar().toString(),
                "--conf",
                "spark.gpugraph.fallback=never",
                "--conf",
                "spark.locality.wait=300ms",
                "--conf",
                "spark.serializer=org.apache.spark.serializer." + serializer + "Serializer",
                "--conf",
                "spark.kryo.registrator=org.sparkgpugraph.GpuGraphKryoRegistrator",
                "--conf",
                "spark.plugins=" + PLUGIN,
                "--conf",
                "spark.metrics.conf.*.sink.csv.class=org.apache.spark.metrics.sink.CsvSink",
                "--conf",
                "spark.metrics.conf.*.sink.csv.period=1",
                "--conf",
                "spark.metrics.conf.*.sink.csv.directory=" + metrics,
                "--class",
                "user.UserJob",
                userJar.toString(),
                "40"));
    assertThat(ended.status()).as("%s", ended).isZero();
    assertThat(ended.out().lines())
        .as("%s", ended)
        .contains(
            "same distances: 40 of 40", "vertex 9 is reached from 8", "same after waiting: 40")
        .anyMatch(line -> line.matches("refused by .*the weight of edge .* is -.*"));
    assertThat(counted(metrics, "job.runsStarted")).as("%s", ended).isPositive();
    assertThat(counted(metrics, "runsStarted")).as("%s", ended).isPositive();
  }

  /** What the driver or the executors, each in its process, have counted by the plugin. */
  private static long counted(Path metrics, String name) throws Exception {
    long sum = 0;
    try (Stream<Path> files = Files.list(metrics)) {
      for (Path file :
          files.filter(f -> f.toString().endsWith(PLUGIN + "." + name + ".csv")).toList()) {
        List<String> lines = Files.readAllLines(file);
        sum += Long.parseLong(lines.get(lines.size() - 1).split(",")[1]);
      }
    }
    return sum;
  }

  @Test
  void whatAnExecutorRefusesIsOneLineOfTheDriverAndStatus1() throws Exception {
    Path graph = Files.writeString(scratch.resolve("graph.txt"), "1 2\n2 3\n3 four\n");
    Path output = scratch.resolve("components");
    Command.Ended ended =
        Command.sparkSubmit(
            scratch,
            List.of(
                "--master",
                CLUSTER,
                "--jars",
                Product.libraryJar().toString(),
                "--class",
                "org.sparkgpugraph.examples.GraphJob",
                Product.examplesJar().toString(),
                "connected-components",
                "--input",
                graph.toString(),
                "--output",
                output.toString()));
    assertThat(ended.status()).as("%s", ended).isEqualTo(1);
    assertThat(ended.err().lines().filter(line -> line.startsWith("GraphJob: ")))
        .as("%s", ended)
        .singleElement(org.assertj.core.api.InstanceOfAssertFactories.STRING)
        .contains("graph.txt", "line 3", "four");
    assertThat(output.resolve("_SUCCESS")).doesNotExist();
  }

  @Tag("any-spark")
  @Test
  void graphJobWritesTheSameRanksFromAClusterAsLocally() throws Exception {
    TreeMap<Long, Double> cluster = ranks(CLUSTER);
    TreeMap<Long, Double> local = ranks("local[2]");
    assertThat(cluster).hasSizeGreaterThan(500);
    assertThat(cluster.keySet()).isEqualTo(local.keySet());
    cluster.forEach(
        (id, rank) ->
            assertThat(rank)
                .as("vertex " + id)
                .isCloseTo(local.get(id), org.assertj.core.data.Percentage.withPercentage(1e-8)));
  }

  private TreeMap<Long, Double> ranks(String master) throws Exception {
    Path output = scratch.resolve(master.startsWith("local[") ? "local" : "cluster");
    Command.Ended ended =
        Command.sparkSubmit(
            scratch,
            List.of(
                "--master",
                master,
                "--conf",
                "spark.gpugraph.fallback=never",
                "--class",
                "org.sparkgpugraph.examples.GraphJob",
                Product.examplesJar().toString(),
                "pagerank",
                "--rmat",
                "10",
                "--output",
                output.toString()));
    assertThat(ended.status()).as("%s", ended).isZero();
    // JCuda and JNA come with the jar of the jobs, whether there is a GPU or not.
    assertThat(ended.out())
        .as("%s", ended)
        .containsPattern("pagerank, engine (cpu|cuda) \\(.*GPU")
        .doesNotContain("class path", "JCuda cannot be used");
    return Ranks.read(output);
  }
}
