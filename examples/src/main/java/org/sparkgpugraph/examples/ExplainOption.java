package org.sparkgpugraph.examples;

import org.sparkgpugraph.run.ExplainMode;

/** Converts the argument of {@code --explain}. */
final class ExplainOption extends Choice<ExplainMode> {
  ExplainOption() {
    super(ExplainMode.class, "an explanation");
  }
}
