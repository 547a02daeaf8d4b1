package org.sparkgpugraph.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.storage.BlockManagerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.testing.SharedSpark;
import scala.Option;

/** What the driver and tasks that stay tell each other. */
@ExtendWith(SharedSpark.class)
class StandingOrderTest {
  private static ShardOutput output(int shard, long... lengths) {
    return new ShardOutput(
        BlockManagerId.apply("e" + shard, "host", 1000 + shard, Option.empty()),
        1L << 62 | shard,
        shard,
        lengths);
  }

  private static Serializer serializer() {
    return SharedSpark.context().env().closureSerializer();
  }

  @Test
  void aShardIsToldTheLengthsOfItsOwnBlocks() {
    ShardWork work = new ShardWork.Step("run", 3, 7, new double[] {1.5}, 1, true);
    List<ShardOutput> outputs =
        List.of(output(0, 1, 2, 3, 4, 5, 6), output(1, 7, 8, 9, 10, 11, 12));
    List<byte[]> sent =
        new StandingOrder(5, work, outputs, List.of(), true, false).forShards(3, serializer());

    assertThat(sent).hasSize(3);
    for (int shard = 0; shard < 3; shard++) {
      StandingOrder order = StandingOrder.of(sent.get(shard));
      assertThat(order.number()).isEqualTo(5);
      assertThat(order.work().epoch()).isEqualTo(7);
      assertThat(order.writes()).isTrue();
      assertThat(order.last()).isFalse();
      assertThat(order.outputs())
          .extracting(ShardOutput::mapId)
          .containsExactly(1L << 62, 1L << 62 | 1);
      assertThat(order.outputs().get(0).owner().executorId()).isEqualTo("e0");
      assertThat(order.outputs().get(0).lengths()).containsExactly(2 * shard + 1, 2 * shard + 2);
      assertThat(order.outputs().get(1).lengths()).containsExactly(2 * shard + 7, 2 * shard + 8);
    }
  }

  @Test
  void aShardIsToldTheRecordsThatAreForIt() {
    byte[] first =
        InlineRecords.pack(
            List.of(
                new ShardWork.Message(2, new byte[] {1, 2, 3}),
                new ShardWork.Message(0, new byte[0]),
                new ShardWork.Message(2, new byte[] {4})));
    byte[] third = InlineRecords.pack(List.of(new ShardWork.Message(2, new byte[] {5, 6})));
    List<byte[]> all = List.of(first, InlineRecords.NONE, third);
    ShardWork work = new ShardWork.Step("run", 3, 7, new double[] {1.5}, 1, true);
    for (List<ShardOutput> outputs : List.of(List.<ShardOutput>of(), List.of(output(1, 7, 8, 9)))) {
      List<byte[]> sent =
          new StandingOrder(5, work, outputs, all, true, false).forShards(3, serializer());
      assertThat(StandingOrder.of(sent.get(0)).records()).containsExactly(new byte[0]);
      assertThat(StandingOrder.of(sent.get(1)).records()).isEmpty();
      assertThat(StandingOrder.of(sent.get(2)).records())
          .containsExactly(new byte[] {1, 2, 3}, new byte[] {4}, new byte[] {5, 6});
      for (int shard = 0; shard < 3; shard++) {
        List<ShardOutput> told = StandingOrder.of(sent.get(shard)).outputs();
        assertThat(told).hasSameSizeAs(outputs);
        int own = 7 + shard;
        assertThat(told).allSatisfy(o -> assertThat(o.lengths()).containsExactly(own));
      }
      // The last order is one for all.
      StandingOrder last = new StandingOrder(5, work, outputs, all, true, false).again();
      assertThat(StandingOrder.of(last.forShards(1, serializer()).get(0)).records()).isEmpty();
    }
  }

  @Test
  void anOrderMayHaveNothingToReadOrToDo() {
    for (byte[] sent :
        new StandingOrder(9, null, List.of(), List.of(), false, true).forShards(2, serializer())) {
      StandingOrder order = StandingOrder.of(sent);
      assertThat(order.work()).isNull();
      assertThat(order.outputs()).isEmpty();
      assertThat(order.last()).isTrue();
    }
  }

  @Test
  void aCallHasItsHeadBeforeWhatItTells() {
    ShardReport report = new ShardReport(1, 2, 3, ShardReport.Outcome.DONE, "done");
    byte[] bytes =
        StandingCall.done(
                3,
                17,
                new StandingOrder.Answer(
                    report, List.of(output(3, 10), output(3, 11)), InlineRecords.NONE))
            .bytes();

    StandingCall call = StandingCall.of(bytes);
    assertThat(call.kind()).isEqualTo(StandingCall.Kind.DONE);
    assertThat(call.shard()).isEqualTo(3);
    assertThat(call.number()).isEqualTo(17);
    StandingOrder.Answer answer =
        StandingOrder.unpack(serializer(), call.answer(), StandingOrder.Answer.class);
    assertThat(answer.report()).isEqualTo(report);
    assertThat(answer.outputs()).hasSize(2);
    assertThat(answer.outputs().get(1).lengths()).containsExactly(11);
    StandingCall joined = StandingCall.of(StandingCall.of(StandingCall.Kind.JOINED, 4, 0).bytes());
    assertThat(joined.kind()).isEqualTo(StandingCall.Kind.JOINED);
    assertThat(joined.answer().remaining()).isZero();
  }
}
