package org.sparkgpugraph.examples.command;

import org.sparkgpugraph.run.EngineChoice;

/** Converts the argument of {@code --engine}. */
public final class EngineOption extends Choice<EngineChoice> {
  /** For the help of a job. */
  public static final String DESCRIPTION =
      "auto (default): the GPU where there is one that can run it, else the CPU; cuda; cpu;"
          + " graphx: stock GraphX; emulated: an emulated GPU, for tests of kernels.";

  EngineOption() {
    super(EngineChoice.class, "an engine");
  }
}
