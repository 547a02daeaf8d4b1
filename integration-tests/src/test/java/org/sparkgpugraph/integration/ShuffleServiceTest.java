package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Timer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.shuffle.ExternalBlockHandler;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;

/**
 * Spark's external shuffle service in this JVM serves what two executors tell each other: also what
 * goes as it is packed, in lanes.
 */
@Tag("any-spark")
class ShuffleServiceTest {
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);

  @Test
  void servesLoadsAndSupersteps(@TempDir Path scratch) throws Exception {
    Map<Programs, Map<Long, Object>> expected = Expected.values();
    TransportConf conf = new TransportConf("shuffle", MapConfigProvider.EMPTY);
    ExternalBlockHandler service = new ExternalBlockHandler(conf, null);
    try (TransportContext transport = new TransportContext(conf, service);
        TransportServer server = transport.createServer(0, List.of());
        Cluster cluster =
            Cluster.of(2)
                .cores(2)
                .set("spark.gpugraph.executors", "2")
                // By way of the driver nothing would have to be served.
                .set("spark.gpugraph.exchange.inlineBytes", "0")
                .set("spark.shuffle.service.enabled", "true")
                .set("spark.shuffle.service.port", String.valueOf(server.getPort()))
                // Otherwise executors of one host read each other's files themselves.
                .set("spark.shuffle.readHostLocalDisk", "false")
                .start(scratch)) {
      assertThat(requests(service, "registerExecutorRequestLatencyMillis")).isEqualTo(2);
      try (ResidentGraph<Double, Double> graph =
          GpuPregel.load(Programs.graph(cluster.context()), Double.class, Double.class)) {
        long before = requests(service, "openBlockRequestLatencyMillis");
        assertThat(before).as("requests for parcels and what ghosts ask").isPositive();
        run(Programs.RANKS, graph, expected);
        assertThat(requests(service, "openBlockRequestLatencyMillis"))
            .as("each executor asks in each superstep")
            .isGreaterThan(before + 2L * Programs.RANK_ITERATIONS - 2);
        run(Programs.PATHS, graph, expected);

        cluster.kill(Internals.state(graph).handle().locations().get(1));
        cluster.awaitExecutors();
        run(Programs.RANKS, graph, expected);
      }
      cluster.awaitNothingHeld();
    } finally {
      service.close();
    }
  }

  private static void run(
      Programs program,
      ResidentGraph<Double, Double> graph,
      Map<Programs, Map<Long, Object>> expected) {
    program.assertSame(
        "the shuffle service", new HashMap<>(program.values(graph, CPU)), expected.get(program));
  }

  private static long requests(ExternalBlockHandler service, String what) {
    return ((Timer) service.getAllMetrics().getMetrics().get(what)).getCount();
  }
}
