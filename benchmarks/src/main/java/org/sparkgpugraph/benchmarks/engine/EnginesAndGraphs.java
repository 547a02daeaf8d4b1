package org.sparkgpugraph.benchmarks.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.sparkgpugraph.benchmarks.CsrFile;
import org.sparkgpugraph.benchmarks.GraphSpec;
import org.sparkgpugraph.program.ir.Kind;
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
              + " weights up to 10000; each with -sym behind: the simple undirected graph of its edges,"
              + " weights 1 to 64; file:PATH: rows of out-edges in a file (32-bit integers, little-endian:"
              + " rows, columns, edges; offsets; ends; weights as floats). Default rmat16.")
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

  /**
   * Writes the graphs as files that {@code file:} names.
   *
   * @param folder where NAME.csr is made for each; null: nothing is written
   */
  void write(Path folder, List<GraphSpec> specs) throws IOException {
    if (folder == null) {
      return;
    }
    for (GraphSpec graph : specs) {
      String name = graph.name().replaceAll("[^A-Za-z0-9.-]", "_");
      Path path = folder.resolve(name + ".csr");
      CsrFile.write(path, Math.toIntExact(graph.vertices()), graph.edges(Kind.FLOAT));
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
