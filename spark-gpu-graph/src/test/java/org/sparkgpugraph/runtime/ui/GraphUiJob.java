package org.sparkgpugraph.runtime.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.deploy.history.HistoryServer;
import org.apache.spark.graphx.Graph;
import org.apache.spark.internal.config.package$;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.sparkgpugraph.GpuGraphPlugin;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.run.ExchangeVolume;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.LaneUse;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.run.SuperstepTimes;
import org.sparkgpugraph.runtime.event.GraphRunEnded;
import org.sparkgpugraph.runtime.event.GraphRunExecutor;
import org.sparkgpugraph.runtime.event.GraphRunStarted;
import org.sparkgpugraph.runtime.observe.SuperstepEvents;
import org.sparkgpugraph.testing.Browser;
import org.sparkgpugraph.testing.TestGraph;
import scala.Option;

/**
 * An application with a UI, and a history server that reads its log; in a JVM of its own, run by
 * {@link GraphUiTest}, which looks at the pages that are saved here.
 */
final class GraphUiJob {
  private static final int SIZE = 60;
  private static final int RUNS = 4;
  private static final int LONG = 100_000;
  private static final long START = 1_700_000_000_000L;

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
      pages(ui, folder, "live");
      save(ui + "graph/run/?id=77", folder.resolve("live-run-77.html"));
    }
    System.out.println("application: done");
    for (boolean disk : new boolean[] {false, true}) {
      SparkConf conf = new SparkConf(false).set("spark.history.fs.logDirectory", log.toString());
      if (disk) {
        Path store = Files.createDirectory(folder.resolve("store"));
        conf.set("spark.history.store.path", store.toString());
        conf.set("spark.history.store.hybridStore.enabled", "false");
      }
      history(conf, application, folder, disk ? "disk" : "history");
    }
    System.out.println("history server: done");
    System.exit(0);
  }

  private static void history(SparkConf conf, String application, Path folder, String name)
      throws Exception {
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
      pages(ui, folder, name);
    } finally {
      server.stop();
    }
  }

  private static void pages(String ui, Path folder, String name) throws Exception {
    save(ui + "jobs/", folder.resolve(name + "-jobs.html"));
    save(ui + "graph/", folder.resolve(name + "-runs.html"));
    for (int run = 0; run < RUNS; run++) {
      save(ui + "graph/run/?id=" + run, folder.resolve(name + "-run-" + run + ".html"));
    }
    long start = System.nanoTime();
    get(ui + "graph/run/?id=3");
    System.out.printf("%s: a page in %.1f ms%n", name, (System.nanoTime() - start) / 1e6);
    look(ui, folder, name);
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

  private static Graph<Integer, Double> graph(JavaSparkContext context, double weight) {
    return TestGraph.ring(SIZE, weight).toGraphx(context, 3, Integer.class, Double.class);
  }

  /** One that ends well, one that falls back, one that fails, and one of 100 000 supersteps. */
  private static void runs(JavaSparkContext context, String ui, Path folder) {
    RunObserver look =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            if (stats.superstep() == 3) {
              try {
                context.sc().listenerBus().waitUntilEmpty();
                save(ui + "graph/", folder.resolve("going-runs.html"));
                save(ui + "graph/run/?id=0", folder.resolve("going-run-0.html"));
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            }
          }
        };
    try (ResidentGraph<Integer, Double> resident =
            GpuPregel.load(graph(context, 1), Integer.class, Double.class);
        VertexResult<Double> ranks =
            PageRank.run(resident, 5, 0.15, RunOptions.DEFAULT.withObserver(look))) {
      assertThat(ranks.report().summary().iterations()).isEqualTo(5);
    }
    GpuPregel.on(graph(context, 1), Integer.class, Double.class)
        .initialMessage(0)
        .maxIterations(2)
        .vertexProgram((id, value, message) -> String.valueOf(value + message).hashCode())
        .sendMessage(edge -> edge.sendToDst(1))
        .mergeMessage(Integer::sum)
        .run();
    assertThatThrownBy(
            () ->
                GpuPregel.on(graph(context, -1), Integer.class, Double.class)
                    .initialMessage(0)
                    .vertexProgram((id, value, message) -> Math.max(value, message))
                    .sendMessage(
                        edge -> {
                          if (edge.attr() < 0) {
                            throw new IllegalArgumentException("weight < 0 & \"odd\"");
                          }
                          edge.sendToDst(edge.srcAttr());
                        })
                    .mergeMessage(Math::max)
                    .run())
        .hasMessageContaining("weight < 0");
    longRun(context);
  }

  /**
   * What a run of {@value #LONG} supersteps on two executors with two GPUs each posts: half of its
   * time is kernels, a quarter is exchange and a quarter Spark's.
   */
  private static void longRun(JavaSparkContext context) {
    String run = "long/run";
    List<SparkListenerEvent> events = new ArrayList<>();
    events.add(
        new GraphRunStarted(
            run, "example.Long", "cuda", 1 << 20, 1 << 24, 1 << 26, 2, 4, 8, START, 0.5, 2));
    long[] now = {0};
    SuperstepEvents supersteps = new SuperstepEvents(run, events::add, () -> now[0]);
    for (int i = 0; i < LONG; i++) {
      now[0] += 20_000_000;
      supersteps.add(
          new SuperstepStats(
              i,
              KernelChoice.SPARSE,
              1,
              LONG - i,
              10,
              1,
              8,
              ExchangeVolume.NONE,
              15_000_000,
              new SuperstepTimes(10_000_000, 5_000_000, 0, 0, 15_000_000),
              new LaneUse(30, 64, 20, 32),
              new double[0]),
          64,
          5_000_000);
    }
    supersteps.flush();
    assertThat(events).hasSizeBetween(2000, 8000);
    for (int shard = 0; shard < 2; shard++) {
      List<GraphRunExecutor.Device> gpus = new ArrayList<>();
      for (int gpu = 0; gpu < 2; gpu++) {
        gpus.add(
            new GraphRunExecutor.Device(
                "GPU " + gpu, 16_000_000_000L, 4_000_000_000L * (gpu + 1), 900 + gpu));
      }
      String executor = shard + " on host" + shard;
      events.add(
          new GraphRunExecutor(
              run, shard, executor, "cuda", 1 << 19, 1 << 23, 1 << 25, 1, 1000, 500, gpus, null,
              START));
    }
    events.add(
        new GraphRunEnded(
            run,
            "cuda",
            "given",
            "CONVERGED",
            "",
            LONG - 1,
            10L * LONG,
            LONG,
            8L * LONG,
            64L * LONG,
            2005,
            2,
            1000,
            500,
            0.25,
            0.5,
            START + 2_005_000));
    events.forEach(context.sc().listenerBus()::post);
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

  /** What a browser makes of the pages, where there is one. */
  private static void look(String ui, Path folder, String name) throws Exception {
    Optional<Browser> browser = Browser.find();
    if (browser.isPresent()) {
      String page = ui + "graph/run/?id=3";
      Files.writeString(folder.resolve(name + "-dom.html"), browser.get().dom(page));
      browser.get().screenshot(page, folder.resolve(name + ".png"), 1300, 1800);
      browser.get().screenshot(ui + "graph/", folder.resolve(name + "-runs.png"), 1300, 900);
    }
  }

  private static void waitFor(String page) throws IOException, InterruptedException {
    for (int i = 0; i < 150 && get(page).statusCode() != 200; i++) {
      Thread.sleep(200);
    }
  }
}
