package org.sparkgpugraph.runtime.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.deploy.history.HistoryServer;
import org.apache.spark.internal.config.package$;
import org.sparkgpugraph.GpuGraphPlugin;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.testing.TestGraph;
import scala.Option;

/**
 * An application with a UI, and a history server that reads its log; in a JVM of its own, run by
 * {@link GraphUiTest}, which looks at the pages that are saved here.
 */
final class GraphUiJob {
  private static final int SIZE = 60;

  private GraphUiJob() {}

  /**
   * @param arguments a folder for pages
   */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Path log = Files.createDirectory(folder.resolve("log"));
    String application;
    try (JavaSparkContext context = start(log)) {
      application = context.sc().applicationId();
      String ui = "http://127.0.0.1:" + context.sc().ui().get().boundPort() + "/";
      save(ui + "jobs/", folder.resolve("empty-jobs.html"));
      save(ui + "graph/", folder.resolve("empty-runs.html"));
      runs(context, ui, folder);
      context.sc().listenerBus().waitUntilEmpty();
      save(ui + "graph/", folder.resolve("live-runs.html"));
      save(ui + "graph/run/?id=0", folder.resolve("live-run-0.html"));
      save(ui + "graph/run/?id=77", folder.resolve("live-run-77.html"));
    }
    System.out.println("application: done");
    SparkConf conf = new SparkConf(false).set("spark.history.fs.logDirectory", log.toString());
    FsHistoryProvider provider = new FsHistoryProvider(conf);
    HistoryServer server =
        new HistoryServer(
            conf,
            provider,
            new SecurityManager(conf, Option.empty(), package$.MODULE$.AUTH_SECRET_FILE()),
            0);
    server.bind();
    provider.start();
    try {
      String ui = "http://127.0.0.1:" + server.boundPort() + "/history/" + application + "/";
      waitFor(ui + "jobs/");
      save(ui + "jobs/", folder.resolve("history-jobs.html"));
      save(ui + "graph/", folder.resolve("history-runs.html"));
      save(ui + "graph/run/?id=0", folder.resolve("history-run-0.html"));
    } finally {
      server.stop();
    }
    System.out.println("history server: done");
    System.exit(0);
  }

  private static JavaSparkContext start(Path log) {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("graph ui")
            .set("spark.ui.enabled", "true")
            .set("spark.ui.port", "0")
            .set("spark.ui.showConsoleProgress", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.eventLog.enabled", "true")
            .set("spark.eventLog.dir", log.toUri().toString())
            .set("spark.plugins", GpuGraphPlugin.class.getName())
            .set("spark.gpugraph.engine", "cpu")
            .set("spark.gpugraph.executors", "2"));
  }

  private static void runs(JavaSparkContext context, String ui, Path folder) {
    long[] sources = LongStream.range(0, 2 * SIZE).map(e -> e % SIZE).toArray();
    long[] destinations =
        LongStream.range(0, 2 * SIZE)
            .map(e -> (e < SIZE ? e + 1 : e % SIZE * 6 + 3) % SIZE)
            .toArray();
    TestGraph<Integer, Double> ring =
        new TestGraph<>(
            "ring",
            LongStream.range(0, SIZE).toArray(),
            IntStream.range(0, SIZE).boxed().toList(),
            sources,
            destinations,
            Collections.nCopies(2 * SIZE, 1.0));
    RunObserver look =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            if (stats.superstep() == 3) {
              try {
                context.sc().listenerBus().waitUntilEmpty();
                save(ui + "graph/", folder.resolve("going-runs.html"));
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            }
          }
        };
    try (ResidentGraph<Integer, Double> graph =
            GpuPregel.load(
                ring.toGraphx(context, 3, Integer.class, Double.class),
                Integer.class,
                Double.class);
        VertexResult<Double> ranks =
            PageRank.run(graph, 5, 0.15, RunOptions.DEFAULT.withObserver(look))) {
      assertThat(ranks.report().summary().iterations()).isEqualTo(5);
    }
  }

  // ---- pages ----------------------------------------------------------------------------------

  private static HttpResponse<String> get(String page) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(page)).build();
    return HttpClient.newBuilder()
        .followRedirects(HttpClient.Redirect.ALWAYS)
        .build()
        .send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static void save(String page, Path file) throws IOException, InterruptedException {
    HttpResponse<String> response = get(page);
    assertThat(response.statusCode()).as(page + "\n" + response.body()).isEqualTo(200);
    Files.writeString(file, response.body());
  }

  private static void waitFor(String page) throws IOException, InterruptedException {
    for (int i = 0; i < 150 && get(page).statusCode() != 200; i++) {
      Thread.sleep(200);
    }
  }
}
