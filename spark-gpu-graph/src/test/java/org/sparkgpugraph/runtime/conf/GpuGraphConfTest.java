package org.sparkgpugraph.runtime.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DevicePartitioning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunOptions.Fallback;
import org.sparkgpugraph.testing.SharedSpark;

@ExtendWith(SharedSpark.class)
class GpuGraphConfTest {
  private static final String REWRITE = "rewriteConfigurationPage";

  private static SparkConf conf(String... pairs) {
    SparkConf conf = new SparkConf(false);
    for (int i = 0; i < pairs.length; i += 2) {
      conf.set(pairs[i], pairs[i + 1]);
    }
    return conf;
  }

  @Test
  void everythingHasADefault() {
    GpuGraphConf conf = GpuGraphConf.of(conf(), Map.of());
    assertThat(conf.get(GpuGraphConf.ENGINE)).isEqualTo(EngineChoice.AUTO);
    assertThat(conf.get(GpuGraphConf.FALLBACK)).isEqualTo(Fallback.AUTO);
    assertThat(conf.get(GpuGraphConf.KERNEL)).isEqualTo(KernelChoice.AUTO);
    assertThat(conf.get(GpuGraphConf.PARTITIONS)).isZero();
    assertThat(conf.get(GpuGraphConf.THREADS)).isZero();
    assertThat(conf.get(GpuGraphConf.EXPLAIN)).isEqualTo(ExplainMode.NONE);
  }

  @Test
  void defaultsAreThoseOfTheEngine() {
    assertThat(DeviceConf.of(GpuGraphConf.of(conf(), Map.of())).engine())
        .isEqualTo(DeviceSettings.DEFAULT);
  }

  @Test
  void defaultsAreValidValues() {
    for (ConfigEntry<?> entry : GpuGraphConf.entries()) {
      assertThat(entry.parse(entry.defaultText())).isEqualTo(entry.defaultValue());
      assertThat(entry.key()).startsWith(GpuGraphConf.PREFIX);
    }
  }

  @Test
  void optionsWinOverLocalPropertiesAndThoseOverTheSparkConf(JavaSparkContext spark) {
    assertThat(
            GpuGraphConf.of(conf("spark.gpugraph.threads", "3"), Map.of())
                .get(GpuGraphConf.THREADS))
        .isEqualTo(3);
    assertThat(
            GpuGraphConf.of(
                    conf("spark.gpugraph.threads", "3"), Map.of("spark.gpugraph.threads", "4"))
                .get(GpuGraphConf.THREADS))
        .isEqualTo(4);
    spark.setLocalProperty("spark.gpugraph.kernel", "Sparse");
    try {
      assertThat(GpuGraphConf.of(spark.sc()).get(GpuGraphConf.KERNEL))
          .isEqualTo(KernelChoice.SPARSE);
      assertThat(
              GpuGraphConf.of(spark.sc(), Map.of("spark.gpugraph.kernel", "dense"))
                  .get(GpuGraphConf.KERNEL))
          .isEqualTo(KernelChoice.DENSE);
    } finally {
      spark.setLocalProperty("spark.gpugraph.kernel", null);
    }
    assertThat(GpuGraphConf.of(spark.sc()).get(GpuGraphConf.KERNEL)).isEqualTo(KernelChoice.AUTO);
  }

  @Test
  void aWrongValueNamesKeyValueAndValidValues() {
    assertThatThrownBy(() -> GpuGraphConf.of(conf("spark.gpugraph.engine", "gpu"), Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "spark.gpugraph.engine = 'gpu' is not valid; use one of `auto`, `cuda`, `cpu`,"
                + " `graphx`, `emulated`");
    assertThatThrownBy(() -> GpuGraphConf.of(conf(), Map.of("spark.gpugraph.partitions", "-1")))
        .hasMessage(
            "spark.gpugraph.partitions = '-1' is not valid; use an integer from 0 to 65536");
    for (String wrong : new String[] {"1", "2.1", "NaN", "much"}) {
      assertThatThrownBy(
              () -> GpuGraphConf.of(conf("spark.gpugraph.placement.imbalance", wrong), Map.of()))
          .hasMessage(
              "spark.gpugraph.placement.imbalance = '%s' is not valid; use a number from 1.01 to 2.0",
              wrong);
    }
    assertThatThrownBy(() -> GpuGraphConf.of(conf("spark.gpugraph.threads", "two"), Map.of()))
        .hasMessageContaining("spark.gpugraph.threads = 'two'");
  }

  @Test
  void keysOfTheGpuAreCheckedAndReachTheDevice() {
    GpuGraphConf conf =
        GpuGraphConf.of(
            conf(
                "spark.gpugraph.denseKernel",
                "Virtual-Warp-8",
                "spark.gpugraph.grouping",
                "32",
                "spark.gpugraph.gpu.memoryReserve",
                "2g",
                "spark.gpugraph.gpu.edgeMemory",
                "3g",
                "spark.gpugraph.gpu.exchange",
                "hub",
                "spark.gpugraph.gpu.partitioning",
                "permissive",
                "spark.gpugraph.gpu.tuning",
                "on",
                "spark.gpugraph.kernelCache.dir",
                "/var/cache/kernels",
                "spark.gpugraph.kernelCache.maxBytes",
                "0"),
            Map.of());
    DeviceConf device = DeviceConf.of(conf);
    assertThat(device.engine().virtualWarp()).isEqualTo(8);
    assertThat(device.engine().grouping()).isEqualTo(32);
    assertThat(device.engine().hubDegree()).isEqualTo(1024);
    assertThat(device.engine().reserveBytes()).isEqualTo(2L << 30);
    assertThat(device.engine().edgeBytes()).isEqualTo(3L << 30);
    assertThat(device.engine().exchange()).isEqualTo(DeviceExchange.HUB);
    assertThat(device.engine().partitioning()).isEqualTo(DevicePartitioning.PERMISSIVE);
    assertThat(device.engine().tunes()).isTrue();
    assertThat(DeviceSettings.DEFAULT.tunes()).isFalse();
    assertThat(device.kernelCacheDir()).isEqualTo("/var/cache/kernels");
    assertThat(device.kernelCacheMaxBytes()).isZero();
    assertThat(device.nvrtcPath()).isEmpty();
    for (String[] wrong :
        new String[][] {
          {
            "denseKernel",
            "virtual-warp-3",
            "one of `streamed-rows`, `warp-segmentation`, `virtual-warp-1`"
          },
          {"grouping", "3", "one of `auto`, `1`, `2`, `4`, `32`, `64`"},
          {"hubDegree", "31", "an integer from 32"},
          {"gpu.exchange", "nvlink", "one of `auto`, `hub`, `peer`"},
          {"gpu.memoryReserve", "much", "a size such as `512m` or `2g`"},
          {"gpu.memoryReserve", "-1", "a size such as `512m` or `2g`"},
          {"gpu.edgeMemory", "an eighth", "a size such as `512m` or `2g`"},
          {"emulated.memory", "1k", "at least 65536 bytes"},
          {"kernelCache.dir", "cache", "an absolute path"},
          {"nvrtc.path", "libnvrtc.so", "an absolute path"}
        }) {
      String key = GpuGraphConf.PREFIX + wrong[0];
      assertThatThrownBy(() -> GpuGraphConf.of(conf(key, wrong[1]), Map.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(key + " = '" + wrong[1] + "' is not valid; use ")
          .hasMessageContaining(wrong[2]);
    }
  }

  @Test
  void anUnknownOptionIsAnErrorThatNamesTheNearestKey() {
    assertThatThrownBy(() -> GpuGraphConf.of(conf(), Map.of("spark.gpugraph.kernels", "dense")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown configuration key 'spark.gpugraph.kernels'; did you mean"
                + " 'spark.gpugraph.kernel'?");
    assertThatThrownBy(() -> GpuGraphConf.entry("kernel")).hasMessageContaining("kernel");
  }

  @Test
  void anUnknownKeyOfTheSparkConfIsIgnored() {
    assertThat(
            GpuGraphConf.of(conf("spark.gpugraph.from.tomorrow", "x"), Map.of())
                .get(GpuGraphConf.THREADS))
        .isZero();
  }

  @Test
  void nearestNames() {
    assertThat(NearestName.of("pagrank", java.util.List.of("bfs", "pagerank")))
        .hasValue("pagerank");
    assertThat(NearestName.of("BFS", java.util.List.of("bfs", "pagerank"))).hasValue("bfs");
    assertThat(NearestName.of("xyz", java.util.List.of("bfs", "pagerank"))).isEmpty();
    assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(NearestName.distance("", "abc")).isEqualTo(3);
    assertThat(NearestName.distance("bsf", "bfs")).isEqualTo(1);
    assertThat(NearestName.of("bsf", java.util.List.of("bfs", "pagerank"))).hasValue("bfs");
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    Path page = Path.of(System.getProperty("basedir", "."), "..", "docs", "configuration.md");
    if (Boolean.getBoolean(REWRITE)) {
      Files.createDirectories(page.getParent());
      Files.writeString(page, ConfigurationPage.markdown());
    }
    assertThat(page)
        .as(
            "docs/configuration.md is generated; rewrite it with: mvn -pl spark-gpu-graph -am test"
                + " -Dtest=GpuGraphConfTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -D"
                + REWRITE
                + "=true")
        .hasContent(ConfigurationPage.markdown());
  }
}
