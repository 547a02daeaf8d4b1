package io.sparkgpugraph.examples;

import io.sparkgpugraph.spark.ExplainMode;

/** Converts the argument of {@code --explain}. */
final class ExplainOption extends Choice<ExplainMode> {
  ExplainOption() {
    super(ExplainMode.class, "an explanation");
  }
}
