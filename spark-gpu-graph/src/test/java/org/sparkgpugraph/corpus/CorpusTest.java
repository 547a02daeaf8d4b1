package org.sparkgpugraph.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.SharedSpark;

/** Programs as GraphX's users write them give on our engines what stock GraphX gives. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark-4")
class CorpusTest {
  private static final long SEED = Long.getLong("corpusSeed", 16);

  /** {@code emulated} compiles kernels for each program, which takes minutes. */
  private static final String ENGINE = System.getProperty("corpusEngine", "auto");

  /** Which programs, by a part of their names; those of one file, say. */
  private static final String ONLY = System.getProperty("corpusOnly", "");

  @TestFactory
  Stream<DynamicTest> programsGiveWhatGraphxGives(JavaSparkContext context) {
    return Stream.of(Corpus.programs())
        .filter(program -> program.name().contains(ONLY))
        .map(
            program ->
                DynamicTest.dynamicTest(program.name(), () -> check(context, program, ENGINE)));
  }

  /** Some programs whose forms are far from each other, since each takes its kernels' time. */
  private static final Set<String> EMULATED =
      Set.of(
          "cores: who loses neighbours",
          "a ratio that may be one of zero",
          "messages for every bit",
          "a broadcast array",
          "an array of a thousand",
          "a large set that ends ways, and a map of pairs",
          "plain objects on edges and as messages",
          "an iterator that is filtered",
          "maps: distances to landmarks, as GraphX's ShortestPaths",
          "maps: weighted distances that are compared");

  @TestFactory
  @Tag("any-spark")
  Stream<DynamicTest> someDoSoOnTheEmulatedDevice(JavaSparkContext context) {
    List<CorpusProgram<?, ?, ?>> some =
        Stream.<CorpusProgram<?, ?, ?>>of(Corpus.programs())
            .filter(program -> EMULATED.contains(program.name()))
            .toList();
    assertThat(some).hasSameSizeAs(EMULATED);
    return some.stream()
        .map(
            program ->
                DynamicTest.dynamicTest(program.name(), () -> check(context, program, "emulated")));
  }

  @TestFactory
  @Tag("gpu")
  Stream<DynamicTest> programsThatLiftDoSoOnAGpu(JavaSparkContext context) {
    return Stream.<CorpusProgram<?, ?, ?>>of(Corpus.programs())
        .filter(CorpusProgram::lifts)
        .map(
            program ->
                DynamicTest.dynamicTest(program.name(), () -> check(context, program, "cuda")));
  }

  private static void check(
      JavaSparkContext context, CorpusProgram<?, ?, ?> program, String engine) {
    context.setLocalProperty(GpuGraphConf.ENGINE.key(), program.lifts() ? engine : "auto");
    context.setLocalProperty(GpuGraphConf.FALLBACK.key(), program.lifts() ? "never" : "auto");
    try {
      assertThat(Corpus.difference(program, context.sc(), SEED))
          .as("%s (-DcorpusSeed=%s)", program, SEED)
          .isEmpty();
    } finally {
      context.setLocalProperty(GpuGraphConf.ENGINE.key(), null);
      context.setLocalProperty(GpuGraphConf.FALLBACK.key(), null);
    }
  }
}
