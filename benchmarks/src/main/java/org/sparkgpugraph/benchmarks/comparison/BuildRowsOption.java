package org.sparkgpugraph.benchmarks.comparison;

import org.sparkgpugraph.examples.command.Choice;
import org.sparkgpugraph.runtime.conf.BuildRows;

/** Converts an argument of {@code --build-rows}. */
final class BuildRowsOption extends Choice<BuildRows> {
  BuildRowsOption() {
    super(BuildRows.class, "a place where rows are made");
  }
}
