package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.program.ProgramInstance;
import io.sparkgpugraph.program.lift.ProgramLifter;
import io.sparkgpugraph.testing.RandomPrograms;
import io.sparkgpugraph.testing.TestProgram;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the generated sources of random programs into a folder, for a look at them. */
final class KernelSourcesDump {
  private KernelSourcesDump() {}

  public static void main(String[] args) throws Exception {
    Path folder = Files.createDirectories(Path.of(args[0]));
    for (long seed = 0; seed < Long.parseLong(args[1]); seed++) {
      TestProgram<?, ?, ?, ?, ?> program = RandomPrograms.any(seed);
      ProgramInstance lifted = ProgramLifter.lift(program.source());
      for (int variant = 0; variant < 2; variant++) {
        KernelShape shape = shape(lifted, program, variant == 1);
        ProgramKernels kernels =
            ProgramKernels.of(
                lifted.program(), shape, new DeviceShape(program.direction, variant == 1));
        Files.writeString(
            folder.resolve("p" + seed + (variant == 1 ? "x" : "") + ".cu"),
            kernels.source().text());
      }
    }
  }

  private static KernelShape shape(
      ProgramInstance lifted, TestProgram<?, ?, ?, ?, ?> program, boolean variant) {
    RunSettings settings =
        new RunSettings(
            program.initialMessage == null ? null : new Object[1],
            program.emptyMessage == null ? null : new Object[1],
            program.direction,
            program.gather,
            program.maxIterations,
            variant && lifted.program().traits().monotone(),
            KernelChoice.AUTO,
            1,
            program.stopWhen);
    return KernelShape.of(lifted.program(), settings, variant, variant);
  }
}
