package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.Engine;
import io.sparkgpugraph.engine.cpu.CpuEngine;
import io.sparkgpugraph.testing.RandomPrograms;
import io.sparkgpugraph.testing.ReferencePregel;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs of an engine on the shards of a graph give, to the bit, what {@link ReferencePregel} gives:
 * random graphs and programs, 1 to 4 shards of 1 to 3 partitions, every kernel, every mode of
 * exchange, several local supersteps, snapshots in the middle. More cases: {@code
 * -DpropertyCases=100000}; one case: {@code -DpropertySeed=N}.
 */
class ShardedPropertyTest {
  private static final int BATCHES = 20;
  private static final int CASES = Integer.getInteger("propertyCases", 1000);
  private static final Engine ENGINE = new CpuEngine();

  static IntStream batches() {
    return IntStream.range(0, Long.getLong("propertySeed") == null ? BATCHES : 1);
  }

  @ParameterizedTest
  @MethodSource("batches")
  void shardsGiveWhatTheReferenceGives(int batch) {
    Long only = Long.getLong("propertySeed");
    if (only != null) {
      ShardedTrial.check(ENGINE, RandomPrograms.any(only), only);
      return;
    }
    for (long seed = batch; seed < CASES; seed += BATCHES) {
      ShardedTrial.check(ENGINE, RandomPrograms.any(seed), seed);
    }
  }
}
