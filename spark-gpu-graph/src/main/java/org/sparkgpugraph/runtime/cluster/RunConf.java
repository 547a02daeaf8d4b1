package org.sparkgpugraph.runtime.cluster;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.UpdateFormat;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.conf.ConfigEntry;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.conf.HoistMode;
import org.sparkgpugraph.runtime.conf.HubMerges;
import org.sparkgpugraph.runtime.conf.VertexPlacement;

/**
 * What is in force for one run: options, then Spark configuration, then defaults.
 *
 * @param partitions into how many a graph is cut, in each executor graph; 0: one per memory
 * @param executors how many executor graphs; 0: chosen
 * @param placement which of these hold which vertices
 * @param threads at least 1
 * @param device what is said about GPUs
 * @param explain what is told of a program before it runs
 * @param hoist whether values are computed per vertex instead of per edge
 * @param exchange how partitions tell each other what changed
 */
public record RunConf(
    EngineChoice engine,
    KernelChoice kernel,
    int partitions,
    int executors,
    Placed placement,
    int threads,
    RunOptions.Fallback fallback,
    DeviceConf device,
    ExplainMode explain,
    HoistMode hoist,
    Exchange exchange) {

  /**
   * Which executors hold which vertices.
   *
   * @param by what decides
   * @param imbalance how many times its share of the edges one may hold where neighbours decide
   */
  public record Placed(VertexPlacement by, double imbalance) {}

  /**
   * How partitions tell each other what changed.
   *
   * @param mode what they tell
   * @param format what becomes of updates before they travel to other executors
   * @param hubs which vertices other executors tell partial messages
   * @param compress whether Spark compresses them, too
   * @param lanes blocks of what one executor tells another, at most; at least 1
   * @param inlineBytes that an executor may tell by way of the driver
   * @param standingMillis how long the tasks of a superstep stay for those that follow; 0: not
   * @param localSupersteps most supersteps between two exchanges, at least 1; 0: chosen
   * @param checkpointInterval exchanges between two checkpoints; 0: none
   */
  public record Exchange(
      ExchangeMode mode,
      UpdateFormat format,
      Hubs hubs,
      boolean compress,
      int lanes,
      int inlineBytes,
      int standingMillis,
      int localSupersteps,
      int checkpointInterval) {}

  /**
   * Which vertices other executors tell partial messages.
   *
   * @param inEdges those with more than so many in-edges; 0: none
   * @param merges by which merge functions
   */
  public record Hubs(int inEdges, HubMerges merges) {}

  public static RunConf of(SparkContext sc, RunOptions options) {
    Map<String, String> settings = new LinkedHashMap<>();
    put(settings, GpuGraphConf.ENGINE, options.engine());
    put(settings, GpuGraphConf.KERNEL, options.kernel());
    put(settings, GpuGraphConf.PARTITIONS, options.partitions());
    put(settings, GpuGraphConf.EXECUTORS, options.executors());
    put(settings, GpuGraphConf.FALLBACK, options.fallback());
    GpuGraphConf conf = GpuGraphConf.of(sc, settings);
    int asked = conf.get(GpuGraphConf.THREADS);
    int threads = asked > 0 ? asked : Executors.cores(sc);
    int lanes = conf.get(GpuGraphConf.EXCHANGE_LANES);
    return new RunConf(
        conf.get(GpuGraphConf.ENGINE),
        conf.get(GpuGraphConf.KERNEL),
        conf.get(GpuGraphConf.PARTITIONS),
        conf.get(GpuGraphConf.EXECUTORS),
        new Placed(conf.get(GpuGraphConf.PLACEMENT), conf.get(GpuGraphConf.PLACEMENT_IMBALANCE)),
        threads,
        conf.get(GpuGraphConf.FALLBACK),
        DeviceConf.of(conf),
        conf.get(GpuGraphConf.EXPLAIN),
        conf.get(GpuGraphConf.HOIST),
        new Exchange(
            conf.get(GpuGraphConf.EXCHANGE),
            new UpdateFormat(
                conf.get(GpuGraphConf.EXCHANGE_ENCODING),
                conf.get(GpuGraphConf.EXCHANGE_SIGNIFICANT_BITS)),
            new Hubs(
                conf.get(GpuGraphConf.EXCHANGE_HUBS), conf.get(GpuGraphConf.EXCHANGE_HUB_MERGES)),
            conf.get(GpuGraphConf.EXCHANGE_COMPRESS),
            lanes > 0 ? lanes : threads,
            conf.get(GpuGraphConf.EXCHANGE_INLINE_BYTES),
            conf.get(GpuGraphConf.EXCHANGE_STANDING_MILLIS),
            conf.get(GpuGraphConf.LOCAL_SUPERSTEPS),
            conf.get(GpuGraphConf.CHECKPOINT_INTERVAL)));
  }

  /** Whether stock GraphX is to run. */
  public boolean asksForStock() {
    return engine == EngineChoice.GRAPHX || fallback == RunOptions.Fallback.ALWAYS;
  }

  private static void put(Map<String, String> settings, ConfigEntry<?> entry, Object value) {
    if (value != null) {
      settings.put(entry.key(), value.toString().toLowerCase(Locale.ROOT));
    }
  }
}
