package org.sparkgpugraph.benchmarks.engine;

import java.util.List;
import org.sparkgpugraph.benchmarks.GraphSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of benchmarks that measure several engines on generated graphs. */
final class EnginesAndGraphs {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      split = ",",
      description = "cuda, cpu, emulated; default cpu. Several with commas are compared.")
  private List<String> engines = List.of("cpu");

  @Option(
      names = "--graphs",
      paramLabel = "GRAPH",
      split = ",",
      description =
          "rmatSCALE: R-MAT of 2^SCALE vertices and 16 edges for each, ids scrambled;"
              + " twinSCALE: two of half the size that share no edge; randomSCALE: as many edges"
              + " between any two;"
              + " latticeSIDE: SIDE x SIDE vertices, 4 neighbours; holesSIDE: the same with holes and"
              + " weights up to 10000. Default rmat16.")
  private List<String> graphs = List.of("rmat16");

  /**
   * Checks the engines' names.
   *
   * @throws ParameterException when there is no such engine
   */
  void check() {
    for (String name : engines) {
      if (!BenchmarkEngines.NAMES.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "'" + name + "' is not an engine; valid: " + String.join(", ", BenchmarkEngines.NAMES));
      }
    }
  }

  /** Names of the engines. */
  List<String> engines() {
    return engines;
  }

  /**
   * The graphs.
   *
   * @param partitions into how many they are cut at least
   * @throws ParameterException when there is no such graph
   */
  List<GraphSpec> graphs(int partitions) {
    try {
      return graphs.stream().map(name -> GraphSpec.of(name, partitions)).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }
}
