package org.sparkgpugraph.examples.algorithms;

import java.util.List;
import org.sparkgpugraph.run.RunReport;

/**
 * A finished run, for its figure of merit.
 *
 * @param columns of the result
 * @param vertices of the graph
 * @param report null when stock GraphX ran
 * @param settings what was asked for
 */
public record Outcome(
    List<ColumnFacts> columns, long vertices, RunReport report, Settings settings) {
  /** The first column. */
  ColumnFacts values() {
    return columns.get(0);
  }
}
