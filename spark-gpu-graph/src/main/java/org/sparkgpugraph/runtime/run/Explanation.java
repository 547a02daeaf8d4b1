package org.sparkgpugraph.runtime.run;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.load.GpuColumns;
import org.sparkgpugraph.runtime.stage.Computation;

/**
 * What {@code explain()} says of any run: the lines that programs and operators have in common.
 * Lines that start with ! are refusals.
 */
final class Explanation {
  private static final Logger LOG = LoggerFactory.getLogger(Explanation.class);

  /** More partitions than these are summed up in a line. */
  private static final int PARTITIONS_SHOWN = 16;

  private final JobInput input;
  private final String subject;
  private final StringJoiner lines = new StringJoiner("\n", "", "\n");

  /**
   * @param subject what is explained, in a sentence
   */
  Explanation(JobInput input, String subject) {
    this.input = input;
    this.subject = subject;
  }

  /** Logs what a run would do, before it does it, where {@code spark.gpugraph.explain} says so. */
  static void logIfAsked(RunConf conf, Supplier<String> text) {
    if (conf.explain() != ExplainMode.NONE) {
      LOG.info("{}", text.get());
    }
  }

  void add(String line) {
    lines.add(line);
  }

  /** All lines. */
  String text() {
    return lines.toString();
  }

  /**
   * Adds the lines of engine and kernel.
   *
   * @param cudaSource whether the description is to have the CUDA source
   * @return what the executor says; null when the engine that was asked for is not there
   */
  Computation.Description describe(Execution execution, boolean cudaSource) {
    EngineChoice engine = input.conf().engine();
    String asked = engine.name().toLowerCase(Locale.ROOT);
    try {
      Computation.Description description = execution.describe(cudaSource);
      lines.add(
          "engine: %s (%s%s)"
              .formatted(
                  description.engine(),
                  engine == EngineChoice.AUTO || engine == EngineChoice.CPU
                      ? ""
                      : "the configuration asks for " + asked + "; ",
                  description.reason()));
      if (!description.kernel().isEmpty()) {
        lines.add("kernel: " + description.kernel());
      }
      return description;
    } catch (DeviceException e) {
      lines.add("engine: none: the configuration asks for " + asked);
      lines.add("! " + subject + " cannot run on GPU because " + e.getMessage());
      return null;
    }
  }

  /**
   * Adds the lines of the graph and of the memory that a run takes beside it.
   *
   * @param description what the executor says; null when the engine is not there
   */
  void graph(Computation.Description description) {
    if (input.resident() == null) {
      lines.add(
          "graph: not loaded yet; " + Math.max(1, input.conf().partitions()) + " partition(s)");
      return;
    }
    GraphHandle handle = input.resident().state().handle();
    boolean spread = handle.executors() > 1;
    lines.add(
        "graph: %s vertices, %s edges, %s%s partition(s), %s bytes%s"
            .formatted(
                handle.vertices(),
                handle.edges(),
                spread ? handle.executors() + " executor graphs, " : "",
                handle.partitions(),
                handle.bytes(),
                handle.locations().get(0) == null
                    ? ""
                    : ", held by " + String.join(", ", handle.locations())));
    if (description == null) {
      return;
    }
    lines.add("memory: " + description.memory() + (spread ? ", on the first executor" : ""));
    description.choices().forEach(line -> lines.add("choice: " + line));
    List<String> partitions = description.partitions();
    partitions.stream().limit(PARTITIONS_SHOWN).forEach(line -> lines.add("  " + line));
    if (partitions.size() > PARTITIONS_SHOWN) {
      lines.add("  and " + (partitions.size() - PARTITIONS_SHOWN) + " partitions more");
    }
  }

  /**
   * Says whether columns stay on the GPU, of an application that has RAPIDS.
   *
   * @param result type of the values
   */
  void columns(ValueType result) {
    if (input.resident() != null && GpuColumns.areAsked(input.sc())) {
      GraphHandle handle = input.resident().state().handle();
      if (handle.gpuColumns() != null) {
        lines.add("columns: " + handle.gpuColumns());
      }
      lines.add("columns: " + GpuColumns.ofResult(input.sc(), handle, result));
    }
  }

  /** Adds a line about values. */
  void type(String values, ValueType type) {
    lines.add(
        values + ": " + type.className() + " " + type.columns() + ", " + type.bytes() + " bytes");
  }
}
