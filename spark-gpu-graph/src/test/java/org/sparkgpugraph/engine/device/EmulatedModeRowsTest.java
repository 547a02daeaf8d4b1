package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.plan.ModeTables;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.IrBuilder;

/** Most frequent messages on emulated devices. */
@Tag("any-spark")
class EmulatedModeRowsTest extends ModeRowsSuite {
  @Override
  Device openDevice() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(3));
  }

  @Override
  int longest() {
    return 5000;
  }

  @Test
  void longRowsAreCutIntoChunksAndBatches() {
    DeviceSettings settings = DeviceSettings.DEFAULT.withHubs(10, 4);
    // Rows of 11 + 0, 3, 4 + 4, 30 + 10, 12 + 0 places; the last one does not exist.
    int[] in = {0, 11, 14, 18, 48, 60};
    int[] out = {0, 0, 0, 4, 14, 14};
    ModeTables tables = ModeTables.of(5, in, out, new long[] {15}, 1, settings);
    assertThat(tables.rows()).containsExactly(0, 3);
    assertThat(tables.firstChunk()).containsExactly(0, 3, 13);
    assertThat(tables.chunkHub()).containsExactly(0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    assertThat(tables.chunkBegin()).startsWith(0, 4, 8, 0, 4);
    assertThat(tables.chunkEnd()).startsWith(4, 8, 11, 4, 8).endsWith(40);
    assertThat(tables.capacity()).containsExactly(16, 60);
    assertThat(tables.first()).containsExactly(0, 17);
    assertThat(tables.slots()).isEqualTo(78);
    assertThat(tables.batches()).containsExactly(new DevicePlan.Batch(0, 13, 78));
    // Two messages an edge: rows of 6 and 16 places too.
    assertThat(ModeTables.of(5, in, out, null, 2, settings).rows()).containsExactly(0, 2, 3, 4);
    // A batch holds 4096 chunks of 4, 28,672 slots: 10,000 places with half as many again, and one.
    int[] large = {0, 10_000, 20_000, 30_000};
    ModeTables several = ModeTables.of(3, large, null, null, 1, settings);
    assertThat(several.first()).containsExactly(0, 0, 0);
    assertThat(several.batches())
        .containsExactly(
            new DevicePlan.Batch(0, 2500, 15_001),
            new DevicePlan.Batch(2500, 5000, 15_001),
            new DevicePlan.Batch(5000, 7500, 15_001));
  }

  private static IrFunction loop(Side side) {
    IrBuilder send = new IrBuilder("send");
    int value = send.parameter(Role.SOURCE, 0, Kind.LONG);
    int again = send.newLabel();
    send.label(again).emit(side, value);
    send.branch(Condition.LT, value, send.parameter(Role.DESTINATION, 0, Kind.LONG), again);
    return send.returns().build();
  }

  @Test
  void programsThatSendInALoopAreRefused() {
    LiftedProgram one = ModeRowsSuite.program().program();
    LiftedProgram program =
        LiftedProgram.builder()
            .attribute(one.attribute())
            .edge(one.edge())
            .state(one.state())
            .message(one.message())
            .result(one.result())
            .initialState(one.initialState())
            .vertexProgram(one.vertexProgram())
            .send(loop(Side.DESTINATION))
            .traits(one.traits())
            .build();
    assertThatThrownBy(
            () ->
                DeviceEngine.kernels(
                    program, ModeRowsSuite.settings(), DeviceSettings.DEFAULT, false, false))
        .isInstanceOf(ProgramUnsupportedException.class)
        .hasMessage(
            "sendMessage may send any number of messages to one end of an edge (it sends in a"
                + " loop), but on a GPU the most frequent message is found where an edge sends at"
                + " most 8: set spark.gpugraph.engine = cpu");
  }
}
