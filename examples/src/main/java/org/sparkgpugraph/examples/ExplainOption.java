package org.sparkgpugraph.examples;

import org.sparkgpugraph.runtime.conf.ExplainMode;

/** Converts the argument of {@code --explain}. */
final class ExplainOption extends Choice<ExplainMode> {
  ExplainOption() {
    super(ExplainMode.class, "an explanation");
  }
}
