package org.sparkgpugraph.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.SharedSpark;

/** Why programs of maps fall back: told in the user's words, before they run or as they do. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark-4")
class MapProgramsTest {
  private static CorpusProgram<?, ?, ?> program(String name) {
    return Stream.<CorpusProgram<?, ?, ?>>of(Corpus.programs())
        .filter(program -> program.name().equals("maps: " + name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "of seventeen keys|the Maps or Sets of the vertices have 17 different keys or more",
        "of every vertex|the Maps or Sets of the vertices have 17 different keys or more",
        "with default values|but Map.WithDefault",
        "whose order shows in a fold|calls foldLeft on a Map",
        "whose order shows in a var|calls foreach on a Map",
        "that give their entries one key|gives several entries of a Map the key 3",
        "whose keys are the ids of neighbours|a key in a Map or Set that no vertex's value",
        "where a division by zero stops GraphX alone|an integer division by zero in a function",
        "of NaN|a comparison of NaN with NaN in maps"
      })
  void reasonsAreTold(String name, String reason, JavaSparkContext context) {
    context.setLocalProperty(GpuGraphConf.FALLBACK.key(), "never");
    try {
      assertThatThrownBy(() -> Corpus.difference(program(name), context.sc(), 16))
          .isInstanceOf(NotLiftableException.class)
          .hasMessageContaining(reason);
    } finally {
      context.setLocalProperty(GpuGraphConf.FALLBACK.key(), null);
    }
  }

  @Test
  void explainTellsTheColumns(JavaSparkContext context) {
    CorpusProgram<?, ?, ?> program = program("distances to landmarks, as GraphX's ShortestPaths");
    assertThat(Corpus.explanation(program, context.sc(), 16))
        .contains("vertex value: ", "Map", "sendMessage reads: srcAttr (6 of 6 columns)");
  }
}
