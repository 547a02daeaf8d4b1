package io.sparkgpugraph.benchmarks;

import java.util.List;

/** Opens engines by name. */
final class BenchmarkEngines {
  /** Names of the engines. */
  static final List<String> NAMES = List.of("cpu");

  private BenchmarkEngines() {}

  /**
   * Opens an engine.
   *
   * @param settings of a device engine
   */
  static BenchmarkEngine open(String name, EngineSettings settings) {
    return switch (name) {
      case "cpu" -> new CpuBenchmarkEngine();
      default -> throw new IllegalArgumentException("no engine '" + name + "'");
    };
  }
}
