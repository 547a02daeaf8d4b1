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
                  new SourceBuilder()
                      .attribute(ValueType.of(program.attribute))
                      .edge(ValueType.of(program.edge))
                      .message(ValueType.of(program.message))
                      .initialState(program.state)
                      .vertexProgram(program.vertexProgram)
                      .send(program.send)
                      .merge(program.merge)
                      .activeWhen(program.activeWhen)
                      .aggregates(program.aggregates)
                      .finalAggregates(program.finalAggregates)
                      .resultFunction(program.result)
                      .build())
              .program();
      assertThat(lifted.result())
          .as(program.name + ", seed " + seed)
          .isEqualTo(ValueType.of(program.resultType));
    }
  }
}
