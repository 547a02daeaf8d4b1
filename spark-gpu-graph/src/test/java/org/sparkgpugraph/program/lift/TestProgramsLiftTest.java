package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.TestProgram;

/** Every program that the engine tests draw from can be lifted. */
@Tag("any-spark")
class TestProgramsLiftTest {
  @Test
  void nothingIsRefused() {
    for (long seed = 0; seed < 120; seed++) {
      TestProgram<?, ?, ?, ?, ?> program = RandomPrograms.any(seed);
      LiftedProgram lifted =
          ProgramLifter.lift(
                  new ProgramSource(
                      ValueType.of(program.attribute),
                      ValueType.of(program.edge),
                      ValueType.of(program.message),
                      program.state,
                      program.vertexProgram,
                      program.send,
                      program.merge,
                      program.activeWhen,
                      program.aggregates,
                      program.finalAggregates,
                      program.result))
              .program();
      assertThat(lifted.result())
          .as(program.name + ", seed " + seed)
          .isEqualTo(ValueType.of(program.resultType));
    }
  }
}
