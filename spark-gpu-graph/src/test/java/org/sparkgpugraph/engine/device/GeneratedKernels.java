package org.sparkgpugraph.engine.device;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.TestProgram;

/** Generated sources of random programs, for tests that compile them and for people to read. */
public final class GeneratedKernels {
  /** Programs that between them use every kernel: plain, extended, every shape. */
  public static final List<Long> SEEDS = List.of(0L, 3L, 14L);

  private GeneratedKernels() {}

  /** The unit of a random program that outlines supersteps which walk rows. */
  public static KernelSource outlined(TestProgram<?, ?, ?, ?, ?> program) {
    LiftedProgram lifted = ProgramLifter.lift(program.source()).program();
    return of(program, false)
        .outlining(lifted, new DeviceShape(program.direction, false, DenseTuning.DEFAULT))
        .outlined()
        .orElseThrow()
        .kernels()
        .source();
  }

  /**
   * The kernels of a random program.
   *
   * @param everything also what only some runs need: missing vertices, several partitions, updates
   *     in place where allowed, the baseline kernels
   */
  public static ProgramKernels of(long seed, boolean everything) {
    return of(RandomPrograms.any(seed), everything);
  }

  private static ProgramKernels of(TestProgram<?, ?, ?, ?, ?> program, boolean everything) {
    ProgramInstance lifted = ProgramLifter.lift(program.source());
    RunSettings settings =
        new RunSettings(
            program.initialMessage == null ? null : new Object[1],
            program.emptyMessage == null ? null : new Object[1],
            program.direction,
            program.gather,
            program.maxIterations,
            everything && lifted.program().traits().monotone(),
            KernelChoice.AUTO,
            1,
            program.stopWhen);
    return ProgramKernels.of(
        lifted.program(),
        KernelShape.of(lifted.program(), settings, everything, everything),
        new DeviceShape(program.direction, everything, DenseTuning.DEFAULT));
  }

  /** Writes sources into a folder: FOLDER COUNT. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createDirectories(Path.of(args[0]));
    for (long seed = 0; seed < Long.parseLong(args[1]); seed++) {
      for (boolean everything : new boolean[] {false, true}) {
        Files.writeString(
            folder.resolve("p" + seed + (everything ? "x" : "") + ".cu"),
            of(seed, everything).source().text());
      }
    }
  }
}
