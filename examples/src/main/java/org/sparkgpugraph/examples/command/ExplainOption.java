package org.sparkgpugraph.examples.command;

import org.sparkgpugraph.run.ExplainMode;

/** Converts the argument of {@code --explain}. */
public final class ExplainOption extends Choice<ExplainMode> {
  ExplainOption() {
    super(ExplainMode.class, "an explanation");
  }
}
