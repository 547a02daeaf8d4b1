package org.sparkgpugraph.benchmarks.comparison;

import org.sparkgpugraph.examples.command.EngineOption;
import org.sparkgpugraph.examples.command.UsageException;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import picocli.CommandLine.Option;

/** What commands take that run the library and stock GraphX on the same graph. */
final class SidesOptions {
  @Option(
      names = "--edge-partitions",
      paramLabel = "N",
      description = "Edge partitions of the GraphX graph; default 4.")
  int edgePartitions = 4;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      converter = EngineOption.class,
      description = "Engine of the library: auto (default), cuda, cpu or emulated.")
  private EngineChoice engine;

  /** Refuses what makes no sense. */
  void check() {
    if (edgePartitions < 1) {
      throw new UsageException("--edge-partitions must be at least 1, not " + edgePartitions);
    }
    if (engine == EngineChoice.GRAPHX) {
      throw new UsageException("--engine graphx would compare stock GraphX with itself");
    }
  }

  /** How the library runs. */
  RunOptions ours() {
    return engine == null ? RunOptions.DEFAULT : RunOptions.DEFAULT.withEngine(engine);
  }
}
