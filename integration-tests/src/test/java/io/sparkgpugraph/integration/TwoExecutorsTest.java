package io.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.lib.SVDPlusPlus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.graphx.Edge;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two executors of one core, and of several emulated devices that Spark does not know of. */
@Tag("any-spark")
class TwoExecutorsTest extends SpreadGraph {
  TwoExecutorsTest() {
    super(2);
  }

  @Override
  Cluster.Options options(Cluster.Options some) {
    return some;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void emulatedDevicesGiveWhatCoresGive(int devices) {
    context().setLocalProperty("spark.gpugraph.emulated.devices", String.valueOf(devices));
    try {
      assertEmulated(IntStream.range(0, devices).mapToObj(i -> "emulated GPU " + i).toList());
    } finally {
      context().setLocalProperty("spark.gpugraph.emulated.devices", null);
    }
  }

  /** SVD++, a program that is written instead of lifted, with arrays as values. */
  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void ratingsAreFactorisedAsOnOneExecutor(EngineChoice engine) {
    assumeTrue(
        engine == EngineChoice.CPU || EmulatedDevice.isAvailable(),
        "skipped: the emulated GPU compiles its kernels with g++, which is not there");
    RunOptions one = RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withExecutors(1);
    RunOptions two = RunOptions.DEFAULT.withEngine(engine).withExecutors(2);
    Map<Long, double[]> expected = ratings(one);
    Map<Long, double[]> actual = ratings(two);
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (id, values) ->
            assertThat(actual.get(id))
                .as("vertex %d", id)
                .containsExactly(values, Offset.offset(1e-9)));
  }

  /** What is learnt of 700 ratings: both vectors, bias, and norm or error. */
  private Map<Long, double[]> ratings(RunOptions options) {
    Random random = new Random(3);
    List<Edge<Double>> edges = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      long item = 1 + 2 * (long) (60 * Math.pow(random.nextDouble(), 2));
      edges.add(new Edge<>(2L * random.nextInt(90), item, (double) random.nextInt(6)));
    }
    SVDPlusPlus.Conf conf = new SVDPlusPlus.Conf(3, 4, 0.0, 5.0, 0.007, 0.011, 0.005, 0.015);
    Map<Long, double[]> values = new HashMap<>();
    var result = SVDPlusPlus.run(context().parallelize(edges, 3).rdd(), conf, 7, options);
    for (var vertex : result._1().vertices().toJavaRDD().collect()) {
      var learnt = vertex._2();
      values.put(
          (Long) vertex._1(),
          Stream.of(learnt._1(), learnt._2(), new double[] {learnt._3(), learnt._4()})
              .flatMapToDouble(Arrays::stream)
              .toArray());
    }
    result._1().unpersist(true);
    return values;
  }
}
